//! Which variables of its own environment Gemini CLI keeps from the servers it starts.

/// Names that are passed on whatever they look like, except where their value looks like a secret.
const ALWAYS: &[&str] = &[
    "PATH",
    "SYSTEMROOT",
    "COMSPEC",
    "PATHEXT",
    "WINDIR",
    "TEMP",
    "TMP",
    "USERPROFILE",
    "SYSTEMDRIVE",
    "HOME",
    "LANG",
    "SHELL",
    "TMPDIR",
    "USER",
    "LOGNAME",
    "TERM",
    "COLORTERM",
    "ADDITIONAL_CONTEXT",
    "AVAILABLE_LABELS",
    "BRANCH_NAME",
    "DESCRIPTION",
    "EVENT_NAME",
    "GITHUB_ENV",
    "IS_PULL_REQUEST",
    "ISSUES_TO_TRIAGE",
    "ISSUE_BODY",
    "ISSUE_NUMBER",
    "ISSUE_TITLE",
    "PULL_REQUEST_NUMBER",
    "REPOSITORY",
    "TITLE",
    "TRIGGERING_ACTOR",
];

/// Names that are kept back.
const NEVER: &[&str] = &[
    "CLIENT_ID",
    "DB_URI",
    "CONNECTION_STRING",
    "AWS_DEFAULT_REGION",
    "AZURE_CLIENT_ID",
    "AZURE_TENANT_ID",
    "SLACK_WEBHOOK_URL",
    "TWILIO_ACCOUNT_SID",
    "DATABASE_URL",
    "GOOGLE_CLOUD_PROJECT",
    "GOOGLE_CLOUD_ACCOUNT",
    "FIREBASE_PROJECT_ID",
];

/// Parts of names that are kept back.
const SECRET_PARTS: &[&str] = &[
    "TOKEN",
    "SECRET",
    "PASSWORD",
    "PASSWD",
    "KEY",
    "AUTH",
    "CREDENTIAL",
    "CREDS",
    "PRIVATE",
    "CERT",
];

/// Variables that an entry cannot set: they change what a program runs.
const DANGEROUS: &[&str] = &[
    "NODE_OPTIONS",
    "NODE_CLI_FLAGS",
    "_FORCE_NODE_OPTIONS",
    "NODE_PATH",
    "ELECTRON_RUN_AS_NODE",
    "PYTHONPATH",
    "PYTHONSTARTUP",
    "RUBYOPT",
    "RUBYLIB",
    "PERL5LIB",
    "PERL5OPT",
    "LD_PRELOAD",
    "LD_AUDIT",
    "LD_DEBUG",
    "LD_PROFILE",
    "LD_LIBRARY_PATH",
    "DYLD_INSERT_LIBRARIES",
    "DYLD_FORCE_FLAT_NAMESPACE",
    "DYLD_LIBRARY_PATH",
    "DYLD_FRAMEWORK_PATH",
    "DYLD_FALLBACK_LIBRARY_PATH",
    "DYLD_FALLBACK_FRAMEWORK_PATH",
    "BASH_ENV",
    "ENV",
    "PERL5DB",
    "JAVA_TOOL_OPTIONS",
    "_JAVA_OPTIONS",
    "CLASSPATH",
    "DOTNET_STARTUP_HOOKS",
    "CORECLR_PROFILER_PATH",
    "CORECLR_ENABLE_PROFILING",
];

/// Whether an entry's `env` cannot set `name`. Observed on 0.61.0: "Blocked dangerous environment variable override".
pub(super) fn is_dangerous(name: &str) -> bool {
    DANGEROUS.contains(&name.to_uppercase().as_str())
}

/// The rules of one session.
#[derive(Debug, Default)]
pub(super) struct Redaction {
    allowed: Vec<String>,
    blocked: Vec<String>,
    /// Only the names that are always passed on: in a GitHub action.
    strict: bool,
}

impl Redaction {
    /// The rules with the lists of the settings. `strict` where `GITHUB_SHA` is set or `SURFACE` is `Github`.
    pub(super) fn new(allowed: &[String], blocked: &[String], strict: bool) -> Redaction {
        let upper = |names: &[String]| names.iter().map(|name| name.to_uppercase()).collect();
        Redaction {
            allowed: upper(allowed),
            blocked: upper(blocked),
            strict,
        }
    }

    /// Whether the variable is kept from servers. Observed on 0.61.0, and read in its source in this order.
    pub(super) fn withholds(&self, name: &str, value: &str) -> bool {
        let name = name.to_uppercase();
        let lists = |list: &[String]| list.contains(&name);
        if name.starts_with("GEMINI_CLI_") {
            return false;
        }
        if looks_secret(value) {
            return true;
        }
        if name.starts_with("GIT_CONFIG_") || lists(&self.allowed) {
            return false;
        }
        if lists(&self.blocked) {
            return true;
        }
        if ALWAYS.contains(&name.as_str()) {
            return false;
        }
        NEVER.contains(&name.as_str())
            || self.strict
            || SECRET_PARTS.iter().any(|part| name.contains(part))
    }
}

/// Whether a value has the shape of a key, a token or an address with a password.
fn looks_secret(value: &str) -> bool {
    let value = value.to_uppercase();
    pem(&value)
        || credentials(&value)
        || github(&value)
        || google(&value)
        || amazon(&value)
        || jwt(&value)
        || stripe(&value)
        || slack(&value)
}

fn pem(value: &str) -> bool {
    [
        "RSA PRIVATE KEY",
        "OPENSSH PRIVATE KEY",
        "EC PRIVATE KEY",
        "PGP PRIVATE KEY",
        "CERTIFICATE",
    ]
    .iter()
    .any(|kind| value.contains(&format!("-----BEGIN {kind}-----")))
}

/// What follows each place where `mark` stands.
fn after<'v>(value: &'v str, mark: &'v str) -> impl Iterator<Item = &'v str> {
    value
        .match_indices(mark)
        .filter_map(move |(at, _)| value.get(at + mark.len()..))
}

/// Whether at least `least` bytes from the start are of `kind`.
fn begins(text: &str, least: usize, kind: impl Fn(u8) -> bool) -> bool {
    text.len() >= least && text.bytes().take(least).all(kind)
}

fn letter(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
}

/// `scheme://user:password@`, each part of at most so many characters.
fn credentials(value: &str) -> bool {
    const LONGEST: usize = 1024;
    let until = |text: &str, end: char| {
        let inside = text
            .chars()
            .take(LONGEST + 1)
            .take_while(|c| *c != end && !c.is_whitespace());
        let length: usize = inside.map(char::len_utf8).sum();
        let rest = text.get(length..).filter(|_| length > 0);
        rest.and_then(|rest| rest.strip_prefix(end))
            .map(str::to_owned)
    };
    ["HTTP://", "HTTPS://", "FTP://", "SMTP://"]
        .iter()
        .any(|scheme| {
            after(value, scheme)
                .any(|rest| until(rest, ':').is_some_and(|rest| until(&rest, '@').is_some()))
        })
}

fn github(value: &str) -> bool {
    ["GHP_", "GHO_", "GHU_", "GHS_", "GHR_", "GITHUB_PAT_"]
        .iter()
        .any(|mark| {
            after(value, mark).any(|rest| begins(rest, 36, |byte| letter(byte) || byte == b'_'))
        })
}

fn google(value: &str) -> bool {
    after(value, "AIZASY").any(|rest| {
        begins(rest, 33, |byte| {
            letter(byte) || matches!(byte, b'_' | b'\\' | b'-')
        })
    })
}

fn amazon(value: &str) -> bool {
    after(value, "AKIA").any(|rest| begins(rest, 16, letter))
}

/// `eyJ….….…`: two dots with a run of letters before each, the first with its mark.
fn jwt(value: &str) -> bool {
    const LONGEST: usize = 10_240;
    let part = |byte: &u8| letter(*byte) || matches!(byte, b'_' | b'-');
    let pieces: Vec<&str> = value.split('.').collect();
    pieces.windows(3).any(|pieces| {
        let [first, second, _] = pieces else {
            return false;
        };
        let marked = first.rfind("EYJ").and_then(|at| first.get(at + 3..));
        marked.is_some_and(|rest| rest.len() <= LONGEST && rest.as_bytes().iter().all(part))
            && second.len() <= LONGEST
            && second.as_bytes().iter().all(part)
    })
}

fn stripe(value: &str) -> bool {
    ["SK_LIVE_", "SK_TEST_", "RK_LIVE_", "RK_TEST_"]
        .iter()
        .any(|mark| after(value, mark).any(|rest| begins(rest, 24, letter)))
}

fn slack(value: &str) -> bool {
    ["XOXA-", "XOXB-", "XOXP-", "XOXR-"].iter().any(|mark| {
        after(value, mark).any(|rest| begins(rest, 1, |byte| letter(byte) || byte == b'-'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        let usual = Redaction::default();
        for name in [
            "MY_TOKEN",
            "monkey",
            "AUTHOR",
            "CERTIFY",
            "db_passwd",
            "AWS_CREDS",
            "DATABASE_URL",
            "client_id",
        ] {
            assert!(usual.withholds(name, "v"), "{name}");
        }
        for name in [
            "PLAIN",
            "PATH",
            "GEMINI_CLI_TOKEN",
            "GIT_CONFIG_KEY_0",
            "REPOSITORY",
            "GITHUB_SHA",
        ] {
            assert!(!usual.withholds(name, "v"), "{name}");
        }
    }

    #[test]
    fn lists_of_the_settings() {
        let set = Redaction::new(
            &["my_token".to_owned(), "DATABASE_URL".to_owned()],
            &["PLAIN".to_owned()],
            false,
        );
        assert!(!set.withholds("MY_TOKEN", "t") && !set.withholds("DATABASE_URL", "d"));
        assert!(set.withholds("PLAIN", "v") && set.withholds("OTHER_TOKEN", "o"));
        assert!(set.withholds("MY_TOKEN", "ghp_abcdefghijklmnopqrstuvwxyz0123456789"));
    }

    #[test]
    fn in_a_github_action() {
        let strict = Redaction::new(&[], &[], true);
        assert!(strict.withholds("PLAIN", "v") && strict.withholds("GITHUB_SHA", "abc"));
        assert!(
            !strict.withholds("BRANCH_NAME", "main") && !strict.withholds("COLORTERM", "truecolor")
        );
    }

    #[test]
    fn values() {
        for value in [
            "ghp_abcdefghijklmnopqrstuvwxyz0123456789",
            "https://user:pass@example.org/",
            "eyJhbGciOi.eyJzdWIi.c2ln",
            "AKIAABCDEFGHIJKLMNOP",
            "xoxb-1234",
            "sk_live_abcdefghijklmnopqrstuvwx",
            "AIzaSyabcdefghijklmnopqrstuvwxyz0123456",
            "-----BEGIN RSA PRIVATE KEY-----\nx",
            "-----BEGIN CERTIFICATE-----",
        ] {
            assert!(looks_secret(value), "{value}");
        }
        for value in [
            "https://example.org/a:b c@d",
            "eyJhbGciOi.eyJ",
            "ghp_short",
            "plain",
            "https://user@example.org/",
        ] {
            assert!(!looks_secret(value), "{value}");
        }
        // Quadratic work would take minutes.
        for text in ["eyJ", "http://a:", "ghp_", "AIzaSy", "eyJ."] {
            looks_secret(&text.repeat(100_000));
        }
    }
}
