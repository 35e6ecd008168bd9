//! One file for each language: how its syntax becomes an outline.

pub(super) mod csharp;
pub(super) mod go;
pub(super) mod java;
pub(super) mod javascript;
pub(super) mod python;
pub(super) mod rust;
