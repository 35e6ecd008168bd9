//! The file with the list of tokens, and what is known of it.

use std::{
    convert::Infallible,
    fs, io,
    path::{Path, PathBuf},
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use tokio::time::{MissedTickBehavior, interval};

use super::{Mistakes, token_list};
use crate::http::{Token, Tokens};

/// How often the file is looked at: what is taken out of it ends within 5 s.
const LOOK: Duration = Duration::from_secs(2);

/// A file with tokens besides those that are there anyway. What it says counts while the program runs; a file with mistakes, or none,
/// changes nothing. Clones are the same.
#[derive(Debug, Clone)]
pub struct TokenFile(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    path: PathBuf,
    /// The tokens that are no part of the file.
    own: Vec<Token>,
    tokens: Tokens,
    /// The text that counts.
    text: Mutex<String>,
}

impl TokenFile {
    /// Reads the file at `path`; its tokens are known besides those of `own`.
    ///
    /// # Errors
    /// The file cannot be read, or every mistake in it.
    pub fn open(path: impl Into<PathBuf>, own: Vec<Token>) -> Result<Self, Mistakes> {
        let path = path.into();
        let text = read(&path)?;
        let listed = token_list::parse(&text, &own)?;
        let tokens = Tokens::new(own.iter().cloned().chain(listed));
        Ok(Self(Arc::new(Inner {
            path,
            own,
            tokens,
            text: Mutex::new(text),
        })))
    }

    /// The tokens that are known.
    #[must_use]
    pub fn tokens(&self) -> &Tokens {
        &self.0.tokens
    }

    /// Reads the file again. What was opened with a token that is gone or has changed ends.
    ///
    /// # Errors
    /// As [`open`](Self::open); the tokens that were known stay so.
    ///
    /// # Cancel safety
    /// Dropping the future may leave the file unread.
    pub async fn refresh(&self) -> Result<(), Mistakes> {
        let file = self.clone();
        let taken = tokio::task::spawn_blocking(move || file.take());
        taken
            .await
            .unwrap_or_else(|error| Err(Mistakes::one(format!("reading TOKENS_FILE broke: {error}"))))
    }

    fn take(&self) -> Result<(), Mistakes> {
        let Inner {
            path,
            own,
            tokens,
            text,
        } = &*self.0;
        let new = read(path)?;
        let mut text = text.lock().unwrap_or_else(PoisonError::into_inner);
        if *text != new {
            let listed = token_list::parse(&new, own)?;
            tracing::info!(tokens = listed.len(), "TOKENS_FILE has changed");
            tokens.replace(own.iter().cloned().chain(listed));
            *text = new;
        }
        Ok(())
    }

    /// Reads the file every two seconds. It is looked at rather than watched: a file that is mounted, or a link whose target is
    /// exchanged, tells no watcher.
    ///
    /// # Cancel safety
    /// Safe.
    pub async fn follow(&self) -> Infallible {
        let mut told = None;
        let mut ticks = interval(LOOK);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            ticks.tick().await;
            let mistakes = self.refresh().await.err();
            // Once each, not every two seconds.
            if let Some(mistakes) = mistakes.as_ref().filter(|_| mistakes != told) {
                tracing::error!(%mistakes, "TOKENS_FILE is not taken; the tokens before it stay");
            }
            told = mistakes;
        }
    }
}

fn read(path: &Path) -> Result<String, Mistakes> {
    let unreadable = |error: io::Error| {
        let path = path.to_string_lossy();
        Mistakes::one(format!(
            "TOKENS_FILE names `{}`, which cannot be read: {error}",
            path.escape_debug()
        ))
    };
    fs::read_to_string(path).map_err(unreadable)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::digest;

    fn list(names: &[&str]) -> String {
        let line = |name: &&str| {
            let digest: String = digest(value(name).as_bytes())
                .iter()
                .map(|byte| format!("{byte:02x}"))
                .collect();
            format!("- name: {name}\n  sha256: {digest}\n")
        };
        format!("tokens:\n{}", names.iter().map(line).collect::<String>())
    }

    fn value(name: &str) -> String {
        format!("the-token-of-{name}")
    }

    #[tokio::test(start_paused = true)]
    async fn s3_a_token_that_is_taken_out_ends_within_five_seconds() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("tokens.yaml");
        fs::write(&path, list(&["ann", "bob"])).unwrap();
        let own = Token::new("default", &value("default")).unwrap();
        let file = TokenFile::open(&path, vec![own]).unwrap();
        let find = |name| file.tokens().find(value(name).as_bytes());
        let [default, ann, bob] =
            ["default", "ann", "bob"].map(|name| find(name).unwrap().principal().clone());
        let begin = tokio::time::Instant::now();
        let revoked = async {
            fs::write(&path, "tokens: [").unwrap();
            tokio::time::sleep(LOOK * 2).await;
            assert!(!bob.has_ended(), "a file with mistakes changes nothing");
            fs::write(&path, list(&["ann", "carl"])).unwrap();
            let written = begin.elapsed();
            bob.ended().await;
            assert!(begin.elapsed() - written <= Duration::from_secs(5));
        };
        tokio::select! {
            never = file.follow() => match never {},
            () = revoked => {}
        }
        assert!(find("bob").is_none() && find("carl").is_some());
        assert!(!ann.has_ended() && !default.has_ended());
        fs::remove_file(&path).unwrap();
        assert!(
            file.refresh()
                .await
                .unwrap_err()
                .to_string()
                .contains("cannot be read")
        );
        assert!(find("carl").is_some());
    }
}
