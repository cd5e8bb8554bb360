//! `requirements.toml`: the administrator's list of allowed servers.

use camino::{Utf8Path, Utf8PathBuf};
use muster_core::{Dossier, Files, Loaded, Objection, Reason, Scope, Status};
use muster_document::{Dialect, Document, Place, Shown};

use super::identity::{Identity, Wrong, identity};
use super::layers::system_file;
use super::merge::Merged;
use super::rules;
use super::schema::{Fault, Numbers, Type};
use super::stop::Stop;

/// Who may run. Observed on 0.171.0.
#[derive(Debug)]
pub(super) struct Requirements {
    /// The file.
    path: Utf8PathBuf,
    /// The allowed servers of configuration files; `None` where the file has no `mcp_servers`, which limits nothing.
    servers: Option<Vec<Allowed>>,
    /// The allowed servers of plugins, by plugin; empty where the file names none, which limits nothing.
    plugins: Vec<(String, Vec<Allowed>)>,
    /// Where `mcp_servers` stands.
    place: Option<Place>,
}

#[derive(Debug)]
struct Allowed {
    name: String,
    identity: Identity,
    place: Place,
}

impl Requirements {
    /// Reads `/etc/codex/requirements.toml`; a mistake in it stops Codex.
    pub(super) fn read(dossier: &mut Dossier<'_>) -> (Option<Requirements>, Option<Stop>) {
        let path = system_file(dossier.world, "requirements.toml");
        let loaded = dossier.load(&path, Scope::Managed, Dialect::Toml, Files::LIMIT);
        let prefix = format!(
            "failed to parse requirements layer {}: ",
            Shown(path.as_str())
        );
        match &loaded {
            Loaded::Absent | Loaded::Empty => (None, None),
            Loaded::Skipped(fault) => {
                let message = format!(
                    "Failed to read requirements file {}: {fault}",
                    Shown(path.as_str())
                );
                (None, Some(Stop::new(&rules::REQUIREMENTS_FILE, message)))
            }
            Loaded::Broken(_) => {
                let stop = loaded.error().map(|error| {
                    Stop::new(
                        &rules::REQUIREMENTS_FILE,
                        format!("{prefix}TOML parse error: {}", error.message),
                    )
                    .at(Some(error.place.clone()))
                });
                (None, stop)
            }
            Loaded::Document(_) => match loaded.document().map(|document| parse(document, &path)) {
                Some(Ok(requirements)) => (Some(requirements), None),
                Some(Err((words, place))) => (
                    None,
                    Some(Stop::new(&rules::REQUIREMENTS_FILE, words).at(place)),
                ),
                None => (None, None),
            },
        }
    }

    /// Why a server of the configuration may not run.
    pub(super) fn denies(&self, name: &str, server: &Merged<'_>) -> Option<Objection> {
        let allowed = self.servers.as_ref()?;
        self.judge(
            allowed.iter().find(|allowed| allowed.name == name),
            name,
            server,
        )
    }

    /// Why a plugin's server may not run. An empty `mcp_servers` denies it too; otherwise only the plugins' own lists count.
    pub(super) fn denies_plugin(
        &self,
        plugin: &str,
        name: &str,
        server: &Merged<'_>,
    ) -> Option<Objection> {
        let none_at_all = self.servers.as_ref().is_some_and(Vec::is_empty);
        if !none_at_all && self.plugins.is_empty() {
            return None;
        }
        let own = self.plugins.iter().find(|(id, _)| id == plugin);
        let allowed =
            own.and_then(|(_, allowed)| allowed.iter().find(|allowed| allowed.name == name));
        self.judge(allowed.filter(|_| !none_at_all), name, server)
    }

    fn judge(
        &self,
        allowed: Option<&Allowed>,
        name: &str,
        server: &Merged<'_>,
    ) -> Option<Objection> {
        let (text, place) = match allowed {
            Some(allowed) if allowed.identity.is(server) => return None,
            Some(allowed) => (
                format!(
                    "the administrator allows a {} that is another one",
                    Shown(name)
                ),
                Some(allowed.place.clone()),
            ),
            None => (
                format!("the administrator's list does not name {}", Shown(name)),
                self.place.clone(),
            ),
        };
        let text = format!("{text}: requirements ({})", Shown(self.path.as_str()));
        let reason = Reason::new(&rules::REQUIREMENTS, "policy", text, place);
        let remedy = format!(
            "ask your administrator to allow it in {}",
            Shown(self.path.as_str())
        );
        Some(
            Objection::new(Status::Blocked, "not allowed by the admin", reason).with_remedy(remedy),
        )
    }
}

type Failure = (String, Option<Place>);

/// Only the keys that concern servers; a mistake in another one stops Codex too and is not seen here.
fn parse(document: &Document, path: &Utf8Path) -> Result<Requirements, Failure> {
    let root = Merged::of([(0, document.root())]);
    let fail = |fault: &Fault| {
        let words = format!(
            "failed to parse requirements layer {}: {}{}",
            Shown(path.as_str()),
            fault.message,
            fault.whereabouts()
        );
        (words, fault.origin.map(|origin| document.place(origin.key)))
    };
    let servers = root
        .get("mcp_servers")
        .map(|servers| allowed(servers, document, path, "mcp_servers", &fail))
        .transpose()?;
    let mut plugins = Vec::new();
    if let Some(table) = root.get("plugins") {
        Type::Map(&Type::Opaque {
            name: "PluginMcpRequirements",
        })
        .check(table, Numbers::Shown)
        .map_err(|fault| fail(&fault.inside("plugins")))?;
        for (plugin, inner) in table.members() {
            if let Some(servers) = inner.get("mcp_servers") {
                let allowed = allowed(
                    servers,
                    document,
                    path,
                    &format!("plugins.{plugin}.mcp_servers"),
                    &fail,
                )?;
                if !allowed.is_empty() {
                    plugins.push((plugin.to_owned(), allowed));
                }
            }
        }
    }
    let place = document
        .root()
        .member("mcp_servers")
        .map(|member| document.place(member.key.span));
    Ok(Requirements {
        path: path.to_owned(),
        servers,
        plugins,
        place,
    })
}

fn allowed(
    servers: &Merged<'_>,
    document: &Document,
    path: &Utf8Path,
    within: &str,
    fail: &dyn Fn(&Fault) -> Failure,
) -> Result<Vec<Allowed>, Failure> {
    let shape = Type::Map(&Type::Opaque {
        name: "RawMcpServerRequirement",
    });
    shape
        .check(servers, Numbers::Shown)
        .map_err(|fault| fail(&fault.inside(within)))?;
    let entries = servers.members().map(|(name, entry)| {
        let at = format!("{within}.{name}");
        let Some(value) = entry.get("identity") else {
            return Err(fail(
                &Fault::at(entry, "missing field `identity`").inside(&at),
            ));
        };
        let place = entry.origin().map(|origin| document.place(origin.key));
        match identity(value) {
            Ok(identity) => Ok(place.map(|place| Allowed {
                name: name.to_owned(),
                identity,
                place,
            })),
            Err(Wrong::Shape) => {
                let fault = Fault::at(
                    value,
                    "data did not match any variant of untagged enum RawMcpServerIdentity",
                );
                Err(fail(&fault.inside("identity").inside(&at)))
            }
            Err(Wrong::Regex(words)) => {
                let set_by = Shown(path.as_str());
                Err((
                    format!(
                        "invalid requirement for MCP server `{}` (set by {set_by}): {words}",
                        Shown(name)
                    ),
                    place,
                ))
            }
        }
    });
    entries.filter_map(Result::transpose).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;

    fn document(text: &str) -> Document {
        Document::parse(
            Arc::from(Utf8Path::new("/etc/codex/requirements.toml")),
            text.as_bytes(),
            Dialect::Toml,
        )
        .unwrap()
    }

    fn read(text: &str) -> Result<Requirements, String> {
        parse(
            &document(text),
            Utf8Path::new("/etc/codex/requirements.toml"),
        )
        .map_err(|(words, _)| words)
    }

    fn allows(identity: &str, entry: &str) -> bool {
        let requirements = read(&format!("mcp_servers.u.identity = {identity}\n")).unwrap();
        let entry = document(&format!("u = {entry}\n"));
        requirements
            .denies("u", Merged::of([(0, entry.root())]).get("u").unwrap())
            .is_none()
    }

    #[test]
    fn identities() {
        for (identity, entry, expected) in [
            (
                "{ command = 'u' }",
                "{ command = 'u', args = ['any'] }",
                true,
            ),
            (
                "{ command = 'u', url = 'x', foo = 1 }",
                "{ command = 'u' }",
                true,
            ),
            ("{ command = 'u' }", "{ command = './u' }", false),
            ("{ url = 'https://a/' }", "{ url = 'https://a' }", false),
            (
                "{ command = { executable = 'u', args = [] } }",
                "{ command = 'u' }",
                true,
            ),
            (
                "{ command = { executable = 'u', args = [] } }",
                "{ command = 'u', args = ['x'] }",
                false,
            ),
            (
                "{ command = { executable = 'u', args = [] }, url = 'x' }",
                "{ command = 'u' }",
                false,
            ),
            (
                "{ command = { executable = 'u', args = [{ match = 'prefix', value = 'a' }] } }",
                "{ command = 'u', args = ['ab'] }",
                true,
            ),
            (
                "{ url = { match = 'regex', expression = 'a|b' } }",
                "{ url = 'ab' }",
                false,
            ),
            (
                "{ url = { match = 'regex', expression = 'a.*' } }",
                "{ url = 'ab' }",
                true,
            ),
        ] {
            assert_eq!(allows(identity, entry), expected, "{identity} {entry}");
        }
    }

    /// Each line was given to the real program, 0.171.0.
    #[test]
    fn the_real_words() {
        const FRAME: &str = "failed to parse requirements layer /etc/codex/requirements.toml: ";
        const SHAPE: &str = "data did not match any variant of untagged enum RawMcpServerIdentity in `mcp_servers.u.identity`";
        for (text, expected) in [
            (
                "mcp_servers.u = {}",
                "missing field `identity` in `mcp_servers.u`",
            ),
            (
                "mcp_servers.u = 1",
                "invalid type: integer `1`, expected struct RawMcpServerRequirement in `mcp_servers.u`",
            ),
            (
                "mcp_servers = 1",
                "invalid type: integer `1`, expected a map in `mcp_servers`",
            ),
            ("mcp_servers.u.identity = 'u'", SHAPE),
            (
                "mcp_servers.u.identity = { command = { executable = 'u' } }",
                SHAPE,
            ),
            (
                "mcp_servers.u.identity = { command = { executable = 'u', args = [] }, foo = 1 }",
                SHAPE,
            ),
            (
                "mcp_servers.u.identity = { url = { match = 'exact', value = 'u', foo = 1 } }",
                SHAPE,
            ),
            (
                "plugins.'a@b' = 1",
                "invalid type: integer `1`, expected struct PluginMcpRequirements in `plugins.a@b`",
            ),
            (
                "plugins.'a@b'.mcp_servers.s = {}",
                "missing field `identity` in `plugins.a@b.mcp_servers.s`",
            ),
        ] {
            assert_eq!(
                read(text).unwrap_err(),
                format!("{FRAME}{expected}"),
                "{text}"
            );
        }
        assert_eq!(
            read("mcp_servers.u.identity = { command = { executable = 'u', args = [{ match = 'regex', expression = '(' }] } }").unwrap_err(),
            "invalid requirement for MCP server `u` (set by /etc/codex/requirements.toml): invalid argument matcher at index 0: \
             invalid regex `(`: found open group without closing ')'"
        );
    }

    #[test]
    fn plugins_are_limited_by_their_own_lists_or_by_an_empty_one() {
        let entry = document("command = 'c'\n");
        let server = Merged::of([(0, entry.root())]);
        let denied = |text: &str| {
            read(text)
                .unwrap()
                .denies_plugin("p@m", "s", &server)
                .is_some()
        };
        assert!(!denied("mcp_servers.u.identity = { command = 'u' }"));
        assert!(denied("mcp_servers = {}"));
        assert!(denied(
            "plugins.'q@m'.mcp_servers.s.identity = { command = 'c' }"
        ));
        assert!(!denied(
            "plugins.'p@m'.mcp_servers.s.identity = { command = 'c' }"
        ));
        assert!(!denied("[plugins]"));
    }
}
