//! What an address alone tells of how it is spoken to.

/// Whether a part of the address's path is `sse`: what people mean by it where an agent tries Streamable HTTP and then the older SSE, and
/// only the server can tell which of them it speaks.
pub(crate) fn names_sse(url: &str) -> bool {
    let path = url.split(['?', '#']).next().unwrap_or_default();
    path.split('/').skip(3).any(|part| part == "sse")
}

#[cfg(test)]
mod tests {
    use super::names_sse;

    #[test]
    fn only_a_part_of_the_path_counts() {
        for url in [
            "https://h.example/sse",
            "https://h.example/a/sse/b?x",
            "http://h:1/sse#y",
        ] {
            assert!(names_sse(url), "{url}");
        }
        for url in [
            "https://sse/",
            "https://h.example/ssex",
            "https://h.example/?/a/sse",
            "sse",
            "",
        ] {
            assert!(!names_sse(url), "{url}");
        }
    }
}
