//! Fuzzes locks of namespaces.
#![cfg_attr(fuzzing, no_main)]

tooldock_fuzz::program!(lock);
