//! Which names say that their value is a secret.

use std::borrow::Cow;

/// Whether the value called `name` is a secret: a flag, a variable, a key of a file, a parameter. Case, underscores and a number at the
/// end do not matter.
pub(super) fn is_secret(name: &str) -> bool {
    const ENDINGS: &[&str] = &[
        "token",
        "tokens",
        "key",
        "keys",
        "secret",
        "secrets",
        "password",
        "passwords",
        "passwd",
        "passphrase",
        "passcode",
        "credential",
        "credentials",
        "authorization",
        "cookie",
        "cookies",
        "bearer",
        "jwt",
        "-pwd",
        "-pass",
        "-pat",
        "-auth",
        "-pin",
        "-otp",
    ];
    const WHOLE: &[&str] = &["pass", "pat", "auth", "pw", "sig", "signature", "otp"];
    let name = normal(name);
    if name.ends_with("connection-string") || name.ends_with("connectionstring") {
        return true;
    }
    let name = ["-value", "-base64", "-b64", "-hex", "-string"]
        .iter()
        .find_map(|tail| name.strip_suffix(tail))
        .unwrap_or(&name);
    let name = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '-');
    ENDINGS.iter().any(|ending| name.ends_with(ending)) || WHOLE.contains(&name)
}

/// Whether the value of the flag `name`, given without dashes, is a secret.
pub(super) fn is_secret_flag(name: &str) -> bool {
    let plain = normal(name);
    is_secret(name) || plain.starts_with("auth") || matches!(plain.as_ref(), "pwd" | "keyring")
}

/// Words without dashes that a secret may follow: `login token VALUE`.
pub(super) fn may_announce(word: &str) -> bool {
    matches!(
        normal(word).as_ref(),
        "token" | "password" | "passwd" | "secret" | "apikey" | "api-key"
    )
}

/// Whether all values under `key`, of a file or of a dotted name, are secrets: environments, headers, OAuth.
pub(super) fn holds_secrets(key: &str) -> bool {
    let key = normal(key);
    matches!(
        key.as_ref(),
        "env"
            | "environment"
            | "environments"
            | "headers"
            | "http-headers"
            | "httpheaders"
            | "requestheaders"
            | "request-headers"
    ) || key.starts_with("oauth")
}

/// Flags that a header follows.
pub(super) fn takes_header(flag: &str) -> bool {
    flag == "H" || normal(flag).ends_with("header") || normal(flag).ends_with("headers")
}

/// Flags that `NAME=value` follows.
pub(super) fn takes_variable(flag: &str) -> bool {
    flag == "e"
        || matches!(
            normal(flag).as_ref(),
            "env" | "environment" | "setenv" | "set-env" | "env-var" | "build-arg"
        )
}

/// Flags that `user:password` follows.
pub(super) fn takes_user(flag: &str) -> bool {
    flag == "u"
        || matches!(
            normal(flag).as_ref(),
            "user" | "proxy-user" | "userpwd" | "login"
        )
}

/// Flags that a file or JSON follows.
pub(super) fn takes_json(flag: &str) -> bool {
    matches!(flag, "mcp-config" | "settings" | "agents")
}

/// Names of schemes that a credential follows, in a header's value.
pub(super) fn is_scheme(word: &str) -> bool {
    const SCHEMES: [&str; 6] = [
        "bearer",
        "basic",
        "digest",
        "negotiate",
        "apikey",
        "aws4-hmac-sha256",
    ];
    SCHEMES
        .iter()
        .any(|scheme| word.eq_ignore_ascii_case(scheme))
}

/// A variable's name as everybody spells them: `LOG_LEVEL`.
pub(super) fn is_variable(name: &str) -> bool {
    name.starts_with(|c: char| c.is_ascii_uppercase() || c == '_')
        && name
            .chars()
            .all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_')
}

/// Characters of names of flags, variables, headers and keys.
pub(super) fn is_name_character(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '-' | '_' | '.')
}

/// Small letters, dashes for underscores, dots and blanks.
fn normal(name: &str) -> Cow<'_, str> {
    let name = name.trim_start_matches(['-', '/', '@', '$']);
    let changes = |byte: u8| byte.is_ascii_uppercase() || matches!(byte, b'_' | b'.' | b' ');
    if name.bytes().any(changes) {
        Cow::Owned(name.to_ascii_lowercase().replace(['_', '.', ' '], "-"))
    } else {
        Cow::Borrowed(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_secrets() {
        for name in [
            "token",
            "API_TOKEN",
            "x-api-key",
            "apiKey",
            "--apikey",
            "client_secret",
            "PGPASSWORD",
            "DB_PASS",
            "Authorization",
            "Set-Cookie",
            "MYSQL_PWD",
            "GITHUB_PAT",
            "TOKEN_2",
            "KEY_BASE64",
            "private.key",
            "credentials",
            "auth",
            "connectionString",
            "--connection-string",
        ] {
            assert!(is_secret(name), "{name}");
        }
        for name in [
            "port",
            "config",
            "author",
            "token-file",
            "PWD",
            "keyboard",
            "path",
            "compass",
            "repository",
            "bearer_token_env_var",
            "",
        ] {
            assert!(!is_secret(name), "{name}");
        }
        for name in ["auth-scheme", "pwd", "keyring", "tokens"] {
            assert!(is_secret_flag(name), "{name}");
        }
    }
}
