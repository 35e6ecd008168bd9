//! From the file of one day to the next, beside other processes that keep the same log.

use std::{io, path::PathBuf};

use super::{
    super::{
        AuditSettings,
        chain::Link,
        day::Day,
        folder,
        line::{self, Line},
        page::Page,
    },
    Writing,
};

impl Writing {
    /// Opens the file of `day` and keeps other processes out of it, unless it is open, or a later one is: whatever the clock does, files
    /// follow each other.
    pub(super) fn turn_to(&mut self, day: Day) -> io::Result<()> {
        let usable = match &mut self.page {
            Some(page) => page.day >= day && !page.is_gone() && page.hold()?,
            None => false,
        };
        let held = self.page.take().filter(|_| usable);
        self.page = match held {
            Some(page) if self.is_last(&page)? => Some(page),
            held => {
                // Who begins the next file has it and waits for this one.
                drop(held);
                Some(self.open(day)?)
            }
        };
        Ok(())
    }

    /// Whether no later file follows a page that is held. Whoever begins a file of a chain makes it before he holds the one before it
    /// to see where that ends, so what is still the last one stays it until it is released.
    fn is_last(&self, page: &Page) -> io::Result<bool> {
        let AuditSettings { folder, chain, .. } = &self.shared.settings;
        Ok(!chain
            || folder::files(folder)?
                .last()
                .is_none_or(|(newest, _)| *newest <= page.day))
    }

    fn open(&mut self, day: Day) -> io::Result<Page> {
        let shared = self.shared.clone();
        let AuditSettings {
            folder,
            keep_days,
            chain,
            ..
        } = &shared.settings;
        folder::make(folder)?;
        let (files, mut page) = loop {
            let files = folder::files(folder)?;
            let day = files.last().map_or(day, |(newest, _)| day.max(*newest));
            let page = Page::new(day, (self.open)(&folder.join(day.file()))?)?;
            // Another process may have begun a later one meanwhile.
            if self.is_last(&page)? {
                break (files, page);
            }
        };
        let day = page.day;
        page.link = match *chain {
            false => None,
            true if page.is_empty() => Some(self.end_before(&files, &mut page)?),
            true => page.link.or(Some(Link::FIRST)),
        };
        let opened = Line::of((shared.now)(), "opened", |out| {
            out.string("version", env!("CARGO_PKG_VERSION"))
                .number("process", std::process::id())
                // Of a line that was not written to its end, and was taken off.
                .number("cut_bytes", page.cut)
                // What the first line of the file follows.
                .maybe_string("previous", page.link.map(|link| link.to_string()).as_deref());
        });
        self.lines.clear();
        let link = line::write(&mut self.lines, page.link, &opened.text);
        page.write(&self.lines)?;
        page.link = link;
        if let Err(error) = folder::tidy(folder, day.before(*keep_days)) {
            tracing::warn!(%error, "old files of the audit log cannot be removed");
        }
        Ok(page)
    }

    /// The link that the first line of `page` follows: of the last file before it in which there is a line.
    fn end_before(&mut self, files: &[(Day, PathBuf)], page: &mut Page) -> io::Result<Link> {
        let day = page.day;
        for (day, path) in files.iter().rev().filter(|(other, _)| *other < day) {
            let before = Page::new(*day, (self.open)(path)?)?;
            page.cut += before.cut;
            if !before.is_empty() {
                return Ok(before.link.unwrap_or(Link::FIRST));
            }
        }
        Ok(Link::FIRST)
    }
}
