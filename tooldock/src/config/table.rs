//! Every setting, declared once.

/// A setting as the reference page shows it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Setting {
    /// Its name in the environment.
    pub name: &'static str,
    /// What it is when nothing is set; empty for none.
    pub default: &'static str,
    /// Whether its value must be kept out of sight; such a setting has a twin `<name>_FILE` that names a file.
    pub secret: bool,
    /// What it does, its unit and its bounds.
    pub doc: &'static str,
}

const fn setting(name: &'static str, default: &'static str, doc: &'static str) -> Setting {
    Setting {
        name,
        default,
        secret: false,
        doc,
    }
}

const fn secret(name: &'static str, doc: &'static str) -> Setting {
    Setting {
        name,
        default: "",
        secret: true,
        doc,
    }
}

/// Every setting of `tooldock-core serve`.
#[rustfmt::skip]
pub const SETTINGS: &[Setting] = &[
    setting("BIND_ADDRESS", "127.0.0.1", "Address to listen on; in a container `0.0.0.0`."),
    setting("PORT", "8000", "Port to listen on; 0 lets the system choose."),
    setting("UNIX_SOCKET", "", "File of a Unix socket to listen at instead; its clients count as 127.0.0.1."),
    setting("UNIX_SOCKET_MODE", "660", "Who may connect to UNIX_SOCKET, as permissions in octal digits."),
    setting("TLS_CERT_FILE", "", "Certificate with those of its issuers (PEM), for TLS without a proxy; read again when it changes."),
    setting("TLS_KEY_FILE", "", "Key of that certificate (PEM)."),
    setting("DATA_DIR", "/data", "Folder with `tools/`, `venvs/` and everything else that is kept."),
    secret("BEARER_TOKEN", "Token that clients send; at least 16 visible ASCII characters. Required, unless TOKENS_FILE or OAUTH_ISSUER is set."),
    setting("PUBLIC_URL", "", "Address at which clients reach the gateway, with the prefix of a proxy: `https://tools.example.org`. OAuth needs it, and its tokens are made for it or for `PUBLIC_URL/{namespace}/mcp`."),
    setting("OAUTH_ISSUER", "", "Issuer whose signed tokens (JWT) are let in as well, exactly as they name it; without it there is no OAuth."),
    setting("OAUTH_JWKS_URL", "", "Where that issuer publishes its keys; `https` only."),
    setting("OAUTH_ALGORITHMS", "RS256,RS384,RS512,PS256,PS384,PS512,ES256,ES384,EdDSA", "Signatures that are believed, separated by commas."),
    setting("OAUTH_SCOPE", "tooldock", "Scope that allows everything; `:` and a namespace behind it allow that, `:` and a tool behind that one tool of it."),
    setting("OUTBOUND_CA_FILE", "", "File of certificates (PEM) that are trusted for the keys of OAuth and for registries besides those of the system, and by `git` instead of them."),
    setting("TOKENS_FILE", "", "File with further tokens: names, digests, limits, expiry. It is read again when it changes; what was opened with a token that is gone ends."),
    secret("MANAGER_INTERNAL_TOKEN", "Second token that `POST /reload` asks for in `X-Manager-Token`. Without it nobody can ask for a reload."),
    secret("SECRETS_KEY", "Key of `secrets.enc`; at least 16 bytes, best made with `tooldock-manager keygen`. Required, unless ALLOW_INSECURE_SECRETS is 1."),
    secret("SECRETS_KEY_PREVIOUS", "The key before it, while a change of the key is under way: it opens `secrets.enc` as well, and never seals."),
    setting("ALLOW_INSECURE_SECRETS", "0", "`1` keeps secrets unencrypted when there is no key; for one person on one machine."),
    setting("SECRETS_ONLY_DECLARED", "false", "Whether a namespace is given only the secrets that its `tooldock.yaml` names, instead of every global one and all of its own: `true` or `false`."),
    setting("INTERNAL_ALLOWED_CIDRS", "172.30.0.10/32,127.0.0.1/32", "Address ranges from which `POST /reload` is taken, separated by commas."),
    setting("TRUSTED_PROXIES", "", "Address ranges of proxies whose `X-Forwarded-For` is believed, separated by commas. `POST /reload` looks at the address of the connection all the same, unless RELOAD_THROUGH_PROXIES is set."),
    setting("RELOAD_THROUGH_PROXIES", "false", "Whether INTERNAL_ALLOWED_CIDRS is about the client that a trusted proxy names, and not about the proxy: `true` or `false`."),
    setting("AUTH_FAILURES_PER_MINUTE", "20", "Wrong tokens that one address may present in a minute before it is answered 429, 0 to 1000000; a right one is let in all the same."),
    setting("ALLOWED_HOSTS", "", "Names in the `Host` header that are answered besides loopback names, addresses and single labels, separated by commas."),
    setting("ALLOWED_ORIGINS", "", "Web pages that may send requests besides those of this machine, separated by commas: `https://chat.example.org`."),
    setting("CORS_ORIGINS", "", "Web pages that may read answers besides those of this machine, separated by commas; `*` for every page. A page that calls tools stands in `ALLOWED_ORIGINS` as well."),
    setting("DEFAULT_NAMESPACE", "", "Namespace that is meant when a request names none."),
    setting("MAX_BODY_BYTES", "4194304", "Bytes a request body may have, 1024 to 67108864."),
    setting("MAX_BODIES_BYTES", "67108864", "Bytes that all request bodies may have that are there at once, at least MAX_BODY_BYTES and up to 68719476736; more are answered 503."),
    setting("MAX_JSON_DEPTH", "64", "Levels of arrays and objects that JSON in a request body may have, 8 to 128."),
    setting("MAX_JSON_VALUES", "100000", "Values that JSON in a request body may have, 100 to 1000000."),
    setting("SERVER_THREADS", "0", "Threads that serve requests, 0 (half as many as there are processors) to 1024."),
    setting("MAX_CONNECTIONS", "12000", "Connections at once, 1 to 1000000."),
    setting("HEADER_TIMEOUT_SECONDS", "10", "How long a request head may take to arrive, and the rest of a body whose request is refused, 1 to 3600."),
    setting("BODY_TIMEOUT_SECONDS", "30", "How long a request body may take to arrive, 1 to 3600."),
    setting("IDLE_TIMEOUT_SECONDS", "75", "How long a connection may be silent between requests, 1 to 86400."),
    setting("WRITE_TIMEOUT_SECONDS", "30", "How long a client may take nothing of what is written to it, 1 to 3600."),
    setting("MAX_ANSWERS_BYTES", "268435456", "Bytes of large answers that clients have yet to take, 1048576 to 68719476736; while there are more, clients that take nothing for a second are left."),
    setting("DRAIN_SECONDS", "30", "How long calls may go on after the signal to end, and on an engine that is replaced, 0 to 3600."),
    setting("TOOL_CALL_TIMEOUT_SECONDS", "30", "How long a tool may take, unless it has a limit of its own, 1 to 3600."),
    setting("NAMESPACE_MAX_CONCURRENCY", "64", "Calls that run at once in one namespace, 1 to 10000; calls of synchronous tools, reads and prompts are counted apart, with the same limit."),
    setting("MAX_CONCURRENCY", "512", "Calls that run at once in all namespaces together, 1 to 1000000; calls of synchronous tools, reads and prompts are counted with the others."),
    setting("PRINCIPAL_CALLS_PER_MINUTE", "0", "Calls of tools that one principal may make in a minute, 0 (no limit) to 1000000; more are answered 429."),
    setting("NAMESPACE_CALLS_PER_MINUTE", "0", "Calls of tools of one namespace in a minute, 0 (no limit) to 1000000; `calls_per_minute` in config.yaml is for one namespace."),
    setting("TOOL_CALLS_PER_MINUTE", "0", "Calls of one tool in a minute, 0 (no limit) to 1000000."),
    setting("NAMESPACE_CPU_SECONDS_PER_MINUTE", "0", "Seconds of processor time that calls of one namespace may use in a minute, 0 (no limit) to 1000000; 60 is one processor. Once they are used up, calls are answered 429. `cpu_seconds_per_minute` in config.yaml is for one namespace."),
    setting("ARGUMENT_REPAIR", "on", "Whether arguments that do not fit are tried once more after a documented repair: `on` or `off`."),
    setting("ENABLE_FS_WATCHER", "true", "Whether changed files are loaded without being asked to: `true` or `false`."),
    setting("FS_WATCHER_DEBOUNCE_MS", "1500", "How long files must be quiet before they are loaded, 10 to 60000."),
    setting("WORKER_PYTHON", "", "Python interpreter (3.10 or newer) that environments are built from; without it `python3` on the path."),
    secret("PACKAGE_INDEX_URL", "Index that packages are installed from, with credentials if it needs some; without it the installer's own."),
    setting("PACKAGE_DIR", "", "Folder of wheels that is searched as well."),
    setting("PACKAGE_OFFLINE", "false", "Whether nothing is fetched, so that packages come from `PACKAGE_DIR` and from what was fetched before: `true` or `false`."),
    setting("REQUIRE_HASHES", "false", "Whether only `requirements.lock` files are installed, in which every package has its version and hashes: `true` or `false`."),
    setting("ALLOW_SOURCE_BUILDS", "false", "Whether packages without a wheel are built, which runs their code during the installation: `true` or `false`."),
    setting("INSTALL_TIMEOUT_SECONDS", "600", "How long one step of an installation may take, 1 to 86400."),
    setting("INSTALL_MEMORY_MB", "4096", "Memory that one process of an installation may fill, in MiB, 64 to 1048576."),
    setting("INSTALL_DISK_MB", "20480", "What an installation may add to the disk, in its environment and in the cache, in MiB, 1 to 1048576; installations that run at the same time are counted together."),
    setting("INSTALLS_AT_ONCE", "2", "Installations at once, 1 to 64."),
    setting("WORKER_START_SECONDS", "30", "How long the start of a worker may take, the import of its files included, 1 to 3600."),
    setting("WORKER_RECYCLE_MB", "0", "MiB of memory beyond which a worker is replaced by a new one, which costs no call, 0 (never) to 1048576."),
    setting("WORKER_LIFETIME_SECONDS", "0", "After how long a worker is replaced by a new one, which costs no call, 0 (never) to 31536000."),
    setting("WORKER_IDLE_SECONDS", "0", "After how long without a call the workers of a namespace are ended; the next call starts them and waits for it. 0 (never) to 31536000."),
    setting("WORKER_SANDBOX", "best-effort", "How workers are confined: `off`; `best-effort`, with what the system can enforce; or `strict`, which refuses namespaces where it cannot enforce all of it. `GET /namespaces` shows what is enforced."),
    setting("WORKER_FILTER_SYSTEM_CALLS", "true", "Whether the sandbox closes system calls that reach into other processes or deep into the kernel: `true` or `false`; `filter_system_calls` in `config.yaml` is for one namespace."),
    setting("WORKER_USERS", "", "Numbers of users of which each namespace is given one of its own, where the gateway runs as root: `70000-79999`; without it workers are the user that the gateway is. Nothing else should belong to them."),
    setting("WORKER_READ_PATHS", "", "Folders and files that workers may read besides their own and those of the system, separated by commas."),
    setting("WORKER_WRITE_PATHS", "", "Folders and files that workers may write as well, separated by commas. All namespaces share them; `write` in `config.yaml` is for one."),
    setting("WORKER_MEMORY_MB", "1024", "Memory that one process of a worker may fill, in MiB, 64 to 1048576."),
    setting("WORKER_FILE_MB", "1024", "Size of a file that a worker writes, in MiB, 1 to 1048576."),
    setting("WORKER_OPEN_FILES", "4096", "Files and connections that one process of a worker may have open, 64 to 1048576."),
    setting("WORKER_PROCESSES", "256", "Processes that one worker may have running; one with more is replaced, 1 to 100000."),
    setting("MCP_SUPPORTED_VERSIONS", "2026-07-28,2025-11-25,2025-06-18,2025-03-26,2024-11-05", "Revisions of MCP that are spoken, separated by commas."),
    setting("ENABLE_LEGACY_MCP", "true", "Whether the transport of 2024-11-05 (`/{namespace}/sse` and `/{namespace}/messages`) is served: `true` or `false`."),
    setting("MCP_SESSIONS", "10000", "Sessions at once, 1 to 1000000; of more, the one that was used least recently ends."),
    setting("MCP_SESSIONS_PER_PRINCIPAL", "1000", "Sessions at once of one principal, 1 to 1000000; of more, the one that was used least recently ends."),
    setting("MCP_SESSION_START_SECONDS", "60", "How long a client may take from opening a session to its next message, 1 to 3600."),
    setting("MCP_SESSION_IDLE_SECONDS", "1800", "How long a session may be without a request, a running call and an open stream, 1 to 86400."),
    setting("MCP_SESSION_TTL_HOURS", "24", "How long a session may last, 1 to 8760."),
    setting("MCP_STREAMS_PER_SESSION", "8", "Streams of one session that answer no call, 1 to 100; of more, the oldest ends."),
    setting("MCP_STREAMS", "10000", "Streams at once that answer no call, 1 to 1000000; more are refused."),
    setting("MCP_STREAMS_PER_PRINCIPAL", "1000", "Streams of one principal that answer no call, 1 to 1000000; more are refused."),
    setting("MCP_RESOURCE_WATCHES", "100", "Resources that one session or one subscription may watch, 1 to 10000; more are refused."),
    setting("MCP_KEEP_ALIVE_SECONDS", "15", "How long an event stream may be silent before it carries a comment, 1 to 25."),
    setting("MCP_REPLAY_EVENTS", "1000", "Events of one session that are kept for a client whose connection broke, 0 to 100000."),
    setting("MCP_REPLAY_BYTES", "4194304", "Bytes of one session that are kept for a client whose connection broke, 0 to 1073741824."),
    setting("MCP_REPLAY_TOTAL_BYTES", "268435456", "Bytes of all sessions that are kept for clients whose connections broke, 0 to 68719476736."),
    setting("MCP_RETRY_MS", "1000", "How long clients are told to wait before they come back to a stream, 10 to 60000."),
    setting("MCP_POLL_AFTER_SECONDS", "0", "After how long a connection that carries a call of 2025-11-25 ends, so that its client comes back for the rest, 0 (never) to 3600."),
    setting("INPUT_TIMEOUT_SECONDS", "300", "How long a question of a tool waits for the client's answer, 1 to 3600."),
    setting("INPUT_QUESTIONS", "1000", "Questions of tools that may wait at once for their clients, 1 to 1000000; more are refused."),
    setting("INPUT_QUESTIONS_PER_PRINCIPAL", "64", "Questions of tools that may wait at once for clients of one principal, 1 to 100000; more are refused."),
    setting("MCP_BATCH_MESSAGES", "100", "Messages of one batch, which 2025-03-26 has, 1 to 1000."),
    setting("MCP_LEGACY_MESSAGES", "64", "Messages in work of one client of the transport of 2024-11-05, 1 to 1000."),
    setting("MCP_PAGE_SIZE", "1000", "Entries of one page of a list, 1 to 10000."),
    setting("MCP_LIST_TTL_SECONDS", "0", "How long clients of 2026-07-28 may reuse a list without asking again, 0 to 86400."),
    setting("AUDIT", "on", "Whether each request to a tool, a resource or a prompt leaves a record in a file of its day: `on` or `off`. `stdio` keeps none."),
    setting("AUDIT_DIR", "", "Folder of these files; without it `logs` in the data folder. Those of `tooldock-manager` are in `manager` below it."),
    setting("LOG_RETENTION_DAYS", "30", "For how many days these files are kept, 1 to 36500."),
    setting("AUDIT_QUEUE", "10000", "Records that may wait to be written, 1 to 1000000; of more, each is lost and counted."),
    setting("AUDIT_FAIL_CLOSED", "false", "Whether calls are refused while they cannot be recorded, instead of being lost and counted: `true` or `false`."),
    setting("AUDIT_CHAIN", "false", "Whether each record carries a hash of itself and of all before it, which `tooldock-manager audit verify` checks: `true` or `false`."),
    setting("AUDIT_CONTENT_BYTES", "0", "Bytes of the arguments and of the result that are recorded of each call, without known secrets, 0 (nothing of either) to 65536."),
    setting("OTEL_EXPORTER_OTLP_ENDPOINT", "", "Collector of OpenTelemetry that traces and metrics are sent to, as OTLP over HTTP: `http://127.0.0.1:4318`; without it they are sent nowhere."),
    setting("OTEL_SERVICE_NAME", "tooldock", "What the gateway is called there."),
    setting("LOG_LEVEL", "info", "`error`, `warn`, `info`, `debug`, `trace`, or a filter such as `info,tooldock_worker=debug`."),
    setting("LOG_FORMAT", "text", "`text` or `json`."),
];

/// Every setting that `tooldock-manager` has besides those of `tooldock-core serve`.
#[rustfmt::skip]
pub const MANAGER_SETTINGS: &[Setting] = &[
    secret("MANAGER_BEARER_TOKEN", "Token that clients send to the manager; at least 16 visible ASCII characters, another one than BEARER_TOKEN. Required."),
    setting("MANAGER_PORT", "8001", "Port that the manager listens on; 0 lets the system choose."),
    setting("CORE_URL", "http://172.30.0.11:8000", "Where the manager reaches `tooldock-core`. It sends BEARER_TOKEN and MANAGER_INTERNAL_TOKEN there."),
    setting("CORE_TIMEOUT_SECONDS", "30", "How long the manager waits for `tooldock-core` to say something, beyond the time that a tool takes, 1 to 3600."),
    setting("TOOL_FILE_BYTES", "262144", "Bytes that a tool file may have which the manager writes, 1024 to 4194304."),
    setting("NAMESPACE_FILES", "200", "Files that the manager lets a namespace have, 1 to 2000."),
    setting("MAX_NAMESPACES", "200", "Namespaces that the manager lets there be, 1 to 1000."),
    setting("ALLOW_ANALYSIS_PACKAGES", "true", "Whether the tool `install_pip_packages` may install packages, into an environment that no tool runs from: `true` or `false`."),
    setting("OUTBOUND_ALLOWED_HOSTS", "", "Hosts that the manager may connect to although they are not on the public Internet or not on port 443, separated by commas: `git.internal:8443`."),
    setting("CLONE_ALLOWED_HOSTS", "", "The only hosts that repositories are cloned from, separated by commas; without it every public one."),
    setting("CLONE_TIMEOUT_SECONDS", "120", "How long cloning a repository may take, 1 to 3600."),
    setting("CLONE_MAX_MB", "200", "MiB that a clone, an archive and the files in it may have, 1 to 10240."),
    setting("CLONE_MAX_FILES", "20000", "Files that a repository or an archive may have, 1 to 1000000."),
    setting("CLONE_MAX_FILE_KB", "4096", "KiB of a file beyond which only its name is kept, 1 to 65536."),
    setting("REPOSITORIES_KEPT", "20", "Repositories and archives that are kept for reading, 1 to 1000; of more, the one that was fetched first is removed."),
    setting("MCP_REGISTRY_URL", "https://registry.modelcontextprotocol.io", "Registry that `search_registry` asks, without `/v0.1`."),
    setting("NPM_REGISTRY_URL", "", "Registry that archives of npm are fetched from; without it the one that the installed `npm` is configured for. Those of PyPI come from PACKAGE_INDEX_URL, or from where the installed `pip` looks."),
];

/// Every setting of `tooldock-core connect`.
#[rustfmt::skip]
pub const CONNECT_SETTINGS: &[Setting] = &[
    secret("TOOLDOCK_TOKEN", "Token that is sent to the server; without it none is sent."),
    setting("CONNECT_PATIENCE_SECONDS", "5", "How long a message waits for a server that cannot be reached or is not ready, 0 to 300."),
    setting("CONNECT_SILENCE_SECONDS", "300", "How long the server may be silent while an answer is due, 1 to 86400."),
    setting("CONNECT_MESSAGE_BYTES", "67108864", "Bytes that one message of the server may have, 1024 to 1073741824."),
    setting("CONNECT_DRAIN_SECONDS", "30", "How long calls may go on after standard input has ended, 0 to 3600."),
    setting("LOG_LEVEL", "warn", "As above."),
    setting("LOG_FORMAT", "text", "As above."),
];
