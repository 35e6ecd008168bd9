//! How a worker is, for operators.

use serde_json::json;
use tooldock_worker::{LoadError, LogLine, ProcessState, ToolSource, WorkerEngine};

use super::super::{Describe, LoadProblem, LogEntry, NamespaceState, ProcessLine, ToolPlace};

impl Describe for WorkerEngine {
    fn describe(&self) -> NamespaceState {
        let report = self.report();
        let runtime = &report.runtime;
        let pids = self.pids();
        NamespaceState {
            state: report.state.label(),
            reason: report.state.reason().map(str::to_owned),
            pid: self.pid(),
            processes: report.processes.iter().map(process_line).collect(),
            pids: if pids.len() > 1 { pids } else { Vec::new() },
            errors: report.errors.iter().map(load_problem).collect(),
            isolation: Some(json!({
                "asked": report.isolation.asked.to_string(),
                "enforced": report.isolation.enforced,
                "missing": report.isolation.missing,
            })),
            runtime: Some(json!({
                "python": runtime.python,
                "fastmcp": runtime.fastmcp,
                "validator": runtime.validator,
                "load_ms": report.load_ms,
            })),
            missing_secrets: report.missing_secrets,
            placeholder_secrets: report.waiting_secrets,
        }
    }

    fn tools(&self) -> Vec<ToolPlace> {
        let place = |source: ToolSource| ToolPlace {
            tool: source.tool,
            file: source.file,
            line: source.line,
        };
        self.report().sources.into_iter().map(place).collect()
    }

    fn log(&self, lines: usize) -> Vec<LogEntry> {
        let entry = |line: LogLine| LogEntry {
            time: line.time_ms,
            stream: line.stream.as_str(),
            request_id: line.request_id,
            text: line.text,
        };
        self.log_tail(lines).into_iter().map(entry).collect()
    }

    fn retry(&self) {
        Self::retry(self);
    }
}

fn process_line(process: &ProcessState) -> ProcessLine {
    ProcessLine {
        state: process.state.label(),
        reason: process.state.reason().map(str::to_owned),
        pid: process.pid,
        starts: process.starts,
        open: process.open,
        processor_seconds: process.usage.map(|usage| usage.processor.as_secs_f64()),
        resident_bytes: process.usage.map(|usage| usage.resident),
    }
}

/// The traceback stays in the log.
fn load_problem(error: &LoadError) -> LoadProblem {
    LoadProblem {
        file: error.file.clone(),
        tool: error.tool.clone(),
        line: error.line,
        message: error.message.clone(),
        hint: error.hint.clone(),
    }
}
