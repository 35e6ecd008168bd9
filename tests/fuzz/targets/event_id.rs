//! Fuzzes `Last-Event-ID` and the events behind it.
#![cfg_attr(fuzzing, no_main)]

tooldock_fuzz::program!(event_id);
