//! The settings keys whose type matters: one value of a wrong type drops the whole file, its rejections and denials too.
//!
//! Found on 2.1.332 by writing each key with values of every type beside a denial and seeing whether the denial still held.
//! Keys that tolerate anything (`hooks`, `deniedMcpServers`, `theme`, unknown ones, …) do not appear.

use muster_document::{Node, Value};

/// What a key's value may be.
#[derive(Debug, Clone, Copy)]
enum Shape {
    /// A string.
    Text,
    /// One of these strings.
    Word(&'static [&'static str]),
    /// One of these strings, or null.
    WordOrNull(&'static [&'static str]),
    /// `true` or `false`.
    Bool,
    /// `true`, `false` or null.
    BoolOrNull,
    /// An integer of at least 1.
    PositiveInteger,
    /// A number from 0 to 1.
    Rate,
    /// A list of anything.
    List,
    /// A list of strings.
    Texts,
    /// A list of strings, or one string.
    TextOrTexts,
    /// A list of objects that hold these keys, or null.
    Tables(&'static [&'static str]),
    /// An object of objects.
    TableOfTables,
    /// An object of strings.
    TextMap,
    /// An object whose values are `true`, `false` or a list of strings.
    Switches,
    /// An object of anything.
    Table,
    /// An object with these keys, each optional.
    Fields(&'static [(&'static str, Shape)]),
    /// An object with these keys, all demanded.
    Demanded(&'static [(&'static str, Shape)]),
    /// `true`, `false` or an object with these keys, each optional.
    BoolOrFields(&'static [(&'static str, Shape)]),
}

use Shape::{
    Bool, BoolOrFields, BoolOrNull, Demanded, Fields, List, PositiveInteger, Rate, Switches, Table,
    TableOfTables, Tables, Text, TextMap, TextOrTexts, Texts, Word, WordOrNull,
};

const COMMAND: &[(&str, Shape)] = &[("type", Word(&["command"])), ("command", Text)];
const PERMISSION_MODES: &[&str] = &[
    "acceptEdits",
    "auto",
    "bypassPermissions",
    "default",
    "dontAsk",
    "manual",
    "plan",
];

/// Every key that was seen to drop the file.
static KEYS: &[(&str, Shape)] = &[
    ("$schema", Text),
    ("advisorModel", Text),
    ("agent", Text),
    ("allowManagedHooksOnly", BoolOrNull),
    ("allowManagedMcpServersOnly", BoolOrNull),
    ("allowManagedPermissionRulesOnly", BoolOrNull),
    ("allowedChannelPlugins", Tables(&["plugin", "marketplace"])),
    ("allowedHttpHookUrls", Texts),
    ("alwaysThinkingEnabled", Bool),
    ("apiKeyHelper", Text),
    (
        "attribution",
        BoolOrFields(&[("commit", Text), ("pr", Text)]),
    ),
    ("autoCompactEnabled", Bool),
    ("autoDreamEnabled", Bool),
    ("autoMemoryDirectory", Text),
    ("autoMemoryEnabled", Bool),
    ("autoMode", Fields(&[("allow", List)])),
    ("autoScrollEnabled", Bool),
    ("autoUpdatesChannel", Word(&["latest", "stable"])),
    ("availableModels", Texts),
    ("awsAuthRefresh", Text),
    ("awsCredentialExport", Text),
    ("blockedMarketplaces", Tables(&["source"])),
    ("channelsEnabled", BoolOrNull),
    ("claudeMd", Text),
    ("claudeMdExcludes", Texts),
    ("cleanupPeriodDays", PositiveInteger),
    ("companyAnnouncements", Texts),
    ("defaultShell", Word(&["bash", "powershell"])),
    ("defaultView", Word(&["chat", "transcript"])),
    ("disableAllHooks", Bool),
    ("disableAutoMode", WordOrNull(&["disable"])),
    ("disableDeepLinkRegistration", WordOrNull(&["disable"])),
    ("disableSkillShellExecution", BoolOrNull),
    ("disabledMcpjsonServers", TextOrTexts),
    ("enableAllProjectMcpServers", BoolOrNull),
    ("enabledMcpjsonServers", TextOrTexts),
    ("enabledPlugins", Switches),
    ("enforceAvailableModels", BoolOrNull),
    ("env", Table),
    ("fallbackModel", Texts),
    ("fastMode", Bool),
    ("fastModePerSessionOptIn", BoolOrNull),
    ("feedbackSurveyRate", Rate),
    ("fileSuggestion", Demanded(COMMAND)),
    ("forceLoginOrgUUID", Text),
    ("forceRemoteSettingsRefresh", Bool),
    ("gcpAuthRefresh", Text),
    ("httpHookAllowedEnvVars", Texts),
    ("includeCoAuthoredBy", Bool),
    ("includeGitInstructions", Bool),
    ("language", Text),
    ("minimumVersion", Text),
    ("model", Text),
    ("modelOverrides", TextMap),
    ("otelHeadersHelper", Text),
    ("outputStyle", Text),
    (
        "permissions",
        Fields(&[
            ("allow", List),
            ("deny", List),
            ("ask", List),
            ("additionalDirectories", Texts),
            ("defaultMode", Word(PERMISSION_MODES)),
            ("disableBypassPermissionsMode", Word(&["disable"])),
        ]),
    ),
    ("plansDirectory", Text),
    ("pluginConfigs", TableOfTables),
    ("pluginTrustMessage", Text),
    ("prefersReducedMotion", Bool),
    ("promptSuggestionEnabled", Bool),
    ("proxyAuthHelper", Text),
    ("remote", Fields(&[("defaultEnvironmentId", Text)])),
    ("respectGitignore", Bool),
    ("sandbox", Fields(&[("enabled", Bool), ("network", Table)])),
    ("showClearContextOnPlanAccept", Bool),
    ("showThinkingSummaries", Bool),
    ("showTurnDuration", Bool),
    ("skillOverrides", TextMap),
    ("skipAutoPermissionPrompt", BoolOrNull),
    ("skipDangerousModePermissionPrompt", BoolOrNull),
    ("skipWebFetchPreflight", BoolOrNull),
    ("spinnerTipsEnabled", Bool),
    (
        "spinnerVerbs",
        Demanded(&[("mode", Word(&["append", "replace"])), ("verbs", Texts)]),
    ),
    ("sshConfigs", Tables(&["id", "name", "sshHost"])),
    ("statusLine", Demanded(COMMAND)),
    ("strictKnownMarketplaces", Tables(&["source"])),
    ("syntaxHighlightingDisabled", Bool),
    ("terminalProgressBarEnabled", Bool),
    ("tui", Word(&["default", "fullscreen"])),
    ("useAutoModeDuringPlan", BoolOrNull),
    ("verbose", Bool),
    ("voiceEnabled", Bool),
    ("worktree", Fields(&[("symlinkDirectories", Texts)])),
    ("wslInheritsWindowsSettings", Bool),
];

/// A value of a wrong type.
#[derive(Debug, Clone, Copy)]
pub(super) struct Wrong<'n> {
    /// The key; empty where the whole is no object.
    pub(super) key: &'static str,
    /// The value, or the part of it that is wrong.
    pub(super) node: &'n Node,
    /// What was wanted there.
    pub(super) wanted: &'static str,
}

/// The values of wrong types, in file order.
pub(super) fn wrong(root: &Node) -> Vec<Wrong<'_>> {
    if !root.is_table() {
        return vec![Wrong {
            key: "",
            node: root,
            wanted: "an object",
        }];
    }
    let members = root.effective_members().into_iter();
    members
        .filter_map(|member| {
            let (key, shape) = KEYS.iter().find(|(key, _)| *key == member.key.text)?;
            let (node, wanted) = misfit(&member.value, *shape)?;
            Some(Wrong { key, node, wanted })
        })
        .collect()
}

/// The part of `node` that does not fit `shape`, and what was wanted there.
fn misfit(node: &Node, shape: Shape) -> Option<(&Node, &'static str)> {
    let unless = |fits: bool, wanted| (!fits).then_some((node, wanted));
    match shape {
        Text => unless(node.as_str().is_some(), "a string"),
        Word(words) => unless(
            node.as_str().is_some_and(|word| words.contains(&word)),
            "one of its words",
        ),
        WordOrNull(words) => unless(
            node.is_null() || node.as_str().is_some_and(|word| words.contains(&word)),
            "one of its words",
        ),
        Bool => unless(node.as_bool().is_some(), "true or false"),
        BoolOrNull => unless(node.is_null() || node.as_bool().is_some(), "true or false"),
        PositiveInteger => unless(
            number(node).is_some_and(|n| n >= 1.0 && n.fract() == 0.0),
            "a whole number of at least 1",
        ),
        Rate => unless(
            number(node).is_some_and(|n| (0.0..=1.0).contains(&n)),
            "a number from 0 to 1",
        ),
        List => unless(node.as_array().is_some(), "a list"),
        Texts => texts(node),
        TextOrTexts => {
            if node.as_str().is_some() {
                None
            } else {
                texts(node)
            }
        }
        Tables(demanded) => {
            if node.is_null() {
                return None;
            }
            let Some(items) = node.as_array() else {
                return Some((node, "a list of objects"));
            };
            let bad = items
                .iter()
                .find(|item| demanded.iter().any(|key| item.get(key).is_none()));
            bad.map(|bad| (bad, "a list of whole objects"))
        }
        TableOfTables => each(node, |value| {
            (!value.is_table()).then_some((value, "an object of objects"))
        }),
        TextMap => each(node, |value| {
            value
                .as_str()
                .is_none()
                .then_some((value, "an object of strings"))
        }),
        Switches => each(node, |value| {
            if value.as_bool().is_some() {
                None
            } else {
                texts(value)
            }
        }),
        Table => unless(node.is_table(), "an object"),
        Fields(fields) => fields_misfit(node, fields, false),
        Demanded(fields) => fields_misfit(node, fields, true),
        BoolOrFields(fields) => {
            if node.as_bool().is_some() {
                None
            } else {
                fields_misfit(node, fields, false)
            }
        }
    }
}

fn number(node: &Node) -> Option<f64> {
    match &node.value {
        Value::Number(number) => Some(number.as_f64()),
        _ => None,
    }
}

fn texts(node: &Node) -> Option<(&Node, &'static str)> {
    const WANTED: &str = "a list of strings";
    match node.as_array() {
        None => Some((node, WANTED)),
        Some(items) => items
            .iter()
            .find(|item| item.as_str().is_none())
            .map(|item| (item, WANTED)),
    }
}

fn each<'n>(
    node: &'n Node,
    judge: impl Fn(&'n Node) -> Option<(&'n Node, &'static str)>,
) -> Option<(&'n Node, &'static str)> {
    if !node.is_table() {
        return Some((node, "an object"));
    }
    node.effective_members()
        .into_iter()
        .find_map(|member| judge(&member.value))
}

fn fields_misfit<'n>(
    node: &'n Node,
    fields: &[(&'static str, Shape)],
    demanded: bool,
) -> Option<(&'n Node, &'static str)> {
    if !node.is_table() {
        return Some((node, "an object"));
    }
    fields.iter().find_map(|(key, shape)| match node.get(key) {
        None => demanded.then_some((node, "whole")),
        Some(value) => misfit(value, *shape),
    })
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use camino::Utf8Path;
    use muster_document::Document;

    use super::*;

    fn dropped_by(text: &str) -> Option<String> {
        let document = Document::parse(
            Arc::from(Utf8Path::new("/s")),
            text.as_bytes(),
            super::super::dialect::SETTINGS,
        )
        .unwrap();
        wrong(document.root())
            .first()
            .map(|wrong| wrong.key.to_owned())
    }

    #[test]
    fn what_drops_a_file() {
        for (key, value) in [
            ("model", "1"),
            ("model", "null"),
            ("enabledMcpjsonServers", "null"),
            ("disabledMcpjsonServers", r#"["a",1]"#),
            ("enableAllProjectMcpServers", "\"x\""),
            ("enabledPlugins", r#"{"a@b":"x"}"#),
            ("cleanupPeriodDays", "0"),
            ("statusLine", r#"{"type":"command"}"#),
            ("permissions", r#"{"defaultMode":"x"}"#),
            ("permissions", r#"{"allow":"x"}"#),
            ("env", "[1]"),
            ("attribution", r#"{"commit":1}"#),
        ] {
            assert_eq!(
                dropped_by(&format!("{{\"{key}\":{value}}}")).as_deref(),
                Some(key),
                "{key}: {value}"
            );
        }
        assert_eq!(dropped_by("[]").as_deref(), Some(""));
    }

    #[test]
    fn what_is_tolerated() {
        for text in [
            r#"{"zzz":1,"hooks":1,"deniedMcpServers":1,"theme":1,"env":{"A":[1]}}"#,
            r#"{"permissions":{"allow":[1],"zz":1},"enableAllProjectMcpServers":null}"#,
            r#"{"enabledMcpjsonServers":"x","disabledMcpjsonServers":[],"enabledPlugins":{"a@b":["1.0"]}}"#,
            r#"{"model":1,"model":"x"}"#,
        ] {
            assert_eq!(dropped_by(text), None, "{text}");
        }
    }
}
