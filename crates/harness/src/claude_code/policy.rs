//! `deniedMcpServers` and `allowedMcpServers`: what administrators and users keep out.

use muster_core::{Entry, Objection, Reason, Status, Transport};
use muster_document::{Node, Place, Shown};

use super::address::covers;
use super::expand::{Expanded, Missing, Variables};
use super::rules;
use super::settings::{Owner, Settings, SettingsFile};

/// The lists that count, joined from all files: no trust is asked for.
#[derive(Debug, Default)]
pub(super) struct Policy {
    denied: Vec<Matcher>,
    /// `None` where there is no allow list at all; an empty one allows nothing.
    allowed: Option<Vec<Matcher>>,
    /// Where the first allow list stands.
    allow_place: Option<Place>,
    allow_label: String,
}

#[derive(Debug)]
struct Matcher {
    test: Test,
    label: String,
    managed: bool,
    place: Option<Place>,
}

#[derive(Debug)]
enum Test {
    Name(String),
    Command(Vec<String>),
    /// `None` where the whole address was one variable of an allow list, which matches nothing.
    Url(Option<String>),
}

impl Policy {
    /// Joins the lists of every file. With `allowManagedMcpServersOnly` in an administrator's file only the administrator's allow
    /// list counts; denials still come from everywhere.
    pub(super) fn join(settings: &Settings, variables: &Variables) -> Policy {
        let mut policy = Policy::default();
        let managed_only = settings
            .of(Owner::Managed)
            .find_map(SettingsFile::managed_servers_only)
            .unwrap_or(false);
        for file in &settings.files {
            if let Some(list) = file.get("deniedMcpServers") {
                policy.denied.extend(matchers(file, list, variables, false));
            }
            let Some(list) = file.get("allowedMcpServers") else {
                continue;
            };
            // An administrator's list of a wrong type admits nothing; anybody else's is passed over.
            let counts =
                file.owner == Owner::Managed || (!managed_only && list.as_array().is_some());
            if counts {
                policy
                    .allowed
                    .get_or_insert_default()
                    .extend(matchers(file, list, variables, true));
                policy.allow_place = policy.allow_place.or_else(|| file.place(list));
                policy.allow_label.clone_from(&file.label);
            }
        }
        policy
    }

    /// Why the server is kept out by a deny list.
    pub(super) fn denial(
        &self,
        name: &str,
        entry: &Entry,
        expanded: &Expanded,
    ) -> Option<Objection> {
        let found = self
            .denied
            .iter()
            .find(|matcher| matcher.matches(name, entry, expanded, false))?;
        let whose = if found.managed {
            "your administrator's"
        } else {
            "the"
        };
        let what = match found.test {
            Test::Name(_) => "its name",
            Test::Command(_) => "its command",
            Test::Url(_) => "its address",
        };
        let text = format!(
            "{whose} deny list in {} matches {what}",
            Shown(&found.label)
        );
        let reason = Reason::new(&rules::DENY_LIST, "policy", text, found.place.clone());
        let remedy = match found.managed {
            true => "ask your administrator to take it off deniedMcpServers".to_owned(),
            false => format!("take it off deniedMcpServers in {}", Shown(&found.label)),
        };
        Some(Objection::new(Status::Blocked, "on a deny list", reason).with_remedy(remedy))
    }

    /// Why the server is kept out by an allow list that does not admit it.
    pub(super) fn refusal(
        &self,
        name: &str,
        entry: &Entry,
        expanded: &Expanded,
    ) -> Option<Objection> {
        let allowed = self.allowed.as_ref()?;
        let stdio = entry.transport == Some(Transport::Stdio);
        // One command (for stdio) or address (for the others) in the list mutes its names.
        let decisive = |matcher: &&Matcher| match matcher.test {
            Test::Command(_) => stdio,
            Test::Url(_) => !stdio,
            Test::Name(_) => false,
        };
        let mutes = allowed.iter().any(|matcher| decisive(&matcher));
        let admits = |matcher: &Matcher| {
            let considered = if mutes {
                decisive(&matcher)
            } else {
                matches!(matcher.test, Test::Name(_))
            };
            considered && matcher.matches(name, entry, expanded, true)
        };
        if allowed.iter().any(admits) {
            return None;
        }
        let why = match (mutes, stdio) {
            (true, true) => "lists commands, so it must list this one whole",
            (true, false) => "lists addresses, so it must list this one",
            (false, _) if allowed.is_empty() => "is empty: it admits nothing",
            (false, _) => "does not name it",
        };
        let plain = name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-');
        let remedy = match (mutes || !plain, stdio) {
            (false, _) => "add its name to allowedMcpServers",
            (true, true) => "add its whole command to allowedMcpServers",
            (true, false) => "add its address to allowedMcpServers",
        };
        let text = format!(
            "there is an allow list (in {}) and it {why}",
            Shown(&self.allow_label)
        );
        let reason = Reason::new(&rules::ALLOW_LIST, "policy", text, self.allow_place.clone());
        Some(Objection::new(Status::Blocked, "not on the allow list", reason).with_remedy(remedy))
    }
}

impl Matcher {
    fn matches(&self, name: &str, entry: &Entry, expanded: &Expanded, allows: bool) -> bool {
        match &self.test {
            Test::Name(wanted) => wanted == name,
            Test::Command(words) => {
                entry.transport == Some(Transport::Stdio)
                    && expanded.command.as_ref() == Some(words)
            }
            Test::Url(pattern) => match (pattern, &expanded.url) {
                (Some(pattern), Some(url)) => {
                    entry.transport != Some(Transport::Stdio) && covers(pattern, url, allows)
                }
                _ => false,
            },
        }
    }
}

fn matchers(file: &SettingsFile, list: &Node, variables: &Variables, allows: bool) -> Vec<Matcher> {
    let items = list.as_array().unwrap_or_default();
    let found = items.iter().filter_map(|item| {
        let test = read_test(item, variables, allows)?;
        Some(Matcher {
            test,
            label: file.label.clone(),
            managed: file.owner == Owner::Managed,
            place: file.place(item),
        })
    });
    found.collect()
}

/// One entry of a list: an object with exactly one of the three keys. Bad ones are skipped one by one.
fn read_test(item: &Node, variables: &Variables, allows: bool) -> Option<Test> {
    let keys = ["serverName", "serverCommand", "serverUrl"];
    let mut present = keys.iter().filter_map(|key| Some((*key, item.get(key)?)));
    let (key, value) = present.next()?;
    if present.next().is_some() {
        return None;
    }
    let expand =
        |text: &str, remote: bool| variables.expand_text(text, remote, &mut Missing::default());
    match key {
        "serverName" => {
            let name = value.as_str()?;
            let plain =
                |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || letter == '-';
            let fits = match allows {
                true => !name.is_empty() && name.chars().all(plain),
                false => !name.is_empty() && name.trim() == name,
            };
            fits.then(|| Test::Name(name.to_owned()))
        }
        "serverCommand" => {
            let words: Option<Vec<String>> = value
                .as_array()?
                .iter()
                .map(|word| Some(expand(word.as_str()?, false)))
                .collect();
            words.filter(|words| !words.is_empty()).map(Test::Command)
        }
        _ => {
            let pattern = value.as_str()?;
            let whole_variable =
                pattern.starts_with("${") && pattern.find('}') == Some(pattern.len() - 1);
            Some(Test::Url(
                (!(allows && whole_variable)).then(|| expand(pattern, true)),
            ))
        }
    }
}
