//! Cursors: the input is one, in which `GENERATION` stands for the generation of the list.

use std::sync::LazyLock;

use tooldock_engine::{Catalog, Tool};
use tooldock_mcp::{Revision, testing::Cursors};

/// A cursor is read by the one list that gave it and in the one spelling that it was given in.
pub fn check(input: &[u8], planted: bool) {
    let Ok(text) = std::str::from_utf8(input) else {
        return;
    };
    let (places, generation) = &*PLACES;
    let text = text.replace("GENERATION", generation);
    let mut readers = 0;
    for place in places {
        match read(place, &text, planted) {
            Ok(page) => {
                assert_eq!(place.write(page), text, "made up");
                readers += 1;
            }
            Err(told) => assert!(told.contains("list again"), "{told}"),
        }
    }
    assert!(readers <= 1, "`{text}` belongs to {readers} lists");

    let seed = input
        .iter()
        .fold(7_usize, |sum, byte| sum.wrapping_mul(31) ^ usize::from(*byte));
    let own = &places[seed % places.len()];
    let cursor = own.write(seed);
    for place in places {
        assert_eq!(read(place, &cursor, planted).ok(), (place == own).then_some(seed));
    }
    let mut altered = cursor.clone().into_bytes();
    let at = seed % altered.len();
    altered[at] ^= u8::try_from(1 + seed % 15).unwrap_or(1);
    let altered = String::from_utf8_lossy(&altered);
    if let Ok(page) = read(own, &altered, planted) {
        assert!(
            page != seed && own.write(page) == altered,
            "`{altered}` was altered"
        );
    }
}

/// Lists that differ in one thing each from the first, and the generation of the first.
static PLACES: LazyLock<(Vec<Cursors>, String)> = LazyLock::new(|| {
    let empty = Catalog::default();
    let tool = Tool::new("t".parse().expect("a plain name"));
    let other = Catalog::builder().tool(tool).build().expect("one tool");
    let (new, old) = (Revision::V2026_07_28, Revision::V2025_11_25);
    let places = [
        (&empty, "tools", new, 50),
        (&empty, "resourceTemplates", new, 50),
        (&empty, "tools", old, 50),
        (&empty, "tools", new, 51),
        (&other, "tools", new, 50),
    ];
    let places = places.map(|(catalog, list, revision, size)| {
        Cursors::of(catalog, list, revision, size).expect("there is such a list")
    });
    let first = places[0].write(0);
    let generation = first.split('.').nth(2).expect("the third part").to_owned();
    (places.to_vec(), generation)
});

/// The bug: a number may have a sign.
fn read(place: &Cursors, text: &str, planted: bool) -> Result<usize, &'static str> {
    if planted {
        return place.read(&text.replace(".+", "."));
    }
    place.read(text)
}
