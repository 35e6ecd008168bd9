//! Reloads over a source that a test scripts.

use std::{
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use futures_util::FutureExt as _;
use tokio::sync::Semaphore;
use tooldock::{
    CallContext, Caller, EngineExt as _, ErrorKind, RawJson, StaticEngine, Tool, ToolEngine, ToolOutput,
    engine::{LayerStack, Mounts as _, Result},
    registry::{Action, FolderWatch, Origin, Registry, Reloader, Started},
};
use tooldock_secrets::{Keys, Store};

use crate::script::{Script, Version};

struct Fixture {
    script: Arc<Script>,
    registry: Arc<Registry>,
    reloader: Reloader,
}

fn fixture() -> Fixture {
    let script = Arc::new(Script::default());
    let registry = Arc::new(Registry::new(LayerStack::new(), Duration::from_secs(30)));
    let reloader = Reloader::start(registry.clone(), script.clone());
    Fixture {
        script,
        registry,
        reloader,
    }
}

impl Fixture {
    async fn say(&self, name: &str) -> Result<ToolOutput> {
        let mount = self.registry.mount(&Caller::local(), name)?;
        let cx = CallContext::new(Caller::local(), mount.namespace);
        mount.engine.call_tool(cx, "say", RawJson::empty_object()).await
    }
}

#[tokio::test(start_paused = true)]
async fn f36_only_what_has_changed_is_started_again() {
    let f = fixture();
    f.script.set("a", Version::Works("a1"));
    f.script.set("b", Version::Works("b1"));
    let report = f.reloader.reload().await.unwrap();
    assert!(report.ok && report.count(Action::Start) == 2, "{report:?}");
    f.script.set("b", Version::Works("b2"));
    let report = f.reloader.reload().await.unwrap();
    assert_eq!(
        (report.count(Action::Keep), report.count(Action::Replace)),
        (1, 1)
    );
    assert_eq!(f.script.starts.load(Ordering::SeqCst), 3);
    assert_eq!(f.say("b").await.unwrap(), ToolOutput::text("b2"));
    f.script.there.lock().unwrap().remove("a");
    let report = f.reloader.reload().await.unwrap();
    assert_eq!(report.count(Action::Drop), 1);
    assert_eq!(f.say("a").await.unwrap_err().kind(), ErrorKind::NamespaceUnknown);
}

/// Other limits are other layers around the engine that runs: it is neither started again nor shut down.
#[tokio::test(start_paused = true)]
async fn policies_alone_put_other_layers_around_the_same_engine() {
    let f = fixture();
    f.script.set("a", Version::Works("a1"));
    f.reloader.reload().await.unwrap();
    *f.script.policies.lock().unwrap() = "narrow";
    let held = f.registry.mount(&Caller::local(), "a").unwrap();
    let report = f.reloader.reload().await.unwrap();
    assert!(report.ok && report.count(Action::Adjust) == 1, "{report:?}");
    assert!(report.namespaces[0].lists.is_some(), "the lists are compared");
    assert_eq!(*f.script.applied.lock().unwrap(), ["", "narrow"]);
    assert_eq!(f.script.starts.load(Ordering::SeqCst), 1, "nothing is started");
    let report = f.reloader.reload().await.unwrap();
    assert_eq!(report.count(Action::Keep), 1, "they count now: {report:?}");
    let call = |engine: Arc<dyn ToolEngine>| async move {
        let cx = CallContext::new(Caller::local(), "a".parse().unwrap());
        engine.call_tool(cx, "say", RawJson::empty_object()).await
    };
    assert_eq!(f.say("a").await.unwrap(), ToolOutput::text("a1"));
    assert_eq!(
        call(held.engine.clone()).await.unwrap(),
        ToolOutput::text("a1"),
        "a hold from before is as good"
    );
    // The engine is shut down after the last hold of either layers.
    f.script.there.lock().unwrap().remove("a");
    f.reloader.reload().await.unwrap();
    tokio::time::sleep(Duration::from_secs(1)).await;
    assert_eq!(call(held.engine).await.unwrap(), ToolOutput::text("a1"));
}

#[tokio::test(start_paused = true)]
async fn r21_a_version_that_fails_leaves_the_last_good_one() {
    let f = fixture();
    f.script.set("a", Version::Works("a1"));
    f.reloader.reload().await.unwrap();
    f.script.set("a", Version::Fails("a2"));
    let report = f.reloader.reload().await.unwrap();
    assert!(
        !report.ok && report.namespaces[0].error.as_deref().unwrap().contains("nope"),
        "{report:?}"
    );
    assert_eq!(f.say("a").await.unwrap(), ToolOutput::text("a1"));
    assert!(f.registry.snapshot().failure(&"a".parse().unwrap()).is_some());
    f.script.set("a", Version::Works("a1"));
    f.reloader.reload().await.unwrap();
    assert_eq!(
        f.registry.snapshot().failure(&"a".parse().unwrap()),
        None,
        "its files are again what runs"
    );
}

#[tokio::test(start_paused = true)]
async fn a_namespace_that_never_ran_says_why() {
    let f = fixture();
    f.script.set("a", Version::Fails("a1"));
    f.reloader.reload().await.unwrap();
    let error = f.say("a").await.unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Unavailable);
    assert!(error.message().contains("nope"), "{error}");
    f.script.there.lock().unwrap().clear();
    f.reloader.reload().await.unwrap();
    assert_eq!(f.say("a").await.unwrap_err().kind(), ErrorKind::NamespaceUnknown);
}

#[tokio::test(start_paused = true)]
async fn a_slow_namespace_holds_nobody_back() {
    let f = fixture();
    let gate = Arc::new(Semaphore::new(0));
    f.script.set("slow", Version::Waits("s1", gate.clone()));
    let slow = f.reloader.clone();
    let first = tokio::spawn(async move { slow.reload().await });
    while f.script.starts.load(Ordering::SeqCst) == 0 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    f.script.set("quick", Version::Works("q1"));
    let second = f.reloader.clone();
    let second = tokio::spawn(async move { second.reload().await });
    tokio::time::timeout(Duration::from_secs(1), async {
        while f.say("quick").await.is_err() {
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
    })
    .await
    .expect("the quick one does not wait for the slow one");
    assert!(!first.is_finished() && !second.is_finished());
    gate.add_permits(1);
    let reports = (first.await.unwrap().unwrap(), second.await.unwrap().unwrap());
    assert!(reports.0.ok && reports.1.ok, "{reports:?}");
    assert_eq!(
        f.script.starts.load(Ordering::SeqCst),
        2,
        "the slow one was built once for both"
    );
}

#[tokio::test(start_paused = true)]
async fn files_that_change_during_a_build_are_built_anew() {
    let f = fixture();
    let gate = Arc::new(Semaphore::new(0));
    f.script.set("a", Version::Waits("a1", gate));
    let reloader = f.reloader.clone();
    let first = tokio::spawn(async move { reloader.reload().await });
    while f.script.starts.load(Ordering::SeqCst) == 0 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    f.script.set("a", Version::Works("a2"));
    f.reloader.reload().await.unwrap();
    assert!(
        first.await.unwrap().unwrap().ok,
        "who waited for the namespace is told of the newer version"
    );
    assert_eq!(f.say("a").await.unwrap(), ToolOutput::text("a2"));
}

#[tokio::test(start_paused = true)]
async fn s10_signals_that_come_together_share_a_scan() {
    let f = fixture();
    f.script.set("a", Version::Works("a1"));
    let all = (0..60).map(|_| f.reloader.reload());
    let reports = futures_util::future::join_all(all).await;
    assert!(
        reports
            .iter()
            .all(|report| report.as_ref().is_ok_and(|report| report.error.is_none()))
    );
    assert!(
        f.script.surveys.load(Ordering::SeqCst) <= 2,
        "{:?}",
        f.script.surveys
    );
}

#[tokio::test(start_paused = true)]
async fn until_the_first_look_is_done_clients_are_told_to_wait() {
    let f = fixture();
    f.script.set("a", Version::Works("a1"));
    assert_eq!(f.say("a").await.unwrap_err().kind(), ErrorKind::Unavailable);
    f.reloader.reload().await.unwrap();
    assert_eq!(
        f.say("nope").await.unwrap_err().kind(),
        ErrorKind::NamespaceUnknown
    );
}

#[tokio::test(start_paused = true)]
async fn r29_a_start_that_panics_is_a_failure_and_can_be_tried_again() {
    let f = fixture();
    f.script.set("a", Version::Panics);
    for _ in 0..2 {
        let report = f.reloader.reload().await.unwrap();
        assert!(!report.ok && report.namespaces[0].error.is_some(), "{report:?}");
    }
    f.script.set("a", Version::Works("a1"));
    assert!(f.reloader.reload().await.unwrap().ok);
    assert_eq!(f.say("a").await.unwrap(), ToolOutput::text("a1"));
}

#[tokio::test(start_paused = true)]
async fn a_plan_does_nothing_and_says_what_would_be_done() {
    let f = fixture();
    f.script.set("a", Version::Works("a1"));
    let report = f.reloader.plan().await.unwrap();
    assert!(report.dry_run && report.count(Action::Start) == 1, "{report:?}");
    assert!(f.script.applied.lock().unwrap().is_empty());
    assert_eq!(f.script.starts.load(Ordering::SeqCst), 0);
    assert!(f.say("a").await.is_err());
}

#[tokio::test(start_paused = true)]
async fn a_report_tells_how_the_lists_have_changed() {
    let f = fixture();
    f.script.set("a", Version::Works("a1"));
    let report = f.reloader.reload().await.unwrap();
    let told = serde_json::to_value(&report.namespaces[0]).unwrap();
    assert_eq!(told["tools"]["added"], serde_json::json!(["say"]), "{told}");
    assert_eq!(
        told["resources"]["added"],
        serde_json::json!(["note://a"]),
        "{told}"
    );
    assert_eq!(told["prompts"]["added"], serde_json::json!(["hint"]), "{told}");
}

/// A resource and a prompt are lost: nobody says from which file, but a file has become broken.
#[tokio::test(start_paused = true)]
async fn r21_a_version_that_loses_resources_and_prompts_to_a_broken_file_is_refused() {
    let f = fixture();
    f.script.set("a", Version::Works("a1"));
    f.reloader.reload().await.unwrap();
    f.script.set("a", Version::Breaks("a2"));
    let report = f.reloader.reload().await.unwrap();
    let told = report.namespaces[0].error.as_deref().unwrap_or_default();
    assert!(
        told.contains("notes.py") && told.contains("last good"),
        "{report:?}"
    );
    let catalog = f.registry.catalog(&"a".parse().unwrap());
    assert_eq!((catalog.resources().len(), catalog.prompts().len()), (1, 1));
    f.script.set("a", Version::Drops("a3"));
    let report = f.reloader.reload().await.unwrap();
    let lists = report.namespaces[0].lists.as_ref().expect("nothing is broken");
    assert_eq!(
        lists.resources.removed,
        ["note://a"],
        "what was taken out is gone"
    );
    assert_eq!(lists.prompts.removed, ["hint"]);
}

#[tokio::test(start_paused = true)]
async fn events_tell_what_happens_as_it_happens() {
    let f = fixture();
    f.script.set("a", Version::Works("a1"));
    f.script.set("b", Version::Fails("b1"));
    let mut events = f.reloader.events();
    f.reloader.reload().await.unwrap();
    let mut seen = Vec::new();
    while let Some(event) = events.next().now_or_never().flatten() {
        let json = serde_json::to_value(event).unwrap();
        seen.push(format!(
            "{} {}",
            json["event"].as_str().unwrap(),
            json["namespace"].as_str().unwrap()
        ));
    }
    seen.sort();
    assert_eq!(seen, ["failed b", "progress a", "progress b", "ready a"]);
}

#[tokio::test(start_paused = true)]
async fn a_start_whose_folder_goes_leaves_no_ghost_and_is_told() {
    let f = fixture();
    f.script
        .set("a", Version::Waits("a1", Arc::new(Semaphore::new(0))));
    let reloader = f.reloader.clone();
    let first = tokio::spawn(async move { reloader.reload().await });
    while f.script.starts.load(Ordering::SeqCst) == 0 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    assert_eq!(f.registry.snapshot().describe()[0].state.state, "starting");
    f.script.there.lock().unwrap().clear();
    f.reloader.reload().await.unwrap();
    let report = first.await.unwrap().unwrap();
    assert!(
        !report.ok && report.namespaces[0].error.is_some(),
        "it was not done: {report:?}"
    );
    assert!(f.registry.snapshot().describe().is_empty());
    assert_eq!(f.say("a").await.unwrap_err().kind(), ErrorKind::NamespaceUnknown);
}

#[tokio::test(start_paused = true)]
async fn what_code_mounts_during_a_start_stays() {
    let f = fixture();
    let gate = Arc::new(Semaphore::new(0));
    f.script.set("a", Version::Waits("a1", gate.clone()));
    let reloader = f.reloader.clone();
    let first = tokio::spawn(async move { reloader.reload().await });
    while f.script.starts.load(Ordering::SeqCst) == 0 {
        tokio::time::sleep(Duration::from_millis(1)).await;
    }
    let say = async |_cx, _arguments| Ok(ToolOutput::text("code"));
    let engine = StaticEngine::builder()
        .tool(Tool::new("say".parse().unwrap()), say)
        .build()
        .unwrap();
    f.registry.put(
        &"a".parse().unwrap(),
        Started::plain(Arc::new(engine)),
        Origin::Code,
    );
    gate.add_permits(1);
    assert!(!first.await.unwrap().unwrap().ok);
    assert_eq!(f.say("a").await.unwrap(), ToolOutput::text("code"));
}

#[tokio::test(start_paused = true)]
async fn a_plan_or_an_unreadable_source_does_not_end_the_loading() {
    let f = fixture();
    f.script.set("a", Version::Works("a1"));
    f.reloader.plan().await.unwrap();
    assert!(f.registry.is_loading());
    f.script.set("a", Version::Unreadable);
    let report = f.reloader.reload().await.unwrap();
    assert!(report.error.is_some() && f.registry.is_loading(), "{report:?}");
    f.script.set("a", Version::Works("a1"));
    f.reloader.reload().await.unwrap();
    assert!(!f.registry.is_loading());
}

#[tokio::test(start_paused = true)]
async fn a_stopped_reloader_starts_nothing_more() {
    let f = fixture();
    f.script.set("a", Version::Works("a1"));
    f.reloader.stop();
    assert_eq!(
        f.reloader.reload().await.unwrap_err().kind(),
        ErrorKind::Unavailable
    );
    assert_eq!(f.script.starts.load(Ordering::SeqCst), 0);
}

/// Whoever changes secrets in a data folder that lies among the tools writes a lock and temporary files there: none of them is a reason to
/// look at the tools again.
#[tokio::test]
async fn files_of_the_store_cause_no_reload() {
    let (f, root) = (fixture(), tempfile::tempdir().unwrap());
    let (demo, data) = (root.path().join("demo"), root.path().join("data"));
    std::fs::create_dir(&demo).unwrap();
    std::fs::create_dir(&data).unwrap();
    let quiet = Duration::from_millis(1);
    let _watch = FolderWatch::start(root.path(), &data, quiet, f.reloader.clone()).unwrap();
    let writing = tokio::task::spawn_blocking(move || {
        let store = Store::new(&data, Keys::insecure());
        (0..50).for_each(|_| store.change(|_| Ok(())).unwrap());
        std::fs::write(demo.join("tool.py"), "").unwrap();
    });
    writing.await.unwrap();
    let look = async {
        while f.script.surveys.load(Ordering::SeqCst) == 0 {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(10), look)
        .await
        .expect("a file of a namespace is a reason");
    let looks = f.script.surveys.load(Ordering::SeqCst);
    assert!(looks < 5, "{looks} looks for one file");
}
