//! Who wins a name.

use std::collections::HashMap;

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
    let podiums = podiums(&contenders);
    let names: Vec<_> = contenders
        .iter()
        .map(|c| (c.definition.scope, c.definition.place.clone()))
        .collect();
    let mut servers: Vec<Server> = Vec::with_capacity(contenders.len());
    let mut hidden = Vec::new();
    for ((at, contender), podium) in contenders.into_iter().enumerate().zip(podiums) {
        let definition = contender.definition;
        let mut stronger = podium.above(at).peekable();
        if let (None, Some(winner), Some(place)) =
            (&contender.out, stronger.peek(), &definition.place)
        {
            hidden.push((*winner, place.clone()));
        }
        let lost = stronger
            .filter_map(|winner| names.get(winner))
            .map(|(scope, place)| overridden(*scope, place.clone(), &definition, rule));
        let objections: Vec<_> = contender
            .out
            .into_iter()
            .chain(lost)
            .chain(contender.held)
            .collect();
        servers.push(judge(
            definition,
            contender.facts,
            objections,
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

/// For each of `contenders` the podium of its name.
fn podiums(contenders: &[Contender]) -> Vec<Podium> {
    let mut by_name: HashMap<&str, Podium> = HashMap::with_capacity(contenders.len());
    for (at, contender) in contenders.iter().enumerate() {
        let podium = by_name.entry(&contender.definition.name).or_default();
        if contender.out.is_none() {
            podium.enter(at);
        }
    }
    let podium = |contender: &Contender| by_name.get(contender.definition.name.as_str()).copied();
    contenders
        .iter()
        .map(|contender| podium(contender).unwrap_or_default())
        .collect()
}

/// The two strongest of a name that are not out: what loses to the first may lose to the second as well.
#[derive(Debug, Clone, Copy, Default)]
struct Podium {
    first: Option<usize>,
    second: Option<usize>,
}

impl Podium {
    fn enter(&mut self, at: usize) {
        match self.first {
            None => self.first = Some(at),
            Some(_) => self.second = self.second.or(Some(at)),
        }
    }

    /// Those that are stronger than the one at `at`.
    fn above(self, at: usize) -> impl Iterator<Item = usize> {
        let both = [self.first, self.second].into_iter().flatten();
        both.filter(move |winner| *winner < at)
    }
}

/// The verdict on `definition`: the first of `objections` decides, if there is one.
fn judge(
    definition: Definition,
    facts: Vec<Reason>,
    objections: Vec<Objection>,
    verdict: Reason,
) -> Server {
    let mut reasons = facts;
    let mut objections = objections.into_iter();
    match objections.next() {
        Some(objection) => {
            // What a refused definition says is not to be relied on.
            let further = match objection.status.is_choice() {
                true => objections
                    .map(|further| further.short)
                    .filter(|further| *further != objection.short)
                    .collect(),
                false => Vec::new(),
            };
            reasons.extend(objection.reasons);
            Server {
                definition,
                status: objection.status,
                short: Some(objection.short),
                reasons,
                remedies: objection.remedies,
                further,
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
                further: Vec::new(),
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
    // With its article for a sentence, and without for a line of a list.
    let (whose, winner) = match scope {
        same if same == loser.scope => ("a nearer file's".to_owned(), "nearer file's".to_owned()),
        crate::Scope::Own => ("Muster's own".to_owned(), "Muster's own".to_owned()),
        other => (
            format!("the {}'s", other.word()),
            format!("{}'s", other.word()),
        ),
    };
    let name = muster_document::Shown(&loser.name);
    Objection {
        status: Status::Overridden,
        short: format!("{winner} {name} wins"),
        reasons: vec![Reason {
            rule,
            label: "wins",
            text: format!("{whose} definition of {name} wins"),
            place,
        }],
        remedies: vec![format!("remove or rename {whose} {name}")],
    }
}
