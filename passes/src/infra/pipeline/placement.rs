//! Passes that were added to pipelines: at points that have names, and before or after other passes.

use std::{
    fmt::{self, Display, Formatter},
    sync::{Arc, LazyLock, PoisonError, RwLock},
};

/// A place in pipelines that has a name, so that passes can be put there.
#[derive(Debug)]
pub struct Point {
    /// The name.
    pub name: &'static str,
    /// What the module is like there.
    pub description: &'static str,
}

/// Passes of a pipeline, and where they run.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Run {
    /// The anchors around them, below the module.
    pub(super) anchors: Vec<String>,
    /// The passes, or a named pipeline.
    pub(super) text: String,
}

impl Run {
    /// Writes passes with the anchors around them.
    pub(super) fn nested(anchors: &[String], text: &str) -> String {
        let opened: String = anchors.iter().map(|anchor| format!("{anchor}(")).collect();
        format!("{opened}{text}{}", ")".repeat(anchors.len()))
    }
}

/// A place in pipelines: wherever they come past it.
#[derive(Clone, Copy, Debug)]
pub enum Place {
    /// A point that has a name.
    At(&'static Point),
    /// Before a pass or a named pipeline.
    Before(&'static str),
    /// Behind a pass or a named pipeline.
    After(&'static str),
}

impl Place {
    fn key(self) -> (u8, &'static str) {
        match self {
            Self::At(point) => (0, point.name),
            Self::Before(pass) => (1, pass),
            Self::After(pass) => (2, pass),
        }
    }
}

impl PartialEq for Place {
    fn eq(&self, other: &Self) -> bool {
        self.key() == other.key()
    }
}

/// As it is written where a place is asked for: `after-fusion`, `before:cse`, `after:cse`.
impl Display for Place {
    fn fmt(&self, formatter: &mut Formatter) -> fmt::Result {
        match self {
            Self::At(point) => formatter.write_str(point.name),
            Self::Before(pass) => write!(formatter, "before:{pass}"),
            Self::After(pass) => write!(formatter, "after:{pass}"),
        }
    }
}

/// What runs at a place.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Placement {
    place: Place,
    /// The anchors around it below the module, if it says so itself.
    anchors: Option<Vec<String>>,
    /// Passes as in a textual pipeline.
    passes: String,
}

impl Placement {
    /// Reads `pass{option=…}`, or `anchor(pass{…})` with the anchors below the module.
    ///
    /// Without anchors the pass runs on what `declared` gives for its name, or, if that is nothing,
    /// on what the pipeline is about at that place.
    pub(crate) fn read(place: Place, text: &str, declared: impl Fn(&str) -> &'static str) -> Self {
        let mut passes = text.trim();
        let mut anchors = Vec::new();
        while let Some((anchor, inner)) = anchored(passes) {
            anchors.push(anchor.to_owned());
            passes = inner.trim();
        }
        let name = passes.split(['{', ',']).next().unwrap_or_default();
        let anchors = match (anchors.is_empty(), declared(name)) {
            (false, _) => Some(anchors),
            (true, "") => None,
            (true, "builtin.module") => Some(Vec::new()),
            (true, anchor) => Some(vec![anchor.to_owned()]),
        };
        Self {
            place,
            anchors,
            passes: passes.to_owned(),
        }
    }

    /// The whole pipeline that consists of it, at a place that has anchors around it.
    pub(crate) fn alone(&self, around: &[String]) -> String {
        let run = self.run(around);
        format!("builtin.module({})", Run::nested(&run.anchors, &run.text))
    }

    /// Adds it to all pipelines; whether it wasn't there already.
    pub(crate) fn add(self) -> bool {
        let mut added = ADDED.write().unwrap_or_else(PoisonError::into_inner);
        let is_new = !added.contains(&self);
        if is_new {
            Arc::make_mut(&mut added).push(self);
        }
        is_new
    }

    /// Takes it away; whether it was there.
    pub(crate) fn remove(&self) -> bool {
        let mut added = ADDED.write().unwrap_or_else(PoisonError::into_inner);
        let count = added.len();
        Arc::make_mut(&mut added).retain(|known| known != self);
        added.len() < count
    }

    /// The passes at a place that has anchors around it.
    pub(super) fn run(&self, around: &[String]) -> Run {
        Run {
            anchors: self.anchors.clone().unwrap_or_else(|| around.to_vec()),
            text: self.passes.clone(),
        }
    }

    /// Whether it is here.
    pub(super) fn is_at(&self, place: Place) -> bool {
        self.place == place
    }
}

impl Display for Placement {
    fn fmt(&self, formatter: &mut Formatter) -> fmt::Result {
        let anchors = self.anchors.as_deref().unwrap_or_default();
        formatter.write_str(&Run::nested(anchors, &self.passes))
    }
}

/// Splits `anchor(inner)`.
fn anchored(text: &str) -> Option<(&str, &str)> {
    let (anchor, rest) = text.split_once('(')?;
    let inner = rest.strip_suffix(')')?;
    let mut depth = 0_i32;
    let closes_before_the_end = inner.chars().any(|character| {
        depth += i32::from(character == '(') - i32::from(character == ')');
        depth < 0
    });
    let is_nest = !anchor.contains(['{', ',', ' ']) && !closes_before_the_end;
    is_nest.then_some((anchor, inner))
}

/// All placements, in the order in which they were added: at one place they run in that order.
static ADDED: LazyLock<RwLock<Arc<Vec<Placement>>>> = LazyLock::new(RwLock::default);

/// All placements as they are now.
pub(super) fn placements() -> Arc<Vec<Placement>> {
    let added = ADDED.read().unwrap_or_else(PoisonError::into_inner);
    Arc::clone(&added)
}

/// What was added, as text: the place and the passes.
pub fn placed() -> Vec<(String, String)> {
    let placements = placements();
    let pairs = placements
        .iter()
        .map(|one| (one.place.to_string(), one.to_string()));
    pairs.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn anchors_are_read() {
        let read = |text| {
            let read = Placement::read(Place::After("a"), text, |name| match name {
                "on-functions" => "func.func",
                "on-modules" => "builtin.module",
                _ => "",
            });
            (read.anchors.map(|anchors| anchors.join("/")), read.passes)
        };
        let is =
            |anchors: Option<&str>, passes: &str| (anchors.map(str::to_owned), passes.to_owned());
        assert_eq!(read("cse"), is(None, "cse"));
        assert_eq!(
            read("on-functions{x=1}"),
            is(Some("func.func"), "on-functions{x=1}")
        );
        assert_eq!(read("on-modules"), is(Some(""), "on-modules"));
        assert_eq!(read("func.func(cse)"), is(Some("func.func"), "cse"));
        assert_eq!(read("a(b(c{x=1}))"), is(Some("a/b"), "c{x=1}"));
        assert_eq!(read("c{x=f(1)}"), is(None, "c{x=f(1)}"));
        assert_eq!(read("a(b),c(d)"), is(None, "a(b),c(d)"));
    }
}
