//! What keeps a good entry from being started.

use muster_core::{Environment, Objection, Reason, Rule, Status, World};
use muster_document::{Masked, Place, Secret, Shown};

use super::enterprise;
use super::entry::Places;
use super::merge::Merged;
use super::rules;

/// What is asked, and the environment in which Codex would answer.
#[derive(Debug)]
pub(super) struct Question<'e> {
    /// About `codex mcp list`, which looks less closely than a session.
    pub(super) lists: bool,
    pub(super) env: &'e Environment,
}

impl Question<'_> {
    /// Why `server`, called `name`, does not start although it is allowed and switched on.
    pub(super) fn objection(
        &self,
        name: &str,
        server: &Merged<'_>,
        places: Places<'_>,
    ) -> Option<Objection> {
        let place = |key: &str| server.get(key).and_then(Merged::origin).and_then(places);
        managed_sign_in(server, &place).or_else(|| {
            (!self.lists)
                .then(|| self.not_started(name, server, &place))
                .flatten()
        })
    }

    /// What `codex mcp list` still calls enabled and a session does not start. Observed on 0.171.0.
    fn not_started(
        &self,
        name: &str,
        server: &Merged<'_>,
        place: &dyn Fn(&str) -> Option<Place>,
    ) -> Option<Objection> {
        elsewhere(server, place)
            .or_else(|| reserved(name))
            .or_else(|| bad_name(name))
            .or_else(|| remote_variable(server, place))
            .or_else(|| self.unset_token(name, server, place))
            .or_else(|| no_time(server, place))
    }

    fn unset_token(
        &self,
        name: &str,
        server: &Merged<'_>,
        place: &dyn Fn(&str) -> Option<Place>,
    ) -> Option<Objection> {
        let variable = server.get("bearer_token_env_var")?.as_str()?;
        let state = match self.env.get(variable) {
            None => "is not set",
            Some("") => "is empty",
            Some(_) => return None,
        };
        // Some paste the token itself where its variable's name belongs.
        let variable = Masked::word(&Secret::new(variable));
        let text = format!(
            "Environment variable {variable} for MCP server '{}' {state}",
            Shown(name)
        );
        let reason = Reason::new(&rules::BEARER, "token", text, place("bearer_token_env_var"));
        let remedy = format!("set {variable} in the environment or in Codex's own .env");
        Some(
            Objection::new(Status::Broken, format!("its token {state}"), reason)
                .with_remedy(remedy),
        )
    }
}

/// Whether this server was to be started and failed, by the rule that keeps it from loading.
pub(super) fn is_failure(rule: &Rule) -> bool {
    [
        &rules::NAME,
        &rules::ENV_SOURCE,
        &rules::BEARER,
        &rules::NO_TIME,
    ]
    .into_iter()
    .any(|failure| failure == rule)
}

/// Whether a failure of this server ends the session.
pub(super) fn is_required(server: &Merged<'_>) -> bool {
    server.get("required").and_then(Merged::as_bool) == Some(true)
}

/// Whether the entry, or the plugin's table for it, switches the server off.
pub(super) fn switched_off(
    world: &World<'_>,
    table: &Merged<'_>,
    places: Places<'_>,
) -> Option<Objection> {
    let switch = table
        .get("enabled")
        .filter(|value| value.as_bool() == Some(false))?;
    let place = switch.origin().and_then(places);
    let text = "enabled = false";
    let remedy = match &place {
        Some(place) => format!(
            "set enabled = true in line {} of {}",
            place.position.line,
            Shown(&world.shown(&place.path))
        ),
        None => "drop enabled=false from the command line".to_owned(),
    };
    Some(
        Objection::new(
            Status::Off,
            "switched off",
            Reason::new(&rules::ENABLED, "switch", text, place),
        )
        .with_remedy(remedy),
    )
}

fn simple(
    rule: &'static Rule,
    status: Status,
    label: &'static str,
    short: &str,
    text: String,
    place: Option<Place>,
) -> Objection {
    Objection::new(status, short, Reason::new(rule, label, text, place))
}

fn managed_sign_in(
    server: &Merged<'_>,
    place: &dyn Fn(&str) -> Option<Place>,
) -> Option<Objection> {
    let text = || {
        "auth = \"ema_auth\" needs a sign-in that an administrator has set up; Codex leaves the server out without a word".to_owned()
    };
    enterprise::is_managed(server).then(|| {
        simple(
            &rules::ENTERPRISE,
            Status::Off,
            "sign-in",
            "needs enterprise sign-in",
            text(),
            place("auth"),
        )
    })
}

fn elsewhere(server: &Merged<'_>, place: &dyn Fn(&str) -> Option<Place>) -> Option<Objection> {
    let id = server
        .get("environment_id")?
        .as_str()
        .filter(|id| *id != "local")?;
    let text = format!(
        "it belongs to the environment {}, and a session here is local",
        Shown(id)
    );
    let objection = simple(
        &rules::ENVIRONMENT_ID,
        Status::Off,
        "switch",
        "for another environment",
        text,
        place("environment_id"),
    );
    Some(objection.with_remedy("remove environment_id, or set it to \"local\""))
}

fn reserved(name: &str) -> Option<Objection> {
    let text = || {
        "Codex keeps the name codex_apps for itself and leaves this server out without a word"
            .to_owned()
    };
    let objection = (name == "codex_apps").then(|| {
        simple(
            &rules::RESERVED,
            Status::Broken,
            "name",
            "Codex keeps this name",
            text(),
            None,
        )
    });
    objection.map(|objection| objection.with_remedy("give it another name"))
}

fn bad_name(name: &str) -> Option<Objection> {
    let good = !name.is_empty()
        && name
            .bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || b"_:@/.-".contains(&byte));
    let text = || {
        format!(
            "Invalid MCP server name '{}': must match pattern ^[a-zA-Z0-9_:@/.-]+$",
            Shown(name)
        )
    };
    let objection = (!good).then(|| {
        simple(
            &rules::NAME,
            Status::Invalid,
            "name",
            "name not allowed",
            text(),
            None,
        )
    });
    objection.map(|objection| {
        objection.with_remedy("give it a name of letters, digits, _ : @ / . and -")
    })
}

fn remote_variable(
    server: &Merged<'_>,
    place: &dyn Fn(&str) -> Option<Place>,
) -> Option<Objection> {
    let mut variables = server.get("env_vars")?.as_list()?.iter();
    let remote = variables
        .find(|variable| variable.get("source").and_then(Merged::as_str) == Some("remote"))?;
    let name = Masked::word(&Secret::new(remote.get("name")?.as_str()?));
    let text =
        format!("env_vars entry `{name}` uses source `remote`, which requires remote MCP stdio");
    let objection = simple(
        &rules::ENV_SOURCE,
        Status::Broken,
        "variable",
        "a variable is remote",
        text,
        place("env_vars"),
    );
    Some(objection.with_remedy(format!(
        "take {name} from the local environment: source = \"local\""
    )))
}

fn no_time(server: &Merged<'_>, place: &dyn Fn(&str) -> Option<Place>) -> Option<Objection> {
    let (key, number) = match server.get("startup_timeout_sec") {
        Some(seconds) => ("startup_timeout_sec", seconds.as_number()?),
        None => (
            "startup_timeout_ms",
            server.get("startup_timeout_ms")?.as_number()?,
        ),
    };
    let text = format!("{key} = 0: Codex gives up before the server can answer");
    let objection = (number.as_f64() == 0.0).then(|| {
        simple(
            &rules::NO_TIME,
            Status::Broken,
            "timeout",
            "no time to start",
            text,
            place(key),
        )
    });
    objection
        .map(|objection| objection.with_remedy(format!("remove {key}: the default is 30 seconds")))
}
