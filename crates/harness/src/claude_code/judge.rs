//! From what was found to verdicts.

use std::collections::HashSet;

use muster_core::{Contender, Definition, Objection, Reason, Rule, Server, Status, settle};
use muster_document::{Place, Shown};

use super::approval::Approvals;
use super::duplicates::{Active, name_taken, plugin_off};
use super::entry::Refusal;
use super::expand::{Expanded, PluginFolders, Variables};
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
    /// What policies are judged with once more.
    pub(super) late: Option<Late>,
}

/// Headless sessions judge policies a second time, with the variables that the project's settings give. A server must pass both.
#[derive(Debug)]
pub(super) struct Late {
    policy: Policy,
    variables: Variables,
}

impl Late {
    /// The second judgement of `settings`; `None` where it would be the first one again.
    pub(super) fn of(settings: &Settings, variables: &Variables) -> Option<Late> {
        let variables = variables.with_project(settings)?;
        Some(Late {
            policy: Policy::join(settings, &variables),
            variables,
        })
    }
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
            let contender = self.contender(server, &fields, None);
            if contender.out.is_none() {
                taken.insert(contender.definition.name.clone());
            }
            contenders.push(contender);
            expanded.push(fields);
        }
        let mut servers = settle(contenders, &rules::PRECEDENCE);
        // What is active only matters to plugins.
        if !plugins.is_empty() {
            for (server, fields) in servers.iter().zip(&expanded) {
                if server.status == Status::Configured {
                    active.add(&server.definition, fields);
                }
            }
        }
        for (plugin, found) in plugins {
            let folders = plugin.folders(self.ground);
            let variables = self.variables.with_plugin(folders.clone());
            for server in found {
                let fields = variables.expand(&server.checked.entry);
                let mut contender = self.contender(server, &fields, Some(&folders));
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

    fn contender(
        &self,
        found: Found,
        fields: &Expanded,
        folders: Option<&PluginFolders>,
    ) -> Contender {
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
            let reason = Reason::new(
                origin.rule(),
                "ignored",
                unread.text,
                definition.place.clone(),
            );
            Objection::new(unread.status, unread.short, reason).with_remedy(unread.remedy)
        });
        let mut out = unread
            .or_else(|| self.shut_out(origin))
            .or_else(|| checked.refusal.map(|refusal| self.invalid(refusal)));
        let held = self.held(&definition, origin, fields, folders);
        if out.is_none() {
            // A policy that keeps it out comes before the question: accepting it would change nothing.
            let blocked = held
                .as_ref()
                .filter(|held| held.status == Status::Blocked)
                .cloned();
            out = self
                .consent(&definition.name, origin, &mut facts)
                .map(|asked| match (asked.status, blocked) {
                    (Status::NeedsApproval, Some(blocked)) => blocked,
                    _ => asked,
                });
        }
        if let Some(missing) = fields.missing.sentence() {
            let text = format!(
                "Missing environment variables: {missing}: passed on as written, the server still starts"
            );
            facts.push(Reason::new(
                &rules::EXPANSION,
                "variables",
                text,
                definition.place.clone(),
            ));
        }
        let verdict = Reason::new(
            &rules::START,
            "loads",
            "nothing speaks against it: it starts in this session",
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
        if let Some(rejection) = self.approvals.rejection(name, !self.headless) {
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
        folders: Option<&PluginFolders>,
    ) -> Option<Objection> {
        let mut objections = self.kept_out(self.policy, definition, origin, fields);
        if let Some(late) = self.late.as_ref().filter(|_| objections.is_empty()) {
            let of_plugin = folders.map(|folders| late.variables.with_plugin(folders.clone()));
            let fields = of_plugin
                .as_ref()
                .unwrap_or(&late.variables)
                .expand(&definition.entry);
            objections = self.kept_out(&late.policy, definition, origin, &fields);
            if let Some(objection) = objections.first_mut() {
                let text = "policies are judged once more with the variables that the project's settings give";
                objection
                    .reasons
                    .insert(0, Reason::new(&rules::PROJECT_ENV, "variables", text, None));
            }
        }
        objections.extend(self.empty_url(definition));
        objections.extend(self.switch(definition));
        stacked(objections)
    }

    /// The lists that keep it out. Allow lists are not for what an administrator brings.
    fn kept_out(
        &self,
        policy: &Policy,
        definition: &Definition,
        origin: Origin,
        fields: &Expanded,
    ) -> Vec<Objection> {
        let (name, entry) = (&definition.name, &definition.entry);
        let managed = matches!(origin, Origin::ManagedFile | Origin::ManagedSettings);
        let refusal = if managed {
            None
        } else {
            policy.refusal(name, entry, fields)
        };
        policy
            .denial(name, entry, fields)
            .into_iter()
            .chain(refusal)
            .collect()
    }

    fn empty_url(&self, definition: &Definition) -> Option<Objection> {
        let url = definition
            .entry
            .url
            .as_ref()
            .filter(|url| !self.headless && url.value.expose().is_empty())?;
        let reason = Reason::new(
            &rules::EMPTY_URL,
            "address",
            "Not configured: its url is empty",
            url.place.clone(),
        );
        Some(
            Objection::new(Status::Broken, "its url is empty", reason)
                .with_remedy("write its address into url"),
        )
    }

    fn switch(&self, definition: &Definition) -> Option<Objection> {
        let (_, place) = self
            .switched_off
            .iter()
            .find(|(name, _)| *name == definition.name)?;
        let text = "switched off for this project: disabledMcpServers in the state file";
        let reason = Reason::new(&rules::SWITCH, "switch", text, Some(place.clone()));
        let remedy = format!(
            "/mcp in a session here, then enable {}",
            Shown(&definition.name)
        );
        Some(Objection::new(Status::Off, "switched off here", reason).with_remedy(remedy))
    }
}

/// Several objections as one: the first decides, and what would help must help against all.
fn stacked(objections: Vec<Objection>) -> Option<Objection> {
    let mut objections = objections.into_iter();
    let mut first = objections.next()?;
    for other in objections {
        let remedies = first.remedies.iter().zip(&other.remedies);
        first.remedies = remedies
            .map(|(one, more)| format!("{one}; and then: {more}"))
            .collect();
        first.reasons.splice(0..0, other.reasons);
    }
    Some(first)
}
