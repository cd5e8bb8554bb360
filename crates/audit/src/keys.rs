//! What harnesses call the things that an entry says, and what people call them who come from another harness.

/// Something that an entry can say.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Thing {
    Command,
    Args,
    Env,
    EnvFile,
    Cwd,
    Url,
    Headers,
    Transport,
    StartTimeout,
    CallTimeout,
    Timeout,
    BearerVariable,
    OnlyTools,
    WithoutTools,
}

/// The keys of one harness's entries. Observed on the versions that the harnesses' rules name.
pub(crate) struct Keys {
    harness: &'static str,
    /// What it calls each thing that it has a key for.
    names: &'static [(Thing, &'static str)],
    /// Its other keys.
    others: &'static [&'static str],
}

const COMMON: [(Thing, &str); 2] = [(Thing::Command, "command"), (Thing::Url, "url")];

static HARNESSES: &[Keys] = &[
    Keys {
        harness: "claude-code",
        names: &[
            COMMON[0],
            COMMON[1],
            (Thing::Args, "args"),
            (Thing::Env, "env"),
            (Thing::Headers, "headers"),
            (Thing::Transport, "type"),
            (Thing::CallTimeout, "timeout"),
            (Thing::Timeout, "timeout"),
        ],
        others: &[
            "headersHelper",
            "oauth",
            "alwaysLoad",
            "bareElicitationCapability",
        ],
    },
    Keys {
        harness: "codex",
        names: &[
            COMMON[0],
            COMMON[1],
            (Thing::Args, "args"),
            (Thing::Env, "env"),
            (Thing::Cwd, "cwd"),
            (Thing::Headers, "http_headers"),
            (Thing::StartTimeout, "startup_timeout_sec"),
            (Thing::CallTimeout, "tool_timeout_sec"),
            (Thing::Timeout, "startup_timeout_sec"),
            (Thing::BearerVariable, "bearer_token_env_var"),
            (Thing::OnlyTools, "enabled_tools"),
            (Thing::WithoutTools, "disabled_tools"),
        ],
        others: &[
            "env_vars",
            "env_http_headers",
            "http_headers_helper",
            "auth",
            "oauth",
            "oauth_resource",
            "scopes",
            "enabled",
            "required",
            "supports_parallel_tool_calls",
            "startup_timeout_ms",
            "startup_readiness",
            "environment_id",
            "default_tools_approval_mode",
            "tools",
            "omit_tools_from",
            "tool_input_schema_max_bytes",
        ],
    },
    Keys {
        harness: "gemini-cli",
        names: &[
            COMMON[0],
            COMMON[1],
            (Thing::Args, "args"),
            (Thing::Env, "env"),
            (Thing::Cwd, "cwd"),
            (Thing::Headers, "headers"),
            (Thing::Transport, "type"),
            (Thing::StartTimeout, "timeout"),
            (Thing::CallTimeout, "timeout"),
            (Thing::Timeout, "timeout"),
            (Thing::OnlyTools, "includeTools"),
            (Thing::WithoutTools, "excludeTools"),
        ],
        others: &[
            "httpUrl",
            "tcp",
            "trust",
            "description",
            "oauth",
            "authProviderType",
        ],
    },
    Keys {
        harness: "cursor",
        names: &[
            COMMON[0],
            COMMON[1],
            (Thing::Args, "args"),
            (Thing::Env, "env"),
            (Thing::EnvFile, "envFile"),
            (Thing::Headers, "headers"),
        ],
        others: &["auth"],
    },
    Keys {
        harness: "opencode",
        names: &[
            COMMON[0],
            COMMON[1],
            (Thing::Env, "environment"),
            (Thing::Cwd, "cwd"),
            (Thing::Headers, "headers"),
            (Thing::Transport, "type"),
            (Thing::StartTimeout, "timeout"),
            (Thing::Timeout, "timeout"),
        ],
        others: &["enabled", "disabled", "oauth"],
    },
    Keys {
        harness: "pi",
        names: &[
            COMMON[0],
            COMMON[1],
            (Thing::Args, "args"),
            (Thing::Env, "env"),
            (Thing::Cwd, "cwd"),
            (Thing::Headers, "headers"),
            (Thing::Transport, "type"),
            (Thing::StartTimeout, "timeout"),
            (Thing::CallTimeout, "timeout"),
            (Thing::Timeout, "timeout"),
        ],
        others: &[
            "enabled",
            "description",
            "exposure",
            "toolExposure",
            "oauth",
            "auth",
        ],
    },
    Keys {
        harness: "muster",
        names: &[
            COMMON[0],
            COMMON[1],
            (Thing::Args, "args"),
            (Thing::Env, "env"),
            (Thing::Cwd, "cwd"),
            (Thing::Headers, "headers"),
            (Thing::Transport, "type"),
            (Thing::StartTimeout, "startup_timeout_sec"),
            (Thing::CallTimeout, "tool_timeout_sec"),
            (Thing::Timeout, "startup_timeout_sec"),
            (Thing::BearerVariable, "bearer_token_env_var"),
            (Thing::OnlyTools, "enabled_tools"),
            (Thing::WithoutTools, "disabled_tools"),
        ],
        others: &["enabled", "disabled", "env_vars", "env_http_headers"],
    },
];

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

impl Keys {
    /// Those of `harness`; `None` where they are not known.
    pub(crate) fn of(harness: &str) -> Option<&'static Keys> {
        HARNESSES.iter().find(|keys| keys.harness == harness)
    }

    /// What `written`, which the harness does not read, was meant to be; `None` where it is something else altogether.
    pub(crate) fn meant(&self, written: &str) -> Option<Meant> {
        let plain = plain(written);
        if let Some(own) = self.all().find(|own| self::plain(own) == plain) {
            return Some(Meant::Key(own));
        }
        if let Some((_, thing)) = CALLED.iter().find(|(called, _)| *called == plain) {
            let name = self.names.iter().find(|(of, _)| of == thing);
            return Some(name.map_or(Meant::Nothing(*thing), |(_, name)| Meant::Key(name)));
        }
        let close = |own: &&str| {
            let near = strsim::osa_distance(own, written);
            own.len() >= 4 && near <= own.len() / 4
        };
        self.all().find(close).map(Meant::Key)
    }

    fn all(&self) -> impl Iterator<Item = &'static str> + use<> {
        let names = self.names.iter().map(|(_, name)| *name);
        names.chain(self.others.iter().copied())
    }
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

    fn meant(harness: &str, written: &str) -> Option<Meant> {
        Keys::of(harness).and_then(|keys| keys.meant(written))
    }

    #[test]
    fn another_harnesss_key_is_known_for_what_it_is() {
        assert_eq!(meant("opencode", "env"), Some(Meant::Key("environment")));
        assert_eq!(meant("claude-code", "environment"), Some(Meant::Key("env")));
        assert_eq!(meant("codex", "headers"), Some(Meant::Key("http_headers")));
        assert_eq!(
            meant("pi", "startup_timeout_sec"),
            Some(Meant::Key("timeout"))
        );
        assert_eq!(
            meant("claude-code", "cwd"),
            Some(Meant::Nothing(Thing::Cwd))
        );
        assert_eq!(meant("opencode", "args"), Some(Meant::Nothing(Thing::Args)));
    }

    #[test]
    fn a_misspelled_key_is_known_for_what_it_is() {
        assert_eq!(meant("claude-code", "Command"), Some(Meant::Key("command")));
        assert_eq!(meant("claude-code", "comand"), Some(Meant::Key("command")));
        assert_eq!(
            meant("codex", "startupTimeoutSec"),
            Some(Meant::Key("startup_timeout_sec"))
        );
        assert_eq!(meant("codex", "enabeld"), Some(Meant::Key("enabled")));
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
            assert_eq!(meant("claude-code", key), None, "{key}");
        }
    }
}
