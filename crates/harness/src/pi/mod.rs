//! Pi 1.6.0.
//!
//! ```text
//! command line ─► session: flags            PI_CODING_AGENT_DIR ─► ground: where Pi looks
//! settings, extensions ─► trust: does the project count?   is the built-in support for MCP on?
//!                           │
//! mcp.json, .pi/mcp.json ─► config: entry by entry (entry, address) ─► rows: switched on? values there? ─► servers
//! ```
//!
//! Two questions are answered: what a session starts, and what `pi mcp list` reports, which knows neither flags nor settings and starts
//! every server itself. Pi is a program of JavaScript: what the rules' [evidence](muster_core::Evidence) calls documented was read in its
//! source. Servers that extensions register, sign-in, and other folders' sessions are not known.

mod address;
mod config;
mod elsewhere;
mod entry;
mod example;
mod extensions;
mod ground;
mod helper;
mod idiom;
mod launch;
mod names;
mod patterns;
mod rows;
mod rules;
mod session;
mod settings;
mod stop;
mod template;
mod trust;

use camino::Utf8Path;
use muster_core::{
    CommandLineError, Dossier, Field, Harness, Idiom, LaunchError, LaunchPlan, Objection, Reason,
    Resolution, Rule, Scope, Server, Session, Status, Unset, VariableForm, World,
};
use muster_document::{Masked, Secret, Shown};

use extensions::Extensions;
use ground::Ground;
use rows::Circumstances;
use session::Flags;
use settings::Settings;
use stop::Stop;
use trust::{Answer, Trust};

/// Pi.
#[derive(Debug)]
pub struct Pi;

impl Harness for Pi {
    fn id(&self) -> &'static str {
        "pi"
    }

    fn name(&self) -> &'static str {
        "Pi"
    }

    fn rules_version(&self) -> &'static str {
        rules::VERSION
    }

    fn loses_tools_over(&self) -> &'static [muster_core::ListFault] {
        use muster_core::ListFault::{NoSchema, NoTool, RepeatedCursor, SchemaNoObject};
        // Observed on this version with servers that have one fault each.
        &[NoTool, NoSchema, SchemaNoObject, RepeatedCursor]
    }

    fn rules(&self) -> &'static [&'static Rule] {
        rules::ALL
    }

    fn consents(&self) -> &'static [&'static Rule] {
        rules::CONSENTS
    }

    fn home_variables(&self) -> &'static [&'static str] {
        &["PI_CODING_AGENT_DIR"]
    }

    fn programs(&self) -> &'static [&'static str] {
        &["pi"]
    }

    fn package(&self) -> Option<&'static str> {
        Some("@earendil-works/pi-coding-agent")
    }

    fn variables(&self, field: Field) -> &'static [VariableForm] {
        match field {
            Field::EnvValue | Field::HeaderValue => &[VariableForm::Dollar, VariableForm::Braces],
            _ => &[],
        }
    }

    fn unset(&self, field: Field) -> Unset {
        match field {
            Field::EnvValue | Field::HeaderValue => Unset::ServerFails,
            _ => Unset::StaysText,
        }
    }

    fn tool_name(&self, server: &str, tool: &str) -> String {
        names::tool_name(server, tool)
    }

    fn idiom(&self) -> &'static Idiom {
        &idiom::IDIOM
    }

    fn example(&self) -> &'static [(&'static str, &'static str)] {
        example::FILES
    }

    fn session(&self, words: &[String], _cwd: &Utf8Path) -> Result<Session, CommandLineError> {
        Ok(Flags::read(words)?.session(words))
    }

    fn resolve(&self, world: &World<'_>) -> Resolution {
        let flags = Flags::of(world);
        let ground = Ground::survey(world);
        let mut dossier = Dossier::new(world);
        let setting = Setting::read(&mut dossier, &ground, &flags);
        let trusted = match &setting.trust {
            Ok(trust) => trust.answer == Answer::Yes,
            // Nothing loads; the rows tell what would.
            Err(_) => true,
        };
        let mut found = config::gather(&mut dossier, &ground, trusted);
        let stop = setting
            .trust
            .as_ref()
            .err()
            .map(|stop| (**stop).clone())
            .or_else(|| {
                flags
                    .lists
                    .then(|| rows::end_of_list(&dossier, &found))
                    .flatten()
            });
        let stop = stop.or_else(|| setting.crash.clone());
        found.extend(elsewhere::find(&mut dossier, &ground));
        let circumstances = Circumstances {
            world,
            lists: flags.lists,
            stop: stop.as_ref(),
            trust: setting.trust.as_ref().ok(),
            mcp_off: setting.mcp_off.as_ref(),
        };
        let servers = circumstances.judge(found);
        if stop.is_none() {
            setting.tell(&mut dossier, &flags, &servers);
        }
        let variables = muster_core::named_variables(&servers, &world.env);
        Resolution {
            id: self.id(),
            name: self.name(),
            rules_version: self.rules_version(),
            installed: muster_core::installed_version(
                world,
                "pi",
                "@earendil-works/pi-coding-agent",
            ),
            situation: setting.situation(&servers).filter(|_| stop.is_none()),
            takes_from: None,
            first_steps: first_steps(&ground, world),
            files: dossier.files,
            servers,
            elsewhere: Vec::new(),
            notes: dossier.notes,
            stopped: stop.map(|stop| stop.note()),
            sources: dossier.sources,
            variables,
        }
    }

    fn launch(&self, world: &World<'_>, server: &Server) -> Result<LaunchPlan, LaunchError> {
        launch::plan(world, server)
    }
}

/// What holds for every server of a session.
#[derive(Debug)]
struct Setting {
    trust: Result<Trust, Box<Stop>>,
    /// Why no server starts.
    mcp_off: Option<Objection>,
    /// What ends the session beside trust.
    crash: Option<Stop>,
    extensions: Extensions,
}

impl Setting {
    /// Reads settings, extensions and trust. `pi mcp list` asks for trust alone.
    fn read(dossier: &mut Dossier<'_>, ground: &Ground, flags: &Flags) -> Setting {
        if flags.lists {
            return Setting {
                trust: Trust::look_up(dossier, ground, flags, None, None),
                mcp_off: None,
                crash: None,
                extensions: Extensions::default(),
            };
        }
        let user = ground
            .agent
            .as_ref()
            .map(|agent| Settings::read(dossier, agent, Scope::User));
        let mut extensions = Extensions::find(dossier, flags, user.as_ref());
        let asker = extensions
            .asker()
            .map(|asker| dossier.world.shown(&asker.path));
        let trust = Trust::look_up(dossier, ground, flags, user.as_ref(), asker.as_deref());
        let trusted = trust
            .as_ref()
            .is_ok_and(|trust| trust.answer == Answer::Yes);
        let project = trusted.then(|| Settings::read(dossier, &ground.project, Scope::Project));
        if let Some(project) = &project {
            extensions.add_project(dossier, flags, project);
        }
        let crash = [&user, &project]
            .into_iter()
            .flatten()
            .find_map(Settings::crash)
            .or_else(|| missing(dossier.world, &extensions));
        let mcp_off = off_by_flag(flags, &extensions)
            .or_else(|| {
                off_by_setting(
                    dossier.world,
                    flags,
                    &extensions,
                    user.as_ref(),
                    project.as_ref(),
                )
            })
            .or_else(|| off_by_extension(dossier, &extensions));
        Setting {
            trust,
            mcp_off,
            crash,
            extensions,
        }
    }

    /// The session in one clause.
    fn situation(&self, servers: &[Server]) -> Option<String> {
        if self.mcp_off.is_some() && !servers.is_empty() {
            return Some("MCP is off in this session".to_owned());
        }
        let waits = servers
            .iter()
            .any(|server| server.status == Status::Untrusted);
        match self.trust.as_ref().ok()?.answer {
            Answer::Open if !servers.is_empty() => {
                Some("nothing starts until trust is answered".to_owned())
            }
            Answer::No if waits => Some("this folder is not trusted".to_owned()),
            _ => None,
        }
    }

    /// Notes about no single server.
    fn tell(&self, dossier: &mut Dossier<'_>, flags: &Flags, servers: &[Server]) {
        let open = self
            .trust
            .as_ref()
            .is_ok_and(|trust| trust.answer == Answer::Open);
        if open && self.mcp_off.is_none() && !servers.is_empty() {
            let text = "Pi asks \"Trust project folder?\" when it starts here, and starts no server, not even yours, until that is answered";
            dossier.note(&rules::TRUST_QUESTION, text, None);
        }
        let others = self
            .extensions
            .files
            .iter()
            .filter(|file| !file.registers_mcp)
            .count();
        let others = others + self.extensions.fetched;
        if others > 0 && self.mcp_off.is_none() {
            let what = if others == 1 {
                "1 extension"
            } else {
                &format!("{others} extensions")
            };
            let text =
                format!("{what} may register servers for a session: Muster does not run them");
            dossier.note(&rules::EXTENSION, text, None);
        }
        if let Some(flag) = flags.other_folder {
            let text = format!(
                "{flag} may open a session of another folder: this answer is for the current one"
            );
            dossier.note(&rules::OTHER_FOLDER, text, None);
        }
        if !flags.unknown.is_empty() {
            let names: Vec<_> = flags
                .unknown
                .iter()
                .map(|flag| Masked::word(&Secret::new(flag)).to_string())
                .collect();
            let text = format!(
                "Pi does not know {}: unless an extension does, it does not start",
                names.join(", ")
            );
            dossier.note(&rules::UNKNOWN_FLAG, text, None);
        }
        if let Some(text) = self.differs_from_list(servers) {
            dossier.note(&rules::LIST, text, None);
        }
    }

    /// In what `pi mcp list` says something else.
    fn differs_from_list(&self, servers: &[Server]) -> Option<String> {
        let of_project = |server: &Server| server.definition.scope == Scope::Project;
        let unstored = self.trust.as_ref().is_ok_and(|trust| {
            trust.answer == Answer::Yes
                && [&rules::APPROVE, &rules::DEFAULT_TRUST]
                    .iter()
                    .any(|rule| **rule == *trust.reason.rule)
        });
        if self.mcp_off.is_some() && !servers.is_empty() {
            return Some(
                "pi mcp list starts them all the same: nothing turns MCP off there".to_owned(),
            );
        }
        (unstored && servers.iter().any(of_project)).then(|| {
            "pi mcp list leaves the project's servers out: it goes by trust.json alone".to_owned()
        })
    }
}

fn off(short: &str, reason: Reason, remedy: String) -> Objection {
    Objection::new(Status::Off, short, reason).with_remedy(remedy)
}

fn off_by_flag(flags: &Flags, extensions: &Extensions) -> Option<Objection> {
    let named = extensions.builtin.iter().any(|name| name == "mcp");
    let (short, text, remedy) = if flags.no_mcp {
        (
            "--no-mcp",
            "--no-mcp starts no server in this run",
            "leave --no-mcp out",
        )
    } else if flags.no_extensions && !named {
        (
            "--no-extensions",
            "--no-extensions leaves Pi's own support for MCP out too",
            "add -e builtin:mcp, or leave --no-extensions out",
        )
    } else {
        return None;
    };
    let reason = Reason::new(&rules::FLAGS, "flags", text, None);
    Some(off(short, reason, remedy.to_owned()))
}

fn off_by_setting(
    world: &World<'_>,
    flags: &Flags,
    extensions: &Extensions,
    user: Option<&Settings>,
    project: Option<&Settings>,
) -> Option<Objection> {
    if flags.no_extensions || extensions.builtin.iter().any(|name| name == "mcp") {
        return None;
    }
    let (settings, node) = extensions::switched_off(world, user, project)?;
    let word = Masked::word(&Secret::new(node.as_str().unwrap_or_default()));
    let text = format!(
        "\"{word}\" under extensions in {} turns MCP off",
        Shown(&settings.name)
    );
    let remedy = format!(
        "take \"{word}\" out of {}, or pass -e builtin:mcp",
        Shown(&settings.name)
    );
    let reason = Reason::new(&rules::BUILTIN, "switch", text, settings.place(node));
    Some(off("MCP is off in settings", reason, remedy))
}

fn off_by_extension(dossier: &mut Dossier<'_>, extensions: &Extensions) -> Option<Objection> {
    let extension = extensions.in_place_of_mcp()?;
    let shown = dossier.world.shown(&extension.path);
    let text = format!(
        "{} registers /mcp and takes the place of Pi's own support: mcp.json is not read",
        Shown(&shown)
    );
    dossier.look_at(
        &extension.path,
        extension.scope,
        Some("registers /mcp".to_owned()),
    );
    let reason = Reason::new(&rules::EXTENSION, "extension", text, None);
    let remedy = format!("remove {}, or switch it off with pi config", Shown(&shown));
    Some(off("an extension replaces it", reason, remedy))
}

/// A session ends at an extension of `-e` that is not there.
fn missing(world: &World<'_>, extensions: &Extensions) -> Option<Stop> {
    const BUILTIN: [&str; 4] = ["llama.cpp", "codemode", "tool-search", "mcp"];
    let path = extensions.missing.first().map(|path| {
        let path = Masked::path(&Secret::new(world.shown(path)));
        format!("Extension path does not exist: {path}")
    });
    let unknown = || {
        let name = extensions
            .builtin
            .iter()
            .find(|name| !BUILTIN.contains(&name.as_str()))?;
        Some(format!(
            "Unknown built-in extension: builtin:{}",
            Masked::word(&Secret::new(name))
        ))
    };
    let words = path.or_else(unknown)?;
    Some(Stop::new(&rules::EXTENSION, words, None).remedied_by("correct the value of -e"))
}

fn first_steps(ground: &Ground, world: &World<'_>) -> Vec<String> {
    let user = ground.user_file().map(|path| world.shown(&path));
    let user = user.unwrap_or_else(|| "mcp.json".to_owned());
    vec![
        "pi mcp add NAME -- COMMAND".to_owned(),
        format!(
            "or write mcpServers into {} (every folder) or .pi/mcp.json here (this folder)",
            Shown(&user)
        ),
    ]
}

#[cfg(test)]
mod tests;
