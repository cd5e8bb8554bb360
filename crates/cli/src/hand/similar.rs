//! What somebody may have meant.

/// So many close names are offered.
const SIMILAR: usize = 3;

/// Those of `known` that somebody who typed `name` may have meant, the closest first, as they may be printed.
pub(crate) fn similar<'k>(name: &str, known: impl IntoIterator<Item = &'k str>) -> Vec<String> {
    let wanted = name.to_lowercase();
    let close = |id: &'k str| {
        let lower = id.to_lowercase();
        let distance = strsim::osa_distance(&wanted, &lower);
        let inside = wanted.chars().count() >= 4 && lower.contains(&wanted);
        let near = distance <= wanted.chars().count().div_ceil(3);
        (inside || near).then_some((if inside { 1 } else { distance }, id))
    };
    let mut close: Vec<(usize, &str)> = known.into_iter().take(5_000).filter_map(close).collect();
    close.sort_by_key(|(distance, _)| *distance);
    let shown = |(_, id): (usize, &str)| muster_document::Shown(id).to_string();
    close.into_iter().take(SIMILAR).map(shown).collect()
}
