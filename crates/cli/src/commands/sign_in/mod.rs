//! `muster login` and `muster logout`: sign-ins to servers over HTTP.

mod error;
mod target;

use std::sync::Arc;
use std::thread;

use muster_client::net::Net;
use muster_client::oauth::{Given, Person, Pkce, Scopes, Show, SignInPage};
use muster_core::Files;
use muster_document::{Masked, Secret, Shown};
use muster_report::Page;
use muster_store::Disk;

use crate::args::{Common, Login};
use crate::error::CliError;
use crate::output::Output;
use crate::sign_ins::sign_ins;
use crate::world::Scene;

pub(crate) use error::SignInError;
use target::Target;

/// Signs in to the server that `login` names.
pub(crate) fn login(common: &Common, login: &Login, output: &Output) -> Result<Page, CliError> {
    let files = Files::new(Disk);
    let scene = Scene::new(common, &[], &files)?;
    let target = Target::find(&scene, common, &login.server)?;
    if let Some(harness) = target.header_of {
        return Err(SignInError::OwnHeader {
            server: target.name,
            harness,
        }
        .into());
    }
    let net = Net::new(scene.env()).map_err(SignInError::Net)?;
    let kept = sign_ins(&scene, common, net).ok_or(SignInError::NoHome)?;
    let access = kept.access(&target.url).with(
        given(&scene, login)?,
        login.scope.as_deref().map(Scopes::read),
    );
    let person = Person {
        port: login.callback_port,
        patience: Person::LONGEST,
        show: show(login, output),
    };
    let begun = format!("Signing in to {} at {}", target.name, target.shown);
    output.aside(&Page::own(begun));
    let signed_in = run(async {
        let asked = access.challenge(&target.headers).await;
        let (status, bearer) = asked.map_err(|why| SignInError::NoAnswer {
            server: target.name.clone(),
            why,
        })?;
        let failed = |why| SignInError::failed(&target.name, why);
        let found = access.discover(bearer.as_ref()).await.map_err(failed)?;
        if (200..300).contains(&status) && found.server.pkce == Pkce::Undocumented {
            return Err(SignInError::NotAsked(target.name.clone()));
        }
        let signed_in = access.sign_in_at(&found, bearer.as_ref(), &person).await;
        signed_in.map_err(failed)
    })?;
    let scopes = signed_in
        .scope
        .as_ref()
        .map(Scopes::joined)
        .unwrap_or_default();
    let scopes: Vec<String> = scopes.split_whitespace().map(str::to_owned).collect();
    let answer = muster_report::SignedIn {
        server: &target.name,
        url: &target.shown,
        authorization_server: &signed_in.host,
        scopes: &scopes,
        renewable: signed_in.renewable,
        expires_in: signed_in.lasts,
    };
    Ok(muster_report::signed_in(
        &answer,
        common.format.into(),
        output.look(),
    ))
}

/// Forgets the sign-in to the server that is called `server`.
pub(crate) fn logout(common: &Common, server: &str, output: &Output) -> Result<Page, CliError> {
    let files = Files::new(Disk);
    let scene = Scene::new(common, &[], &files)?;
    let target = Target::find(&scene, common, server)?;
    let net = Net::new(scene.env()).map_err(SignInError::Net)?;
    let kept = sign_ins(&scene, common, net).ok_or(SignInError::NoHome)?;
    let access = kept.access(&target.url);
    let out = run(async {
        let out = access.sign_out().await;
        out.map_err(|why| SignInError::failed(&target.name, why))
    })?;
    let answer = muster_report::SignedOut {
        server: &target.name,
        url: &target.shown,
        signed_out: out.is_some(),
        revoked: out.is_some_and(|out| out.revoked),
    };
    Ok(muster_report::signed_out(
        &answer,
        common.format.into(),
        output.look(),
    ))
}

/// The client that the user registered.
fn given(scene: &Scene<'_>, login: &Login) -> Result<Given, SignInError> {
    let secret = login.client_secret_env.as_deref().map(|name| {
        let value = scene.env().filled(name).map(Secret::new);
        value.ok_or_else(|| SignInError::NoSecret(Shown(name).to_string()))
    });
    Ok(Given {
        id: login.client_id.clone(),
        secret: secret.transpose()?,
        ..Given::default()
    })
}

/// Runs `work` to its end.
fn run<T>(work: impl Future<Output = Result<T, SignInError>>) -> Result<T, SignInError> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    runtime.map_err(SignInError::Runtime)?.block_on(work)
}

/// Shows the sign-in page: its host first, then the page itself in a browser.
fn show(login: &Login, output: &Output) -> Show {
    let (opens, output) = (!login.no_browser, output.clone());
    Arc::new(move |page: &SignInPage| {
        // The address passed the policy: https, or this machine. It is the library's text, escaped by its rules.
        let (host, url) = (page.endpoint.host(), Shown(page.url.as_str()).to_string());
        let host = Shown(&host).to_string();
        if !opens {
            output.aside(&Page::own(not_opened(&host, &url, &page.redirect)));
            return;
        }
        output.aside(&Page::own(format!(
            "The sign-in page is at {host}. If no browser opens it, open it yourself:\n  {url}"
        )));
        let url = page.url.clone();
        // Some browsers stay in the foreground.
        thread::spawn(move || webbrowser::open(url.as_str()));
    })
}

fn not_opened(host: &str, url: &str, redirect: &str) -> String {
    let port = redirect.rsplit(':').next().unwrap_or_default();
    let port = port.split('/').next().unwrap_or_default();
    format!(
        "The sign-in page is at {host}. Open it in a browser on this machine:\n  {url}\n\
         In a browser elsewhere, first: ssh -L {port}:127.0.0.1:{port} (this machine)"
    )
}

/// A server's name, as it may be shown.
fn shown_name(name: &str) -> Masked {
    Masked::word(&Secret::new(name))
}
