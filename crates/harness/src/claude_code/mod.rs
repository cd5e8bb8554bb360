//! Claude Code: seven kinds of place, merged whole by name, with approvals, policies and plugins.
//!
//! A session in a folder is resolved in this order, observed on 2.1.332:
//!
//! 1. [`ground`]: the session folder, the git root, the project key, the configuration folder;
//! 2. [`settings`] and [`state`]: what the files say, which of them are dropped, what is trusted;
//! 3. [`sources`] and [`plugins`]: every definition, checked by [`entry`];
//! 4. [`judge`]: what is out before names are compared ([`approval`]), who wins, what is held back after ([`policy`], switches).
//!
//! The command line is read by [`session`], variables are filled by [`expand`], and [`launch`] tells how a server is started.

mod address;
mod agents;
mod approval;
mod dialect;
mod duplicates;
mod elsewhere;
mod entry;
mod example;
mod expand;
mod ground;
mod idiom;
mod judge;
mod launch;
#[cfg(test)]
mod platforms;
mod plugins;
mod policy;
mod rules;
mod session;
mod settings;
mod settings_keys;
mod sources;
mod state;

use std::collections::HashSet;

use camino::Utf8Path;
use muster_core::{
    CommandLineError, Dossier, Elsewhere, Field, Harness, Idiom, LaunchError, LaunchPlan, Note,
    Platform, Reason, Resolution, Rule, Scope, Server, Session, Unset, VariableForm, World,
};
use muster_document::Shown;

use approval::Approvals;
use expand::Variables;
use ground::Ground;
use judge::{Circumstances, Late};
use policy::Policy;
use session::Flags;
use settings::Settings;
use sources::Found;
use state::{LegacyAnswers, State, Trust};

/// Claude Code.
#[derive(Debug)]
pub struct ClaudeCode;

/// Why Claude Code does not start at all.
#[derive(Debug, Clone)]
struct Stop {
    reason: Reason,
    remedy: String,
}

impl Harness for ClaudeCode {
    fn id(&self) -> &'static str {
        "claude-code"
    }

    fn name(&self) -> &'static str {
        "Claude Code"
    }

    fn rules_version(&self) -> &'static str {
        rules::VERSION
    }

    fn loses_tools_over(&self) -> &'static [muster_core::ListFault] {
        use muster_core::ListFault::{NoSchema, NoTool, SchemaNoObject, SchemaOfNoObject};
        // Observed on this version with servers that have one fault each.
        &[NoTool, NoSchema, SchemaNoObject, SchemaOfNoObject]
    }

    fn rules(&self) -> &'static [&'static Rule] {
        rules::ALL
    }

    fn consents(&self) -> &'static [&'static Rule] {
        rules::CONSENTS
    }

    fn home_variables(&self) -> &'static [&'static str] {
        &[
            "CLAUDE_CONFIG_DIR",
            "CLAUDE_CODE_SAFE_MODE",
            "CLAUDE_CODE_SIMPLE",
        ]
    }

    fn programs(&self) -> &'static [&'static str] {
        &["claude"]
    }

    fn package(&self) -> Option<&'static str> {
        Some("@anthropic-ai/claude-code")
    }

    fn variables(&self, field: Field) -> &'static [VariableForm] {
        match field {
            // No entry has one.
            Field::Cwd => &[],
            _ => &[VariableForm::Braces, VariableForm::Default],
        }
    }

    fn unset(&self, _field: Field) -> Unset {
        Unset::StaysText
    }

    fn tool_name(&self, server: &str, tool: &str) -> String {
        launch::tool_name(server, tool)
    }

    fn idiom(&self) -> &'static Idiom {
        &idiom::IDIOM
    }

    fn example(&self) -> &'static [(&'static str, &'static str)] {
        example::FILES
    }

    fn session(&self, words: &[String], cwd: &Utf8Path) -> Result<Session, CommandLineError> {
        session::session(words, cwd)
    }

    fn resolve(&self, world: &World<'_>) -> Resolution {
        let mut dossier = Dossier::new(world);
        let ground = Ground::survey(world);
        let mut stop = None;
        let flags = Flags::of(world).unwrap_or_default();
        let (settings, managed_stop) = Settings::read(&mut dossier, &ground, &flags);
        let (state, state_stop) = State::read(&mut dossier, &ground);
        let trust = Trust::look_up(&state, &ground);
        let legacy = LegacyAnswers::of(&state, &ground.project);
        let approvals = Approvals::collect(world, &ground, &settings, &trust, legacy);
        let variables = Variables::of(world, &settings);
        let policy = Policy::join(&settings, &variables);

        let sources = Sources::gather(&mut dossier, &ground, &flags, &settings, &state, &variables);
        stop = stop.or(managed_stop).or(state_stop).or(sources.stop);
        let plugins = plugins::find(&mut dossier, &ground, &flags, &settings, &trust);
        let plugins = plugins.into_iter().map(|plugin| {
            let found = plugin.servers(&mut dossier);
            (plugin, found)
        });
        let plugins = plugins.collect();
        let circumstances = Circumstances {
            headless: world.headless(),
            ground: &ground,
            flags: &flags,
            trust: &trust,
            approvals: &approvals,
            policy: &policy,
            variables: &variables,
            switched_off: state.switched_off(&ground.project),
            exclusive: sources.exclusive,
            plugin_only: judge::plugin_only(&settings),
            stop: stop.as_ref(),
            late: if world.headless() {
                Late::of(&settings, &variables)
            } else {
                None
            },
        };
        let servers = circumstances.judge(sources.found, plugins);
        let mut elsewhere = note_elsewhere(&mut dossier, &state, &ground);
        elsewhere.extend(agents_elsewhere(&mut dossier, &ground, &servers));
        let situation = situation(&mut dossier, &trust, &servers);
        if world.platform != Platform::Linux {
            dossier.note(&rules::PLATFORM, "these rules were seen on Linux; what is different on this platform is as documents tell it", None);
        }
        let named = muster_core::named_variables(&servers, &world.env);
        let known = settings.variables.iter().cloned();
        Resolution {
            id: self.id(),
            name: self.name(),
            rules_version: self.rules_version(),
            installed: muster_core::installed_version(world, "claude", "@anthropic-ai/claude-code"),
            takes_from: None,
            first_steps: first_steps(&dossier, &ground),
            files: dossier.files,
            servers,
            elsewhere,
            notes: dossier.notes,
            stopped: stop.map(|stop| Note {
                rule: stop.reason.rule,
                text: stop.reason.text,
                place: stop.reason.place,
            }),
            sources: dossier.sources,
            variables: named.into_iter().chain(known).collect(),
            situation,
        }
    }

    fn launch(&self, world: &World<'_>, server: &Server) -> Result<LaunchPlan, LaunchError> {
        launch::plan(world, server)
    }
}

/// Every definition outside plugins, strongest first.
struct Sources {
    found: Vec<Found>,
    exclusive: bool,
    stop: Option<Stop>,
}

impl Sources {
    fn gather(
        dossier: &mut Dossier<'_>,
        ground: &Ground,
        flags: &Flags,
        settings: &Settings,
        state: &State,
        variables: &Variables,
    ) -> Sources {
        let (mut found, mut stop) = match sources::from_flag(dossier, &flags.mcp_config) {
            Ok(found) => (found, None),
            Err(stop) => (Vec::new(), Some(*stop)),
        };
        let managed = sources::from_managed_file(dossier, ground);
        let exclusive = managed.is_some();
        if exclusive && (!flags.mcp_config.is_empty() || flags.strict_mcp_config) {
            let text = "Claude Code does not start: managed-mcp.json forbids --mcp-config and --strict-mcp-config";
            let reason = Reason::new(&rules::MANAGED_FILE, "policy", text, None);
            stop.get_or_insert(Stop {
                reason,
                remedy: "leave these flags out".to_owned(),
            });
        }
        found.extend(managed.unwrap_or_default());
        found.extend(sources::from_managed_settings(settings, variables));
        match agents::from_agent(dossier, ground, flags, settings, state) {
            Ok(servers) => found.extend(servers),
            Err(missing) => drop(stop.get_or_insert(*missing)),
        }
        found.extend(sources::from_state(
            dossier,
            ground,
            state,
            Some(&ground.project),
        ));
        found.extend(sources::from_project_files(dossier, ground));
        found.extend(sources::from_state(dossier, ground, state, None));
        found.extend(elsewhere::find(dossier, ground, state));
        Sources {
            found,
            exclusive,
            stop,
        }
    }
}

/// What the state file holds for folders that have nothing to do with this one; a note counts it.
fn note_elsewhere(dossier: &mut Dossier<'_>, state: &State, ground: &Ground) -> Vec<Elsewhere> {
    let others = state.other_projects(&ground.project);
    let others = others
        .into_iter()
        .filter(|(key, _, _)| !elsewhere::means_this_place(dossier, ground, key));
    let mut folders = 0;
    let mut found = Vec::new();
    for (key, document, map) in others {
        folders += 1;
        let text = format!(
            "defined for {} only",
            Shown(&dossier.world.tilde(Utf8Path::new(key)))
        );
        let servers = map.effective_members().into_iter();
        found.extend(servers.map(|server| Elsewhere {
            name: server.key.text.clone(),
            place: document.place(server.key.span),
            text: text.clone(),
        }));
    }
    let servers = found.len();
    if servers > 0 {
        let count = |n: usize, what: &str| {
            if n == 1 {
                format!("1 {what}")
            } else {
                format!("{n} {what}s")
            }
        };
        let text = format!(
            "{} for {} in {}: of no concern here",
            count(servers, "server"),
            count(folders, "other folder"),
            Shown(&dossier.world.tilde(&ground.state))
        );
        dossier.note(&rules::LOCAL_SCOPE, text, None);
    }
    found
}

/// What agents define that do not run this session.
fn agents_elsewhere(
    dossier: &mut Dossier<'_>,
    ground: &Ground,
    servers: &[Server],
) -> Vec<Elsewhere> {
    let of_agents = servers
        .iter()
        .filter(|server| server.definition.scope == Scope::Agent)
        .filter_map(|server| Some(&server.definition.place.as_ref()?.path));
    let running: HashSet<_> = of_agents.collect();
    let mut found = agents::of_others(dossier, ground);
    found.retain(|found| !running.contains(&found.place.path));
    found
}

/// An open trust question: it stands before everything else in a session with a person at it.
fn situation(dossier: &mut Dossier<'_>, trust: &Trust, servers: &[Server]) -> Option<String> {
    if trust.loose || dossier.world.headless() || servers.is_empty() {
        return None;
    }
    let text = "this folder is not trusted yet: Claude Code asks before the session begins, and ends if you say no";
    dossier.note(&rules::TRUST, text, trust.place.clone());
    Some("this folder is not trusted yet".to_owned())
}

fn first_steps(dossier: &Dossier<'_>, ground: &Ground) -> Vec<String> {
    vec![
        "claude mcp add NAME -- COMMAND".to_owned(),
        format!(
            "or write mcpServers into {} (every folder) or .mcp.json here (this folder)",
            Shown(&dossier.world.tilde(&ground.state))
        ),
    ]
}
