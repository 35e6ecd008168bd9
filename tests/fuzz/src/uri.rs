//! Templates of addresses: the first line is a template, what follows is an address.

use std::collections::BTreeSet;

use tooldock_engine::catalog::{UriTemplate, Variables};

/// Whatever template and address are, the values belong to the template and stay below the folder they are put behind.
pub fn check(input: &[u8], planted: bool) {
    let Ok(text) = std::str::from_utf8(input) else {
        return;
    };
    let (written, uri) = text.split_once('\n').unwrap_or((text, ""));
    let template = match written.parse::<UriTemplate>() {
        Ok(template) => template,
        Err(error) => {
            assert!(!error.to_string().contains(char::is_control), "{error:?}");
            return;
        }
    };
    let names: BTreeSet<&str> = template.variables().collect();
    let values = read(&template, uri, planted);
    if names.is_empty() {
        assert_eq!(values.is_some(), written == uri, "it has no variables");
    }
    for (name, value) in values.iter().flatten() {
        assert!(names.contains(name.as_str()), "`{name}` is no variable");
        assert!(
            !value.contains(char::is_control),
            "`{name}` has a control character"
        );
        assert!(
            value.split(['/', '\\']).all(|part| part != ".."),
            "`{name}` leaves its folder"
        );
    }
    let prefix = written.split('{').next().unwrap_or_default();
    assert!(
        values.is_none() || uri.starts_with(prefix),
        "another address is meant"
    );
    if let Some(values) = values {
        let path = written.split("{?").next().unwrap_or_default();
        let wanted = path.parse::<UriTemplate>().ok();
        let wanted = wanted.iter().flat_map(UriTemplate::variables);
        wanted.for_each(|name| assert!(!values[name].is_empty(), "`{name}` has no value"));
    }
}

/// The bug: `..` is taken for any other name.
fn read(template: &UriTemplate, uri: &str, planted: bool) -> Option<Variables> {
    if !planted {
        return template.read(uri);
    }
    let mut values = template.read(&uri.replace("..", "__"))?;
    values
        .values_mut()
        .for_each(|value| *value = value.replace("__", ".."));
    Some(values)
}
