//! Lines and messages out of bytes, however they come.

use muster_client::{Incoming, Line, Lines, incoming};
use proptest::prelude::*;

const LIMIT: usize = 200;

/// Bytes as servers write them, and worse.
fn bytes() -> impl Strategy<Value = Vec<u8>> {
    let piece = prop_oneof![
        Just(br#"{"jsonrpc":"2.0","id":1,"result":{}}"#.to_vec()),
        Just(br#"{"jsonrpc":"2.0","method":"notifications/x"}"#.to_vec()),
        Just(br#"[{"jsonrpc":"2.0","id":"a","method":"ping"},1]"#.to_vec()),
        Just(b"\n".to_vec()),
        Just(b"\r\n".to_vec()),
        Just(b"\xEF\xBB\xBF".to_vec()),
        Just(vec![b'x'; 150]),
        proptest::collection::vec(any::<u8>(), 0..20),
        "[\\[\\]{}\":,0-9a-z]{0,20}".prop_map(String::into_bytes),
    ];
    proptest::collection::vec(piece, 0..12).prop_map(|pieces| pieces.concat())
}

/// What `bytes` say when they come in the pieces that `cuts` make of them.
fn said(bytes: &[u8], cuts: &[usize]) -> Vec<Line> {
    let mut cuts: Vec<usize> = cuts.iter().map(|cut| cut % (bytes.len() + 1)).collect();
    cuts.extend([0, bytes.len()]);
    cuts.sort_unstable();
    let mut lines = Lines::new(LIMIT);
    let mut found: Vec<Line> = Vec::new();
    for ends in cuts.windows(2) {
        found.extend(lines.take(&bytes[ends[0]..ends[1]]));
    }
    found.extend(lines.end());
    found
}

proptest! {
    #[test]
    fn any_split_of_the_same_bytes_says_the_same(
        bytes in bytes(),
        cuts in proptest::collection::vec(any::<usize>(), 0..40),
    ) {
        let whole = said(&bytes, &[]);
        prop_assert_eq!(&said(&bytes, &cuts), &whole);
        let each: Vec<usize> = (0..bytes.len()).collect();
        prop_assert_eq!(&said(&bytes, &each), &whole);
    }

    #[test]
    fn no_line_is_longer_than_the_limit_and_no_byte_is_lost(bytes in bytes()) {
        let mut counted = 0;
        for line in said(&bytes, &[]) {
            match &line {
                Line::Whole(line) => {
                    prop_assert!(line.len() <= LIMIT);
                    counted += line.len() as u64;
                }
                Line::TooLong { bytes: dropped, start } => {
                    prop_assert!(start.len() <= 64 && bytes.windows(start.len().max(1)).any(|at| at == start));
                    prop_assert!(*dropped > LIMIT as u64);
                    counted += dropped;
                }
            }
            for found in incoming(&line) {
                if let Incoming::Noise(shown) = found {
                    prop_assert!(shown.len() <= 3 * 256);
                }
            }
        }
        let ends = bytes.iter().filter(|byte| matches!(byte, b'\n' | b'\r')).count() as u64;
        prop_assert!(counted <= bytes.len() as u64);
        prop_assert!(counted + ends >= bytes.len() as u64);
    }
}
