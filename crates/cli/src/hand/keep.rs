//! The binary parts of a result, as files.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::engine::DecodePaddingMode;
use base64::engine::general_purpose::{GeneralPurpose, GeneralPurposeConfig};
use muster_document::Shown;
use muster_report::{Saved, binary};
use serde_json::Value;

use super::error::HandError;

/// Files of one result.
const FILES: usize = 1_000;
/// How often another name is tried.
const NAMES: usize = 10_000;

/// Saves every binary part of `result`, under names that begin with `stem`, in `folder`, or in a new one for temporary files.
pub(crate) fn keep(
    result: &Value,
    stem: &str,
    folder: Option<&Path>,
) -> Result<Vec<Saved>, HandError> {
    let parts = binary(result);
    if parts.is_empty() {
        return Ok(Vec::new());
    }
    let refused = |path: &Path, source: io::Error| HandError::Save {
        path: shown(path),
        source,
    };
    let folder = match folder {
        Some(folder) => {
            fs::create_dir_all(folder).map_err(|source| refused(folder, source))?;
            folder.to_owned()
        }
        None => {
            let mut builder = tempfile::Builder::new();
            // What a server sends is for nobody else's eyes.
            #[cfg(unix)]
            builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
            let made = builder.prefix("muster-").tempdir();
            made.map_err(|source| refused(&std::env::temp_dir(), source))?
                .keep()
        }
    };
    let saved = parts.iter().take(FILES).enumerate().map(|(index, part)| {
        let Some(bytes) = decoded(part.data) else {
            return Ok(Saved {
                index,
                bytes: part.data.len() as u64,
                file: Err("not saved: it is no base64".to_owned()),
            });
        };
        let path = write(&folder, stem, index, ending(part.mime), &bytes)
            .map_err(|source| refused(&folder, source))?;
        Ok(Saved {
            index,
            bytes: bytes.len() as u64,
            file: Ok(shown(&path)),
        })
    });
    saved.collect()
}

/// What `text` of base64 stands for, padded or not, in either alphabet.
pub(crate) fn decoded(text: &str) -> Option<Vec<u8>> {
    let config =
        GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
    let text: String = text.split_ascii_whitespace().collect();
    [&base64::alphabet::STANDARD, &base64::alphabet::URL_SAFE]
        .into_iter()
        .find_map(|alphabet| GeneralPurpose::new(alphabet, config).decode(&text).ok())
}

/// Writes a file that was not there before.
fn write(
    folder: &Path,
    stem: &str,
    index: usize,
    ending: &str,
    bytes: &[u8],
) -> io::Result<PathBuf> {
    for number in index + 1..index + 1 + NAMES {
        let path = folder.join(format!("{}-{number}.{ending}", plain(stem)));
        match OpenOptions::new().write(true).create_new(true).open(&path) {
            Ok(mut file) => {
                file.write_all(bytes)?;
                return Ok(path);
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// A foreign name as the beginning of a file's.
fn plain(stem: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    let name: String = stem.chars().filter(|c| plain(*c)).take(60).collect();
    match name.trim_start_matches('-') {
        "" => "result".to_owned(),
        name => name.to_owned(),
    }
}

/// The ending of files of a media type.
fn ending(mime: &str) -> &'static str {
    let mime = mime.split(';').next().unwrap_or_default().trim();
    match mime.to_ascii_lowercase().as_str() {
        "image/png" => "png",
        "image/jpeg" => "jpg",
        "image/gif" => "gif",
        "image/webp" => "webp",
        "image/avif" => "avif",
        "image/svg+xml" => "svg",
        "audio/wav" | "audio/x-wav" | "audio/wave" => "wav",
        "audio/mpeg" | "audio/mp3" => "mp3",
        "audio/ogg" => "ogg",
        "application/pdf" => "pdf",
        "application/zip" => "zip",
        "application/gzip" => "gz",
        "application/json" => "json",
        "text/plain" => "txt",
        "text/csv" => "csv",
        _ => "bin",
    }
}

/// A path of ours, as may be printed.
pub(crate) fn shown(path: &Path) -> String {
    Shown(&path.to_string_lossy()).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn parts_are_saved_under_names_of_ours_and_nothing_is_overwritten() {
        let folder = tempfile::tempdir().unwrap();
        let taken = folder.path().join("screen-1.png");
        fs::write(&taken, "mine").unwrap();
        let result = json!({"content": [
            {"type": "text", "text": "x"},
            {"type": "image", "mimeType": "image/png", "data": "aGk="},
            {"type": "audio", "mimeType": "../../etc/passwd", "data": "aGk"},
            {"type": "image", "data": "!!"},
            {"type": "resource", "resource": {"uri": "x://y", "blob": "_-8=", "mimeType": "application/pdf"}},
        ]});
        let saved = keep(&result, "../screen", Some(folder.path())).unwrap();
        let files: Vec<Result<String, String>> =
            saved.iter().map(|saved| saved.file.clone()).collect();
        let path = |name: &str| Ok(shown(&folder.path().join(name)));
        assert_eq!(
            files,
            [
                path("screen-2.png"),
                path("screen-2.bin"),
                Err("not saved: it is no base64".to_owned()),
                path("screen-4.pdf"),
            ]
        );
        assert_eq!(fs::read(taken).unwrap(), b"mine");
        assert_eq!(fs::read(folder.path().join("screen-2.png")).unwrap(), b"hi");
        assert_eq!(
            fs::read(folder.path().join("screen-4.pdf")).unwrap(),
            [0xff, 0xef]
        );
    }

    #[test]
    fn a_result_without_binary_parts_makes_no_folder() {
        let result = json!({"content": [{"type": "text", "text": "x"}]});
        let folder = Path::new("/nonexistent/folder");
        assert_eq!(keep(&result, "x", Some(folder)).unwrap(), []);
    }
}
