//! Values as they stand in addresses.

/// A value with its percent signs read; nothing if that is no UTF-8 text.
pub(super) fn decode(value: &[u8]) -> Option<String> {
    let mut decoded = Vec::with_capacity(value.len());
    let mut rest = value;
    while let [first, behind @ ..] = rest {
        match (first, behind) {
            (b'%', [high, low, behind @ ..]) => {
                decoded.push(digit(*high)? << 4 | digit(*low)?);
                rest = behind;
            }
            (b'%', _) => return None,
            _ => {
                decoded.push(*first);
                rest = behind;
            }
        }
    }
    String::from_utf8(decoded).ok()
}

fn digit(byte: u8) -> Option<u8> {
    char::from(byte).to_digit(16)?.try_into().ok()
}

/// Whether a value can be put behind a folder and stays below it. Only a wide one may begin with a slash: its author has asked for paths.
pub(super) fn is_safe(value: &str, wide: bool) -> bool {
    let slash = |c: char| c == '/' || c == '\\';
    !value.chars().any(char::is_control)
        && !value.split(slash).any(|segment| segment == "..")
        && (wide || !value.starts_with(slash))
}
