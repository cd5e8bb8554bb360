//! `muster tools`, `resources`, `prompts` as Markdown.

use muster_document::code;
use serde_json::Value;

use super::plain;
use crate::offering::{State, gist, word};
use crate::text::counted;
use crate::{Offered, Offering, Offers, Signature};

/// Every server as a section.
pub(crate) fn offering(kind: Offered, offerings: &[Offering<'_>]) -> String {
    let section = |offering: &Offering<'_>| {
        let title = format!("## {}\n\n", plain(offering.server));
        match offering.state {
            State::Offers(offers) => title + &offered(kind, &offers),
            State::Failed(why) => format!("{title}✗ {}\n", plain(why)),
            State::NotStarted(why) => format!("{title}◌ {}\n", plain(why)),
        }
    };
    offerings.iter().map(section).collect::<Vec<_>>().join("\n")
}

fn offered(kind: Offered, offers: &Offers<'_>) -> String {
    let own = match offers.own_name() {
        own if own.is_empty() => String::new(),
        own => format!("{}, ", plain(&own)),
    };
    let mut text = format!(
        "{own}{}, {}\n\n",
        counted(kind, offers),
        plain(offers.protocol)
    );
    let signed = |item: &Value| match kind {
        Offered::Tools => Signature::of_tool(item).line(),
        Offered::Prompts => Signature::of_prompt(item).line(),
        Offered::Resources => word(item, "uri").to_owned(),
    };
    let items = offers.items.iter().map(|item| (signed(item), item));
    let templates = offers
        .templates
        .iter()
        .map(|item| (word(item, "uriTemplate").to_owned(), item));
    for (line, item) in items.chain(templates) {
        text.push_str(&format!("- {}", code(&line)));
        let gist = gist(word(item, "description"));
        if !gist.is_empty() {
            text.push_str(&format!(": {}", plain(&gist)));
        }
        text.push('\n');
    }
    text
}
