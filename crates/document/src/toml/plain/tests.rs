//! The short way and the long way give the same nodes, places and all.

use proptest::prelude::*;

use super::super::whole;
use super::read;

#[test]
fn files_as_nearly_all_are_written_go_the_short_way() {
    for text in [
        "",
        "# nothing\n",
        "\u{feff}model = 'gpt'\n",
        "a = 1\r\n[p.\"/work/repo\"]\r\ntrust_level = \"trusted\"\r\n",
        "[s.a]\ncommand = \"npx\"\nargs = [\"-y\", # one\n 'x']\nenv = { A = \"1\", \"B.C\" = '''\nx''' }\n[s.a.env]\nA = true\n[t]\n[s.b]\n",
        "a = 0xff\nb = [{ c = [[], {}] }, -1_000]\nd = \"\"\"\n\\u00e9 \\\n  x\"\"\"",
    ] {
        assert_eq!(read(text), whole(text).ok(), "{text:?}");
    }
}

#[test]
fn what_is_a_fault_or_out_of_the_ordinary_goes_the_long_way() {
    let many: String = (0..100).map(|n| format!("k{n} = 1\n")).collect();
    let deep = "a = ".to_owned() + &"[".repeat(20) + &"]".repeat(20);
    let long = format!("[{}a]", "a.".repeat(20));
    for text in [
        "a.b = 1",
        "a = { b.c = 1 }",
        "[[a]]",
        "[a.b]\n[a]",
        "[a]\n[a]",
        "a = 1\n[a]",
        "a = 1\n[a.b]",
        "[a]\nb = 1\n[a.b.c]",
        "a = 1\na = 2",
        "a = { b = 1, b = 2 }",
        "a = {}\n[a.b]",
        "a = 1.5",
        "a = 07:32",
        "a = 99999999999999999999",
        "a = ",
        "a = s3cret",
        "a = [1",
        "a = \"\\q\"",
        "[a",
        "a = 1 b = 2",
        "# \u{7f}",
        "a = 1\r",
        &many,
        &deep,
        &long,
    ] {
        assert_eq!(read(text), None, "{text:?}");
    }
}

fn keys() -> impl Strategy<Value = &'static str> {
    prop::sample::select(
        &[
            "a",
            "b",
            "c",
            "\"a\"",
            "'c.d'",
            "\"\\u00e9\"",
            "1",
            "a.b",
            "\"\\q\"",
        ][..],
    )
}

fn values() -> impl Strategy<Value = String> {
    const SCALARS: &[&str] = &[
        "1",
        "+1_000",
        "0b1",
        "0x_1",
        "1.5",
        "true",
        "truth",
        "\"x\\n\"",
        "'\\'",
        "'''\n\nb'''",
        "\"",
        "07:32",
    ];
    let scalar = prop::sample::select(SCALARS).prop_map(str::to_owned);
    scalar.prop_recursive(3, 8, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..3)
                .prop_map(|items| format!("[{}]", items.join(", # x\n"))),
            prop::collection::vec((keys(), inner), 0..3).prop_map(|members| {
                let members = members.iter().map(|(key, value)| format!("{key}={value}"));
                format!("{{ {} }}", members.collect::<Vec<_>>().join(" ,\n"))
            }),
        ]
    })
}

fn files() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        6 => (keys(), values()).prop_map(|(key, value)| format!("{key} = {value} # c")),
        6 => prop::collection::vec(keys(), 1..4).prop_map(|keys| format!("[ {} ]", keys.join(" . "))),
        1 => keys().prop_map(|key| format!("[[{key}]]")),
        1 => "\\PC{0,6}",
    ];
    (
        prop::collection::vec(line, 0..8),
        prop::sample::select(&["\n", "\r\n", "\n\n  ", "\r"][..]),
    )
        .prop_map(|(lines, end)| lines.join(end))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4096, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_short_way_leads_where_the_long_one_does(text in files()) {
        if let Some(members) = read(&text) {
            prop_assert_eq!(Some(members), whole(&text).ok());
        }
    }
}
