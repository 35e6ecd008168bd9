//! Fuzzes the decision which era a message belongs to.
#![cfg_attr(fuzzing, no_main)]

tooldock_fuzz::program!(era);
