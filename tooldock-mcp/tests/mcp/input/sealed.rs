//! The reader of sealed state takes nothing but what was sealed.

use base64::{Engine as _, engine::general_purpose::URL_SAFE_NO_PAD};
use serde_json::json;
use tooldock_mcp::InputLimits;

use super::person::{accept, again, call, scene};

#[tokio::test]
async fn s41_a_state_of_which_any_bit_is_changed_is_refused() {
    let scene = scene(InputLimits::default());
    let asked = call(&scene, "who").await;
    let state = asked["requestState"].as_str().unwrap();
    let bytes = URL_SAFE_NO_PAD.decode(state).unwrap();
    for bit in 0..bytes.len() * 8 {
        let mut changed = bytes.clone();
        changed[bit / 8] ^= 1 << (bit % 8);
        let changed = URL_SAFE_NO_PAD.encode(changed);
        let got = again(&scene, "who", &json!(changed), json!({"who": accept()})).await;
        assert_eq!((got.status, got.code()), (200, -32_602), "bit {bit}");
    }
    for length in 0..bytes.len() {
        let cut = URL_SAFE_NO_PAD.encode(&bytes[..length]);
        assert_eq!(
            again(&scene, "who", &json!(cut), json!({})).await.code(),
            -32_602,
            "{length} bytes"
        );
    }
    let right = again(&scene, "who", &json!(state), json!({"who": accept()})).await;
    assert_eq!(right.code(), 0, "{right:?}");
}
