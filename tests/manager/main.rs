//! The manager: what a model does with it.
#![allow(clippy::panic, clippy::unwrap_used, reason = "tests")]

mod archives; // packages as their registries have them
mod away; // a core that is not there, or is something else
mod breadth; // what a large repository costs
mod clients; // clients of others
mod files; // tool files and their folders
mod flows; // whole flows, by clients of others
mod inputs; // every tool with good, missing, wrong and hostile arguments
mod intake; // source code of others, from a forge and a registry
mod packages; // what namespaces ask of the index
mod pair; // a core and its manager
mod programs; // the programs as processes
mod repairs; // reloads, tests, logs, ways back, the doctor
mod repositories;
mod secrets; // states, never values
mod sources; // code that is checked and never run
mod table; // the list of tools as a model reads it
