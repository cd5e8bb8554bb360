//! Which servers are started, once each, for all harnesses that load them.

use muster_document::Secret;

use crate::{
    Consent, Giver, Handed, Harness, Identity, LaunchPlan, Mode, Resolution, Server, Start, World,
    consent,
};

/// A server to start, or to leave out and say why.
#[derive(Debug, Clone)]
pub struct Candidate<'r> {
    /// Its name.
    pub name: &'r str,
    /// Who loads it, in the order of the harnesses. Never empty.
    pub users: Vec<User<'r>>,
    /// How it is started: as the user with the smallest environment does.
    pub plan: LaunchPlan,
    /// On whose word: the best that any of its users has.
    pub consent: Consent,
}

/// A harness that loads a server.
#[derive(Debug, Clone)]
pub struct User<'r> {
    /// Its id.
    pub harness: &'static str,
    /// Its definition.
    pub server: &'r Server,
    /// How it would start it.
    pub plan: LaunchPlan,
    /// On whose word.
    pub consent: Consent,
}

/// The servers that load in `resolutions`, made by `harnesses` of `world`, in the order of the harnesses and their servers. What two
/// harnesses load is one server if it has one name, starts the same program or reaches the same address, in the same folder, and
/// nothing that a definition sets differs. What a harness gives up on before starting it is left out: that is its resolution's to tell.
pub fn fleet<'r>(
    world: &World<'_>,
    harnesses: &[&'static dyn Harness],
    resolutions: &'r [Resolution],
) -> Vec<Candidate<'r>> {
    let mut candidates: Vec<Candidate<'r>> = Vec::new();
    for (harness, resolution) in harnesses.iter().zip(resolutions) {
        let asking = Asking::new(world, *harness, resolution);
        let loads = |server: &&Server| server.status.loads() == Some(true);
        for server in resolution.servers.iter().filter(loads) {
            let Ok(plan) = harness.launch(world, server) else {
                continue;
            };
            let consent = asking.consent(server, &plan);
            let plan = match consent {
                Consent::Own => without_repository(world, plan),
                _ => plan,
            };
            let user = User {
                harness: harness.id(),
                server,
                plan,
                consent,
            };
            let same = candidates
                .iter_mut()
                .find(|candidate| candidate.users.iter().all(|other| is_same(other, &user)));
            match same {
                Some(candidate) => candidate.join(user),
                None => candidates.push(Candidate {
                    name: &server.definition.name,
                    plan: user.plan.clone(),
                    consent: user.consent,
                    users: vec![user],
                }),
            }
        }
    }
    candidates
}

impl<'r> Candidate<'r> {
    fn join(&mut self, user: User<'r>) {
        if size(&user.plan) < size(&self.plan) {
            self.plan = user.plan.clone();
        }
        if rank(user.consent) < rank(self.consent) {
            self.consent = user.consent;
        }
        self.users.push(user);
    }

    /// Whether it runs elsewhere.
    pub fn is_remote(&self) -> bool {
        matches!(self.plan.start, Start::Remote { .. })
    }

    /// The ids of the harnesses that load it.
    pub fn harnesses(&self) -> Vec<&'static str> {
        self.users.iter().map(|user| user.harness).collect()
    }
}

/// The plan of a server of the user's own without what the repository adds to its environment: that is no part of what the user wrote.
fn without_repository(world: &World<'_>, mut plan: LaunchPlan) -> LaunchPlan {
    let started = match &mut plan.start {
        Start::Process { env, .. } => Some(env),
        Start::Remote { .. } => None,
    };
    let asked = plan.helpers.iter_mut().map(|helper| &mut helper.env);
    for env in started.into_iter().chain(asked) {
        env.retain_mut(|variable| {
            if variable.giver != Giver::Repository {
                return true;
            }
            let inherited = world.env.get(&variable.name);
            variable.giver = Giver::Inherited;
            variable.value = Secret::new(inherited.unwrap_or_default());
            inherited.is_some()
        });
    }
    plan
}

fn rank(consent: Consent) -> u8 {
    match consent {
        Consent::Own => 0,
        Consent::Approved => 1,
        Consent::Unapproved => 2,
    }
}

/// The session as it would be with somebody in it.
struct Asking<'a, 'f> {
    world: &'a World<'f>,
    harness: &'static dyn Harness,
    resolution: &'a Resolution,
    attended: Option<(World<'f>, Resolution)>,
}

impl<'a, 'f> Asking<'a, 'f> {
    fn new(
        world: &'a World<'f>,
        harness: &'static dyn Harness,
        resolution: &'a Resolution,
    ) -> Self {
        let attended = world.headless().then(|| {
            let attended = world.with_mode(Mode::Interactive);
            let resolution = harness.resolve(&attended);
            (attended, resolution)
        });
        Asking {
            world,
            harness,
            resolution,
            attended,
        }
    }

    /// On whose word `server` would be started as `plan` says.
    fn consent(&self, server: &Server, plan: &LaunchPlan) -> Consent {
        let Some((world, resolution)) = &self.attended else {
            return consent(self.world, self.harness, self.resolution, server);
        };
        let definition = &server.definition;
        let same = resolution.servers.iter().find(|other| {
            other.definition.name == definition.name && other.definition.place == definition.place
        });
        let Some(same) = same else {
            return Consent::Unapproved;
        };
        // What an unattended run takes from the repository unasked may change the user's own server too.
        match self.harness.launch(world, same) {
            Ok(attended) if is_same_start(&attended.start, &plan.start) => {
                consent(world, self.harness, resolution, same)
            }
            _ => Consent::Unapproved,
        }
    }
}

/// How many variables a server is given.
fn size(plan: &LaunchPlan) -> usize {
    match &plan.start {
        Start::Process { env, .. } => env.len(),
        Start::Remote { .. } => 0,
    }
}

fn is_same(one: &User<'_>, other: &User<'_>) -> bool {
    // A harness that has two definitions has two servers.
    one.harness != other.harness
        && one.server.definition.name == other.server.definition.name
        && Identity::of(&one.server.definition.entry)
            == Identity::of(&other.server.definition.entry)
        && match (&one.plan.start, &other.plan.start) {
            (
                Start::Process {
                    argv: words,
                    cwd,
                    env,
                    ..
                },
                Start::Process {
                    argv: other_words,
                    cwd: other_cwd,
                    env: other_env,
                    ..
                },
            ) => {
                words == other_words
                    && cwd == other_cwd
                    && has_all_set(env, other_env)
                    && has_all_set(other_env, env)
            }
            (
                Start::Remote { url, headers, .. },
                Start::Remote {
                    url: other_url,
                    headers: other_headers,
                    ..
                },
            ) => url == other_url && headers == other_headers,
            _ => false,
        }
}

/// Whether every variable that a definition sets in `env` has the same value in `other`.
fn has_all_set(env: &[Handed], other: &[Handed]) -> bool {
    let set = env.iter().filter(|variable| variable.giver == Giver::Entry);
    set.into_iter().all(|variable| {
        let mut others = other.iter();
        others.any(|other| other.name == variable.name && other.value == variable.value)
    })
}

/// Whether the same is started with the same values, whoever gives them and but for what the harness itself tells of the session.
fn is_same_start(one: &Start, other: &Start) -> bool {
    match (one, other) {
        (
            Start::Process { argv, cwd, env, .. },
            Start::Process {
                argv: other_argv,
                cwd: other_cwd,
                env: other_env,
                ..
            },
        ) => argv == other_argv && cwd == other_cwd && settings(env).eq(settings(other_env)),
        (one, other) => one == other,
    }
}

fn settings(env: &[Handed]) -> impl Iterator<Item = (&str, &Secret)> {
    let own = |variable: &&Handed| !matches!(variable.giver, Giver::Harness | Giver::Repository);
    env.iter()
        .filter(own)
        .map(|variable| (variable.name.as_str(), &variable.value))
}
