//! What a secret becomes inside base64.

const STANDARD: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The characters that stand for `bytes` in base64 of data which holds them at an offset of 0, 1 and 2 modulo 3, in both alphabets. Characters
/// that depend on neighbours are left out.
pub(super) fn forms(bytes: &[u8]) -> Vec<Vec<u8>> {
    let standard = (0..3).map(|offset| encode(bytes, offset));
    let mut forms: Vec<Vec<u8>> = standard.collect();
    let for_addresses = |form: &Vec<u8>| {
        form.iter()
            .map(|c| match c {
                b'+' => b'-',
                b'/' => b'_',
                other => *other,
            })
            .collect()
    };
    forms.extend(forms.iter().map(for_addresses).collect::<Vec<_>>());
    forms.sort();
    forms.dedup();
    forms
}

fn encode(bytes: &[u8], offset: usize) -> Vec<u8> {
    let bit = |at: usize| {
        bytes
            .get(at / 8)
            .map_or(0, |byte| (byte >> (7 - at % 8)) & 1)
    };
    // Sextets that lie wholly inside the bytes, counted from where the encoder began.
    let lead = (6 - (offset * 8) % 6) % 6;
    let whole = (bytes.len() * 8).saturating_sub(lead) / 6;
    let sextet = |n: usize| (0..6).fold(0, |value: u8, at| (value << 1) | bit(lead + n * 6 + at));
    (0..whole)
        .filter_map(|n| STANDARD.get(usize::from(sextet(n))).copied())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stable_part_at_every_offset() {
        // base64 of "hunter2!", "xhunter2!", "xxhunter2!"
        let forms: Vec<String> = forms(b"hunter2!")
            .into_iter()
            .map(|form| String::from_utf8(form).unwrap())
            .collect();
        for encoded in ["aHVudGVyMiE=", "eGh1bnRlcjIh", "eHhodW50ZXIyIQ=="] {
            assert!(
                forms.iter().any(|form| encoded.contains(form.as_str())),
                "{encoded}"
            );
        }
    }
}
