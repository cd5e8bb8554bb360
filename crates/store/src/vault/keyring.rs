//! The system's keyring: Keychain, Credential Manager, Secret Service. Whatever is wrong with it, files do.

use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use keyring::v1::Entry;
use muster_document::Secret;

/// The name that everything of ours has there.
const SERVICE: &str = "muster";
/// A keyring that is locked asks its user, if there is one: so long it may take.
const PATIENCE: Duration = Duration::from_secs(20);

pub(super) fn load(name: &str) -> Option<Secret> {
    with(name, |entry| entry.get_password().ok()).map(Secret::new)
}

/// Whether `text` is kept now.
pub(super) fn save(name: &str, text: &Secret) -> bool {
    let text = text.clone();
    let kept = with(name, move |entry| {
        entry.set_password(text.expose()).ok()?;
        // Some take what is too long for them and cut it.
        entry
            .get_password()
            .ok()
            .filter(|kept| kept == text.expose())
    });
    kept.is_some()
}

pub(super) fn remove(name: &str) {
    with(name, |entry| entry.delete_credential().ok());
}

/// What `act` makes of the entry `name`; nothing where there is no keyring, or it does not answer.
fn with<T: Send + 'static>(
    name: &str,
    act: impl FnOnce(&Entry) -> Option<T> + Send + 'static,
) -> Option<T> {
    if !is_there() {
        return None;
    }
    let name = name.to_owned();
    let (tell, told) = mpsc::channel();
    thread::spawn(move || {
        let entry = Entry::new(SERVICE, &name);
        // Whoever waited may be gone.
        let _ = tell.send(entry.ok().and_then(|entry| act(&entry)));
    });
    told.recv_timeout(PATIENCE).ok().flatten()
}

/// Whether there can be a keyring: without a session bus there is no Secret Service, and looking for one takes time.
#[cfg(target_os = "linux")]
fn is_there() -> bool {
    let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let runtime = std::env::var_os("XDG_RUNTIME_DIR");
    let bus = runtime.map(|folder| std::path::Path::new(&folder).join("bus"));
    is_set("DBUS_SESSION_BUS_ADDRESS") || bus.is_some_and(|bus| bus.exists())
}

#[cfg(not(target_os = "linux"))]
fn is_there() -> bool {
    true
}
