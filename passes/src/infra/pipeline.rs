//! Named pipelines.

use super::options::{OptionSpec, Options};

/// A named pipeline: its options and the passes they lead to.
///
/// Registered with [`register_pipeline`](super::register_pipeline) it can be used as
/// `--name`, `--name='opt=…'` and `builtin.module(name{opt=…})`. From Rust, [`PipelineSpec::text`]
/// expands it without a command line.
#[derive(Debug)]
pub struct PipelineSpec {
    /// The name on the command line and in pipelines.
    pub name: &'static str,
    /// One line for `--help`.
    pub summary: &'static str,
    /// The options.
    pub options: &'static [OptionSpec],
    /// Writes the passes, comma-separated, as they stand inside `builtin.module(…)`.
    pub build: fn(&Options) -> String,
}

impl PipelineSpec {
    /// Returns the options with their defaults.
    pub fn default_options(&self) -> Options {
        Options::new(self.options)
    }

    /// Writes the whole pipeline, `builtin.module(…)`.
    pub fn text(&self, options: &Options) -> String {
        format!("builtin.module({})", (self.build)(options))
    }
}
