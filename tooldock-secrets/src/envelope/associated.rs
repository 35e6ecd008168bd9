//! What the cipher authenticates besides the payload: every member but the nonce, which it covers itself.

use super::Envelope;
use crate::kdf::Kdf;

impl Envelope {
    /// `tooldock-secrets`, a zero byte, then each member behind its length (32 bits, little endian).
    pub(super) fn associated(
        kdf: Kdf,
        salt: &[u8; 32],
        check: &[u8; 16],
        generation: u64,
        created_at: &str,
    ) -> Vec<u8> {
        let [log_n, r, p] = kdf.numbers().map(|number| number.to_string());
        let generation = generation.to_string();
        let members: [&[u8]; 10] = [
            b"2",
            b"xchacha20-poly1305",
            b"scrypt",
            log_n.as_bytes(),
            r.as_bytes(),
            p.as_bytes(),
            salt,
            check,
            generation.as_bytes(),
            created_at.as_bytes(),
        ];
        let mut data = b"tooldock-secrets\0".to_vec();
        for member in members {
            let length = u32::try_from(member.len()).expect("every member is short");
            data.extend_from_slice(&length.to_le_bytes());
            data.extend_from_slice(member);
        }
        data
    }
}
