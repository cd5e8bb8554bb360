//! The table of causes: one row for each that many people met, in the words that programs say it in.

use muster_core::FailureClass;

/// One cause.
pub(super) struct Row {
    /// The failures it is about; empty for any.
    pub(super) classes: &'static [FailureClass],
    /// Any of these in what was said, in lower case, tells; empty where the failure alone does.
    pub(super) says: &'static [&'static str],
    /// Names of programs it is about; empty for any.
    pub(super) programs: &'static [&'static str],
    /// What is likely. `{package}` stands for the package that a runner was to fetch, `{program}` for the command, `{name}` for
    /// the server.
    pub(super) cause: &'static str,
    /// What to try, with the same stand-ins.
    pub(super) help: &'static str,
}

pub(super) const NPM: &[&str] = &["npx", "npm", "bunx", "bun", "pnpm", "pnpx", "yarn"];
pub(super) const PYTHON: &[&str] = &["uvx", "uv", "pipx"];
const SPAWN: &[FailureClass] = &[FailureClass::NotSpawned];
const ENDED: &[FailureClass] = &[FailureClass::Ended];

/// The more exact comes first.
pub(super) const CAUSES: &[Row] = &[
    Row {
        classes: &[],
        says: &[
            "e404",
            "404 not found - get",
            "is not in this registry",
            "npm error 404",
            "npm err! 404",
        ],
        programs: &[],
        cause: "npx found no such package or version",
        help: "npm view {package} versions",
    },
    Row {
        classes: &[],
        says: &[
            "enotempty",
            "enotdir, rename",
            "could not read package.json",
        ],
        programs: NPM,
        cause: "npx's own folder of packages is damaged, as after an interrupted download",
        help: "remove ~/.npm/_npx and start it again",
    },
    Row {
        classes: &[],
        says: &[
            "cannot find module",
            "err_module_not_found",
            "cannot find package",
        ],
        programs: NPM,
        cause: "npx found no such package or version, or its folder of packages is damaged",
        help: "npm view {package} versions; else remove ~/.npm/_npx and start it again",
    },
    Row {
        classes: &[],
        says: &[
            "cannot find module",
            "err_module_not_found",
            "cannot find package",
        ],
        programs: &[],
        cause: "a module that the server needs is not installed where it runs",
        help: "install its dependencies (npm install) in its own folder, and build it if it is TypeScript",
    },
    Row {
        classes: &[],
        says: &["could not determine executable to run"],
        programs: &[],
        cause: "the package has no program of its own",
        help: "look up in the package's page how it is started",
    },
    Row {
        classes: &[],
        says: &[
            "no solution found when resolving",
            "not found in the package registry",
            "no matching distribution found",
        ],
        programs: &[],
        cause: "the Python package, or that version of it, does not exist or needs another Python",
        help: "uvx --python 3.12 {package}, or correct its name",
    },
    Row {
        classes: &[],
        says: &[
            "an executable named",
            "does not provide any executables",
            "executable not found",
        ],
        programs: PYTHON,
        cause: "the Python package has a program of another name",
        help: "uvx --from {package} PROGRAM",
    },
    Row {
        classes: &[],
        says: &["modulenotfounderror", "no module named", "importerror"],
        programs: &[],
        cause: "it runs in a Python that does not have the module",
        help: "name the python of its virtual environment as the command, or start it with uv run",
    },
    Row {
        classes: &[],
        says: &[
            "requires python",
            "syntaxerror: invalid syntax",
            "python 3.",
            "f-string: ",
        ],
        programs: &[],
        cause: "it needs a newer Python than the one it is started with",
        help: "name that python as the command, or start it with uv run --python 3.12",
    },
    Row {
        classes: &[],
        says: &[
            "unsupported engine",
            "ebadengine",
            "syntaxerror: unexpected token",
            "requires node",
            "node.js version",
            "crypto is not defined",
            "fetch is not defined",
        ],
        programs: &[],
        cause: "it needs a newer Node.js than the one it is started with",
        help: "node --version, and put a newer one first on the PATH that the agent is started with",
    },
    Row {
        classes: &[],
        says: &[
            "eaddrinuse",
            "address already in use",
            "port is already allocated",
            "only one usage of each socket address",
        ],
        programs: &[],
        cause: "the port that it wants is taken, often by the same server left running",
        help: "end the other one, or give it another port",
    },
    Row {
        classes: &[],
        says: &[
            "cannot connect to the docker daemon",
            "is the docker daemon running",
            "error during connect",
            "docker.sock",
        ],
        programs: &[],
        cause: "Docker does not run, or you may not use it",
        help: "docker info",
    },
    Row {
        classes: &[],
        says: &[
            "unable to find image",
            "pull access denied",
            "manifest unknown",
            "no such image",
        ],
        programs: &[],
        cause: "Docker finds no such image",
        help: "docker pull the image by hand, to see why",
    },
    Row {
        classes: &[],
        says: &[
            "unable to get local issuer certificate",
            "self-signed certificate",
            "self signed certificate",
            "certificate verify failed",
            "certificate has expired",
            "unable_to_verify_leaf_signature",
            "invalid peer certificate",
            "ssl: ",
            "tls handshake",
        ],
        programs: &[],
        cause: "the certificate of a host it calls is not trusted here, as behind a company's proxy",
        help: "give it the company's certificate: NODE_EXTRA_CA_CERTS, SSL_CERT_FILE or REQUESTS_CA_BUNDLE in its env",
    },
    Row {
        classes: &[],
        says: &[
            "econnrefused 127.0.0.1",
            "econnrefused ::1",
            "connection refused",
        ],
        programs: &[],
        cause: "what it connects to does not run, or listens elsewhere",
        help: "start that first, or correct the address that the server is given",
    },
    Row {
        classes: &[],
        says: &[
            "enotfound",
            "eai_again",
            "getaddrinfo",
            "name or service not known",
            "temporary failure in name resolution",
            "could not resolve host",
            "proxy",
            "etimedout",
            "network is unreachable",
        ],
        programs: &[],
        cause: "it cannot reach the network: no connection, or a proxy that it is not told of",
        help: "give it HTTPS_PROXY and NO_PROXY in its env if there is a proxy",
    },
    Row {
        classes: &[],
        says: &[
            "401",
            "unauthorized",
            "invalid token",
            "invalid api key",
            "authentication failed",
            "bad credentials",
            "is invalid",
        ],
        programs: &[],
        cause: "a token or key that it was given is refused",
        help: "renew it, and look whether the variable reaches the server: muster why {name} --launch-plan",
    },
    Row {
        classes: &[],
        says: &[
            "api key",
            "api_key",
            "apikey",
            "token is required",
            "token not set",
            "_token",
            "environment variable",
            "env var",
            "missing required",
            "must be set",
            "is not set",
            "is required",
            "keyerror: '",
        ],
        programs: &[],
        cause: "a variable that it needs is not set",
        help: "add it to the entry's env; muster why {name} --launch-plan shows what the server gets",
    },
    Row {
        classes: &[],
        says: &[
            "eacces",
            "permission denied",
            "operation not permitted",
            "eperm",
        ],
        programs: &[],
        cause: "it may not read, write or execute a file",
        help: "look at the owner and the mode of the file that is named",
    },
    Row {
        classes: &[],
        says: &[
            "spawn ",
            "enoent",
            "no such file or directory",
            "command not found",
        ],
        programs: &[],
        cause: "a file or program that it needs is not there",
        help: "look at the path that is named: relative ones are looked for in the folder the agent is started in",
    },
    Row {
        classes: SPAWN,
        says: &["is not on the path"],
        programs: &[],
        cause: "the agent's PATH has no such program, as where nvm, fnm, mise or Homebrew add it only to a login shell",
        help: "write its full path as the command: command -v {program}",
    },
    Row {
        classes: SPAWN,
        says: &["not executable"],
        programs: &[],
        cause: "the file may not be executed",
        help: "chmod +x it, or start it through its interpreter",
    },
    Row {
        classes: SPAWN,
        says: &["which is not there"],
        programs: &[],
        cause: "the first line of the script names an interpreter that is not there",
        help: "correct that line, or start the script through its interpreter",
    },
    Row {
        classes: SPAWN,
        says: &["there is no "],
        programs: &[],
        cause: "the file is not there; a relative path is looked for in the folder the agent is started in",
        help: "write the full path as the command",
    },
    Row {
        classes: &[],
        says: &["<!doctype html", "<html"],
        programs: &[],
        cause: "it is no MCP server: it answers with a web page",
        help: "use the address that its documentation gives for MCP, often one that ends in /mcp",
    },
    Row {
        classes: &[],
        says: &["content-length:"],
        programs: &[],
        cause: "it frames its messages as language servers do, which MCP does not",
        help: "use a newer version of it",
    },
    Row {
        classes: &[],
        says: &[
            "listening on http",
            "listening on port",
            "running on http",
            "uvicorn running",
            "server started on port",
            "http://localhost:",
            "http://127.0.0.1:",
            "http://0.0.0.0:",
        ],
        programs: &[],
        cause: "it serves HTTP instead of its standard streams",
        help: "start it with its option for stdio, or configure its address instead of its command",
    },
    Row {
        classes: &[],
        says: &[
            "usage:",
            "unknown option",
            "unrecognized arguments",
            "unexpected argument",
            "unknown command",
        ],
        programs: &[],
        cause: "it does not know one of its arguments",
        help: "compare its arguments with its own --help",
    },
    Row {
        classes: ENDED,
        says: &[],
        programs: &["docker", "podman"],
        cause: "without -i the container gets no input and ends at once",
        help: "add \"-i\" and \"--rm\" to its arguments",
    },
];
