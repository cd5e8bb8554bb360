//! Which server is meant.

use muster_core::Start;
use muster_document::{Masked, Secret};
use url::Url;

use super::error::SignInError;
use super::shown_name;
use crate::args::Common;
use crate::error::CliError;
use crate::world::Scene;

/// A server over HTTP.
pub(super) struct Target {
    /// As it was asked for.
    pub(super) name: Masked,
    /// Where it is.
    pub(super) url: Url,
    /// The same, masked.
    pub(super) shown: Masked,
    /// Header fields that are configured for it.
    pub(super) headers: Vec<(String, Secret)>,
    /// The agent that has an `Authorization` header configured for it.
    pub(super) header_of: Option<&'static str>,
}

/// What an agent would call.
struct Known {
    harness: &'static str,
    id: &'static str,
    loads: bool,
    url: Secret,
    headers: Vec<(String, Secret)>,
}

impl Target {
    /// The server that `name` means: an address, or the one that the agents know by it. Where they know several, one that loads is
    /// meant before those that do not.
    pub(super) fn find(scene: &Scene<'_>, common: &Common, name: &str) -> Result<Target, CliError> {
        if name.contains("://") {
            let url = address(&shown_url(name), name)?;
            return Ok(Target {
                name: Masked::url(&Secret::new(name)),
                shown: Masked::url(&Secret::new(name)),
                url,
                headers: Vec::new(),
                header_of: None,
            });
        }
        let resolutions = scene.resolve(common.format);
        let launches = scene.launches(resolutions, name);
        if launches.is_empty() {
            return Err(SignInError::Unknown(shown_name(name)).into());
        }
        let known = launches.into_iter().filter_map(|launch| {
            let Ok(Start::Remote { url, headers, .. }) = launch.plan.map(|plan| plan.start) else {
                return None;
            };
            let resolution = resolutions.iter().find(|own| own.id == launch.harness);
            Some(Known {
                harness: resolution.map_or(launch.harness, |own| own.name),
                id: launch.harness,
                loads: launch.server.status.loads() == Some(true),
                url,
                headers,
            })
        });
        let known: Vec<Known> = known.collect();
        let loading: Vec<&Known> = known.iter().filter(|known| known.loads).collect();
        let candidates = if loading.is_empty() {
            known.iter().collect()
        } else {
            loading
        };
        let Some(first) = candidates.first() else {
            return Err(SignInError::NotRemote(shown_name(name)).into());
        };
        if candidates.iter().any(|other| other.url != first.url) {
            let places = candidates.iter().map(|known| {
                format!(
                    "{} ({}) at {}",
                    known.harness,
                    known.id,
                    Masked::url(&known.url)
                )
            });
            return Err(SignInError::Ambiguous {
                server: shown_name(name),
                places: places.collect::<Vec<_>>().join(", "),
            }
            .into());
        }
        let own = |known: &&&Known| {
            let mut names = known.headers.iter().map(|(name, _)| name);
            names.any(|name| name.eq_ignore_ascii_case("authorization"))
        };
        // Where one agent brings its own, another may need the sign-in.
        let header_of = candidates.iter().all(|known| own(&known));
        Ok(Target {
            name: shown_name(name),
            url: address(&shown_name(name), first.url.expose())?,
            shown: Masked::url(&first.url),
            headers: first.headers.clone(),
            header_of: header_of.then_some(first.harness),
        })
    }
}

fn address(name: &Masked, text: &str) -> Result<Url, SignInError> {
    let url = Url::parse(text).ok();
    let url = url.filter(|url| matches!(url.scheme(), "http" | "https") && url.has_host());
    url.ok_or_else(|| SignInError::NoAddress(name.clone()))
}

fn shown_url(text: &str) -> Masked {
    Masked::url(&Secret::new(text))
}
