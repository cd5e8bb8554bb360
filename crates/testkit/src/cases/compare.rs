//! Holding an answer of `muster list --format json` against what the real program did.

use std::collections::BTreeSet;

use serde_json::Value;

use super::text;

/// Words of the recorders for servers of which the harness never reads a definition: no row is asked for.
const NO_ROW: [&str; 10] = [
    "unrelated",
    "not-read",
    "not-found",
    "absent",
    "skipped",
    "not-configured",
    "incomplete",
    "invalid-plugin-server",
    "plugin-off",
    "no-transport",
];

/// Words of the recorders for servers that were tried and failed, which a reader of files cannot know.
const RUNTIME: [&str; 6] = [
    "failed",
    "needs-auth",
    "requires_authentication",
    "crash",
    "waiting",
    "error",
];

/// What marks a part that is shown as written, or hidden, where the real program ran it expanded.
const MARKS: [&str; 5] = ["•••", "$", "{env:", "{file:", "~"];

/// The statuses that fit a recorder's word; `None` for a word that says nothing about the status.
fn fitting(word: &str) -> Option<&'static [&'static str]> {
    Some(match word {
        "pending" | "needs-approval" | "not loaded (needs approval)" => &["needs-approval"],
        "rejected" => &["rejected"],
        "blocked" | "denied" => &["blocked"],
        "untrusted" => &["untrusted"],
        "overridden" => &["overridden"],
        "disabled" | "off" | "excluded" | "not-allowed" | "extension-disabled" => &["off"],
        "config-error" => &["invalid"],
        "invalid" => &["invalid", "unsupported"],
        "extension-blocked" => &["off", "blocked"],
        _ => return None,
    })
}

/// What is wrong in `answer`, the JSON of `muster list`, for `record`, a case with its root put in; empty if they agree.
///
/// Compared by name: whether it loads, always; of the row that loads, its transport, command or address, and scope; of a server
/// that does not load, that there is a row and that its status fits the recorder's word.
pub fn compare(record: &Value, harness: &str, answer: &Value) -> Vec<String> {
    let rows = rows(answer, harness);
    let servers = record
        .get("expect")
        .and_then(|expect| expect.get("servers"))
        .and_then(Value::as_object);
    let Some(servers) = servers else {
        return vec!["the case expects nothing".to_owned()];
    };
    let mut wrong: Vec<String> = servers
        .iter()
        .flat_map(|(name, want)| {
            judge(want, &rows, name)
                .into_iter()
                .map(move |what| format!("{name}: {what}"))
        })
        .collect();
    // Random trees name every server there is.
    if text(record, "id").is_some_and(|id| !id.is_empty()) {
        let known =
            |row: &&&Value| text(row, "name").is_some_and(|name| servers.contains_key(name));
        let extra: BTreeSet<_> = rows
            .iter()
            .filter(|row| loads(row))
            .filter(|row| !known(row))
            .filter_map(|row| text(row, "name"))
            .collect();
        if !extra.is_empty() {
            wrong.push(format!(
                "loads, but the real program knows no such server: {extra:?}"
            ));
        }
    }
    wrong
}

fn rows<'a>(answer: &'a Value, harness: &str) -> Vec<&'a Value> {
    let harnesses = answer
        .get("harnesses")
        .and_then(Value::as_array)
        .into_iter()
        .flatten();
    let servers = harnesses
        .filter(|found| text(found, "id") == Some(harness))
        .filter_map(|found| found.get("servers")?.as_array());
    servers.flatten().collect()
}

fn loads(row: &Value) -> bool {
    row.get("loads") == Some(&Value::Bool(true))
}

/// What is wrong with the rows of one name.
fn judge(want: &Value, rows: &[&Value], name: &str) -> Vec<String> {
    let word = text(want, "status").unwrap_or_default();
    let loaded = truthy(want.get("loads"));
    if want.get("static_loads").is_none() && RUNTIME.contains(&word) && !loaded {
        return Vec::new();
    }
    let expected = match want.get("static_loads").or(want.get("loads")) {
        None | Some(Value::Null) => return Vec::new(),
        known => truthy(known),
    };
    let mine: Vec<&Value> = rows
        .iter()
        .copied()
        .filter(|row| text(row, "name") == Some(name))
        .collect();
    let loading = mine.iter().copied().find(|row| loads(row));
    match (loading, expected) {
        (Some(row), true) => differences(want, row),
        (None, false) => misfit(want, word, &mine).into_iter().collect(),
        (row, expected) => {
            let statuses: Vec<_> = mine
                .iter()
                .map(|row| (text(row, "status"), text(row, "scope")))
                .collect();
            vec![format!(
                "loads={} ({statuses:?}), real program: {expected} ({})",
                row.is_some(),
                why(want)
            )]
        }
    }
}

/// What is wrong with the rows of a name of which none loads, rightly.
fn misfit(want: &Value, word: &str, mine: &[&Value]) -> Option<String> {
    if NO_ROW.contains(&word) {
        return None;
    }
    if mine.is_empty() {
        return Some(format!(
            "no row (the real program says {word}: {})",
            why(want)
        ));
    }
    let fitting = fitting(word)?;
    let statuses: Vec<_> = mine.iter().filter_map(|row| text(row, "status")).collect();
    let fits = statuses.iter().any(|status| fitting.contains(status));
    (!fits).then(|| format!("status {statuses:?}, expected one of {fitting:?}"))
}

/// In what `row`, which loads rightly, differs from what the real program started.
fn differences(want: &Value, row: &Value) -> Vec<String> {
    let passed_over = super::texts(want, "not_compared");
    let mut found = Vec::new();
    for key in ["transport", "command", "url", "scope"] {
        let Some(real) = want
            .get(key)
            .filter(|real| !real.is_null() && !passed_over.contains(&key))
        else {
            continue;
        };
        let real = match (key, real.as_str()) {
            ("scope", Some("mcp-config")) => Value::from("flag"),
            ("scope", Some("managed-settings")) => Value::from("managed"),
            _ => real.clone(),
        };
        let mine = row.get(key).unwrap_or(&Value::Null);
        if !same(mine, &real) {
            found.push(format!("{key}={mine}, real program: {real}"));
        }
    }
    found
}

/// Whether `mine` is `real`, or shows it as written or in part hidden.
fn same(mine: &Value, real: &Value) -> bool {
    if let (Value::Array(mine), Value::Array(real)) = (mine, real) {
        return mine.len() == real.len()
            && mine.iter().zip(real).all(|(mine, real)| same(mine, real));
    }
    let shown = mine
        .as_str()
        .map_or_else(|| mine.to_string(), str::to_owned);
    mine == real || MARKS.iter().any(|mark| shown.contains(mark))
}

/// What Python calls true, as far as records hold it.
fn truthy(value: Option<&Value>) -> bool {
    !matches!(value, None | Some(Value::Null | Value::Bool(false)))
}

fn why(want: &Value) -> &str {
    text(want, "why")
        .or(text(want, "status"))
        .unwrap_or("no reason recorded")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn check(want: Value, rows: Value) -> Vec<String> {
        let record = json!({"expect": {"servers": {"db": want}}});
        compare(
            &record,
            "codex",
            &json!({"harnesses": [{"id": "codex", "servers": rows}]}),
        )
    }

    fn row(status: &str, loads: bool) -> Value {
        json!({"name": "db", "status": status, "loads": loads, "scope": "user", "transport": "stdio", "command": ["db", "${X}"], "url": null})
    }

    #[test]
    fn what_loads_agrees_in_its_fields_and_shows_variables_as_written() {
        let want = json!({"loads": true, "scope": "user", "transport": "stdio", "command": ["db", "expanded"], "url": null});
        assert_eq!(
            check(
                want.clone(),
                json!([row("overridden", false), row("configured", true)])
            ),
            [""; 0]
        );
        let mut other = row("configured", true);
        other["command"] = json!(["db"]);
        other["scope"] = json!("project");
        assert_eq!(check(want, json!([other])).len(), 2);
    }

    #[test]
    fn words_of_the_recorder_are_translated() {
        assert_eq!(
            check(
                json!({"loads": true, "scope": "mcp-config"}),
                json!([{"name": "db", "loads": true, "scope": "flag"}])
            ),
            [""; 0]
        );
        assert_eq!(
            check(
                json!({"loads": false, "status": "pending"}),
                json!([row("needs-approval", false)])
            ),
            [""; 0]
        );
        assert_eq!(
            check(
                json!({"loads": false, "status": "pending"}),
                json!([row("off", false)])
            )
            .len(),
            1
        );
        assert_eq!(
            check(
                json!({"loads": false, "status": "a new word"}),
                json!([row("off", false)])
            ),
            [""; 0]
        );
    }

    #[test]
    fn a_server_that_does_not_load_has_a_row_unless_it_is_never_read() {
        assert_eq!(
            check(json!({"loads": false, "status": "disabled"}), json!([])).len(),
            1
        );
        assert_eq!(
            check(json!({"loads": false, "status": "not-read"}), json!([])),
            [""; 0]
        );
        assert_eq!(check(json!({"loads": true}), json!([])).len(), 1);
        assert_eq!(
            check(json!({"loads": false}), json!([row("configured", true)])).len(),
            1
        );
    }

    #[test]
    fn what_only_a_run_can_tell_is_passed_over() {
        assert_eq!(
            check(
                json!({"loads": false, "status": "failed"}),
                json!([row("configured", true)])
            ),
            [""; 0]
        );
        assert_eq!(
            check(
                json!({"loads": null, "status": "x"}),
                json!([row("configured", true)])
            ),
            [""; 0]
        );
        let told = json!({"loads": false, "static_loads": true, "status": "failed"});
        assert_eq!(check(told, json!([row("off", false)])).len(), 1);
    }

    #[test]
    fn a_random_tree_knows_every_server_there_is() {
        let answer = json!({"harnesses": [{"id": "codex", "servers": [row("configured", true)]}]});
        let record = |id: &str| json!({"id": id, "expect": {"servers": {}}});
        assert_eq!(compare(&record("codex-r1"), "codex", &answer).len(), 1);
        assert_eq!(compare(&record(""), "codex", &answer), [""; 0]);
        assert_eq!(
            compare(&record("codex-r1"), "claude-code", &answer),
            [""; 0]
        );
    }
}
