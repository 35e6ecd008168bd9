//! How a listed server could be run or reached as it is. A text for an operator; nothing here runs it.

use serde_json::{Map, Value, json};

use super::server::text;

/// The definition of the first package that a client can run, or of the first address.
pub(super) fn of(server: &Value) -> Option<Value> {
    let packages = server["packages"].as_array().into_iter().flatten();
    packages.filter_map(process).next().or_else(|| {
        server["remotes"]
            .as_array()
            .into_iter()
            .flatten()
            .find_map(address)
    })
}

/// Program and arguments, one by one and never a line for a shell.
fn process(package: &Value) -> Option<Value> {
    let kind = text(package, &["registryType", "registry_type", "registry_name"])?;
    let identifier = text(package, &["identifier", "name"])?;
    let version = text(package, &["version"]).filter(|version| !version.is_empty());
    let at = |separator: &str| {
        version.as_ref().map_or_else(
            || identifier.clone(),
            |version| format!("{identifier}{separator}{version}"),
        )
    };
    let runtime = arguments(package, &["runtimeArguments", "runtime_arguments"]);
    let (command, before, name) = match kind.as_str() {
        "npm" => ("npx", vec!["-y".to_owned()], at("@")),
        "pypi" => ("uvx", Vec::new(), at("@")),
        "nuget" => ("dnx", Vec::new(), at("@")),
        "oci" => (
            "docker",
            vec!["run".to_owned(), "-i".to_owned(), "--rm".to_owned()],
            at(":"),
        ),
        _ => return None,
    };
    let mut args = before;
    args.extend(runtime);
    args.push(name);
    args.extend(arguments(package, &["packageArguments", "package_arguments"]));
    let mut definition = json!({"command": command, "args": args});
    let env = inputs(package, &["environmentVariables", "environment_variables"]);
    if !env.is_empty() {
        definition["env"] = Value::Object(env);
    }
    Some(definition)
}

fn address(remote: &Value) -> Option<Value> {
    let url = text(remote, &["url"]).filter(|url| url.starts_with("https://"))?;
    let kind = if text(remote, &["type", "transport_type"])? == "sse" {
        "sse"
    } else {
        "http"
    };
    let mut definition = json!({"type": kind, "url": url});
    let headers = inputs(remote, &["headers"]);
    if !headers.is_empty() {
        definition["headers"] = Value::Object(headers);
    }
    Some(definition)
}

/// Arguments with their fixed values; what a person has to fill in is named in `${…}`.
fn arguments(of: &Value, names: &[&str]) -> Vec<String> {
    let listed = names
        .iter()
        .find_map(|name| of.get(name)?.as_array())
        .into_iter()
        .flatten();
    let argument = |argument: &Value| {
        let name = text(argument, &["name"]);
        let value = text(argument, &["value", "default"])
            .or_else(|| Some(format!("${{{}}}", text(argument, &["valueHint", "value_hint"])?)));
        match text(argument, &["type"]).as_deref() {
            Some("named") => name.into_iter().chain(value).collect::<Vec<_>>(),
            _ => value.into_iter().collect(),
        }
    };
    listed.flat_map(argument).collect()
}

/// Variables or headers: a fixed value when there is one and it is no secret, else a reference.
fn inputs(of: &Value, names: &[&str]) -> Map<String, Value> {
    let listed = names
        .iter()
        .find_map(|name| of.get(name)?.as_array())
        .into_iter()
        .flatten();
    let input = |input: &Value| {
        let name = text(input, &["name"])?;
        let fixed = text(input, &["value", "default"])
            .filter(|_| input["isSecret"] != true && input["is_secret"] != true);
        let reference = || format!("${{{}}}", name.to_ascii_uppercase().replace('-', "_"));
        Some((name.clone(), Value::String(fixed.unwrap_or_else(reference))))
    };
    listed.filter_map(input).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn s109_arguments_stay_apart_and_secrets_stay_references() {
        let server = json!({"packages": [{"registryType": "npm", "identifier": "@o/one", "version": "1.0.0",
            "packageArguments": [{"type": "positional", "value": "; rm -rf / $(id) `id` | sh"}, {"type": "named", "name": "--dir", "valueHint": "folder"}],
            "environmentVariables": [{"name": "TOKEN", "isSecret": true, "value": "canary"}, {"name": "REGION", "default": "eu"}]}]});
        assert_eq!(
            of(&server).unwrap(),
            json!({"command": "npx", "args": ["-y", "@o/one@1.0.0", "; rm -rf / $(id) `id` | sh", "--dir", "${folder}"], "env": {"TOKEN": "${TOKEN}", "REGION": "eu"}})
        );
        let remote = json!({"remotes": [{"type": "streamable-http", "url": "http://x"}, {"type": "sse", "url": "https://x/sse", "headers": [{"name": "X-Api-Key", "isSecret": true}]}]});
        assert_eq!(
            of(&remote).unwrap(),
            json!({"type": "sse", "url": "https://x/sse", "headers": {"X-Api-Key": "${X_API_KEY}"}})
        );
    }
}
