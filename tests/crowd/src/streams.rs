//! Streams that are open and silent: what each costs, and how soon one change has been told on all.

use std::time::{Duration, Instant};

use futures_util::future::try_join_all;
use tokio::{task::JoinSet, time::timeout};

use crate::{
    Outcome, TOKENS,
    client::{Client, LISTEN, authorized, expect, in_session},
    subject::Subject,
};

/// Streams of each kind for each principal.
const EACH: usize = 1000;

/// What one stream may cost, with its session and its connection.
const MEMORY: u64 = 20 << 10;

/// What part of a processor all of them may use, and for how long that is watched.
const SHARE: f64 = 0.05;
const WATCHED: Duration = Duration::from_secs(20);

/// In which time a change must have been told on all streams.
const TOLD: Duration = Duration::from_secs(2);

/// How many streams are opened at the same time.
const AT_ONCE: usize = 50;

/// Opens the streams, weighs them, changes the list of tools once and waits for every stream to say so.
pub(crate) async fn check() -> Outcome {
    let subject = Subject::start().await?;
    for round in 0..2 {
        warm(&subject)
            .await
            .map_err(|error| format!("round {round}: {error}"))?;
    }
    let before = subject.memory()?;
    let mut streams = Vec::new();
    for token in TOKENS {
        for _ in 0..EACH / AT_ONCE {
            let opening = (0..AT_ONCE).map(|_| get(&subject.address, token));
            streams.extend(try_join_all(opening).await?);
            let opening = (0..AT_ONCE).map(|_| listen(&subject.address, token));
            streams.extend(try_join_all(opening).await?);
        }
    }
    let count = streams.len() as u64;
    let each = subject.memory()?.saturating_sub(before) / count;
    println!("{count} idle streams: {:.1} KiB each", each as f64 / 1024.0);
    if each > MEMORY {
        return Err(format!("a stream costs `{each}` bytes; at most {MEMORY} are allowed").into());
    }

    let used = subject.processor()?;
    tokio::time::sleep(WATCHED).await;
    let share = (subject.processor()? - used).as_secs_f64() / WATCHED.as_secs_f64();
    println!("{count} idle streams: {:.1} % of a processor", share * 100.0);
    if share > SHARE {
        return Err(format!("idle streams use {:.1} % of a processor", share * 100.0).into());
    }

    let mut waiting = JoinSet::new();
    for mut stream in streams {
        waiting.spawn(async move {
            let line = stream.await_line("notifications/tools/list_changed").await?;
            Outcome::Ok((stream, line))
        });
    }
    let mut told = Client::connect(&subject.address).await?;
    let begin = Instant::now();
    let answer = told.send("POST", "/grow", "", "").await?;
    expect(answer.status, 200, &answer.body)?;
    let all = async {
        let mut heard = Vec::new();
        while let Some(ended) = waiting.join_next().await {
            heard.push(ended??);
        }
        Outcome::Ok(heard)
    };
    let heard = timeout(TOLD, all)
        .await
        .map_err(|_| format!("a change was not told on every stream within {TOLD:?}"))??;
    println!("one change on {count} streams: {:?}", begin.elapsed());
    for (mut stream, line) in heard {
        stream.judge(&line);
    }
    Ok(())
}

/// One stream of each kind, opened and left: what is made once is made now.
async fn warm(subject: &Subject) -> Outcome {
    for token in TOKENS {
        get(&subject.address, token).await?;
        listen(&subject.address, token).await?;
    }
    Ok(())
}

async fn get(address: &str, token: &str) -> Outcome<Client> {
    let mut client = Client::connect(address).await?;
    let session = client.open(token).await?;
    client.stream("GET", &in_session(token, &session), "").await?;
    Ok(client)
}

async fn listen(address: &str, token: &str) -> Outcome<Client> {
    let mut client = Client::connect(address).await?;
    let headers = format!(
        "{}MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: subscriptions/listen\r\n",
        authorized(token)
    );
    client.stream("POST", &headers, LISTEN).await?;
    let line = client
        .await_line("notifications/subscriptions/acknowledged")
        .await?;
    client.judge(&line);
    Ok(client)
}
