//! What a key that a harness does not read was meant to be.

use muster_core::{Idiom, Thing};

/// What people call things, in any spelling: small letters and digits alone.
static CALLED: &[(&str, Thing)] = &[
    ("cmd", Thing::Command),
    ("executable", Thing::Command),
    ("program", Thing::Command),
    ("arg", Thing::Args),
    ("args", Thing::Args),
    ("argument", Thing::Args),
    ("arguments", Thing::Args),
    ("params", Thing::Args),
    ("environment", Thing::Env),
    ("environments", Thing::Env),
    ("env", Thing::Env),
    ("envs", Thing::Env),
    ("environmentvariables", Thing::Env),
    ("envvars", Thing::Env),
    ("envfile", Thing::EnvFile),
    ("cwd", Thing::Cwd),
    ("workingdirectory", Thing::Cwd),
    ("workingdir", Thing::Cwd),
    ("workdir", Thing::Cwd),
    ("directory", Thing::Cwd),
    ("uri", Thing::Url),
    ("serverurl", Thing::Url),
    ("httpurl", Thing::Url),
    ("baseurl", Thing::Url),
    ("endpoint", Thing::Url),
    ("header", Thing::Headers),
    ("headers", Thing::Headers),
    ("httpheaders", Thing::Headers),
    ("requestheaders", Thing::Headers),
    ("transport", Thing::Transport),
    ("transporttype", Thing::Transport),
    ("startuptimeout", Thing::StartTimeout),
    ("startuptimeoutsec", Thing::StartTimeout),
    ("startuptimeoutms", Thing::StartTimeout),
    ("connecttimeout", Thing::StartTimeout),
    ("connectiontimeout", Thing::StartTimeout),
    ("inittimeout", Thing::StartTimeout),
    ("tooltimeout", Thing::CallTimeout),
    ("tooltimeoutsec", Thing::CallTimeout),
    ("tooltimeoutms", Thing::CallTimeout),
    ("calltimeout", Thing::CallTimeout),
    ("requesttimeout", Thing::CallTimeout),
    ("timeout", Thing::Timeout),
    ("timeoutms", Thing::Timeout),
    ("bearertokenenvvar", Thing::BearerVariable),
    ("includetools", Thing::OnlyTools),
    ("enabledtools", Thing::OnlyTools),
    ("allowedtools", Thing::OnlyTools),
    ("excludetools", Thing::WithoutTools),
    ("disabledtools", Thing::WithoutTools),
];

/// What a key that is not read was most likely meant to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Meant {
    /// This key of the harness.
    Key(&'static str),
    /// A thing for which the harness has no key.
    Nothing(Thing),
}

/// What `written`, which an agent of this `idiom` does not read, was meant to be; `None` where it is something else altogether.
pub(crate) fn meant(idiom: &Idiom, written: &str) -> Option<Meant> {
    let plain = plain(written);
    if let Some(own) = idiom.every_key().find(|own| self::plain(own) == plain) {
        return Some(Meant::Key(own));
    }
    if let Some((_, thing)) = CALLED.iter().find(|(called, _)| *called == plain) {
        let key = idiom.key_for(*thing);
        return Some(key.map_or(Meant::Nothing(*thing), Meant::Key));
    }
    let close = |own: &&str| {
        let near = strsim::osa_distance(own, written);
        own.len() >= 4 && near <= own.len() / 4
    };
    idiom.every_key().find(close).map(Meant::Key)
}

/// `key` in small letters and digits alone: one spelling of it.
pub(crate) fn plain(key: &str) -> String {
    key.chars()
        .filter(char::is_ascii_alphanumeric)
        .map(|c| c.to_ascii_lowercase())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    static IDIOM: Idiom = Idiom {
        keys: &[
            (Thing::Command, "command"),
            (Thing::Env, "environment"),
            (Thing::Headers, "http_headers"),
            (Thing::StartTimeout, "startup_timeout_sec"),
        ],
        other_keys: &["enabled"],
        ..Idiom::SILENT
    };

    #[test]
    fn another_harnesss_key_is_known_for_what_it_is() {
        for (written, right) in [
            ("env", "environment"),
            ("headers", "http_headers"),
            ("connectTimeout", "startup_timeout_sec"),
        ] {
            assert_eq!(meant(&IDIOM, written), Some(Meant::Key(right)), "{written}");
        }
        for (written, thing) in [("args", Thing::Args), ("workdir", Thing::Cwd)] {
            assert_eq!(
                meant(&IDIOM, written),
                Some(Meant::Nothing(thing)),
                "{written}"
            );
        }
    }

    #[test]
    fn a_misspelled_key_is_known_for_what_it_is() {
        for (written, right) in [
            ("Command", "command"),
            ("comand", "command"),
            ("startupTimeoutSec", "startup_timeout_sec"),
            ("enabeld", "enabled"),
        ] {
            assert_eq!(meant(&IDIOM, written), Some(Meant::Key(right)), "{written}");
        }
    }

    #[test]
    fn what_somebody_adds_for_himself_is_no_misspelling() {
        for key in [
            "description",
            "name",
            "comment",
            "_comment",
            "$schema",
            "icon",
            "title",
            "version",
        ] {
            assert_eq!(meant(&IDIOM, key), None, "{key}");
        }
    }
}
