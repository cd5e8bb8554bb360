//! From what was found to verdicts.

use std::collections::HashSet;

use muster_core::{Contender, Definition, Objection, Reason, Rule, Server, Status, settle};
use muster_document::{Place, Shown};

use super::approval::Approvals;
use super::entry::Refusal;
use super::expand::{Expanded, Variables};
use super::ground::Ground;
use super::plugins::Plugin;
use super::policy::Policy;
use super::session::{Bare, Flags};
use super::settings::{Owner, Settings};
use super::sources::{Found, Origin};
use super::state::Trust;
use super::{Stop, rules};

/// Everything that decides about a definition besides the definition itself.
#[derive(Debug)]
pub(super) struct Circumstances<'a> {
    /// Nobody can be asked.
    pub(super) headless: bool,
    pub(super) ground: &'a Ground,
    pub(super) flags: &'a Flags,
    pub(super) trust: &'a Trust,
    pub(super) approvals: &'a Approvals,
    pub(super) policy: &'a Policy,
    pub(super) variables: &'a Variables,
    /// The names in `disabledMcpServers` of this project, with their places.
    pub(super) switched_off: Vec<(String, Place)>,
    /// `managed-mcp.json` is there.
    pub(super) exclusive: bool,
    /// `strictPluginOnlyCustomization` holds: what it says and where.
    pub(super) plugin_only: Option<Option<Place>>,
    /// Claude Code does not start at all.
    pub(super) stop: Option<&'a Stop>,
}

/// Whether managed settings let only plugins bring servers. An invalid value counts as yes.
pub(super) fn plugin_only(settings: &Settings) -> Option<Option<Place>> {
    let (file, node) = settings
        .of(Owner::Managed)
        .find_map(|file| Some((file, file.get("strictPluginOnlyCustomization")?)))?;
    let holds = match (node.as_bool(), node.as_array()) {
        (Some(value), _) => value,
        (None, Some(surfaces)) => surfaces
            .iter()
            .any(|surface| surface.as_str() == Some("mcp")),
        (None, None) => true,
    };
    holds.then(|| file.place(node))
}

impl Circumstances<'_> {
    /// Judges everything that was found outside plugins (strongest first), then the plugins' servers.
    pub(super) fn judge(
        &self,
        found: Vec<Found>,
        plugins: Vec<(Plugin, Vec<Found>)>,
    ) -> Vec<Server> {
        let mut active = Active::default();
        let mut taken: HashSet<String> = HashSet::new();
        let mut expanded = Vec::with_capacity(found.len());
        let mut contenders = Vec::with_capacity(found.len());
        for server in found {
            let fields = self.variables.expand(&server.checked.entry);
            let contender = self.contender(server, &fields);
            if contender.out.is_none() {
                taken.insert(contender.definition.name.clone());
            }
            contenders.push(contender);
            expanded.push(fields);
        }
        let mut servers = settle(contenders, &rules::PRECEDENCE);
        for (server, fields) in servers.iter().zip(&expanded) {
            if server.status == Status::Configured {
                active.add(&server.definition, fields);
            }
        }
        for (plugin, found) in plugins {
            let variables = self.variables.with_plugin(plugin.folders(self.ground));
            for server in found {
                let fields = variables.expand(&server.checked.entry);
                let mut contender = self.contender(server, &fields);
                if let Some(off) = plugin_off(&plugin) {
                    contender.out = Some(off);
                }
                if contender.out.is_none() {
                    contender.out = name_taken(&contender.definition, &taken);
                }
                if contender.out.is_none() {
                    contender.out = active.duplicate(&fields);
                }
                if contender.out.is_none() {
                    taken.insert(contender.definition.name.clone());
                }
                let judged = settle(vec![contender], &rules::PRECEDENCE);
                for server in &judged {
                    if server.status == Status::Configured {
                        active.add(&server.definition, &fields);
                    }
                }
                servers.extend(judged);
            }
        }
        servers
    }

    fn contender(&self, found: Found, fields: &Expanded) -> Contender {
        let Found {
            name,
            origin,
            place,
            checked,
            unread,
        } = found;
        let mut facts = vec![Reason::new(
            origin.rule(),
            "defined",
            origin.meaning(),
            place.clone(),
        )];
        for (warning, place) in checked.warnings {
            facts.push(Reason::new(&rules::VALIDITY, "warning", warning, place));
        }
        if checked.has_headers_helper
            && matches!(origin, Origin::Local | Origin::Project)
            && !self.trust.strict
        {
            let text = "headersHelper not run: this folder is not trusted; the server still connects, without those headers";
            facts.push(Reason::new(&rules::HEADERS_HELPER, "headers", text, None));
        }
        let definition = Definition {
            name,
            scope: origin.scope(),
            place,
            entry: checked.entry.into(),
            rule: origin.rule(),
        };
        let unread = unread.map(|unread| {
            let short = if unread.status == Status::Untrusted {
                "folder not trusted"
            } else {
                "never read there"
            };
            let reason = Reason::new(
                origin.rule(),
                "ignored",
                unread.text,
                definition.place.clone(),
            );
            Objection::new(unread.status, short, reason).with_remedy(unread.remedy)
        });
        let mut out = unread
            .or_else(|| self.shut_out(origin))
            .or_else(|| checked.refusal.map(|refusal| self.invalid(refusal)));
        if out.is_none() {
            out = self.consent(&definition.name, origin, &mut facts);
        }
        if !fields.missing.is_empty() {
            let text = format!(
                "Missing environment variables: {}: passed on as written, the server still starts",
                fields.missing.join(", ")
            );
            facts.push(Reason::new(
                &rules::EXPANSION,
                "variables",
                text,
                definition.place.clone(),
            ));
        }
        let held = self.held(&definition, origin, fields);
        let verdict = Reason::new(
            &rules::START,
            "loads",
            "nothing stands against it: it starts in every session here",
            None,
        );
        Contender {
            definition,
            facts,
            out,
            held,
            verdict,
        }
    }

    /// What keeps the whole source out.
    fn shut_out(&self, origin: Origin) -> Option<Objection> {
        let off = |rule: &'static Rule, short: &str, text: String| {
            Objection::new(Status::Off, short, Reason::new(rule, "flags", text, None))
        };
        if let Some(stop) = self.stop {
            let objection = Objection::new(
                Status::Invalid,
                "Claude Code does not start",
                stop.reason.clone(),
            );
            return Some(objection.with_remedy(stop.remedy.clone()));
        }
        match self.flags.bare {
            Some(Bare::Safe) => {
                return Some(off(
                    &rules::SESSION_FLAGS,
                    "safe mode",
                    format!("{} starts no server", Bare::Safe.phrase()),
                ));
            }
            Some(bare) if origin != Origin::Flag => {
                return Some(off(
                    &rules::SESSION_FLAGS,
                    "left out by a flag",
                    format!("{} starts only servers of --mcp-config", bare.phrase()),
                ));
            }
            _ => {}
        }
        if self.flags.strict_mcp_config && origin != Origin::Flag {
            return Some(off(
                &rules::SESSION_FLAGS,
                "--strict-mcp-config",
                "--strict-mcp-config takes only servers of --mcp-config".to_owned(),
            ));
        }
        if self.exclusive
            && matches!(
                origin,
                Origin::Local
                    | Origin::Project
                    | Origin::User
                    | Origin::Plugin
                    | Origin::ProjectPlugin
                    | Origin::Agent
            )
        {
            let reason = Reason::new(
                &rules::MANAGED_FILE,
                "policy",
                "your administrator's managed-mcp.json shuts out every other file",
                None,
            );
            return Some(Objection::new(
                Status::Blocked,
                "managed-mcp.json rules",
                reason,
            ));
        }
        if let Some(place) = &self.plugin_only
            && matches!(origin, Origin::Local | Origin::Project | Origin::User)
        {
            let text = "strictPluginOnlyCustomization in managed settings admits only servers of plugins and administrators";
            let reason = Reason::new(&rules::PLUGIN_ONLY, "policy", text, place.clone());
            return Some(Objection::new(
                Status::Blocked,
                "only plugins may bring it",
                reason,
            ));
        }
        let source = match origin {
            Origin::Local => "local",
            Origin::Project | Origin::ProjectPlugin => "project",
            Origin::User => "user",
            _ => return None,
        };
        (!self.flags.reads_source(source)).then(|| {
            off(
                &rules::SESSION_FLAGS,
                "not in --setting-sources",
                format!("--setting-sources leaves {source} out"),
            )
        })
    }

    fn invalid(&self, refusal: Refusal) -> Objection {
        let objection = Objection::new(
            Status::Invalid,
            refusal.short,
            Reason::new(refusal.rule, "invalid", refusal.message, refusal.place),
        );
        match refusal.remedy {
            Some(remedy) => objection.with_remedy(remedy),
            None => objection,
        }
    }

    /// The user's yes or no, which only servers of the project need.
    fn consent(&self, name: &str, origin: Origin, facts: &mut Vec<Reason>) -> Option<Objection> {
        if !matches!(origin, Origin::Project | Origin::ProjectPlugin) {
            return None;
        }
        if let Some(rejection) = self.approvals.rejection(name) {
            return Some(rejection);
        }
        if self.headless {
            let text = "a headless run starts it without asking";
            facts.push(Reason::new(
                &rules::HEADLESS_APPROVAL,
                "approval",
                text,
                None,
            ));
            return None;
        }
        match self.approvals.approval(name) {
            Ok(fact) => {
                facts.push(fact);
                None
            }
            Err(pending) => Some(pending),
        }
    }

    /// What keeps the server from starting although its name is its own.
    fn held(
        &self,
        definition: &Definition,
        origin: Origin,
        fields: &Expanded,
    ) -> Option<Objection> {
        let entry = &definition.entry;
        if let Some(denied) = self.policy.denial(&definition.name, entry, fields) {
            return Some(denied);
        }
        if !matches!(origin, Origin::ManagedFile | Origin::ManagedSettings)
            && let Some(refused) = self.policy.refusal(&definition.name, entry, fields)
        {
            return Some(refused);
        }
        if !self.headless
            && entry
                .url
                .as_ref()
                .is_some_and(|url| url.value.expose().is_empty())
        {
            let place = entry.url.as_ref().and_then(|url| url.place.clone());
            let reason = Reason::new(
                &rules::EMPTY_URL,
                "address",
                "Not configured: its url is empty",
                place,
            );
            return Some(
                Objection::new(Status::Broken, "its url is empty", reason)
                    .with_remedy("write its address into url"),
            );
        }
        let (_, place) = self
            .switched_off
            .iter()
            .find(|(name, _)| *name == definition.name)?;
        let text = "switched off for this project: disabledMcpServers in the state file";
        let reason = Reason::new(&rules::SWITCH, "switch", text, Some(place.clone()));
        Some(
            Objection::new(Status::Off, "switched off here", reason).with_remedy(format!(
                "/mcp in a session here, then enable {}",
                Shown(&definition.name)
            )),
        )
    }
}

fn plugin_off(plugin: &Plugin) -> Option<Objection> {
    let off = plugin.off.as_ref()?;
    let short = if off.status == Status::Untrusted {
        "folder not trusted"
    } else {
        "its plugin is off"
    };
    let reason = Reason::new(
        &rules::PLUGIN,
        "plugin",
        off.text.clone(),
        off.place.clone(),
    );
    Some(Objection::new(off.status, short, reason).with_remedy(off.remedy))
}

fn name_taken(definition: &Definition, taken: &HashSet<String>) -> Option<Objection> {
    if !taken.contains(&definition.name) {
        return None;
    }
    let text = format!(
        "another server is already called {}",
        Shown(&definition.name)
    );
    let reason = Reason::new(
        &rules::PLUGIN_DUPLICATE,
        "wins",
        text,
        definition.place.clone(),
    );
    Some(Objection::new(
        Status::Overridden,
        "its name is taken",
        reason,
    ))
}

/// What the active servers run or reach, so that plugins do not bring them a second time.
#[derive(Debug, Default)]
struct Active {
    known: Vec<(Signature, String, Option<Place>)>,
}

#[derive(Debug, PartialEq, Eq)]
enum Signature {
    Command(Vec<String>),
    Url(String),
}

impl Signature {
    /// Environment, type and headers do not matter; nor does a slash at an address's end.
    fn of(fields: &Expanded) -> Option<Signature> {
        match (&fields.command, &fields.url) {
            (Some(command), _) => Some(Signature::Command(command.clone())),
            (None, Some(url)) => Some(Signature::Url(
                url.strip_suffix('/').unwrap_or(url).to_owned(),
            )),
            (None, None) => None,
        }
    }
}

impl Active {
    fn add(&mut self, definition: &Definition, fields: &Expanded) {
        if let Some(signature) = Signature::of(fields) {
            self.known
                .push((signature, definition.name.clone(), definition.place.clone()));
        }
    }

    fn duplicate(&self, fields: &Expanded) -> Option<Objection> {
        let signature = Signature::of(fields)?;
        let (_, name, place) = self
            .known
            .iter()
            .find(|(known, _, _)| *known == signature)?;
        let what = if matches!(signature, Signature::Command(_)) {
            "runs the same command"
        } else {
            "has the same address"
        };
        let reason = Reason::new(
            &rules::PLUGIN_DUPLICATE,
            "wins",
            format!("{} {what}", Shown(name)),
            place.clone(),
        );
        Some(Objection::new(
            Status::Overridden,
            format!("same as {}", Shown(name)),
            reason,
        ))
    }
}
