//! No secret planted anywhere comes out.

use muster_document::JsonDialect;
use muster_document::{
    Dialect, Excerpt, LineIndex, Masked, Masking, Secret, excerpt, excerpt_broken,
};
use proptest::prelude::*;

use crate::excerpts::parse;

/// Secrets that are told from other text by their place alone: of any look, but no reference and not only light punctuation.
fn any_secret() -> impl Strategy<Value = String> {
    prop_oneof![
        "[0-9a-f]{16,40}",
        "[A-Za-z0-9+/]{20,60}={0,2}",
        "(sk-|ghp_|github_pat_|xoxb-|glpat-)[A-Za-z0-9_-]{10,40}",
        "[A-Za-z0-9][!-~]{7,30}",
        "[a-zäöüßé漢字]{8,20}",
        "[A-Za-z0-9]{4}[ \"'\\\\]{1,3}[A-Za-z0-9!$]{4,12}",
    ]
    .prop_filter("told from harmless text", |secret| is_told(secret))
}

/// Secrets that look like one wherever they stand.
fn telling_secret() -> impl Strategy<Value = String> {
    prop_oneof![
        "[0-9a-f]{32,48}".prop_filter("mixed", |secret| mixed(secret)),
        "[A-Za-z0-9]{32,60}".prop_filter("mixed", |secret| mixed(secret)),
        "(sk-|ghp_|github_pat_|xoxb-|glpat-)[A-Za-z0-9_-]{10,40}",
        "eyJ[A-Za-z0-9_-]{20,40}\\.[A-Za-z0-9_-]{20,40}",
    ]
}

fn mixed(secret: &str) -> bool {
    let digits = secret.bytes().filter(u8::is_ascii_digit).count();
    digits > 3 && secret.len() - digits > 3
}

/// Not a reference, placeholder or scheme, which stay readable on purpose.
fn is_told(secret: &str) -> bool {
    let lower = secret.to_ascii_lowercase();
    let readable = [
        "your",
        "replace",
        "insert",
        "bearer",
        "basic",
        "digest",
        "negotiate",
        "apikey",
    ];
    !secret.contains(['{', '}'])
        && !readable.iter().any(|word| lower.starts_with(word))
        && !lower.ends_with("here")
}

/// Whether a piece of `secret` of six characters or more can be read in `output`.
fn leaks(secret: &str, output: &str) -> bool {
    let chars: Vec<char> = secret.chars().collect();
    chars
        .windows(6.min(chars.len()))
        .any(|piece| output.contains(&piece.iter().collect::<String>()))
}

fn line(words: &[String]) -> String {
    let secrets: Vec<Secret> = words.iter().map(Secret::new).collect();
    let masked = Masked::command_line(&secrets);
    format!(
        "{}\n{:?}\n{:?}\n{secrets:?}",
        masked
            .iter()
            .map(Masked::as_str)
            .collect::<Vec<_>>()
            .join(" "),
        masked,
        Masking::command_line(&secrets)
    )
}

fn percent(text: &str) -> String {
    text.bytes()
        .map(|byte| {
            if byte.is_ascii_alphanumeric() {
                char::from(byte).to_string()
            } else {
                format!("%{byte:02X}")
            }
        })
        .collect()
}

fn single_quoted(text: &str) -> String {
    format!("'{}'", text.replace('\'', "'\\''"))
}

/// Command lines with `secret` where its place tells.
fn placed(secret: &str) -> Vec<Vec<String>> {
    let mut lines = Vec::new();
    for flag in [
        "--token",
        "--api-key",
        "--apikey",
        "--api_key",
        "--PASSWORD",
        "--client-secret",
        "--key",
        "--auth",
        "--auth-header",
        "-token",
    ] {
        lines.push(vec![flag.to_owned(), secret.to_owned()]);
        lines.push(vec![format!("{flag}={secret}")]);
        lines.push(vec![format!(
            "sh -c {}",
            single_quoted(&format!("x {flag} {}", single_quoted(secret)))
        )]);
    }
    for name in ["API_KEY", "DB_PASSWORD", "token"] {
        lines.push(vec![format!("{name}={secret}")]);
    }
    for (flag, text) in [
        ("-e", "LEVEL="),
        ("--env", "A_B="),
        ("--header", "X-Any: "),
        ("-H", "Authorization: Bearer "),
        ("-H", "Cookie: a="),
        ("-H", "Any:"),
    ] {
        lines.push(vec![flag.to_owned(), format!("{text}{secret}")]);
        lines.push(vec![format!("{flag}={text}{secret}")]);
        lines.push(vec![format!(
            "curl {flag} {}",
            single_quoted(&format!("{text}{secret}"))
        )]);
    }
    lines.push(vec![format!("Authorization: {secret}")]);
    lines.push(vec!["Bearer".to_owned(), secret.to_owned()]);
    lines.push(vec![format!("Basic {}", single_quoted(secret))]);
    lines.push(vec![
        "--header".to_owned(),
        "Authorization:".to_owned(),
        "Bearer".to_owned(),
        secret.to_owned(),
    ]);
    for json in [
        serde_json::json!({"token": secret}),
        serde_json::json!({"env": {"A": [secret]}}),
        serde_json::json!({"headers": {"X": secret}}),
    ] {
        lines.push(vec!["--config".to_owned(), json.to_string()]);
        lines.push(vec![format!("--config={json}")]);
        lines.push(vec![format!(
            "x --config {}",
            single_quoted(&json.to_string())
        )]);
    }
    lines.push(vec![format!("mcp_servers.x.env.A={secret}")]);
    lines
}

/// Addresses with `secret` in each part.
fn addresses(secret: &str) -> Vec<String> {
    let code = percent(secret);
    vec![
        format!("https://{code}@h.example/mcp"),
        format!("https://u:{code}@h.example/mcp"),
        format!("postgres://{code}:x@h.example:5432/db"),
        format!("https://h.example/{code}/mcp"),
        format!("https://h.example/mcp?key={code}"),
        format!("https://h.example/mcp?a=b&c={code}#x"),
        format!("https://h.example/mcp#{code}"),
        format!("https://h.example/{code}?{code}#{code}"),
        format!("http:\\\\u:{code}@h.example\\{code}"),
        format!("${{BASE}}/{code}"),
        format!("h.example/{code}"),
        // Not encoded, as people write them.
        format!("https://user:{secret}@h.example/mcp"),
        format!("https://h.example/mcp?key={secret}"),
    ]
}

/// What is printed of a file with `secret` as the value of `"env"`, `"headers"` and so on.
fn excerpts(secret: &str) -> String {
    let text = serde_json::json!(secret).to_string();
    let escaped: String = secret
        .encode_utf16()
        .map(|unit| format!("\\u{unit:04x}"))
        .collect();
    let json = format!(
        "{{\n \"env\": {{\"A\": {text}}},\n \"headers\": {{\"X\": {text}, \"Y\": \"{escaped}\"}},\n \"apiKey\": {text},\n\
         \"args\": [\"--token\",\n {text}],\n \"command\": [\"x\", \"--key\", {text}],\n // \"token\": {text}\n \"url\": {}\n}}",
        serde_json::json!(format!("https://u:{}@h.example/", percent(secret))),
    );
    let toml = format!(
        "[mcp_servers.a.env]\nA = {text}\n[mcp_servers.b]\nbearer_token = {text}\nargs = [\"--token\", {text}]\n\
         http_headers = {{ X = {text} }}\n# token = {text}\nx = {{ env = {{ A = [{text}] }} }}\n"
    );
    let rules = JsonDialect {
        comments: true,
        ..JsonDialect::JSON_PARSE
    };
    let mut out = String::new();
    for document in [
        parse(&json, Dialect::Json(rules)),
        parse(&toml, Dialect::Toml),
    ] {
        let lines = 1..=u32::try_from(document.lines().line_count()).unwrap();
        out.extend(
            lines
                .filter_map(|line| excerpt(&document, line))
                .map(|excerpt| show(&excerpt)),
        );
    }
    for broken in [format!("{json},,"), format!("{toml}]]")] {
        let index = LineIndex::new(&broken);
        let lines = 1..=u32::try_from(index.line_count()).unwrap();
        out.extend(
            lines
                .filter_map(|line| excerpt_broken(&broken, &index, line))
                .map(|excerpt| show(&excerpt)),
        );
    }
    out
}

fn show(excerpt: &Excerpt) -> String {
    format!("{}\n{excerpt:?}\n", excerpt.text)
}

proptest! {
    #[test]
    fn a_secret_is_hidden_where_its_place_tells(secret in any_secret()) {
        for mut words in placed(&secret) {
            words.insert(0, "npx".to_owned());
            words.push("--port".to_owned());
            let out = line(&words);
            prop_assert!(!leaks(&secret, &out), "{words:?}\n{out}");
        }
        let value = Masked::value(&Secret::new(format!("Bearer {secret}"))).to_string();
        prop_assert!(!leaks(&secret, &value), "{}", value);
    }

    #[test]
    fn a_secret_is_hidden_in_addresses(secret in any_secret()) {
        for address in addresses(&secret) {
            let secret_address = Secret::new(&address);
            let out = format!("{}\n{:?}", Masked::url(&secret_address), Masking::url(&secret_address));
            prop_assert!(!leaks(&secret, &out) && !leaks(&percent(&secret), &out), "{address}\n{out}");
            // In a command line a blank or a quote ends a word, so there only encoded secrets can be told.
            // Without a scheme it may be a path there, which stays.
            if (address.contains(&secret) && secret.contains([' ', '"', '\'', '\\'])) || !address.starts_with("http") {
                continue;
            }
            for words in [vec![address.clone()], vec![format!("--url={address}")], vec![format!("curl '{address}'")]] {
                let out = line(&words);
                prop_assert!(!leaks(&secret, &out) && !leaks(&percent(&secret), &out), "{words:?}\n{out}");
            }
        }
    }

    #[test]
    fn a_secret_is_hidden_in_excerpts(secret in any_secret()) {
        let out = excerpts(&secret);
        prop_assert!(!leaks(&secret, &out), "{out}");
    }

    #[test]
    fn what_looks_like_a_secret_is_hidden_anywhere(secret in telling_secret()) {
        let json = serde_json::json!({"a": [secret], "b": secret, "c": format!("say {secret} now")}).to_string();
        let words = [secret.clone(), format!("--opt={secret}"), format!("x {secret} y"), format!("a={secret}"), format!("a:{secret}"), format!("a,{secret}"), format!("\"{secret}\""), json.clone()];
        for word in words {
            let out = line(&["x".to_owned(), word.clone()]);
            prop_assert!(!leaks(&secret, &out), "{word}\n{out}");
            let out = Masked::word(&Secret::new(&word)).to_string();
            prop_assert!(!leaks(&secret, &out), "{word}\n{out}");
        }
        let rules = JsonDialect { comments: true, ..JsonDialect::JSON_PARSE };
        let text = format!("{{ // see {secret}\n\"{secret}\": 1, \"x\": {json} }} // {secret}");
        let document = parse(&text, Dialect::Json(rules));
        let out = crate::excerpts::masked(&document) + &crate::excerpts::masked_broken(&text);
        prop_assert!(!leaks(&secret, &out), "{out}");
    }

    #[test]
    fn any_text_can_be_masked(words in proptest::collection::vec(any::<String>(), 0..5), symbols in "[-{}\\[\\]\"':=/@?#$%\\\\ a1\n]{0,60}") {
        let mut words = words;
        words.push(symbols);
        line(&words);
        for word in &words {
            let secret = Secret::new(word);
            let masked = [Masked::url(&secret), Masked::word(&secret), Masked::value(&secret)];
            let calm = masked.iter().all(|text| !text.as_str().contains(['\n', '\u{1b}', '\u{202e}']));
            prop_assert!(calm);
            crate::excerpts::masked_broken(word);
        }
    }
}

/// Found by chance: what follows the first `@` of a password looked like the host.
#[test]
fn a_password_with_a_host_in_it_is_hidden_whole() {
    let address = Secret::new("https://user:a@.Aaa/!@h.example/mcp");
    assert_eq!(
        Masked::url(&address).to_string(),
        "https://•••:•••@h.example/mcp"
    );
}
