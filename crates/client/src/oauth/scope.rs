//! Scopes: which are asked for.

/// More scopes than this are no set that a person can agree to.
const MOST: usize = 256;

/// Asks for a token that refreshes itself (OpenID Connect Core, section 11).
pub(super) const OFFLINE_ACCESS: &str = "offline_access";

/// A set of scopes in the order in which they were first named (RFC 6749, section 3.3).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Scopes(Vec<String>);

impl Scopes {
    /// The scopes of a blank-divided `text`. What cannot be a scope is left out.
    pub fn read(text: &str) -> Scopes {
        text.split_ascii_whitespace().collect()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether `scope` is among them.
    pub fn contains(&self, scope: &str) -> bool {
        self.0.iter().any(|own| own == scope)
    }

    /// Whether all of `other` are among them.
    pub fn cover(&self, other: &Scopes) -> bool {
        other.0.iter().all(|scope| self.contains(scope))
    }

    /// These, then those of `other` that are new.
    pub fn union(&self, other: &Scopes) -> Scopes {
        self.iter().chain(other.iter()).collect()
    }

    /// As they are sent.
    pub fn joined(&self) -> String {
        self.0.join(" ")
    }

    fn iter(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }
}

impl<'s> FromIterator<&'s str> for Scopes {
    fn from_iter<I: IntoIterator<Item = &'s str>>(scopes: I) -> Scopes {
        let mut set: Vec<String> = Vec::new();
        for scope in scopes {
            let is_scope = !scope.is_empty()
                && scope
                    .bytes()
                    .all(|byte| matches!(byte, 0x21 | 0x23..=0x5b | 0x5d..=0x7e));
            if is_scope && set.len() < MOST && !set.iter().any(|own| own == scope) {
                set.push(scope.to_owned());
            }
        }
        Scopes(set)
    }
}

/// What is known when scopes are chosen.
#[derive(Debug, Clone, Copy, Default)]
pub struct ScopeSources<'s> {
    /// What the user named.
    pub asked: Option<&'s Scopes>,
    /// What the server challenged for.
    pub challenged: Option<&'s Scopes>,
    /// What the server's metadata lists.
    pub listed: Option<&'s Scopes>,
    /// What the authorization server lists.
    pub offered: Option<&'s Scopes>,
    /// What was asked for before, which a step up keeps.
    pub before: Option<&'s Scopes>,
}

/// The scopes to ask for; `None` leaves them to the authorization server (MCP 2026-07-28, "Scope Selection Strategy"). `offline_access`
/// is among them exactly where the authorization server lists it, and never alone: that would take the place of its own choice.
pub fn choose(sources: ScopeSources<'_>) -> Option<Scopes> {
    let filled = |scopes: Option<&'_ Scopes>| scopes.filter(|scopes| !scopes.is_empty()).cloned();
    let needed = match filled(sources.asked) {
        Some(asked) => {
            let challenged = filled(sources.challenged).unwrap_or_default();
            Some(asked.union(&challenged))
        }
        None => filled(sources.challenged).or_else(|| filled(sources.listed)),
    };
    let before = filled(sources.before).unwrap_or_default();
    let offline = sources
        .offered
        .is_some_and(|offered| offered.contains(OFFLINE_ACCESS));
    let needed = before.union(&needed.unwrap_or_default());
    let plain: Scopes = needed
        .iter()
        .filter(|scope| *scope != OFFLINE_ACCESS)
        .collect();
    if plain.is_empty() {
        return None;
    }
    Some(if offline {
        plain.iter().chain([OFFLINE_ACCESS]).collect()
    } else {
        plain
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chosen(sources: ScopeSources<'_>) -> Option<String> {
        choose(sources).map(|scopes| scopes.joined())
    }

    #[test]
    fn a_challenge_counts_before_what_is_listed_and_nothing_is_invented() {
        let (challenged, listed) = (Scopes::read("a b"), Scopes::read("c d"));
        let both = ScopeSources {
            challenged: Some(&challenged),
            listed: Some(&listed),
            ..ScopeSources::default()
        };
        assert_eq!(chosen(both).as_deref(), Some("a b"));
        let only_listed = ScopeSources {
            challenged: None,
            ..both
        };
        assert_eq!(chosen(only_listed).as_deref(), Some("c d"));
        assert_eq!(chosen(ScopeSources::default()), None);
        let none = Scopes::default();
        let empty = ScopeSources {
            challenged: Some(&none),
            listed: Some(&none),
            ..ScopeSources::default()
        };
        assert_eq!(chosen(empty), None);
    }

    #[test]
    fn a_step_up_keeps_what_was_asked_for_before() {
        let (before, challenged, listed) = (
            Scopes::read("read"),
            Scopes::read("write"),
            Scopes::read("profile"),
        );
        let sources = ScopeSources {
            before: Some(&before),
            challenged: Some(&challenged),
            listed: Some(&listed),
            ..ScopeSources::default()
        };
        assert_eq!(chosen(sources).as_deref(), Some("read write"));
    }

    #[test]
    fn what_the_user_names_is_asked_for_with_what_is_challenged() {
        let (asked, challenged, listed) = (
            Scopes::read("mine"),
            Scopes::read("write"),
            Scopes::read("profile"),
        );
        let sources = ScopeSources {
            asked: Some(&asked),
            challenged: Some(&challenged),
            listed: Some(&listed),
            ..ScopeSources::default()
        };
        assert_eq!(chosen(sources).as_deref(), Some("mine write"));
    }

    #[test]
    fn offline_access_is_asked_for_only_where_it_is_listed_and_never_alone() {
        let (listed, with, without) = (
            Scopes::read("a offline_access"),
            Scopes::read("a offline_access"),
            Scopes::read("a"),
        );
        let sources = |offered| ScopeSources {
            listed: Some(&listed),
            offered,
            ..ScopeSources::default()
        };
        assert_eq!(
            chosen(sources(Some(&with))).as_deref(),
            Some("a offline_access")
        );
        assert_eq!(chosen(sources(Some(&without))).as_deref(), Some("a"));
        assert_eq!(chosen(sources(None)).as_deref(), Some("a"));
        let alone = ScopeSources {
            offered: Some(&with),
            ..ScopeSources::default()
        };
        assert_eq!(chosen(alone), None);
    }

    #[test]
    fn what_cannot_be_a_scope_is_left_out() {
        let scopes = Scopes::read("a \u{e9} b\"c a\\ \u{1b}[31m a:b/c.d");
        assert_eq!(scopes.joined(), "a a:b/c.d");
        assert!(Scopes::read("a b").cover(&Scopes::read("b")));
        assert!(!Scopes::read("a b").cover(&Scopes::read("b c")));
    }
}
