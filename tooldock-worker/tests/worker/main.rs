//! Workers as the gateway sees them: real Python processes, and scripted ones that misbehave.

mod shop;
mod serving;
