//! What a secret looks like when nothing around it says so.

use super::references;

/// Words of this many characters or more are secrets when they look random.
const LONG: usize = 20;
/// Bits per character from which a word looks random.
const RANDOM: f64 = 3.5;
/// The same for hexadecimal digits and dashes: keys and UUIDs have little more than three bits by nature.
const RANDOM_HEX: f64 = 2.5;

/// How keys of known services begin, and how many characters must follow at least. Where no word of any language begins so, one is
/// enough: when in doubt, hidden.
const KNOWN_KEYS: &[(&str, usize)] = &[
    ("sk-", 1),      // OpenAI, Anthropic, many others
    ("sk_live_", 1), // Stripe, Clerk
    ("sk_test_", 1),
    ("rk_live_", 1),
    ("rk_test_", 1),
    ("pk_live_", 1),
    ("whsec_", 1),
    ("ghp_", 1), // GitHub
    ("gho_", 1),
    ("ghu_", 1),
    ("ghs_", 1),
    ("ghr_", 1),
    ("github_pat_", 1),
    ("glpat-", 1), // GitLab
    ("gldt-", 8),
    ("glrt-", 8),
    ("xoxa-", 1), // Slack
    ("xoxb-", 1),
    ("xoxc-", 1),
    ("xoxd-", 1),
    ("xoxe-", 1),
    ("xoxe.", 1),
    ("xoxo-", 1),
    ("xoxp-", 1),
    ("xoxr-", 1),
    ("xoxs-", 1),
    ("xapp-", 8),
    ("AKIA", 8), // AWS
    ("ASIA", 8),
    ("ABIA", 12),
    ("ACCA", 12),
    ("AIza", 8), // Google
    ("ya29.", 1),
    ("GOCSPX-", 1),
    ("eyJ", 8), // JWT
    ("hf_", 8), // Hugging Face
    ("npm_", 16),
    ("pypi-", 16),
    ("dop_v1_", 1), // DigitalOcean
    ("doo_v1_", 1),
    ("dor_v1_", 1),
    ("shpat_", 1), // Shopify
    ("shpss_", 1),
    ("shpca_", 1),
    ("shppa_", 1),
    ("SG.", 16),     // SendGrid
    ("lin_api_", 1), // Linear
    ("lin_oauth_", 1),
    ("secret_", 16), // Notion
    ("ntn_", 12),
    ("figd_", 8),
    ("sntrys_", 8),
    ("sntryu_", 8),
    ("dapi", 28), // Databricks
    ("pplx-", 12),
    ("gsk_", 12),
    ("xai-", 16),
    ("tvly-", 8),
    ("fc-", 24),
    ("r8_", 16),
    ("nvapi-", 8),
    ("sbp_", 16), // Supabase
    ("ops_", 24), // 1Password
    ("hvs.", 8),  // Vault
    ("hvb.", 8),
    ("atlasv1.", 8),
    ("ATATT", 16), // Atlassian
    ("PMAK-", 8),
    ("dckr_pat_", 1),
    ("AGE-SECRET-KEY-", 1),
    ("-----BEGIN", 1),
];

/// How known keys begin, by their first three bytes, as bits: hardly any word begins so.
const LEADS: [u64; LEAD_WORDS] = {
    let mut leads = [0_u64; LEAD_WORDS];
    let mut keys = KNOWN_KEYS;
    while let [(lead, _), others @ ..] = keys {
        if let Some(bit) = lead_bit(lead.as_bytes())
            && let (_, [word, ..]) = leads.split_at_mut(bit / 64)
        {
            *word |= 1 << (bit % 64);
        }
        keys = others;
    }
    leads
};
const LEAD_WORDS: usize = 32;

/// The bit of [`LEADS`] that stands for texts that begin as `text` does. No known key is shorter than three bytes.
const fn lead_bit(text: &[u8]) -> Option<usize> {
    match text {
        [first, second, third, ..] => {
            let mixed = *first as usize ^ (*second as usize) << 3 ^ (*third as usize) << 6;
            Some(mixed % (64 * LEAD_WORDS))
        }
        _ => None,
    }
}

/// Whether `text` begins as keys of known services do.
pub(super) fn is_known_key(text: &str) -> bool {
    let may_be = lead_bit(text.as_bytes())
        .and_then(|bit| Some(LEADS.get(bit / 64)? & (1 << (bit % 64)) != 0));
    may_be == Some(true)
        && KNOWN_KEYS.iter().any(|(lead, rest)| {
            text.strip_prefix(lead)
                .is_some_and(|after| after.chars().nth(rest - 1).is_some())
        })
}

/// Where inside `text` a known key begins: at its start, or later behind a character that ends a word.
pub(super) fn find_known_key(text: &str) -> Option<usize> {
    let before = std::iter::once(b' ').chain(text.bytes());
    let mut starts = before
        .enumerate()
        .filter(|(_, before)| !before.is_ascii_alphanumeric())
        .map(|(at, _)| at);
    starts.find(|at| {
        // Inside a character there is no text, and so no key.
        text.get(*at..).is_some_and(is_known_key)
            && text
                .split_at_checked(*at)
                .is_some_and(|(before, key)| stands_alone(before, key))
    })
}

/// Whether what begins as a known key behind the text `before` is one: behind a slash, a dash and the like only a long one is, for
/// `./sk-learn` is a path and `my-sk-server` a name.
fn stands_alone(before: &str, key: &str) -> bool {
    match before.chars().next_back() {
        None => true,
        Some('-' | '_' | '/' | '\\' | '.') => {
            let characters = key.chars().take(LONG);
            characters.filter(|c| is_key_character(*c)).count() == LONG
        }
        Some(before) => !before.is_alphanumeric(),
    }
}

/// Whether a word on its own looks like a secret: a known key or a long random word.
pub(super) fn is_secret(word: &str) -> bool {
    !references::is_placeholder(word) && (is_known_key(word) || is_random(word))
}

/// As [`is_secret`], but words put together from plain ones (`my-postgres-server-16`) are not: for names, hosts and keys, where
/// secrets are rare.
pub(super) fn is_suspicious(name: &str) -> bool {
    is_secret(name) && (is_known_key(name) || !is_plain_compound(name))
}

/// The rule for long words: 20 characters or more, letters and digits mixed, 3.5 bits or more each. Paths and file names are not words;
/// of file names, packages and dotted names each part counts by itself. Besides, letters whose case changes at random.
pub(super) fn is_random(word: &str) -> bool {
    if word.contains(['/', '\\']) {
        return !is_path(word) && is_random_base64(word);
    }
    if word.contains(char::is_whitespace) {
        return false;
    }
    let dotted =
        word.contains('.') && (is_file_name(word) || is_package(word) || is_plain_compound(word));
    if dotted {
        word.split('.')
            .any(|part| is_random_word(part) && !is_plain_compound(part))
    } else {
        is_random_word(word)
    }
}

fn is_random_word(word: &str) -> bool {
    let count = word.chars().count();
    if count < LONG {
        return false;
    }
    let letters = word.chars().any(char::is_alphabetic);
    let digits = word.chars().any(|c| c.is_ascii_digit());
    let hex = word.chars().all(|c| c.is_ascii_hexdigit() || c == '-');
    let random = if hex { RANDOM_HEX } else { RANDOM };
    (letters && digits && entropy(word) >= random) || is_random_case(word, count)
}

/// Letters alone, both cases mixed as no identifier mixes them.
fn is_random_case(word: &str, count: usize) -> bool {
    let upper = word.chars().filter(char::is_ascii_uppercase).count();
    let lower = word.chars().filter(char::is_ascii_lowercase).count();
    upper + lower == count
        && 3 * upper > count
        && 3 * lower > count
        && changes(word) * 5 > count * 2
}

/// Text with slashes that is base64 rather than a path: long, of its characters, and its case and digits change all the time.
fn is_random_base64(word: &str) -> bool {
    let count = word.chars().count();
    let alphabet = |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '+' | '=');
    count >= LONG
        && word.chars().all(alphabet)
        && word.chars().any(|c| c.is_ascii_digit())
        && changes(word) * 10 >= count * 3
}

/// How often neighbours differ in kind: small letter, capital, digit.
fn changes(word: &str) -> usize {
    let kind = |c: char| (c.is_lowercase(), c.is_uppercase(), c.is_ascii_digit());
    let kinds = word.chars().map(kind);
    let any = |kind: (bool, bool, bool)| kind.0 || kind.1 || kind.2;
    kinds
        .clone()
        .zip(kinds.skip(1))
        .filter(|(a, b)| a != b && any(*a) && any(*b))
        .count()
}

/// Shannon entropy in bits per character.
pub(super) fn entropy(word: &str) -> f64 {
    let mut counts = std::collections::BTreeMap::new();
    for c in word.chars() {
        *counts.entry(c).or_insert(0_u32) += 1;
    }
    let total = f64::from(counts.values().sum::<u32>());
    counts
        .values()
        .map(|count| f64::from(*count) / total)
        .map(|share| -share * share.log2())
        .sum()
}

/// Whether `word` is written as a path from somewhere: `/x`, `./x`, `../x`, `~/x`, `C:\x`, `\\x`, `@scope/x`, or ends in a file name.
pub(super) fn is_path(word: &str) -> bool {
    let word = word.trim_matches(['"', '\'']);
    let drive = || {
        word.chars().nth(1) == Some(':')
            && word.chars().nth(2).is_some_and(|c| matches!(c, '/' | '\\'))
    };
    ["/", "./", "../", "~", "\\\\", ".\\", "@"]
        .iter()
        .any(|lead| word.starts_with(lead))
        || drive()
        || (word.contains(['/', '\\'])
            && word
                .rsplit(['/', '\\'])
                .next()
                .is_some_and(|last| last.contains('.') && is_file_name(last)))
}

/// A dotted word whose last part is an extension or a domain: short, letters first.
fn is_file_name(word: &str) -> bool {
    let Some((stem, extension)) = word.rsplit_once('.') else {
        return false;
    };
    let short = extension.len() <= 5 && extension.starts_with(|c: char| c.is_ascii_lowercase());
    let plain = extension
        .chars()
        .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
    // A part with capitals and digits in disorder is a token's, not a file's.
    short
        && plain
        && !stem.split('.').any(|part| {
            part.len() >= 12
                && changes(part) * 4 > part.len()
                && part.chars().any(|c| c.is_ascii_uppercase())
        })
}

/// A package with its version: `name@1.2.3`, `name==1.0`, `name:latest`, `name[extra]>=2`.
pub(super) fn is_package(word: &str) -> bool {
    let Some(at) = word.rfind(['@', '=', ':', '>', '<', '~', '^']) else {
        return false;
    };
    let (name, version) = (
        word.get(..at).unwrap_or_default(),
        word.get(at + 1..).unwrap_or_default(),
    );
    let name = name.trim_end_matches(['@', '=', ':', '>', '<', '~', '^']);
    is_version(version)
        && name
            .split(['[', ']'])
            .filter(|part| !part.is_empty())
            .all(is_plain_compound)
}

/// `1.2.3`, `v2`, `2025.1.0-beta.1`, `latest`.
pub(super) fn is_version(text: &str) -> bool {
    let tags = [
        "latest", "next", "beta", "alpha", "canary", "stable", "main", "dev", "rc", "nightly",
        "slim", "alpine", "lts",
    ];
    let text = text.strip_prefix('v').unwrap_or(text);
    let part = |part: &str| {
        let number =
            !part.is_empty() && part.len() <= 8 && part.chars().all(|c| c.is_ascii_digit());
        let mixed = part.trim_end_matches(|c: char| c.is_ascii_digit());
        number || tags.contains(&mixed) || ["a", "b"].contains(&mixed) || part == "*" || part == "x"
    };
    !text.is_empty() && text.split(['.', '-', '+']).all(part)
}

/// Whether `text` is put together from plain words and small numbers: `enable-oauth2-flow`, `LOG_LEVEL`, `maxRetries`.
pub(super) fn is_plain_compound(text: &str) -> bool {
    let text = text.trim_start_matches('-');
    let (mut parts, mut words) = (0, 0);
    for part in text.split(['-', '_', '.', ',', '+', '@', '/']) {
        if part.is_empty() {
            continue;
        }
        parts += 1;
        if is_plain_word(part) {
            words += usize::from(part.len() > 1);
        } else if !is_small_number(part) {
            return false;
        }
    }
    words * 2 >= parts && words > 0
}

/// Letters, then at most three digits; capitals only at the start, throughout, or as humps.
fn is_plain_word(part: &str) -> bool {
    if matches!(
        part,
        "k8s" | "i18n" | "l10n" | "a11y" | "neo4j" | "p2p" | "x86" | "b2b"
    ) {
        return true;
    }
    let letters = part.trim_end_matches(|c: char| c.is_ascii_digit());
    let digits = part.len() - letters.len();
    let upper = letters.bytes().filter(u8::is_ascii_uppercase).count();
    let one_case = upper == 0 || upper == letters.len();
    !letters.is_empty()
        && letters.len() <= 24
        && digits <= 3
        && letters.bytes().all(|byte| byte.is_ascii_alphabetic())
        && (one_case || (upper * 3 <= letters.len() && changes(letters) <= 2 * upper))
}

fn is_small_number(part: &str) -> bool {
    part.len() <= 4 && part.chars().all(|c| c.is_ascii_digit())
}

fn is_key_character(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '+' | '=' | '~')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_look_like_secrets() {
        for word in [
            "sk-a",
            "sk-ant-api03-abc",
            "ghp_x",
            "github_pat_11AB",
            "xoxb-1",
            "glpat-x",
            "AKIAIOSFODNN7EXAMPLE",
            "AIzaSyA1234567",
            "ya29.a0",
            "eyJhbGciOiJIUzI1NiJ9.eyJ",
            "hf_abcdefgh",
            "npm_abcdefghijklmnop",
            "SG.abcdefghijklmnop",
            "0123456789abcdef0123",
            "550e8400-e29b-41d4-a716-446655440000",
            "correct-horse-battery-staple-42",
            "kJhGfDsAqWeRtYuIoPzX",
            "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY",
            "aGVsbG8gd29ybGQ5IQ/xYz+2Lq==",
            "MTk4NjIyNDgzNDcxOTI1MjQ4.Cl2FMQ.ZnCjm1XVW7vRze4b7Cq4se7kKWs",
            "p4ss!W0rd#2024xyzABC",
        ] {
            assert!(is_secret(word), "{word}");
        }
    }

    #[test]
    fn words_that_do_not() {
        for word in [
            "",
            "npx",
            "task-runner",
            "disk-usage",
            "@modelcontextprotocol/server-filesystem",
            "@acme/db@1.2.3",
            "/nix/store/0i3x1dcjvk2x4qrygixsvbg0snqcvlfk-python3-3.11/bin/python3",
            "./dist/index2.js",
            "../a1/b2/c3/d4/e5/f6/g7/h8",
            "ghcr.io/github/github-mcp-server:v1.0",
            "C:\\Users\\me\\AppData\\Roaming\\npm2",
            "src/Server2/IndexFile/mainV2",
            "my-long-package2-with-name.json",
            "api.staging2.example.com",
            "12345678901234567890",
            "mcp-server-filesystem-launcher",
            "127.0.0.1:8080",
            "<token>",
            "aaaaaaaaaaaaaaaaaaaa1",
            "mySuperLongCamelCaseOptionName",
            "com.example.my-app2",
        ] {
            assert!(!is_secret(word), "{word}");
        }
    }

    #[test]
    fn known_keys_are_found_inside_words() {
        assert_eq!(find_known_key("x=ghp_abc"), Some(2));
        assert_eq!(find_known_key("\"sk-abc\""), Some(1));
        assert_eq!(find_known_key("/tmp/ghp_0123456789abcdefghij"), Some(5));
        assert_eq!(find_known_key("./sk-learn/x"), None);
        assert_eq!(find_known_key("task-runner"), None);
    }

    #[test]
    fn packages_and_plain_names() {
        for word in [
            "mcp-server-time2@2025.1.0",
            "mcp-server-postgres==1.0.12",
            "mcp-server-postgres2:latest",
            "name[cli]>=2",
        ] {
            assert!(is_package(word), "{word}");
        }
        assert!(!is_package("user:hunter2"));
        for word in [
            "my-postgres-server-16",
            "enable-oauth2-device-flow",
            "LOG_LEVEL",
            "maxRetries",
            "--use-v2",
        ] {
            assert!(is_plain_compound(word), "{word}");
        }
        for word in [
            "x7k-9qp-2mz",
            "550e8400-e29b-41d4",
            "aB3",
            "a1b2c3",
            "kJhGfD",
            "",
        ] {
            assert!(!is_plain_compound(word), "{word}");
        }
    }
}
