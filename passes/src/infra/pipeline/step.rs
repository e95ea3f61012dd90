//! The steps of a pipeline, and what they come to for given options.

use super::{super::options::Options, PipelineSpec};

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
    /// Does nothing, unless an extension adds passes.
    Point(&'static Point),
}

/// A place in pipelines that has a name, so that passes can be put there.
#[derive(Debug)]
pub struct Point {
    /// The name.
    pub name: &'static str,
    /// What the module is like there.
    pub description: &'static str,
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
}

impl When {
    fn holds(self, options: &Options) -> bool {
        match self {
            Self::Always => true,
            Self::On(name) => options.is_on(name),
            Self::Off(name) => !options.is_on(name),
            Self::AtLeast(name, least) => options.int(name) >= least,
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

/// Names this place.
pub const fn point(point: &'static Point) -> Step {
    step(Kind::Point(point))
}

/// Writes the steps that run as a textual pipeline.
pub(super) fn text(steps: &[Step], options: &Options) -> String {
    let texts: Vec<_> = running(steps, options)
        .map(|step| match step.kind {
            Kind::Pass(name) => step.call(name, options),
            Kind::Pipeline(spec) => step.call(spec.name, options),
            Kind::Part(spec) => text(spec.steps, &step.inner_options(spec, options)),
            Kind::Nest(anchor, steps) => match text(steps, options) {
                inner if inner.is_empty() => inner,
                inner => format!("{anchor}({inner})"),
            },
            Kind::Point(_) => String::new(),
        })
        .filter(|text| !text.is_empty())
        .collect();
    texts.join(",")
}

/// Lists the passes that run, with the anchors around them.
pub(super) fn list(
    steps: &'static [Step],
    options: &Options,
    anchors: &mut Vec<&'static str>,
    passes: &mut Vec<String>,
) {
    for step in running(steps, options) {
        match step.kind {
            Kind::Pass(name) => {
                let opened: String = anchors.iter().map(|anchor| format!("{anchor}(")).collect();
                let closed = ")".repeat(anchors.len());
                passes.push(format!("{opened}{}{closed}", step.call(name, options)));
            }
            Kind::Pipeline(spec) | Kind::Part(spec) => {
                let inner = step.inner_options(spec, options);
                list(spec.steps, &inner, anchors, passes);
            }
            Kind::Nest(anchor, steps) => {
                anchors.push(anchor);
                list(steps, options, anchors, passes);
                anchors.pop();
            }
            Kind::Point(_) => {}
        }
    }
}

/// Lists the points, with the anchors around them.
pub(super) fn points(
    steps: &'static [Step],
    anchors: &mut Vec<&'static str>,
    found: &mut Vec<(&'static Point, Vec<&'static str>)>,
) {
    for step in steps {
        match step.kind {
            Kind::Pass(_) => {}
            Kind::Pipeline(spec) | Kind::Part(spec) => points(spec.steps, anchors, found),
            Kind::Nest(anchor, steps) => {
                anchors.push(anchor);
                points(steps, anchors, found);
                anchors.pop();
            }
            Kind::Point(point) => found.push((point, anchors.clone())),
        }
    }
}

fn running<'s>(steps: &'s [Step], options: &Options) -> impl Iterator<Item = &'s Step> {
    steps.iter().filter(move |step| step.when.holds(options))
}
