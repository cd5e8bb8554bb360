//! `roots/list`: the folders that a server may work in.

use camino::Utf8PathBuf;
use serde_json::{Value, json};
use url::Url;

/// The answer that names `folders`, absolute ones.
pub fn roots(folders: &[Utf8PathBuf]) -> Value {
    let root = |folder: &Utf8PathBuf| {
        let uri = Url::from_file_path(folder).ok()?;
        let name = folder.file_name().unwrap_or(folder.as_str());
        Some(json!({"uri": uri.as_str(), "name": name}))
    };
    let roots: Vec<Value> = folders.iter().filter_map(root).collect();
    json!({"roots": roots})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn folders_are_addresses_of_files() {
        let folders = [Utf8PathBuf::from("/home/me/my shop"), "relative".into()];
        assert_eq!(
            roots(&folders),
            json!({"roots": [{"uri": "file:///home/me/my%20shop", "name": "my shop"}]})
        );
    }
}
