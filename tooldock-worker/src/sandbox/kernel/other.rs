//! Kernels that confine nothing.

use std::io;

use super::super::{Protection, Reach};

/// What this kernel can enforce: nothing.
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct Level;

impl Level {
    pub(in super::super) fn probe() -> Self {
        Self
    }

    pub(in super::super) fn enforces(self, _protection: Protection) -> bool {
        false
    }
}

/// No rules.
#[derive(Debug)]
pub(in super::super) struct Files;

impl Files {
    pub(in super::super) fn new(_reach: &Reach) -> io::Result<Self> {
        Ok(Self)
    }

    pub(in super::super) fn enter(&mut self) -> io::Result<()> {
        Ok(())
    }
}

pub(in super::super) fn drop_privileges() -> io::Result<()> {
    Ok(())
}

/// No filters.
#[derive(Debug)]
pub(in super::super) struct Calls;

impl Calls {
    pub(in super::super) fn can_be_filtered() -> bool {
        false
    }

    pub(in super::super) fn new() -> io::Result<Self> {
        Ok(Self)
    }

    pub(in super::super) fn enter(&self) -> io::Result<()> {
        Ok(())
    }
}
