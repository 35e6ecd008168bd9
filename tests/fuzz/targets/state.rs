//! Fuzzes the sealed state that clients keep.
#![cfg_attr(fuzzing, no_main)]

tooldock_fuzz::program!(state);
