//! The merged servers: objects key by key, lists and other values replaced whole, a later layer over an earlier one. Observed on 1.18.33.

use std::collections::HashMap;

use muster_document::{Node, Span, Value};

use super::entries::{At, Kind, Part, Switch};
use super::schema::own;

/// A value with the layer that gives it and its span there.
#[derive(Debug, Clone, Copy)]
pub(super) struct From<T> {
    pub(super) value: T,
    pub(super) layer: usize,
    pub(super) span: Span,
}

/// A layer that speaks of a server.
#[derive(Debug, Clone, Copy)]
pub(super) struct Speaker {
    pub(super) layer: usize,
    /// The server's name there.
    pub(super) key: Span,
}

/// `oauth`.
#[derive(Debug, Clone)]
pub(super) enum Oauth<'l> {
    Off,
    Keys(Vec<(&'l str, From<&'l Node>)>),
}

/// A server after the merge.
#[derive(Debug, Default)]
pub(super) struct Merged<'l> {
    pub(super) name: &'l str,
    /// Lowest layer first.
    pub(super) speakers: Vec<Speaker>,
    pub(super) kind: Option<From<Kind>>,
    pub(super) command: Option<From<&'l Node>>,
    pub(super) cwd: Option<From<&'l Node>>,
    pub(super) environment: Vec<(&'l str, From<&'l Node>)>,
    pub(super) enabled: Option<From<Switch>>,
    pub(super) timeout: Option<From<f64>>,
    pub(super) url: Option<From<&'l Node>>,
    pub(super) headers: Vec<(&'l str, From<&'l Node>)>,
    pub(super) oauth: Option<Oauth<'l>>,
}

/// The servers of all layers, in the order in which they first appear.
#[derive(Debug, Default)]
pub(super) struct Servers<'l> {
    pub(super) list: Vec<Merged<'l>>,
    at: HashMap<&'l str, usize>,
}

impl<'l> Servers<'l> {
    /// Lays `part`, what `layer` says of `name`, over what is known of it.
    pub(super) fn lay(&mut self, name: &'l str, layer: usize, key: Span, part: &Part<'l>) {
        let at = *self.at.entry(name).or_insert_with(|| {
            self.list.push(Merged {
                name,
                ..Merged::default()
            });
            self.list.len() - 1
        });
        if let Some(server) = self.list.get_mut(at) {
            server.speakers.push(Speaker { layer, key });
            server.lay(layer, part);
        }
    }

    pub(super) fn get(&self, name: &str) -> Option<&Merged<'l>> {
        self.at.get(name).and_then(|at| self.list.get(*at))
    }
}

impl<'l> Merged<'l> {
    fn lay(&mut self, layer: usize, part: &Part<'l>) {
        fn over<T: Copy>(old: &mut Option<From<T>>, layer: usize, new: Option<At<T>>) {
            if let Some((value, span)) = new {
                *old = Some(From { value, layer, span });
            }
        }
        let node = |node: Option<&'l Node>| node.map(|node| (node, node.span));
        over(&mut self.kind, layer, part.kind);
        over(&mut self.command, layer, node(part.command));
        over(&mut self.cwd, layer, node(part.cwd));
        over(&mut self.enabled, layer, part.enabled);
        over(&mut self.timeout, layer, part.timeout);
        over(&mut self.url, layer, node(part.url));
        lay_keys(&mut self.environment, layer, part.environment);
        lay_keys(&mut self.headers, layer, part.headers);
        if let Some(oauth) = part.oauth {
            self.oauth = Some(match (self.oauth.take(), oauth.is_table()) {
                (_, false) => Oauth::Off,
                (Some(Oauth::Keys(mut keys)), true) => {
                    lay_keys(&mut keys, layer, Some(oauth));
                    Oauth::Keys(keys)
                }
                (_, true) => {
                    let mut keys = Vec::new();
                    lay_keys(&mut keys, layer, Some(oauth));
                    Oauth::Keys(keys)
                }
            });
        }
    }

    /// The layer that defines it: the highest that gives what its kind needs.
    pub(super) fn defining(&self) -> Option<Speaker> {
        let target = match self.kind?.value {
            Kind::Local => self.command?.layer,
            Kind::Remote => self.url?.layer,
        };
        self.speakers
            .iter()
            .rev()
            .find(|speaker| speaker.layer == target)
            .copied()
    }

    /// The keys that `layer` gives and no higher one replaces.
    pub(super) fn given_by(&self, layer: usize) -> Vec<String> {
        let single = [
            ("type", self.kind.map(|from| from.layer)),
            ("command", self.command.map(|from| from.layer)),
            ("cwd", self.cwd.map(|from| from.layer)),
            ("url", self.url.map(|from| from.layer)),
            ("timeout", self.timeout.map(|from| from.layer)),
        ];
        let mut keys: Vec<String> = single
            .iter()
            .filter(|(_, from)| *from == Some(layer))
            .map(|(key, _)| (*key).to_owned())
            .collect();
        if let Some(enabled) = self.enabled.filter(|from| from.layer == layer) {
            keys.push(enabled.value.key.to_owned());
        }
        let named = [
            ("environment", &self.environment),
            ("headers", &self.headers),
        ];
        for (key, list) in named {
            if list.iter().any(|(_, from)| from.layer == layer) {
                keys.push(key.to_owned());
            }
        }
        if let Some(Oauth::Keys(list)) = &self.oauth
            && list.iter().any(|(_, from)| from.layer == layer)
        {
            keys.push("oauth".to_owned());
        }
        keys
    }

    /// The words of its command.
    pub(super) fn words(&self) -> Vec<From<&'l Node>> {
        let Some(command) = self.command else {
            return Vec::new();
        };
        let items = command.value.as_array().unwrap_or_default().iter();
        items
            .map(|item| From {
                value: item,
                layer: command.layer,
                span: item.span,
            })
            .collect()
    }
}

/// Lays the members of an object over those that are known.
fn lay_keys<'l>(
    known: &mut Vec<(&'l str, From<&'l Node>)>,
    layer: usize,
    object: Option<&'l Node>,
) {
    let Some(object) = object.filter(|object| matches!(object.value, Value::Table(_))) else {
        return;
    };
    let mut at: HashMap<&str, usize> = known
        .iter()
        .enumerate()
        .map(|(at, (name, _))| (*name, at))
        .collect();
    for member in own(object) {
        let name = member.key.text.as_str();
        let new = From {
            value: &member.value,
            layer,
            span: member.key.span,
        };
        match at.get(name).and_then(|at| known.get_mut(*at)) {
            Some((_, old)) => *old = new,
            None => {
                at.insert(name, known.len());
                known.push((name, new));
            }
        }
    }
}
