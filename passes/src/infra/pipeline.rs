//! Named pipelines, as data: what runs, in which order, under which condition.
//!
//! A [`PipelineSpec`] is a table of [`Step`]s. A step is a pass, a nest of steps that run on the
//! operations of one name, another pipeline, or a [`Point`] at which passes can be added. Steps and
//! the options they give to passes may depend on the pipeline's options. What is added to pipelines
//! at a [`Place`] is part of every text that is made afterwards.
//!
//! ```
//! use pyopt_passes::infra::{OptionSpec, PipelineSpec, pipeline::{When, nest, option, pass}};
//!
//! static TIDY: PipelineSpec = PipelineSpec {
//!     name: "example-tidy",
//!     summary: "canonicalize, and count what is left",
//!     options: &[
//!         OptionSpec::text("name", "the operation to count", ""),
//!         OptionSpec::bool("twice", "canonicalize once more at the end", false),
//!     ],
//!     steps: &[
//!         nest("func.func", &[pass("canonicalize"), pass("cse")]),
//!         pass("example-count-ops").with(&[option("name", "name")]),
//!         pass("canonicalize").when(When::On("twice")),
//!     ],
//! };
//!
//! let mut options = TIDY.default_options();
//! options.set_text("name", "scf.for");
//! assert_eq!(
//!     TIDY.text(&options),
//!     "builtin.module(func.func(canonicalize,cse),example-count-ops{name=scf.for})"
//! );
//! ```

mod placement;
mod show;
mod step;

use super::options::{OptionSpec, Options};

pub(crate) use self::placement::Placement;
pub use self::{
    placement::{Place, Point, placed},
    step::{
        Setting, Step, When, choice, chosen, derived, fixed, nest, option, part, pass, pipeline,
        point, test,
    },
};

/// A named pipeline: its options and the passes they lead to.
///
/// Registered with [`register_pipeline`](super::register_pipeline) it can be used as
/// `--name`, `--name='opt=…'` and `builtin.module(name{opt=…})`. From Rust, [`PipelineSpec::text`]
/// expands it without a command line. A pipeline that isn't registered can be a [`part`] of others.
#[derive(Debug)]
pub struct PipelineSpec {
    /// The name on the command line and in pipelines.
    pub name: &'static str,
    /// One line for `--help`.
    pub summary: &'static str,
    /// The options.
    pub options: &'static [OptionSpec],
    /// What runs inside `builtin.module(…)`.
    pub steps: &'static [Step],
}

impl PipelineSpec {
    /// Returns the options with their defaults.
    pub fn default_options(&self) -> Options {
        Options::new(self.options)
    }

    /// Writes the whole pipeline, `builtin.module(…)`.
    pub fn text(&self, options: &Options) -> String {
        format!("builtin.module({})", self.body(options))
    }

    /// Writes the passes as they stand inside `builtin.module(…)`: named pipelines by their names.
    pub fn body(&self, options: &Options) -> String {
        step::text(self.steps, options)
    }

    /// Lists the passes that run, in order, each with the anchors around it, as in
    /// `func.func(cse)`. Those of named pipelines are among them.
    pub fn passes(&self, options: &Options) -> Vec<String> {
        step::list(self.steps, options)
    }

    /// Lists the places of the pipeline at which passes can be added, whatever its options are, each
    /// with the anchors around it: those of its parts and of named pipelines as well.
    pub fn places(&self) -> Vec<(Place, Vec<String>)> {
        let mut places = Vec::new();
        step::places(self.steps, &mut Vec::new(), &mut places);
        places
    }

    /// Shows the pipeline as a table: what runs, with which options, under which condition.
    pub fn table(&self) -> String {
        show::table(self)
    }
}
