//! Names and values that a namespace may put into its environment.

use std::fmt;

/// Bytes a value may have.
const MAX_VALUE: usize = 64 << 10;

/// Names that steer the loader, the interpreter, programs, language or proxies, which a namespace may not set.
const CONTROL: &[&str] = &[
    "PATH",
    "HOME",
    "SHELL",
    "IFS",
    "ENV",
    "BASH_ENV",
    "CDPATH",
    "TMPDIR",
    "TMP",
    "TEMP",
    "TZ",
    "TZDIR",
    "LANG",
    "LANGUAGE",
    "USER",
    "LOGNAME",
    "PWD",
    "OLDPWD",
    "TERM",
    "HOSTALIASES",
    "LOCALDOMAIN",
    "RES_OPTIONS",
    "NLSPATH",
    "GCONV_PATH",
    "GETCONF_DIR",
    "RESOLV_HOST_CONF",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "ALL_PROXY",
    "FTP_PROXY",
    "NO_PROXY",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "SSLKEYLOGFILE",
    "REQUESTS_CA_BUNDLE",
    "CURL_CA_BUNDLE",
    "OPENSSL_CONF",
    "OPENSSL_MODULES",
    "OPENSSL_ENGINES",
    "NODE_OPTIONS",
    "NODE_EXTRA_CA_CERTS",
    "PERL5LIB",
    "PERL5OPT",
    "RUBYOPT",
    "RUBYLIB",
    "VIRTUAL_ENV",
    "BEARER_TOKEN",
    "MANAGER_BEARER_TOKEN",
    "SECRETS_KEY",
    "SECRETS_KEY_PREVIOUS",
];
/// Beginnings of such names.
const CONTROL_PREFIXES: &[&str] = &[
    "LD_",
    "DYLD_",
    "PYTHON",
    "PIP_",
    "UV_",
    "LC_",
    "MALLOC_",
    "GLIBC_",
    "GIT_",
    "TOOLDOCK_",
];

/// Why a namespace may not set a variable. Holds the name, never the value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VariableError {
    name: String,
    rule: &'static str,
}

impl fmt::Display for VariableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` {}", self.name, self.rule)
    }
}

impl std::error::Error for VariableError {}

/// Checks a name, and the value when there is one, that a namespace or its secrets put into the environment.
///
/// ```
/// use tooldock_worker::disk::check_variable;
/// assert!(check_variable("WEATHER_API_KEY", "abc").is_ok());
/// assert!(check_variable("LD_PRELOAD", "/tmp/x.so").is_err());
/// ```
///
/// # Errors
/// When the name is no `[A-Z][A-Z0-9_]{0,127}`, steers something outside the namespace, or the value holds a NUL or more
/// than 64 KiB.
pub fn check_variable(name: &str, value: &str) -> Result<(), VariableError> {
    let refuse = |rule| {
        let name = name.chars().take(128).flat_map(char::escape_debug).collect();
        Err(VariableError { name, rule })
    };
    let plain = |b: &u8| b.is_ascii_uppercase() || b.is_ascii_digit() || *b == b'_';
    let starts = name.as_bytes().first().is_some_and(u8::is_ascii_uppercase);
    if !starts || name.len() > 128 || !name.as_bytes().iter().all(plain) {
        return refuse("is no name of a variable: use 1 to 128 of `A-Z`, `0-9` and `_`, a letter first");
    }
    if CONTROL.contains(&name) || CONTROL_PREFIXES.iter().any(|prefix| name.starts_with(prefix)) {
        return refuse("steers programs outside this namespace and cannot be set here; choose another name");
    }
    if value.len() > MAX_VALUE || value.contains('\0') {
        return refuse("has a value with a NUL character or more than 64 KiB");
    }
    Ok(())
}
