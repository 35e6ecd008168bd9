//! Fuzzes the reader of messages.
#![cfg_attr(fuzzing, no_main)]

tooldock_fuzz::program!(message);
