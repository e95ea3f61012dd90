//! Pipelines as tables for people.

use super::{
    PipelineSpec,
    placement::{Place, Placement, placements},
    step::{Kind, Setting, Source, Step, When},
};
use std::fmt::{self, Display, Formatter};

/// A row: what runs, with which options, under which condition.
type Row = [String; 3];

/// Shows a pipeline with its options and steps, one a line.
pub(super) fn table(spec: &PipelineSpec) -> String {
    let mut text = format!("{}: {}\n", spec.name, spec.summary);
    if !spec.options.is_empty() {
        text += "\noptions, with their defaults\n";
        let options = spec.options.iter().map(|option| {
            let default = option.default.to_string();
            [
                format!("  {}={default}", option.name),
                option.description.to_owned(),
                String::new(),
            ]
        });
        text += &columns(&options.collect::<Vec<_>>());
    }
    text += "\nwhat runs on builtin.module\n";
    let mut rows = Vec::new();
    add_rows(spec.steps, 1, &placements(), &mut rows);
    text + &columns(&rows)
}

fn add_rows(steps: &[Step], depth: usize, added: &[Placement], rows: &mut Vec<Row>) {
    let add = |place: Place, rows: &mut Vec<Row>| {
        let here = added.iter().filter(|one| one.is_at(place));
        rows.extend(here.map(|one| {
            let name = format!("{}+ {one}", "  ".repeat(depth));
            [name, String::new(), "added".to_owned()]
        }));
    };
    for step in steps {
        let (name, place) = match step.kind {
            Kind::Pass(name) => (name.to_owned(), Some(name)),
            Kind::Pipeline(spec) => (format!("{} (a pipeline)", spec.name), Some(spec.name)),
            Kind::Part(spec) => (format!("{} (a part):", spec.name), None),
            Kind::Nest(anchor, _) => (format!("on each {anchor}:"), None),
            Kind::Chosen(option, _) => (format!("<passes for {option}>"), None),
            Kind::Point(point) => (format!("<{}>", point.name), None),
        };
        if let Some(name) = place {
            add(Place::Before(name), rows);
        }
        let settings: Vec<_> = step.settings.iter().map(Setting::to_string).collect();
        rows.push([
            format!("{}{name}", "  ".repeat(depth)),
            settings.join(" "),
            step.when.to_string(),
        ]);
        match step.kind {
            Kind::Part(spec) => add_rows(spec.steps, depth + 1, added, rows),
            Kind::Nest(_, steps) => add_rows(steps, depth + 1, added, rows),
            Kind::Pass(name) => add(Place::After(name), rows),
            Kind::Pipeline(spec) => add(Place::After(spec.name), rows),
            Kind::Chosen(..) => {}
            Kind::Point(point) => add(Place::At(point), rows),
        }
    }
}

/// Aligns the columns of rows.
fn columns(rows: &[Row]) -> String {
    // One long cell shall not push everything else to the right.
    const WIDEST: usize = 48;
    let width = |column: usize| {
        let widths = rows.iter().map(|row| row[column].chars().count());
        widths.filter(|&width| width <= WIDEST).max().unwrap_or(0)
    };
    let (first, second) = (width(0), width(1));
    let lines = rows.iter().map(|[name, settings, when]| {
        let line = format!("{name:first$}  {settings:second$}  {when}");
        format!("{}\n", line.trim_end())
    });
    lines.collect()
}

impl Display for When {
    fn fmt(&self, formatter: &mut Formatter) -> fmt::Result {
        match self {
            Self::Always => Ok(()),
            _ => write!(formatter, "if {}", Condition(*self)),
        }
    }
}

/// A condition without "if".
struct Condition(When);

impl Display for Condition {
    fn fmt(&self, formatter: &mut Formatter) -> fmt::Result {
        match self.0 {
            When::Always => formatter.write_str("true"),
            When::On(name) => formatter.write_str(name),
            When::Off(name) => write!(formatter, "not {name}"),
            When::AtLeast(name, least) => write!(formatter, "{name} >= {least}"),
            When::Is(name, value) => write!(formatter, "{name} = {value}"),
            When::IsNot(name, value) => write!(formatter, "{name} isn't {value}"),
            When::Says(name, _) => write!(formatter, "{name} asks for it"),
        }
    }
}

/// `name=value`: what depends on the pipeline's options is in angle brackets, what is set under a
/// condition in square ones.
impl Display for Setting {
    fn fmt(&self, formatter: &mut Formatter) -> fmt::Result {
        let name = self.name;
        let value = match self.value {
            Source::Fixed(text) => text.to_owned(),
            Source::Option(of_pipeline) => format!("<{of_pipeline}>"),
            Source::Test(condition) => format!("<{}>", Condition(condition)),
            Source::Choice(condition, yes, no) => {
                format!("<{yes} if {} else {no}>", Condition(condition))
            }
            Source::Derived(of_pipeline, _) => format!("<by {of_pipeline}>"),
        };
        match self.when {
            When::Always => write!(formatter, "{name}={value}"),
            when => write!(formatter, "[{name}={value} {when}]"),
        }
    }
}
