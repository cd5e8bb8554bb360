//! What holds for all harnesses together.

use std::collections::HashSet;

use super::*;

#[test]
fn no_file_is_the_own_one_of_two_agents() {
    let mut files = HashSet::new();
    for agent in ALL {
        for file in agent.idiom().files {
            assert!(files.insert(file), "{file} of {}", agent.id());
        }
    }
    assert!(files.len() > 6, "{files:?}");
}

#[test]
fn no_key_and_no_word_stands_twice_in_an_idiom() {
    for agent in ALL {
        let idiom = agent.idiom();
        let mut meant = HashSet::new();
        for (thing, key) in idiom.keys {
            assert!(meant.insert((format!("{thing:?}"), key)), "{key}");
            assert!(!idiom.other_keys.contains(key), "{key} of {}", agent.id());
        }
        for (transport, words) in idiom.transports {
            let usual = idiom.word_for(*transport);
            assert_eq!(usual, words.first().copied(), "{}", agent.id());
            assert!(usual.is_some_and(|word| idiom.takes_transport(word)));
        }
    }
}

#[test]
fn the_path_to_a_table_is_what_its_key_says() {
    for agent in ALL {
        for table in agent.idiom().tables {
            assert_eq!(table.path.join("."), table.key, "{}", agent.id());
            assert!(table.reader.starts_with(agent.name()), "{}", table.reader);
        }
    }
}
