//! What is measured: one row per program and door.

use crate::{load::Door, servers::Place};

/// One measured thing.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Row {
    /// How it is called in tables, results and bars.
    pub(crate) name: &'static str,
    /// The program.
    pub(crate) place: Place,
    /// What is done.
    pub(crate) door: Door,
    /// Where.
    pub(crate) path: &'static str,
    /// How many clients.
    pub(crate) clients: usize,
    /// Calls a second; none for as many as are answered.
    pub(crate) rate: Option<u32>,
}

impl Row {
    const fn new(name: &'static str, place: Place, door: Door, path: &'static str) -> Self {
        Self {
            name,
            place,
            door,
            path,
            clients: 32,
            rate: None,
        }
    }

    /// The same with another number of clients.
    const fn by(self, clients: usize) -> Self {
        Self { clients, ..self }
    }

    /// The same in open loop.
    const fn at(self, rate: u32) -> Self {
        Self {
            rate: Some(rate),
            ..self
        }
    }
}

const CLOSURE: &str = "/tooldock/echo/mcp";
const REST: &str = "/echo/tools/echo";

/// The rows that are compared with each other, so that they take turns.
#[rustfmt::skip]
pub(crate) const COMPARED: &[Row] = &[
    Row::new("axum echo", Place::Axum, Door::Modern, "/echo"),
    Row::new("tooldock closure", Place::Closure, Door::Modern, CLOSURE),
    Row::new("rmcp closure", Place::Rmcp, Door::Modern, "/mcp"),
    Row::new("tooldock closure session", Place::Closure, Door::Session, CLOSURE),
    Row::new("rmcp closure session", Place::Rmcp, Door::Session, "/mcp"),
    Row::new("tooldock closure alone", Place::Closure, Door::Modern, "/alone/echo/mcp"),
    Row::new("tooldock closure whole", Place::Closure, Door::Modern, "/whole/echo/mcp"),
    Row::new("axum echo rest", Place::Axum, Door::Rest, "/rest"),
    Row::new("tooldock closure rest", Place::Closure, Door::Rest, "/tooldock/echo/tools/echo"),
    Row::new("python socket", Place::Python, Door::Lines, ""),
    Row::new("relay python", Place::Relay, Door::Modern, "/echo"),
    Row::new("tooldock python", Place::Core, Door::Modern, "/echo/mcp"),
    Row::new("tooldock python session", Place::Core, Door::Session, "/echo/mcp"),
    Row::new("tooldock python rest", Place::Core, Door::Rest, REST),
    Row::new("axum list 50", Place::Axum, Door::List, "/list/0"),
    Row::new("tooldock list 50", Place::Closure, Door::List, "/tooldock/list50/mcp"),
    Row::new("axum list 500", Place::Axum, Door::List, "/list/1"),
    Row::new("tooldock list 500", Place::Closure, Door::List, "/tooldock/list500/mcp"),
    Row::new("tooldock new session", Place::Closure, Door::NewSession, CLOSURE),
    Row::new("rmcp new session", Place::Rmcp, Door::NewSession, "/mcp"),
];

/// The rows that stand for themselves, once: one client, many clients, a steady rate.
#[rustfmt::skip]
pub(crate) const SINGLE: &[Row] = &[
    Row::new("tooldock closure, 1 client", Place::Closure, Door::Modern, CLOSURE).by(1),
    Row::new("tooldock python, 1 client", Place::Core, Door::Modern, "/echo/mcp").by(1),
    Row::new("axum echo at 5000/s", Place::Axum, Door::Modern, "/echo").at(5000),
    Row::new("tooldock closure at 5000/s", Place::Closure, Door::Modern, CLOSURE).at(5000),
    Row::new("rmcp closure at 5000/s", Place::Rmcp, Door::Modern, "/mcp").at(5000),
    Row::new("tooldock python at 5000/s", Place::Core, Door::Modern, "/echo/mcp").at(5000),
    Row::new("tooldock closure, 256 clients", Place::Closure, Door::Modern, CLOSURE).by(256),
    Row::new("tooldock python session, 256 clients", Place::Core, Door::Session, "/echo/mcp").by(256),
    Row::new("tooldock python, 256 clients", Place::Core, Door::Modern, "/echo/mcp").by(256),
];
