//! Gemini CLI 0.61.0.
//!
//! ```text
//! GEMINI_CLI_HOME, system paths ─► ground ─► settings: defaults < user < project < system ──► layers: whole entries by name
//!                                              │ schema: warnings only                            │
//! trustedFolders.json ─► trust: does the project count? may servers start? ◄── .env (dotenv) ─────┤
//! ~/.gemini/extensions ─► extensions: key by key below the settings' entries ─────────────────────┤
//!                                                                                                 ▼
//!            lists, enablement, faults ─► judge: allowed? switched on? usable? ─► servers    launch: the environment, redacted
//! ```
//!
//! Two questions are answered: what a session starts, and what `gemini mcp list` connects to; the two differ in more than one way. A
//! fault of a file stops everything ([`stop`]), a fault of a value is only warned of and used as it is ([`value`], [`schema`]): most of what
//! follows from that is JavaScript's. Not known: the trust that an IDE gives, what Google's administration adds, OAuth, sandboxes.

mod agents;
mod dotenv;
mod elsewhere;
mod enablement;
mod entry;
mod example;
mod extension_policy;
mod extensions;
mod faults;
mod ground;
mod idiom;
mod judge;
mod launch;
mod layers;
mod lists;
mod redaction;
mod rules;
mod schema;
mod schema_table;
mod schema_types;
mod server_command;
mod session;
mod settings;
mod stop;
mod together;
mod tools;
mod trust;
mod value;
mod variables;

use camino::Utf8Path;
use muster_core::{
    CommandLineError, Dossier, Environment, Field, Harness, Idiom, LaunchError, LaunchPlan,
    Resolution, Rule, Server, Session, Unset, VariableForm, World, settle,
};
use muster_document::{Secret, Shown};

use enablement::{Enablement, ServerSwitches};
use extension_policy::Policy;
use ground::Ground;
use judge::{Circumstances, Judged};
use layers::Merged;
use lists::Lists;
use session::Flags;
use settings::{Layer, LayerFile, Settings};
use stop::Stop;
use trust::{Decision, Switch, TrustedFolders};

/// Gemini CLI.
#[derive(Debug)]
pub struct GeminiCli;

impl Harness for GeminiCli {
    fn id(&self) -> &'static str {
        "gemini-cli"
    }

    fn name(&self) -> &'static str {
        "Gemini CLI"
    }

    fn rules_version(&self) -> &'static str {
        rules::VERSION
    }

    fn rules(&self) -> &'static [&'static Rule] {
        rules::ALL
    }

    fn consents(&self) -> &'static [&'static Rule] {
        rules::CONSENTS
    }

    fn home_variables(&self) -> &'static [&'static str] {
        &[
            "GEMINI_CLI_HOME",
            "GEMINI_CLI_TRUSTED_FOLDERS_PATH",
            "GEMINI_CLI_TRUST_WORKSPACE",
            "GEMINI_CLI_SYSTEM_SETTINGS_PATH",
            "GEMINI_CLI_SYSTEM_DEFAULTS_PATH",
            "GEMINI_RESTRICTED_MODE",
        ]
    }

    fn programs(&self) -> &'static [&'static str] {
        &["gemini"]
    }

    fn package(&self) -> Option<&'static str> {
        Some("@google/gemini-cli")
    }

    fn variables(&self, _field: Field) -> &'static [VariableForm] {
        &[
            VariableForm::Dollar,
            VariableForm::Braces,
            VariableForm::Default,
        ]
    }

    fn unset(&self, field: Field) -> Unset {
        match field {
            Field::EnvValue | Field::HeaderValue => Unset::Empty,
            _ => Unset::StaysText,
        }
    }

    fn tool_name(&self, server: &str, tool: &str) -> String {
        tools::name(server, tool)
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
        with_account(world, |dossier, ground, files, circumstances, known| {
            let stop = circumstances.stop;
            let judged = circumstances.judge();
            let mut servers: Vec<Server> = judged.into_iter().map(|judged| judged.server).collect();
            let home = ground::home(world, circumstances.env);
            let agents = agents::find(dossier, ground, &home);
            let mut aside = agents.refused;
            aside.extend(elsewhere::find(dossier, ground, files, stop));
            servers.extend(settle(aside, &rules::MERGE));
            note_legacy(dossier, circumstances.layers);
            let situation = situation(dossier, circumstances, &servers);
            let mut variables = muster_core::named_variables(&servers, circumstances.env);
            variables.extend(known);
            Resolution {
                id: self.id(),
                name: self.name(),
                rules_version: self.rules_version(),
                installed: muster_core::installed_version(world, "gemini", "@google/gemini-cli"),
                files: std::mem::take(&mut dossier.files),
                servers,
                elsewhere: agents.elsewhere,
                notes: std::mem::take(&mut dossier.notes),
                stopped: stop.map(Stop::note),
                sources: std::mem::take(&mut dossier.sources),
                variables,
                situation,
                takes_from: None,
                first_steps: first_steps(world, ground),
            }
        })
    }

    fn launch(&self, world: &World<'_>, server: &Server) -> Result<LaunchPlan, LaunchError> {
        if let Some(error) = LaunchError::of(server) {
            return Err(error);
        }
        with_account(world, |_, _, _, circumstances, _| {
            let judged = circumstances.judge();
            let found: Option<&Judged<'_, '_>> =
                judged.iter().find(|judged| launch::is(judged, server));
            match found {
                Some(judged) => launch::plan(circumstances, judged),
                None => Err(LaunchError::GivesUp(
                    "Gemini CLI does not read this definition".to_owned(),
                )),
            }
        })
    }
}

/// Reads everything that decides, and gives it to `then`.
fn with_account<R>(
    world: &World<'_>,
    then: impl FnOnce(
        &mut Dossier<'_>,
        &Ground,
        &[LayerFile],
        &Circumstances<'_, '_, '_>,
        Vec<(String, Secret)>,
    ) -> R,
) -> R {
    let flags = Flags::of(world);
    let ground = Ground::survey(world);
    let mut dossier = Dossier::new(world);
    let (files, broken) = settings::read(&mut dossier, &ground);
    let layers: Vec<Layer<'_>> = files
        .iter()
        .filter_map(|file| Layer::of(&mut dossier, file))
        .collect();
    let folders = TrustedFolders::read(&mut dossier, &ground);
    let mut stop = None;
    let mut decide = |dossier: &Dossier<'_>, env: &Environment, settings: &Settings<'_, '_>| {
        trust::decide(dossier, &ground, env, &switch(settings), &folders).unwrap_or_else(|fault| {
            stop.get_or_insert(fault);
            Decision::unknown()
        })
    };
    // A project cannot say that it need not be trusted.
    let project_counts = decide(&dossier, &world.env, &Settings::of(&layers, false));
    let settings = Settings::of(&layers, project_counts.trusted);
    let at_start = decide(&dossier, &world.env, &settings);
    let excluded = excluded_variables(&settings);
    let conditions = dotenv::Conditions {
        trusted: at_start.trusted,
        home_only: flags.ignore_env || settings.on(&["advanced", "ignoreLocalEnv"], false),
        excluded: &excluded,
    };
    let dotenv::Loaded {
        mut env,
        set: mut known,
        giver,
    } = dotenv::load(&mut dossier, &ground, &conditions);
    if flags.skip_trust {
        env.set("GEMINI_CLI_TRUST_WORKSPACE", "true");
    }
    let trust = match flags.lists {
        true => project_counts.clone(),
        false => decide(&dossier, &env, &settings),
    };
    let home = ground::home(world, &env);
    let policy = policy(&settings, &trust);
    let (extension_files, refused) = extensions::read(&mut dossier, &home, &policy);
    let enablement = match extension_files.is_empty() {
        true => Enablement::default(),
        false => Enablement::read(&mut dossier, &home),
    };
    let workspace = match policy.trusted
        && !extension_files.is_empty()
        && world.files.is_file(&ground.cwd.join(".env"))
    {
        true => dotenv::read(&mut dossier, &ground.cwd.join(".env")),
        false => Vec::new(),
    };
    let context = extensions::Context {
        env: &env,
        workspace: &workspace,
        flags: &flags,
        enablement: &enablement,
        own_settings: policy.own_settings,
    };
    let (extensions, doubled) = extensions::of(&dossier, &extension_files, &context);
    known.extend(
        extensions
            .iter()
            .flat_map(|extension| extension.given.iter().cloned()),
    );
    known.extend(
        workspace
            .iter()
            .map(|(name, value)| (name.clone(), Secret::new(value))),
    );
    let switches = ServerSwitches::read(&mut dossier, &home);
    let lists = Lists::of(&settings, &flags);
    let merged = Merged::of(&settings);
    let stop = stop
        .or(broken)
        .or_else(|| settings::crash(&dossier, &settings))
        .or_else(|| settings::wrong_mode(&dossier, &settings, &flags))
        .or_else(|| merged.crash(world))
        .or_else(|| lists::crash(&dossier, &settings, &flags))
        .or(refused)
        .or(doubled);
    let circumstances = Circumstances {
        world,
        flags: &flags,
        layers: &layers,
        settings: &settings,
        merged: &merged,
        project_counts: &project_counts,
        trust: &trust,
        extensions: &extensions,
        lists: &lists,
        switches: &switches,
        env: &env,
        env_giver: giver,
        stop: stop.as_ref(),
    };
    then(&mut dossier, &ground, &files, &circumstances, known)
}

/// `security.folderTrust.enabled`, which is on unless something says otherwise.
fn switch(settings: &Settings<'_, '_>) -> Switch {
    let given = settings.get(&["security", "folderTrust", "enabled"]);
    Switch {
        on: given.is_none_or(|(_, value)| value.is_null() || value.truthy()),
        place: given.map(|(layer, value)| settings::place(layer, value)),
    }
}

/// `advanced.excludedEnvVars`, to which every layer adds.
fn excluded_variables(settings: &Settings<'_, '_>) -> Vec<String> {
    let usual = ["DEBUG", "DEBUG_MODE"].map(str::to_owned);
    usual
        .into_iter()
        .chain(settings.union(&["advanced", "excludedEnvVars"]))
        .collect()
}

fn policy(settings: &Settings<'_, '_>, trust: &Decision) -> Policy {
    let at = |path: &[&str]| {
        settings
            .get(path)
            .map(|(layer, value)| settings::place(layer, value))
    };
    let (allowed, git) = (
        ["security", "allowedExtensions"],
        ["security", "blockGitExtensions"],
    );
    Policy {
        allowed: settings.texts(&allowed),
        allowed_place: at(&allowed),
        block_git: settings.on(&git, false),
        block_place: at(&git),
        own_settings: settings.on(&["experimental", "extensionConfig"], true),
        trusted: trust.trusted,
    }
}

/// Keys of older versions, and of Google's administration: they do nothing in a file.
fn note_legacy(dossier: &mut Dossier<'_>, layers: &[Layer<'_>]) {
    for layer in layers {
        for (key, rule, text) in [
            (
                "allowMCPServers",
                &rules::LEGACY,
                "allowMCPServers does nothing: the list is called mcp.allowed now",
            ),
            (
                "excludeMCPServers",
                &rules::LEGACY,
                "excludeMCPServers does nothing: the list is called mcp.excluded now",
            ),
            (
                "admin",
                &rules::ADMIN,
                "admin does nothing in a file: only Google's administration can set it",
            ),
        ] {
            if let Some((key, _)) = layer.root.member(key) {
                dossier.note(rule, text, Some(layer.document.place(key.span)));
            }
        }
    }
}

/// What an untrusted folder means for the whole session.
fn situation(
    dossier: &mut Dossier<'_>,
    circumstances: &Circumstances<'_, '_, '_>,
    servers: &[Server],
) -> Option<String> {
    let trust = circumstances.trust;
    if trust.trusted || circumstances.stop.is_some() || servers.is_empty() {
        return None;
    }
    let (text, situation) = match (dossier.world.headless(), trust.open, trust.off) {
        (true, _, false) => (
            "Gemini CLI is not running in a trusted directory: a headless run ends at once, with exit code 55, unless --skip-trust is given",
            "this folder is not trusted",
        ),
        (false, true, _) => (
            "Gemini CLI asks whether to trust this folder when it starts here, and starts no server, not even yours, until that is answered",
            "nothing starts until trust is answered",
        ),
        _ => (
            "in a folder that is not trusted Gemini CLI starts no server of any layer",
            "this folder is not trusted",
        ),
    };
    dossier.note(&rules::TRUST, text, None);
    Some(situation.to_owned())
}

fn first_steps(world: &World<'_>, ground: &Ground) -> Vec<String> {
    vec![
        "gemini mcp add NAME COMMAND (this folder), with -s user for every folder".to_owned(),
        format!(
            "or write mcpServers into {} or .gemini/settings.json here",
            Shown(&world.tilde(&ground.user_settings))
        ),
    ]
}

#[cfg(test)]
mod tests;
