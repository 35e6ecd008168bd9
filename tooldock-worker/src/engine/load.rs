//! What a worker offers, read from its `ready` frame.

use std::{collections::HashSet, time::Duration};

use serde::Deserialize;
use serde_json::value::RawValue;
use tooldock_engine::{Catalog, RawJson, Tool, catalog::clean_prose};

use super::offers::Offers;
use crate::{
    disk::{MANIFEST, Manifest},
    report::{LoadError, LoadReport, RuntimeInfo, ToolSource},
    rpc::PROTOCOL,
};

#[derive(Deserialize)]
struct Ready<'a> {
    protocol: u32,
    pid: Option<u32>,
    #[serde(default)]
    runtime: RuntimeInfo,
    #[serde(borrow)]
    tools: Vec<&'a RawValue>,
    #[serde(default)]
    errors: Vec<LoadError>,
    #[serde(default)]
    load_ms: u64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct WireTool<'a> {
    name: String,
    title: Option<String>,
    description: Option<String>,
    #[serde(borrow)]
    input_schema: &'a RawValue,
    #[serde(borrow)]
    output_schema: Option<&'a RawValue>,
    #[serde(borrow)]
    annotations: Option<&'a RawValue>,
    #[serde(borrow)]
    icons: Option<&'a RawValue>,
    #[serde(borrow, rename = "_meta")]
    meta: Option<&'a RawValue>,
    #[serde(borrow)]
    requires: Option<&'a RawValue>,
    #[serde(default)]
    tags: Vec<String>,
    category: Option<String>,
    enabled: Option<bool>,
    timeout: Option<f64>,
    #[serde(default)]
    sync: bool,
    #[serde(default)]
    file: String,
    line: Option<u32>,
}

/// The catalog, the report and the process id in a `ready` frame, of a namespace with this manifest. A tool that cannot be listed is left
/// out and reported.
pub(crate) fn load(
    frame: &RawJson,
    manifest: &Manifest,
) -> Result<(Catalog, LoadReport, Option<u32>), String> {
    let ready: Ready<'_> = frame.parse().map_err(|error| error.to_string())?;
    if ready.protocol != PROTOCOL {
        return Err(format!(
            "it speaks protocol {}, this gateway speaks {PROTOCOL}",
            ready.protocol
        ));
    }
    let mut report = LoadReport {
        runtime: ready.runtime,
        errors: ready.errors.into_iter().map(LoadError::shortened).collect(),
        load_ms: ready.load_ms,
        ..LoadReport::default()
    };
    // Files that are loaded anew may bring kinds of things that are not there yet.
    let mut catalog = Catalog::builder().about(manifest.about()).open();
    let mut names = HashSet::new();
    for raw in ready.tools {
        let wire: WireTool<'_> = match serde_json::from_str(raw.get()) {
            Ok(wire) => wire,
            Err(error) => {
                let message = format!("a tool has another form than the protocol says: {error}");
                report.errors.push(LoadError {
                    message,
                    ..LoadError::default()
                });
                continue;
            }
        };
        let (file, line) = (wire.file.clone(), wire.line);
        let source = ToolSource {
            tool: wire.name.clone(),
            file: file.clone(),
            line,
            sync: wire.sync,
        };
        let tool = read_tool(frame, wire).and_then(|mut tool| {
            if let Some(entry) = manifest.tools.get(tool.name.as_str()) {
                tool.enabled = entry.enabled;
            }
            let new = names.insert(tool.name.clone());
            if new {
                Ok(tool)
            } else {
                Err("another tool has this name; rename one of them".to_owned())
            }
        });
        match tool {
            Ok(tool) => {
                let unclean = [&tool.title, &tool.description]
                    .into_iter()
                    .flatten()
                    .any(|text| clean_prose(text) != *text);
                if unclean {
                    report.errors.push(LoadError {
                        file,
                        tool: Some(source.tool.clone()),
                        line,
                        message: "its title or description has control, bidirectional or invisible characters, or more than \
                                  16 KiB; they were taken out, and the tool is served"
                            .to_owned(),
                        ..LoadError::default()
                    });
                }
                catalog = catalog.tool(tool);
                report.sources.push(source);
            }
            Err(message) => {
                report.errors.push(LoadError {
                    file,
                    tool: Some(source.tool),
                    line,
                    message,
                    ..LoadError::default()
                });
            }
        }
    }
    // A tool whose file is broken may be one of those.
    if report.errors.is_empty() {
        let strangers = manifest
            .tools
            .keys()
            .filter(|name| !names.contains(name.as_str()));
        report.errors.extend(strangers.map(|name| LoadError {
            file: MANIFEST.to_owned(),
            message: format!("there is no tool `{name}`; correct its name below `tools`, or take it out"),
            ..LoadError::default()
        }));
    }
    let catalog = Offers::read(frame)?.add_to(frame, catalog, &mut report.errors);
    let catalog = catalog.build().map_err(|error| error.to_string())?;
    Ok((catalog, report, ready.pid))
}

fn read_tool(frame: &RawJson, wire: WireTool<'_>) -> Result<Tool, String> {
    let mut tool = Tool::new(
        wire.name
            .parse()
            .map_err(|error| format!("{error}; rename the tool"))?,
    );
    let part = |raw: Option<&RawValue>| raw.map(|raw| frame.part(raw));
    tool.input_schema = frame.part(wire.input_schema);
    tool.output_schema = part(wire.output_schema);
    let schemas = [Some(&tool.input_schema), tool.output_schema.as_ref()];
    if !schemas.into_iter().flatten().all(RawJson::is_object) {
        return Err("its schema is no object".to_owned());
    }
    tool.title = wire.title;
    tool.description = wire.description;
    tool.annotations = part(wire.annotations);
    tool.icons = part(wire.icons);
    tool.meta = part(wire.meta);
    tool.requires = part(wire.requires);
    tool.category = wire.category;
    tool.tags = wire.tags;
    tool.enabled = wire.enabled.unwrap_or(true);
    tool.timeout = wire
        .timeout
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    tool.blocking = wire.sync;
    Ok(tool)
}

#[cfg(test)]
mod tests {
    use tooldock_engine::json::ScanLimits;

    use super::*;

    #[test]
    fn tools_that_cannot_be_listed_are_reported_and_the_others_served() {
        let frame = r#"{"op":"ready","protocol":1,"pid":7,"tools":[
            {"name":"good","inputSchema":{"type":"object"},"timeout":1.5,"tags":["t"],"file":"a.py","line":3,"sync":true},
            {"name":"bad name","inputSchema":{},"file":"b.py","line":1},
            {"name":"no_schema","inputSchema":true,"file":"c.py"},
            {"name":"good","inputSchema":{},"file":"d.py"},
            {"title":"nameless"}],"errors":[{"file":"e.py","message":"SyntaxError","line":7}]}"#;
        let frame = RawJson::scan(frame, ScanLimits::RESULT).unwrap();
        let (catalog, report, pid) = load(&frame, &Manifest::default()).unwrap();
        assert_eq!(pid, Some(7));
        assert_eq!(catalog.tools().len(), 1);
        assert_eq!(
            catalog.tool("good").unwrap().timeout,
            Some(Duration::from_millis(1500))
        );
        assert_eq!(
            report.sources,
            [ToolSource {
                tool: "good".into(),
                file: "a.py".into(),
                line: Some(3),
                sync: true
            }]
        );
        let files: Vec<&str> = report.errors.iter().map(|error| error.file.as_str()).collect();
        assert_eq!(files, ["e.py", "b.py", "c.py", "d.py", ""]);
        assert!(report.errors[1].message.contains("`bad name`"));
    }

    #[test]
    fn f55_the_manifest_decides_which_tools_there_are() {
        let frame = r#"{"protocol":1,"tools":[{"name":"a","inputSchema":{}},{"name":"b","inputSchema":{},"enabled":false},
            {"name":"c","inputSchema":{}}]}"#;
        let frame = RawJson::scan(frame, ScanLimits::RESULT).unwrap();
        let listed = |manifest: &str| {
            let (catalog, report, _) = load(&frame, &manifest.parse().unwrap()).unwrap();
            let names: Vec<_> = catalog.tools().iter().map(|tool| tool.name.to_string()).collect();
            (names.join(" "), report.errors)
        };
        assert_eq!(listed(""), ("a c".to_owned(), Vec::new()));
        let (names, errors) = listed("tools: {a: {enabled: false}, b: {enabled: true}, d: {enabled: false}}");
        assert_eq!(names, "b c");
        assert_eq!((errors.len(), errors[0].file.as_str()), (1, "tooldock.yaml"));
        assert!(errors[0].message.contains("no tool `d`"), "{}", errors[0]);
    }

    #[test]
    fn another_protocol_is_refused() {
        let frame = RawJson::scan(r#"{"op":"ready","protocol":2,"tools":[]}"#, ScanLimits::RESULT).unwrap();
        assert!(
            load(&frame, &Manifest::default())
                .unwrap_err()
                .contains("protocol 2")
        );
    }
}
