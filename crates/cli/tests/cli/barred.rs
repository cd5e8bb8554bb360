//! The servers of `hostile/` that are about signing in, as `muster login` and `muster check --remote` find them.

use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::context::Context;

/// A server of `hostile/`, which ends with its value.
struct Hostile(Child, u16);

impl Hostile {
    fn start(name: &str, mode: &str) -> Hostile {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../hostile");
        let port = TcpListener::bind("127.0.0.1:0")
            .unwrap()
            .local_addr()
            .unwrap()
            .port();
        let child = Command::new("python3")
            .arg(folder.join(name).join("files/srv/server.py"))
            .arg(port.to_string())
            .env("REPRO_MODE", mode)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let begun = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(
                begun.elapsed() < Duration::from_secs(10),
                "it does not listen"
            );
            thread::sleep(Duration::from_millis(10));
        }
        Hostile(child, port)
    }
}

impl Drop for Hostile {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[test]
fn hostile_servers_are_refused_with_what_to_do() {
    for (name, mode, expected) in [
        (
            "B2-auth-401",
            "nodcr",
            "`127.0.0.1` needs a client id you registered yourself\nhint: register one with the redirect address \
             http://127.0.0.1:8976/callback, then: muster login http://127.0.0.1/mcp --client-id ID --callback-port 8976\n",
        ),
        (
            "B2-auth-401",
            "mismatch",
            "the server's metadata is refused: it describes `http://127.0.0.1/•••`, which is not this server\n",
        ),
        (
            "B3-hostile-auth-metadata",
            "",
            "metadata of `127.0.0.1` could not be fetched: the answer is longer than 1048576 bytes\n",
        ),
    ] {
        let hostile = Hostile::start(name, mode);
        let url = format!("http://127.0.0.1:{}/mcp", hostile.1);
        let run = Context::new().run(["login", "--no-browser", &url]);
        let said = run.stderr.replace(&format!(":{}", hostile.1), "");
        let expected = format!(
            "Signing in to http://127.0.0.1/mcp at http://127.0.0.1/mcp\nerror: `http://127.0.0.1/mcp`: {expected}"
        );
        assert_eq!((run.code, said), (3, expected), "{name} {mode}");
    }
}

#[test]
fn a_check_tells_why_nobody_is_let_in() {
    let configuration = |port: u16, header: &str| {
        format!(
            r#"{{"mcpServers": {{"repro": {{"type": "http", "url": "http://127.0.0.1:{port}/mcp"{header}}}}}}}"#
        )
    };
    const HEADER: &str = r#", "headers": {"Authorization": "Bearer SECRETHDR0123456789"}"#;
    for (name, mode, header, expected) in [
        (
            "B2-auth-401",
            "none",
            "",
            "needs sign-in: sign in at `127.0.0.1`: muster login repro",
        ),
        (
            "B2-auth-401",
            "meta",
            "",
            "needs sign-in: sign in at `127.0.0.1`: muster login repro",
        ),
        (
            "B2-auth-401",
            "loop",
            "",
            "needs sign-in: sign in at `127.0.0.1`: muster login repro",
        ),
        (
            "B2-auth-401",
            "403scope",
            "",
            "needs sign-in: sign in at `127.0.0.1`: muster login repro",
        ),
        (
            "B2-auth-401",
            "nodcr",
            "",
            "needs sign-in: `127.0.0.1` needs a client id you registered yourself: muster login repro --client-id ID",
        ),
        (
            "B2-auth-401",
            "mismatch",
            "",
            "needs sign-in: the server's metadata is refused: it describes `http://127.0.0.1/•••",
        ),
        (
            "B2-auth-401",
            "meta",
            HEADER,
            "the configured Authorization header is refused",
        ),
        (
            "B3-hostile-auth-metadata",
            "",
            "",
            "needs sign-in: metadata of `127.0.0.1` could not be fetched: the answer is longer than 1048576 bytes",
        ),
    ] {
        let hostile = Hostile::start(name, mode);
        let context = Context::new().file(".claude.json", &configuration(hostile.1, header));
        let run = context.run(["check", "--remote", "--server", "repro", "--verbose"]);
        let said = run.stdout.replace(&format!(":{}", hostile.1), "");
        let words: Vec<&str> = said.split_whitespace().collect();
        assert!(words.join(" ").contains(expected), "{name} {mode}: {said}");
        assert!(!said.contains("SECRETHDR"), "{said}");
    }
}
