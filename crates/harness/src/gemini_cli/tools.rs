//! The names under which the model sees tools, and who is offered them.

use muster_core::Reason;
use muster_document::Shown;

use super::entry::Config;
use super::judge::Circumstances;
use super::rules;
use super::value::Js;

/// The longest name, in UTF-16 code units.
const LONGEST: usize = 63;

/// What stays at either end of a name that is too long.
const KEPT: usize = 30;

/// The name of a tool as the model sees it. Observed on 0.61.0.
pub(super) fn name(server: &str, tool: &str) -> String {
    let whole = format!("{server}_{tool}");
    let prefixed = if whole.starts_with("mcp_") {
        whole
    } else {
        format!("mcp_{whole}")
    };
    // JavaScript replaces UTF-16 code units, so a character beyond the basic plane becomes two.
    let plain: String = prefixed
        .encode_utf16()
        .map(|unit| match u8::try_from(unit).map(char::from) {
            Ok(c) if c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | ':') => c,
            _ => '_',
        })
        .collect();
    if plain.len() <= LONGEST {
        return plain;
    }
    let start = plain.get(..KEPT).unwrap_or_default();
    let end = plain.get(plain.len() - KEPT..).unwrap_or_default();
    format!("{start}...{end}")
}

/// Whether rules that speak of the server by its name reach its tools: only where their names begin with it.
fn is_reached(server: &str) -> bool {
    name(server, "x").starts_with(&format!("mcp_{server}_"))
}

/// That none of a server's tools is offered to the model: nobody can be asked, and nothing frees them.
pub(super) fn hidden(
    circumstances: &Circumstances<'_, '_, '_>,
    server: &str,
    config: &Config<'_, '_>,
) -> Option<Reason> {
    let flags = circumstances.flags;
    if !circumstances.world.headless() || flags.lists || flags.yolo {
        return None;
    }
    // An extension's own `trust` does not count.
    let own = circumstances.merged.winners.get(server);
    let trusted = own
        .and_then(|own| own.value.get("trust"))
        .is_some_and(Js::truthy);
    let any = circumstances.lists.names(circumstances.settings, "*");
    let named = circumstances.lists.names(circumstances.settings, server);
    if any || ((trusted || named) && is_reached(server)) {
        return None;
    }
    let text = match trusted || named {
        true => format!("none of its tools is offered to the model in a headless run: trust and mcp.allowed free only tools called mcp_{}_…", Shown(server)),
        false => "none of its tools is offered to the model in a headless run: it has no trust: true, mcp.allowed does not name it, and the approval mode is not yolo".to_owned(),
    };
    let place = config
        .parts
        .first()
        .and_then(|part| Some(part.place(part.value.get("trust")?)));
    Some(Reason::new(&rules::HEADLESS_TOOLS, "tools", text, place))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        for (server, tool, expected) in [
            ("db", "query", "mcp_db_query"),
            ("mcp_x", "ping", "mcp_x_ping"),
            ("sp ace", "p/q", "mcp_sp_ace_p_q"),
            ("dot.ted", "a:b-c", "mcp_dot.ted_a:b-c"),
            ("h\u{e9}\u{1f600}", "t", "mcp_h____t"),
        ] {
            assert_eq!(name(server, tool), expected);
        }
        let long = name(
            "a-server-with-a-rather-long-name",
            "and_a_tool_with_a_rather_long_name",
        );
        assert_eq!(
            long,
            "mcp_a-server-with-a-rather-lon...tool_with_a_rather_long_name"
                .replace("...tool", "...a_tool")
        );
        assert_eq!(long.len(), 63);
        assert_eq!(name(&"s".repeat(30), &"t".repeat(28)).len(), 63);
    }

    #[test]
    fn plain_names_are_reached() {
        assert!(is_reached("with_under") && is_reached("UPPER") && is_reached("dot.ted"));
        assert!(!is_reached("sp ace") && !is_reached("mcp_x"));
    }
}
