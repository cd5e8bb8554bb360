//! Who wins a name.

use crate::{Definition, Objection, Reason, Rule, Server, Status};

/// A definition on its way to a verdict.
#[derive(Debug)]
pub struct Contender {
    /// What was written.
    pub definition: Definition,
    /// What speaks for it so far: facts for the chain.
    pub facts: Vec<Reason>,
    /// Why it is out before names are compared: such a definition hides no other.
    pub out: Option<Objection>,
    /// Why it does not load although it may win its name: such a definition hides the others.
    pub held: Option<Objection>,
    /// What is said of it if nothing speaks against it.
    pub verdict: Reason,
}

/// Decides between definitions of one name and gives everyone its verdict. `contenders` come in order of precedence, the highest
/// first; of those that are not out, the first of a name wins it and the others are overridden by `rule`. The order is kept.
pub fn settle(contenders: Vec<Contender>, rule: &'static Rule) -> Vec<Server> {
    let mut winners = std::collections::HashMap::new();
    for (at, contender) in contenders.iter().enumerate() {
        if contender.out.is_none() {
            winners
                .entry(contender.definition.name.clone())
                .or_insert(at);
        }
    }
    let names: Vec<_> = contenders
        .iter()
        .map(|c| (c.definition.scope, c.definition.place.clone()))
        .collect();
    let mut servers: Vec<Server> = Vec::with_capacity(contenders.len());
    let mut hidden = Vec::new();
    for (at, contender) in contenders.into_iter().enumerate() {
        let winner = winners
            .get(&contender.definition.name)
            .copied()
            .filter(|winner| *winner != at);
        let objection = match (contender.out, winner) {
            (Some(out), _) => Some(out),
            (None, Some(winner)) => {
                if let Some(place) = &contender.definition.place {
                    hidden.push((winner, place.clone()));
                }
                names.get(winner).map(|(scope, place)| {
                    overridden(*scope, place.clone(), &contender.definition, rule)
                })
            }
            (None, None) => contender.held,
        };
        servers.push(judge(
            contender.definition,
            contender.facts,
            objection,
            contender.verdict,
        ));
    }
    for (winner, place) in hidden {
        if let Some(server) = servers.get_mut(winner) {
            server.replaces.push(place);
        }
    }
    servers
}

fn judge(
    definition: Definition,
    facts: Vec<Reason>,
    objection: Option<Objection>,
    verdict: Reason,
) -> Server {
    let mut reasons = facts;
    match objection {
        Some(objection) => {
            reasons.extend(objection.reasons);
            Server {
                definition,
                status: objection.status,
                short: Some(objection.short),
                reasons,
                remedies: objection.remedies,
                replaces: Vec::new(),
            }
        }
        None => {
            reasons.push(verdict);
            Server {
                definition,
                status: Status::Configured,
                short: None,
                reasons,
                remedies: Vec::new(),
                replaces: Vec::new(),
            }
        }
    }
}

fn overridden(
    scope: crate::Scope,
    place: Option<muster_document::Place>,
    loser: &Definition,
    rule: &'static Rule,
) -> Objection {
    let whose = if scope == loser.scope {
        "a nearer file's".to_owned()
    } else {
        format!("the {}'s", scope.word())
    };
    let name = muster_document::Shown(&loser.name);
    Objection {
        status: Status::Overridden,
        short: format!(
            "{}'s {name} wins",
            if scope == loser.scope {
                "nearer file"
            } else {
                scope.word()
            }
        ),
        reasons: vec![Reason {
            rule,
            label: "wins",
            text: format!("{whose} definition of {name} wins"),
            place,
        }],
        remedies: vec![format!("remove or rename {whose} {name}")],
    }
}
