//! Fuzzes the file of secrets and what is sealed in it.
#![cfg_attr(fuzzing, no_main)]

tooldock_fuzz::program!(envelope);
