//! A type as it is written in a signature.

/// What values are allowed.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Shape {
    /// Any value at all, or nothing is known.
    Any,
    /// None at all.
    Never,
    /// A type by its name: `string`, `number`, `integer`, `boolean`, `null`, `object`.
    Word(&'static str),
    /// This very value, as JSON.
    Literal(String),
    /// A list of such.
    List(Box<Shape>),
    /// A list of these, in this order.
    Tuple(Vec<Shape>),
    /// Named members.
    Object(Vec<Member>),
    /// Any names, each with such a value.
    Record(Box<Shape>),
    /// One of these.
    Union(Vec<Shape>),
    /// All of these at once.
    Both(Vec<Shape>),
    /// A definition that is being described already, by its name.
    Named(String),
    /// More than is worth reading.
    Cut,
}

/// A member of an object.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Member {
    pub(crate) name: String,
    pub(crate) shape: Shape,
    pub(crate) optional: bool,
    /// What it is where it is left out, as JSON.
    pub(crate) default: Option<String>,
    pub(crate) description: Option<String>,
}

impl Shape {
    /// One of `shapes`: without repeats, and without unions in unions.
    pub(crate) fn one_of(shapes: impl IntoIterator<Item = Shape>) -> Shape {
        let mut distinct: Vec<Shape> = Vec::new();
        for shape in shapes {
            let parts = match shape {
                Shape::Union(parts) => parts,
                other => vec![other],
            };
            for part in parts {
                if !distinct.contains(&part) {
                    distinct.push(part);
                }
            }
        }
        if distinct.contains(&Shape::Any) {
            return Shape::Any;
        }
        match (distinct.len(), distinct.pop()) {
            (0 | 1, last) => last.unwrap_or(Shape::Never),
            (_, last) => {
                distinct.extend(last);
                Shape::Union(distinct)
            }
        }
    }

    /// All of `shapes` at once; objects become one.
    pub(crate) fn all_of(shapes: impl IntoIterator<Item = Shape>) -> Shape {
        let mut members: Vec<Member> = Vec::new();
        let mut others = Vec::new();
        for shape in shapes {
            match shape {
                Shape::Any => {}
                Shape::Object(more) => {
                    for member in more {
                        match members.iter_mut().find(|known| known.name == member.name) {
                            // Required anywhere is required.
                            Some(known) => known.optional &= member.optional,
                            None => members.push(member),
                        }
                    }
                }
                other if others.contains(&other) => {}
                other => others.push(other),
            }
        }
        if !members.is_empty() {
            others.retain(|shape| *shape != Shape::Word("object"));
            others.insert(0, Shape::Object(members));
        }
        match (others.len(), others.pop()) {
            (0 | 1, last) => last.unwrap_or(Shape::Any),
            (_, last) => {
                others.extend(last);
                Shape::Both(others)
            }
        }
    }
}
