//! `notifications/cancelled`: an answer is no longer wanted.

use crate::{
    call::Calls,
    wire::{MessageId, Notification},
};

/// Ids that are unknown or malformed are ignored: the call may just have ended.
pub(crate) fn take(calls: &Calls, told: &Notification) {
    if let Some(id) = told.params.get("requestId").cloned().and_then(MessageId::new) {
        calls.cancel(&id);
    }
}
