//! Fuzzes the reader of frames from a worker.
#![cfg_attr(fuzzing, no_main)]

tooldock_fuzz::program!(frame);
