//! The thread that writes.

mod turn;

use std::{
    io,
    path::Path,
    sync::Arc,
    thread::{self, JoinHandle},
    time::{Duration, SystemTime},
};

use super::{
    AuditLog, AuditSettings,
    batch::Batch,
    day::Day,
    line::{self, Line},
    log::{Now, Shared},
    page::{Page, Paper, open_file},
    queue::{Queue, Turn},
};

/// Bytes that are written at once.
const CHUNK: usize = 256 << 10;
/// How long the writer waits before it tries again what did not work.
const AGAIN: Duration = Duration::from_secs(1);

/// Owns the thread that writes an [`AuditLog`]. Dropping it writes what is left and ends the thread.
#[derive(Debug)]
pub struct AuditWriter {
    log: AuditLog,
    thread: Option<JoinHandle<()>>,
}

impl AuditWriter {
    /// Starts the thread. A folder that cannot be written is no error: it may be there later, and until then the
    /// [status](AuditLog::status) says why nothing is written.
    ///
    /// # Errors
    /// When there can be no further thread.
    pub fn start(settings: AuditSettings) -> io::Result<Self> {
        Self::start_on(settings, Box::new(SystemTime::now), Box::new(open_file))
    }

    /// The same with another clock, and another place for lines.
    pub(super) fn start_on(settings: AuditSettings, now: Box<Now>, open: Box<Open>) -> io::Result<Self> {
        let queue = Queue::new(settings.queue);
        let shared = Arc::new(Shared { settings, queue, now });
        let writing = Writing {
            shared: shared.clone(),
            open,
            page: None,
            lost: 0,
            lines: Vec::new(),
        };
        let thread = thread::Builder::new()
            .name("audit".to_owned())
            .spawn(move || writing.run())?;
        Ok(Self {
            log: AuditLog(shared),
            thread: Some(thread),
        })
    }

    /// The way of records to this writer.
    #[must_use]
    pub fn log(&self) -> AuditLog {
        self.log.clone()
    }
}

impl Drop for AuditWriter {
    fn drop(&mut self) {
        self.log.0.queue.close();
        if self.thread.take().is_some_and(|thread| thread.join().is_err()) {
            tracing::error!("the writer of the audit log has panicked");
        }
    }
}

/// Opens the file of a day.
type Open = dyn FnMut(&Path) -> io::Result<Box<dyn Paper>> + Send;

/// What the thread has.
struct Writing {
    shared: Arc<Shared>,
    open: Box<Open>,
    page: Option<Page>,
    /// Lost records that no line tells of yet.
    lost: u64,
    /// What is written at once; kept for its room.
    lines: Vec<u8>,
}

impl Writing {
    fn run(mut self) {
        let shared = self.shared.clone();
        let queue = &shared.queue;
        let mut batch = Batch::default();
        loop {
            let (turn, lost) = queue.take(&mut batch);
            self.lost += lost;
            if turn == Turn::End {
                return;
            }
            let (done, result) = self.write(&batch);
            batch.remove_first(done);
            let news = queue.settle(done, result.as_ref().err().map(ToString::to_string));
            match result {
                Ok(()) if news => tracing::info!("the audit log can be written again"),
                Ok(()) => {}
                Err(error) => {
                    if news {
                        tracing::error!(folder = %shared.settings.folder.display(), %error, "the audit log cannot be written; what is recorded waits");
                    }
                    if !queue.rest(AGAIN) {
                        queue.give_up(batch.len());
                        tracing::error!(records = batch.len(), %error, "records of the audit log are lost");
                        return;
                    }
                }
            }
        }
    }

    /// Writes `batch`, and gives how much of it is written.
    fn write(&mut self, batch: &Batch) -> (usize, io::Result<()>) {
        let mut done = 0;
        while done < batch.len() || self.lost > 0 {
            match self.write_some(batch.from(done)) {
                Ok(count) => done += count,
                Err(error) => return (done, Err(error)),
            }
        }
        (done, Ok(()))
    }

    /// Writes as many of `entries` as go into one file at once, and gives how many.
    fn write_some<'a>(&mut self, entries: impl Iterator<Item = (Day, &'a [u8])>) -> io::Result<usize> {
        let (now, mut entries) = ((self.shared.now)(), entries.peekable());
        self.turn_to(entries.peek().map_or(Day::of(now), |(day, _)| *day))?;
        let Self {
            page, lines, lost, ..
        } = self;
        let page = page.as_mut().expect("it was just opened");
        lines.clear();
        let mut link = page.link;
        if *lost > 0 {
            let told = Line::of(now, "lost", |out| {
                out.number("records", *lost);
            });
            link = line::write(lines, link, &told.text);
        }
        let mut count = 0;
        for (day, text) in entries {
            if lines.len() >= CHUNK || day > page.day {
                break;
            }
            link = line::write(lines, link, text);
            count += 1;
        }
        let written = page.write(lines);
        page.release()?;
        written?;
        (page.link, *lost) = (link, 0);
        Ok(count)
    }
}
