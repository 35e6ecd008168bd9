//! Fuzzes templates of addresses.
#![cfg_attr(fuzzing, no_main)]

tooldock_fuzz::program!(uri);
