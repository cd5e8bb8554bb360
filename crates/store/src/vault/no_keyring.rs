//! Where Muster was built without a keyring.

use muster_document::Secret;

pub(super) fn load(_name: &str) -> Option<Secret> {
    None
}

pub(super) fn save(_name: &str, _text: &Secret) -> bool {
    false
}

pub(super) fn remove(_name: &str) {}
