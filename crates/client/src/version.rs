//! Revisions of the protocol.

use std::fmt;

/// A revision of the Model Context Protocol, the oldest first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Version {
    /// 2024-11-05: stdio and HTTP+SSE.
    V2024_11_05,
    /// 2025-03-26: Streamable HTTP, batches, OAuth.
    V2025_03_26,
    /// 2025-06-18: structured output, elicitation, the version header.
    V2025_06_18,
    /// 2025-11-25: the last revision with `initialize`.
    V2025_11_25,
    /// 2026-07-28: stateless; every request says its version.
    V2026_07_28,
}

/// How a server is spoken to: with `initialize` and a session, or statelessly.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Era {
    /// Up to 2025-11-25.
    Legacy,
    /// From 2026-07-28 on.
    Modern,
}

impl Version {
    /// All revisions, the newest first.
    pub const ALL: [Version; 5] = [
        Version::V2026_07_28,
        Version::V2025_11_25,
        Version::V2025_06_18,
        Version::V2025_03_26,
        Version::V2024_11_05,
    ];
    /// The revision that is asked for first.
    pub const MODERN: Version = Version::V2026_07_28;
    /// The revision that `initialize` asks for.
    pub const LEGACY: Version = Version::V2025_11_25;

    /// The revision as it is written on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Version::V2024_11_05 => "2024-11-05",
            Version::V2025_03_26 => "2025-03-26",
            Version::V2025_06_18 => "2025-06-18",
            Version::V2025_11_25 => "2025-11-25",
            Version::V2026_07_28 => "2026-07-28",
        }
    }

    /// The revision written as `text`.
    pub fn parse(text: &str) -> Option<Version> {
        Version::ALL
            .into_iter()
            .find(|version| version.as_str() == text)
    }

    /// The era it belongs to.
    pub const fn era(self) -> Era {
        match self {
            Version::V2026_07_28 => Era::Modern,
            _ => Era::Legacy,
        }
    }

    /// The newest legacy revision among `offered`.
    pub fn newest_legacy<'s>(offered: impl IntoIterator<Item = &'s str>) -> Option<Version> {
        let known = offered.into_iter().filter_map(Version::parse);
        known.filter(|version| version.era() == Era::Legacy).max()
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl Era {
    /// The word of the contract: `modern` or `legacy`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Era::Legacy => "legacy",
            Era::Modern => "modern",
        }
    }
}

/// Whether `text` is shaped as a revision is: `YYYY-MM-DD`.
pub fn is_date_shaped(text: &str) -> bool {
    let bytes = text.as_bytes();
    bytes.len() == 10
        && bytes.iter().enumerate().all(|(at, byte)| match at {
            4 | 7 => *byte == b'-',
            _ => byte.is_ascii_digit(),
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_revision_is_read_back() {
        for version in Version::ALL {
            assert_eq!(Version::parse(version.as_str()), Some(version));
            assert!(is_date_shaped(version.as_str()));
        }
        assert_eq!(Version::parse("2099-01-01"), None);
        assert!(is_date_shaped("2099-01-01"));
        assert!(!is_date_shaped("2099-1-01"));
    }

    #[test]
    fn the_newest_legacy_revision_is_chosen() {
        let offered = ["2024-11-05", "2026-07-28", "2025-06-18", "1999-01-01"];
        assert_eq!(Version::newest_legacy(offered), Some(Version::V2025_06_18));
        assert_eq!(Version::newest_legacy(["2026-07-28"]), None);
    }
}
