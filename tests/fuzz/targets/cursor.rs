//! Fuzzes cursors.
#![cfg_attr(fuzzing, no_main)]

tooldock_fuzz::program!(cursor);
