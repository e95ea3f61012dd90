//! Uses that give containers their types, so that an error at one shows the other one that it disagrees with.

use crate::{
    infra::{Report, SourcePosition},
    types::{display::display, sequences::is_container, tables::Table},
};
use melior::ir::{Location, Type};

/// What the name of the function ends with that resumes a generator.
pub(crate) const RESUME: &str = ".next";

/// A use of a container that asks for a type of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Use<'c> {
    /// Where it is: in a function that the container is passed to, if there.
    pub place: Location<'c>,
    /// Where it is in the function that makes the container: the call, if it is in another one.
    pub at: Location<'c>,
    /// What the container is there.
    pub ty: Type<'c>,
}

impl Use<'_> {
    /// Whether it stands before another one in the function that makes the container.
    pub fn is_before(&self, other: &Self) -> bool {
        let start = |place| SourcePosition::of(place).map(|at| (at.file, at.line, at.column));
        match (start(self.at), start(other.at)) {
            (Some(one), Some(two)) => one.0 == two.0 && one < two,
            _ => false,
        }
    }
}

/// How a container came to have its type: what says most is last.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
pub(crate) enum Origin<'c> {
    /// A call or operation gave it.
    Given,
    /// A use asked for it.
    Used,
    /// It is a display with items.
    Made,
    /// It was passed by Python as an argument of this name.
    Passed(&'c str),
}

/// Two uses of a container that ask for types which nothing is both of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Clash<'c> {
    /// The use that came too late.
    pub later: Use<'c>,
    /// The one that gave the container its type.
    pub first: Use<'c>,
    /// What that one is.
    pub origin: Origin<'c>,
}

impl<'c> Clash<'c> {
    /// Adds a note that shows the first use.
    pub fn note(&self, report: Report<'c>) -> Report<'c> {
        let class = match Table::of(self.first.ty) {
            _ if is_container(self.first.ty) => "container",
            Some(table) => table.class(),
            None => "list",
        };
        let ty = display(self.first.ty);
        let what = match self.origin {
            Origin::Passed(name) => {
                let text = format!("'{name}' is passed as {ty}");
                return report.note(self.first.place, text);
            }
            Origin::Given | Origin::Made => "made",
            Origin::Used => "used",
        };
        // A function that is called twice has one place for both.
        let place = match self.first.place == self.later.place {
            true => self.first.at,
            false => self.first.place,
        };
        report.note(place, format!("the {class} is {what} as {ty} here"))
    }
}

/// A type that a parameter is to have.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Demand<'c> {
    /// The number of the parameter.
    pub index: usize,
    /// The type.
    pub ty: Type<'c>,
    /// The use that asks for it.
    pub cause: Use<'c>,
    /// Whether the parameter has another type, which nothing can be besides: then callers are asked for the use
    /// that gave it.
    pub clashes: bool,
}
