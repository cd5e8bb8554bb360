//! Variables that entries name without holding their values.

use std::collections::BTreeMap;

use muster_document::Secret;

use crate::{Environment, Server};

/// What `env` holds for the variables that the entries of `servers` name, each once.
pub fn named_variables(servers: &[Server], env: &Environment) -> Vec<(String, Secret)> {
    let texts = servers
        .iter()
        .map(|server| &server.definition.entry)
        .flat_map(|entry| {
            let words = entry.command.iter().chain(&entry.args).chain(&entry.url);
            let pairs = entry.env.iter().chain(&entry.headers);
            words.chain(&entry.cwd).chain(pairs.map(|(_, value)| value))
        });
    let found: BTreeMap<&str, &str> = texts
        .flat_map(|text| text.value.variables())
        .filter_map(|name| Some((name, env.filled(name)?)))
        .collect();
    found
        .into_iter()
        .map(|(name, value)| (name.to_owned(), Secret::new(value)))
        .collect()
}
