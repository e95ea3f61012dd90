//! The steps of a pipeline, and what they come to for given options.

use super::{
    super::options::Options,
    PipelineSpec,
    placement::{Place, Placement, Point, Run, placements},
};
use std::sync::Arc;

/// One row of a pipeline's table.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    pub(super) kind: Kind,
    pub(super) settings: &'static [Setting],
    pub(super) when: When,
}

/// What a step does.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kind {
    /// Runs a pass.
    Pass(&'static str),
    /// Runs a named pipeline, which stands in the text by its name.
    Pipeline(&'static PipelineSpec),
    /// Runs the steps of a pipeline as if they were written here.
    Part(&'static PipelineSpec),
    /// Runs steps on all operations of a name.
    Nest(&'static str, &'static [Step]),
    /// Runs passes that depend on the value of an option, as text; none where that is empty.
    Chosen(&'static str, fn(&str) -> String),
    /// Does nothing, unless an extension adds passes.
    Point(&'static Point),
}

/// A condition on the options of the pipeline that a step or setting stands in.
#[derive(Clone, Copy, Debug)]
pub enum When {
    /// None.
    Always,
    /// The option is true, or has a value: a string or a list that isn't empty.
    On(&'static str),
    /// The opposite.
    Off(&'static str),
    /// The integer is not smaller.
    AtLeast(&'static str, i64),
    /// The option, a text, has this value.
    Is(&'static str, &'static str),
    /// The option, a text, has another value.
    IsNot(&'static str, &'static str),
    /// A function says so of the option's value, a text.
    Says(&'static str, fn(&str) -> bool),
}

impl When {
    fn holds(self, options: &Options) -> bool {
        match self {
            Self::Always => true,
            Self::On(name) => options.is_on(name),
            Self::Off(name) => !options.is_on(name),
            Self::AtLeast(name, least) => options.int(name) >= least,
            Self::Is(name, value) => options.text(name) == value,
            Self::IsNot(name, value) => options.text(name) != value,
            Self::Says(name, says) => says(options.text(name)),
        }
    }
}

/// An option that a step gives to its pass or pipeline.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    pub(super) name: &'static str,
    pub(super) value: Source,
    pub(super) when: When,
}

/// Where the value of a setting comes from.
#[derive(Clone, Copy, Debug)]
pub(super) enum Source {
    /// It is always this.
    Fixed(&'static str),
    /// It is the value of an option of the pipeline.
    Option(&'static str),
    /// It is true where the condition holds.
    Test(When),
    /// It is the first where the condition holds, and the second elsewhere.
    Choice(When, &'static str, &'static str),
    /// It is what a function makes of the value of an option, a text.
    Derived(&'static str, fn(&str) -> String),
}

impl Setting {
    /// The setting where a condition holds; elsewhere the option has its default.
    pub const fn when(self, when: When) -> Self {
        Self { when, ..self }
    }

    fn value(&self, options: &Options) -> String {
        match self.value {
            Source::Fixed(text) => text.into(),
            Source::Option(name) => options.value_text(name),
            Source::Test(condition) => condition.holds(options).to_string(),
            Source::Choice(condition, yes, no) => match condition.holds(options) {
                true => yes.into(),
                false => no.into(),
            },
            Source::Derived(name, value) => value(options.text(name)),
        }
    }
}

const fn setting(name: &'static str, value: Source) -> Setting {
    Setting {
        name,
        value,
        when: When::Always,
    }
}

/// Gives a value to an option.
pub const fn fixed(name: &'static str, value: &'static str) -> Setting {
    setting(name, Source::Fixed(value))
}

/// Gives the value of an option of the pipeline to an option.
pub const fn option(name: &'static str, of_pipeline: &'static str) -> Setting {
    setting(name, Source::Option(of_pipeline))
}

/// Sets a truth value: whether a condition holds.
pub const fn test(name: &'static str, condition: When) -> Setting {
    setting(name, Source::Test(condition))
}

/// Gives one of two values to an option: the first where the condition holds.
pub const fn choice(
    name: &'static str,
    condition: When,
    yes: &'static str,
    no: &'static str,
) -> Setting {
    setting(name, Source::Choice(condition, yes, no))
}

/// Gives an option what a function makes of the value of an option of the pipeline, a text.
pub const fn derived(
    name: &'static str,
    of_pipeline: &'static str,
    value: fn(&str) -> String,
) -> Setting {
    setting(name, Source::Derived(of_pipeline, value))
}

impl Step {
    /// The step with options for its pass or pipeline.
    pub const fn with(self, settings: &'static [Setting]) -> Self {
        Self { settings, ..self }
    }

    /// The step under a condition.
    pub const fn when(self, when: When) -> Self {
        Self { when, ..self }
    }

    /// The options of a pipeline that this step runs. Those that aren't set have their defaults;
    /// those of a part have the value of the option of the same name around it, if there is one.
    fn inner_options(&self, spec: &'static PipelineSpec, outer: &Options) -> Options {
        let mut inner = spec.default_options();
        if let Kind::Part(_) = self.kind {
            inner.take_from(outer);
        }
        for setting in self.settings {
            if setting.when.holds(outer)
                && let Err(message) = inner.set_from_text(setting.name, &setting.value(outer))
            {
                panic!("pipeline '{}': {message}", spec.name);
            }
        }
        inner
    }

    /// The name of a pass or pipeline with the options it gets.
    fn call(&self, name: &str, options: &Options) -> String {
        let settings = self.settings.iter();
        let settings: Vec<_> = settings
            .filter(|setting| setting.when.holds(options))
            .map(|setting| format!("{}={}", setting.name, setting.value(options)))
            .collect();
        match settings.is_empty() {
            true => name.into(),
            false => format!("{name}{{{}}}", settings.join(" ")),
        }
    }
}

const fn step(kind: Kind) -> Step {
    Step {
        kind,
        settings: &[],
        when: When::Always,
    }
}

/// Runs a pass: one of ours or upstream's.
pub const fn pass(name: &'static str) -> Step {
    step(Kind::Pass(name))
}

/// Runs a named pipeline, which stands in the text by its name.
pub const fn pipeline(spec: &'static PipelineSpec) -> Step {
    step(Kind::Pipeline(spec))
}

/// Runs the steps of another pipeline in this place. Its options that [`Step::with`] doesn't set
/// have the value of the option of the same name around it, or else their defaults.
pub const fn part(spec: &'static PipelineSpec) -> Step {
    step(Kind::Part(spec))
}

/// Runs steps on all operations of a name.
pub const fn nest(anchor: &'static str, steps: &'static [Step]) -> Step {
    step(Kind::Nest(anchor, steps))
}

/// Runs passes that depend on the value of an option, a text: what a function makes of it, as in a textual
/// pipeline. Where that is empty, none run.
pub const fn chosen(option: &'static str, passes: fn(&str) -> String) -> Step {
    step(Kind::Chosen(option, passes))
}

/// Names this place.
pub const fn point(point: &'static Point) -> Step {
    step(Kind::Point(point))
}

/// Writes the steps that run as a textual pipeline.
pub(super) fn text(steps: &[Step], options: &Options) -> String {
    let mut walk = Walk::new(false);
    walk.steps(steps, options);
    let nests = walk.runs.chunk_by(|one, next| one.anchors == next.anchors);
    let nests = nests.map(|nest| {
        let texts: Vec<_> = nest.iter().map(|run| run.text.as_str()).collect();
        Run::nested(&nest[0].anchors, &texts.join(","))
    });
    nests.collect::<Vec<_>>().join(",")
}

/// Lists the passes that run, with the anchors around them.
pub(super) fn list(steps: &[Step], options: &Options) -> Vec<String> {
    let mut walk = Walk::new(true);
    walk.steps(steps, options);
    let runs = walk.runs.iter();
    runs.map(|run| Run::nested(&run.anchors, &run.text))
        .collect()
}

/// A walk through what runs for given options.
struct Walk {
    /// Whether named pipelines are replaced by their passes.
    expands: bool,
    anchors: Vec<String>,
    added: Arc<Vec<Placement>>,
    runs: Vec<Run>,
}

impl Walk {
    fn new(expands: bool) -> Self {
        Self {
            expands,
            anchors: Vec::new(),
            added: placements(),
            runs: Vec::new(),
        }
    }

    fn steps(&mut self, steps: &[Step], options: &Options) {
        for step in steps.iter().filter(|step| step.when.holds(options)) {
            match step.kind {
                Kind::Pass(name) => {
                    self.add(Place::Before(name));
                    self.run(step.call(name, options));
                    self.add(Place::After(name));
                }
                Kind::Pipeline(spec) => {
                    self.add(Place::Before(spec.name));
                    match self.expands {
                        true => self.steps(spec.steps, &step.inner_options(spec, options)),
                        false => self.run(step.call(spec.name, options)),
                    }
                    self.add(Place::After(spec.name));
                }
                Kind::Part(spec) => self.steps(spec.steps, &step.inner_options(spec, options)),
                Kind::Nest(anchor, steps) => {
                    self.anchors.push(anchor.to_owned());
                    self.steps(steps, options);
                    self.anchors.pop();
                }
                Kind::Chosen(option, passes) => {
                    let text = passes(options.text(option));
                    if !text.is_empty() {
                        self.run(text);
                    }
                }
                Kind::Point(point) => self.add(Place::At(point)),
            }
        }
    }

    fn run(&mut self, text: String) {
        self.runs.push(Run {
            anchors: self.anchors.clone(),
            text,
        });
    }

    /// Runs what was added at a place.
    fn add(&mut self, place: Place) {
        let here = self.added.iter().filter(|one| one.is_at(place));
        self.runs.extend(here.map(|one| one.run(&self.anchors)));
    }
}

/// Lists the places that passes can be added at, with the anchors around them.
pub(super) fn places(
    steps: &[Step],
    anchors: &mut Vec<String>,
    found: &mut Vec<(Place, Vec<String>)>,
) {
    let around = |name, anchors: &[String]| {
        [Place::Before(name), Place::After(name)].map(|place| (place, anchors.to_vec()))
    };
    for step in steps {
        match step.kind {
            Kind::Pass(name) => found.extend(around(name, anchors)),
            Kind::Pipeline(spec) => {
                found.extend(around(spec.name, anchors));
                places(spec.steps, anchors, found);
            }
            Kind::Part(spec) => places(spec.steps, anchors, found),
            Kind::Nest(anchor, steps) => {
                anchors.push(anchor.to_owned());
                places(steps, anchors, found);
                anchors.pop();
            }
            Kind::Chosen(..) => {}
            Kind::Point(point) => found.push((Place::At(point), anchors.clone())),
        }
    }
}
