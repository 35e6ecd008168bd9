//! Fuzzes the reader of single headers.
#![cfg_attr(fuzzing, no_main)]

tooldock_fuzz::program!(header);
