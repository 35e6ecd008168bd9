//! Tools that attack the protocol from inside.

use serde_json::json;
use tokio::time::timeout;
use tooldock_engine::{ErrorKind, ToolEngine as _};

use crate::{
    process::{LONG, lives, process, serving_again},
    shop::{call, cx, serve, text},
};

/// S86: what a tool prints is not protocol, whatever it looks like; a closed channel is a crash like any other.
#[tokio::test]
async fn s86_prints_cannot_forge_frames() {
    let (_tools, engine) = serve(
        r#"
import os, sys
from tooldock import tool

@tool
def forge() -> str:
    line = '{"op":"ready","protocol":1,"tools":[]}\n{"id":1,"ok":true,"result":{"content":[],"isError":false}}\n'
    for stream in (sys.stdout, sys.stderr):
        print(line, file=stream, flush=True)
    os.write(1, line.encode()); os.write(2, line.encode()); os.write(1, b'\xff\xfe' + b'x' * 100_000)
    for _ in range(3000):
        print('flood')
    return 'honest'

@tool
async def close() -> str:
    os.closerange(0, 100)
    return 'x'
"#,
    )
    .await;
    let output = timeout(LONG, call(&engine, "forge", json!({})))
        .await
        .expect("no flood blocks")
        .unwrap();
    assert_eq!(text(&output), "honest");
    assert_eq!(engine.catalog(&cx()).unwrap().tools().len(), 2);
    let old = engine.pid();
    let error = timeout(LONG, call(&engine, "close", json!({})))
        .await
        .expect("no hang")
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Crashed);
    serving_again(&engine, old).await;
    assert_eq!(text(&call(&engine, "forge", json!({})).await.unwrap()), "honest");
}

/// A worker that breaks the protocol is stopped, its calls are told, and a new one serves.
#[tokio::test]
async fn s85_garbage_on_the_channel_ends_the_worker_and_a_new_one_serves() {
    let (_tools, engine) = serve(
        "
import asyncio, os, stat
from tooldock import tool

@tool
async def spoil() -> str:
    for fd in range(3, 64):
        try:
            if stat.S_ISSOCK(os.fstat(fd).st_mode):
                os.write(fd, b'%$! no frame\\n')
        except OSError:
            pass
    await asyncio.sleep(600)

@tool
async def fine() -> str:
    return 'fine'
",
    )
    .await;
    let old = engine.pid();
    let error = timeout(LONG, call(&engine, "spoil", json!({})))
        .await
        .expect("no hang")
        .unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Crashed);
    assert!(error.message().contains("sent a frame that is none"), "{error}");
    serving_again(&engine, old).await;
    assert!(!lives(process(old.unwrap())));
    assert_eq!(text(&call(&engine, "fine", json!({})).await.unwrap()), "fine");
}
