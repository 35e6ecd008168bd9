//! Fuzzes the strict scan of JSON.
#![cfg_attr(fuzzing, no_main)]

tooldock_fuzz::program!(json);
