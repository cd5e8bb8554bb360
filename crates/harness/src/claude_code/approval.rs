//! Who said yes or no to a server of `.mcp.json`, and whose word counts.

use camino::Utf8Path;
use muster_core::{GitIndex, Objection, Reason, Status, World};
use muster_document::{Place, Shown};

use super::entry::plain_name;
use super::ground::Ground;
use super::rules;
use super::settings::{Owner, Settings, SettingsFile};
use super::state::{LegacyAnswers, Trust};

/// Every answer that files give, and whether it counts here.
#[derive(Debug)]
pub(super) struct Approvals {
    named: Vec<Named>,
    all: Vec<All>,
    rejected: Vec<Rejection>,
    strict: bool,
    trust: Option<Place>,
    trust_text: &'static str,
}

#[derive(Debug)]
struct Named {
    name: String,
    standing: Standing,
}

/// `enableAllProjectMcpServers` in one file.
#[derive(Debug)]
struct All {
    value: bool,
    owner: Owner,
    standing: Standing,
}

/// Where an answer stands and why it does not count, if it does not.
#[derive(Debug, Clone)]
struct Standing {
    label: String,
    place: Option<Place>,
    futile: Option<&'static str>,
}

#[derive(Debug)]
struct Rejection {
    plain: String,
    label: String,
    place: Option<Place>,
}

impl Approvals {
    /// Collects the answers of `settings` and the legacy ones of the state file. Observed on 2.1.332.
    pub(super) fn collect(
        world: &World<'_>,
        ground: &Ground,
        settings: &Settings,
        trust: &Trust,
        legacy: LegacyAnswers,
    ) -> Approvals {
        let trust_text = match (trust.strict, trust.loose) {
            (true, _) => "this folder is trusted",
            (false, true) => {
                "this folder is trusted only in the looser sense: files of the repository do not count"
            }
            (false, false) => "this folder is not trusted",
        };
        let mut approvals = Approvals {
            named: Vec::new(),
            all: Vec::new(),
            rejected: Vec::new(),
            strict: trust.strict,
            trust: trust.place.clone(),
            trust_text,
        };
        let local = LocalStanding::judge(world, ground, trust);
        for file in &settings.files {
            approvals.take(file, local.futile(file.owner, trust));
        }
        if !settings.project_key_local_unusable {
            approvals.take_legacy(legacy, local.project_key_futile(ground, trust));
        }
        approvals
    }

    fn take(&mut self, file: &SettingsFile, futile: Option<&'static str>) {
        let standing = |place| Standing {
            label: file.label.clone(),
            place,
            futile,
        };
        for (name, place) in file.names("enabledMcpjsonServers") {
            self.named.push(Named {
                name: name.to_owned(),
                standing: standing(place),
            });
        }
        if let Some((value, node)) = file.enable_all() {
            self.all.push(All {
                value,
                owner: file.owner,
                standing: standing(file.place(node)),
            });
        }
        for (name, place) in file.names("disabledMcpjsonServers") {
            self.rejected.push(Rejection {
                plain: plain_name(name),
                label: file.label.clone(),
                place,
            });
        }
    }

    /// Older versions kept the answers in the state file; any run moves them into the project key's `settings.local.json`.
    fn take_legacy(&mut self, legacy: LegacyAnswers, futile: Option<&'static str>) {
        let label = || "the state file".to_owned();
        for (name, place) in legacy.enabled {
            self.named.push(Named {
                name,
                standing: Standing {
                    label: label(),
                    place: Some(place),
                    futile,
                },
            });
        }
        for (name, place) in legacy.disabled {
            self.rejected.push(Rejection {
                plain: plain_name(&name),
                label: label(),
                place: Some(place),
            });
        }
        if let Some(place) = legacy.all {
            let standing = Standing {
                label: label(),
                place: Some(place),
                futile,
            };
            self.all.push(All {
                value: true,
                owner: Owner::ProjectKeyLocal,
                standing,
            });
        }
    }

    /// The user's no to `name`, which counts in every file, trusted or not, and in every session. With somebody to `ask`, taking it
    /// back leaves the question whether there is a yes.
    pub(super) fn rejection(&self, name: &str, ask: bool) -> Option<Objection> {
        let plain = plain_name(name);
        let mut said = self
            .rejected
            .iter()
            .filter(|rejection| rejection.plain == plain)
            .peekable();
        let label = Shown(&said.peek()?.label).to_string();
        let reasons: Vec<Reason> = said
            .map(|rejection| {
                let text = format!(
                    "disabledMcpjsonServers of {} names it: a no wins over every yes",
                    Shown(&rejection.label)
                );
                Reason::new(&rules::REJECTION, "rejected", text, rejection.place.clone())
            })
            .collect();
        let files = match reasons.len() {
            1 => label,
            count => format!("all {count} files that name it"),
        };
        let then = if ask && self.approval(name).is_err() {
            ", then start claude here and accept it"
        } else {
            ""
        };
        let remedy = format!(
            "take {} out of disabledMcpjsonServers in {files}{then}",
            Shown(name)
        );
        Some(Objection {
            status: Status::Rejected,
            short: "you said no to it".to_owned(),
            reasons,
            remedies: vec![remedy],
        })
    }

    /// The yes that counts for `name`, or why there is none.
    pub(super) fn approval(&self, name: &str) -> Result<Reason, Objection> {
        let named = || self.named.iter().filter(|yes| yes.name == name);
        let reason = |text: String, standing: &Standing| {
            Reason::new(&rules::APPROVAL, "approval", text, standing.place.clone())
        };
        if let Some(yes) = named().find(|yes| yes.standing.futile.is_none()) {
            return Ok(reason(
                format!("approved by name in {}", Shown(&yes.standing.label)),
                &yes.standing,
            ));
        }
        if let Some(all) = self.all_approved() {
            let text = format!(
                "approved with all of .mcp.json: enableAllProjectMcpServers in {}",
                Shown(&all.label)
            );
            return Ok(reason(text, all));
        }
        let futile_names =
            named().filter_map(|yes| Some((&yes.standing, yes.standing.futile?, "names it")));
        let all = self.all.iter().filter(|all| all.value);
        let futile_all =
            all.filter_map(|all| Some((&all.standing, all.standing.futile?, "approves all")));
        let mut reasons: Vec<Reason> = futile_names
            .chain(futile_all)
            .map(|(standing, why, what)| {
                reason(
                    format!("{} {what}, but {why}", Shown(&standing.label)),
                    standing,
                )
            })
            .collect();
        reasons.push(Reason::new(
            &rules::TRUST,
            "trust",
            self.trust_text,
            self.trust.clone(),
        ));
        reasons.push(Reason::new(
            &rules::APPROVAL,
            "approval",
            "it waits for your approval: no file whose word counts approves it",
            None,
        ));
        let start = if self.strict {
            "start claude here and accept"
        } else {
            "start claude here, trust the folder, accept"
        };
        Err(Objection {
            status: Status::NeedsApproval,
            short: "needs your approval".to_owned(),
            reasons,
            remedies: vec![format!("{start} {}", Shown(name))],
        })
    }

    /// Where all servers are approved together. In a trusted place the strongest file decides, yes or no. Elsewhere a yes of the
    /// user's, the administrator's or the command line's will do, and so will that of the stronger local file.
    fn all_approved(&self) -> Option<&Standing> {
        let counting = || self.all.iter().filter(|all| all.standing.futile.is_none());
        let is_local = |all: &&All| matches!(all.owner, Owner::Local | Owner::ProjectKeyLocal);
        let decided = match self.strict {
            true => counting().min_by_key(|all| all.owner),
            false => {
                let outside = counting().find(|all| all.value && !is_local(all));
                outside.or_else(|| counting().filter(is_local).min_by_key(|all| all.owner))
            }
        };
        decided.filter(|all| all.value).map(|all| &all.standing)
    }
}

/// Whether the `settings.local.json` files count in a place that is not strictly trusted.
struct LocalStanding {
    /// Why they do not; `None` where they do.
    repository: Option<&'static str>,
    /// The session folder's own counts all the same: it is the user's, beside their configuration.
    beside_config: bool,
}

impl LocalStanding {
    fn judge(world: &World<'_>, ground: &Ground, trust: &Trust) -> LocalStanding {
        let repository = match &ground.git {
            _ if !trust.loose => Some("it counts only in a trusted folder"),
            None => Some("outside git it counts only in a trusted folder"),
            Some(_) if is_tracked(world, ground) => {
                Some("it is tracked by git and counts only in a trusted folder")
            }
            Some(_) => None,
        };
        let parent_of_config = ground.config.file_name() == Some(".claude")
            && ground.config.parent() == Some(ground.cwd.as_path());
        LocalStanding {
            repository,
            beside_config: parent_of_config || ground.home.as_ref() == Some(&ground.cwd),
        }
    }

    fn futile(&self, owner: Owner, trust: &Trust) -> Option<&'static str> {
        match owner {
            Owner::Managed | Owner::Flag | Owner::User => None,
            _ if trust.strict => None,
            Owner::Project => Some("a file of the repository counts only in a trusted folder"),
            Owner::Local if self.beside_config => None,
            Owner::Local | Owner::ProjectKeyLocal => self.repository,
        }
    }

    fn project_key_futile(&self, ground: &Ground, trust: &Trust) -> Option<&'static str> {
        let owner = if ground.project == ground.cwd {
            Owner::Local
        } else {
            Owner::ProjectKeyLocal
        };
        self.futile(owner, trust)
    }
}

/// Whether either `settings.local.json` is in git's index: then neither counts.
fn is_tracked(world: &World<'_>, ground: &Ground) -> bool {
    let Some(root) = &ground.git else {
        return false;
    };
    const FILE: &str = ".claude/settings.local.json";
    let own = root
        .git_folder
        .as_ref()
        .map(|git_folder| GitIndex::read(world.files, git_folder))
        .unwrap_or_default();
    if in_index(world, &own, &root.folder, &ground.cwd.join(FILE)) {
        return true;
    }
    if ground.project == root.folder {
        return in_index(world, &own, &root.folder, &ground.project.join(FILE));
    }
    let main = root
        .common
        .as_ref()
        .map(|common| GitIndex::read(world.files, common))
        .unwrap_or_default();
    in_index(world, &main, &ground.project, &ground.project.join(FILE))
}

/// Whether `file`, or what it is a link to, is in the index of the repository at `root`.
fn in_index(world: &World<'_>, index: &GitIndex, root: &Utf8Path, file: &Utf8Path) -> bool {
    let holds = |path: &Utf8Path| {
        path.strip_prefix(root)
            .is_ok_and(|relative| index.may_contain(relative))
    };
    holds(file) || world.files.real_path(file).is_some_and(|real| holds(&real))
}
