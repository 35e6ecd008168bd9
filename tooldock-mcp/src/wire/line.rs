//! A message on one line.

/// Appends the JSON text `message` as one line without its end: a line break can only stand between two tokens, where a blank does as
/// well.
pub(crate) fn extend_line(out: &mut Vec<u8>, message: &[u8]) {
    out.extend(message.iter().map(|byte| match byte {
        b'\n' | b'\r' => b' ',
        byte => *byte,
    }));
}
