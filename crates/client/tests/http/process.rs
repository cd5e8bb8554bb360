//! A server of `hostile/` that listens, as a real process.

use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A server of `hostile/`. Ends with its value.
pub(crate) struct Hostile {
    process: Child,
    pub(crate) port: u16,
}

impl Hostile {
    /// Starts the server of the folder that begins with `fault`, on ports that nobody else has.
    pub(crate) fn start(fault: &str, env: &[(&str, &str)]) -> Hostile {
        let script = script(fault);
        // Somebody may take the port between here and there: then another one is tried.
        for _ in 0..10 {
            let port = two_free_ports();
            let process = Command::new("python3")
                .arg(&script)
                .arg(port.to_string())
                .envs(env.iter().copied())
                .stdin(Stdio::null())
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .expect("python3 is there");
            let mut server = Hostile { process, port };
            if server.listens() {
                return server;
            }
        }
        panic!("{fault} does not start");
    }

    /// Whether it listens, as soon as it does.
    fn listens(&mut self) -> bool {
        let begun = Instant::now();
        while begun.elapsed() < Duration::from_secs(20) {
            if self.process.try_wait().unwrap().is_some() {
                return false;
            }
            if TcpStream::connect(("127.0.0.1", self.port)).is_ok() {
                return true;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
        false
    }

    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}/mcp", self.port)
    }
}

impl Drop for Hostile {
    fn drop(&mut self) {
        _ = self.process.kill();
        _ = self.process.wait();
    }
}

pub(crate) fn script(fault: &str) -> PathBuf {
    let hostile = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../hostile");
    let folders = std::fs::read_dir(hostile)
        .unwrap()
        .map(|entry| entry.unwrap());
    let mut named = folders.filter(|entry| entry.file_name().to_str().unwrap().starts_with(fault));
    named.next().unwrap().path().join("files/srv/server.py")
}

/// A port that is free, and the next one too: one of the servers takes both.
fn two_free_ports() -> u16 {
    loop {
        let one = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = one.local_addr().unwrap().port();
        if port < u16::MAX && std::net::TcpListener::bind(("127.0.0.1", port + 1)).is_ok() {
            return port;
        }
    }
}
