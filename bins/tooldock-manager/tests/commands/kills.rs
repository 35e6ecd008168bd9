//! The program is killed at random instants.

use std::{
    io::Write as _,
    process::Stdio,
    thread,
    time::{Duration, Instant},
};

use crate::shop::{Shop, err, got};

/// How many times; the long run wants more.
#[expect(
    clippy::disallowed_methods,
    reason = "this is how the test entry hands things to the tests"
)]
fn kills() -> u32 {
    std::env::var("TOOLDOCK_KILLS").map_or(100, |text| text.parse().unwrap())
}

/// However a writer is killed, each file is the old or the new one, the lock is free, and the next command works.
#[test]
fn r07_a_manager_is_killed_at_random_instants() {
    let shop = Shop::new();
    shop.run("secrets set A", "0");
    let begin = Instant::now();
    shop.run("secrets set A", "1");
    let usual = begin.elapsed();
    let (mut last, mut killed) = (1, 0);
    for round in 2..kills() + 2 {
        let mut child = shop
            .manager("secrets set A")
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        input.write_all(round.to_string().as_bytes()).unwrap();
        drop(input);
        // Spread over the time that it usually takes, in an order without a rule.
        let at = usual * (round * 7919 % 1000) / 900;
        let until = Instant::now() + at;
        while let Some(rest) = until.checked_duration_since(Instant::now()) {
            thread::park_timeout(rest);
        }
        child.kill().ok();
        killed += u32::from(!child.wait().unwrap().success());
        let now: u32 = got(&shop, "global", "A").unwrap().parse().unwrap();
        assert!(now == last || now == round, "round {round}: {last} became {now}");
        last = now;
        let store = shop.store().with_wait(Duration::ZERO);
        store
            .lock()
            .expect("the lock is free")
            .repair()
            .expect("the files are whole");
    }
    assert!(killed > kills() / 4, "only {killed} were killed in time");
    let output = shop.run("secrets doctor", "");
    assert!(output.status.success(), "{}", err(&output));
}
