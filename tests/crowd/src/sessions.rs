//! Sessions that are made and left: entries, tasks and memory end where they began.

use futures_util::future::try_join_all;

use crate::{
    Outcome, TOKENS,
    client::{Client, expect, in_session},
    subject::Subject,
};

/// Sessions made before anything is weighed, and after that.
const WARM: usize = 20_000;
const MADE: usize = 100_000;

/// Connections that make them.
const MAKERS: usize = 20;

/// By how much memory may differ: what an allocator keeps for itself.
const SLACK: u64 = 4 << 20;

/// Makes sessions; every other one is ended by its client, the others are forgotten.
pub(crate) async fn check() -> Outcome {
    let subject = Subject::start().await?;
    make(&subject, WARM).await?;
    let before = (subject.counts().await?, subject.memory()?);
    make(&subject, MADE).await?;
    let after = (subject.counts().await?, subject.memory()?);
    println!(
        "{MADE} sessions made and left: sessions {} to {}, tasks {} to {}, memory {} KiB to {} KiB",
        before.0.0,
        after.0.0,
        before.0.1,
        after.0.1,
        before.1 >> 10,
        after.1 >> 10
    );
    if after.0.0 > before.0.0 {
        return Err(format!("`{}` sessions are left, `{}` were there", after.0.0, before.0.0).into());
    }
    if after.0.1 > before.0.1 {
        return Err(format!("`{}` tasks are left, `{}` were there", after.0.1, before.0.1).into());
    }
    if after.1 > before.1 + SLACK {
        return Err(format!("memory grew from `{}` to `{}` bytes", before.1, after.1).into());
    }
    Ok(())
}

async fn make(subject: &Subject, count: usize) -> Outcome {
    let each = count / MAKERS;
    let makers = (0..MAKERS).map(|maker| async move {
        let token = TOKENS[maker % TOKENS.len()];
        let mut client = Client::connect(&subject.address).await?;
        for number in 0..each {
            let session = client.open(token).await?;
            if number % 2 == 0 {
                let ended = client
                    .send("DELETE", "/crowd/mcp", &in_session(token, &session), "")
                    .await?;
                expect(ended.status, 204, &ended.body)?;
            }
        }
        Outcome::Ok(())
    });
    try_join_all(makers).await?;
    Ok(())
}
