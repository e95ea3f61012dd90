//! What a pass is: one table and one function.

use super::{context::PassContext, options::OptionSpec};
use melior::ir::OperationRef;
use std::fmt::{self, Display, Formatter};

/// The function of a pass.
///
/// It gets the operation the pass is anchored on and may change everything in it, nothing outside
/// of it.
pub type PassFunction = for<'c, 'a> fn(&PassContext<'c>, OperationRef<'c, 'a>) -> PassResult;

/// What a pass returns.
pub type PassResult<T = ()> = Result<T, PassFailure>;

/// A pass: what `pyopt --help`, the pass manager and the documentation know about it, and its
/// function.
///
/// ```
/// use melior::ir::OperationRef;
/// use pyopt_passes::infra::{OptionSpec, PassContext, PassResult, PassSpec, StatisticSpec};
///
/// /// Does nothing, a number of times.
/// pub static PASS: PassSpec = PassSpec {
///     options: &[OptionSpec::int("times", "how often to do nothing", 1)],
///     statistics: &[StatisticSpec::new("idle", "times nothing was done")],
///     ..PassSpec::new("example-idle", "do nothing", run)
/// };
///
/// fn run(cx: &PassContext, _module: OperationRef) -> PassResult {
///     cx.bump("idle", cx.options().int("times") as u64);
///     Ok(())
/// }
/// ```
#[derive(Debug)]
pub struct PassSpec {
    /// The name on the command line and in pipelines.
    pub name: &'static str,
    /// One line for `--help`, in lower case.
    pub summary: &'static str,
    /// Prose for the reference.
    pub description: &'static str,
    /// The operation the pass runs on; empty for any.
    pub anchor: &'static str,
    /// The options.
    pub options: &'static [OptionSpec],
    /// The dialects of the operations, types and attributes the pass makes, except those its input
    /// holds anyway.
    pub dialects: &'static [&'static str],
    /// What the pass counts.
    pub statistics: &'static [StatisticSpec],
    /// The pass itself.
    pub run: PassFunction,
}

impl PassSpec {
    /// Makes a pass on `builtin.module` without options; for use with `..` in a table.
    pub const fn new(name: &'static str, summary: &'static str, run: PassFunction) -> Self {
        Self {
            name,
            summary,
            description: "",
            anchor: "builtin.module",
            options: &[],
            dialects: &[],
            statistics: &[],
            run,
        }
    }
}

/// Something that a pass counts, shown by `--mlir-pass-statistics`.
#[derive(Clone, Copy, Debug)]
pub struct StatisticSpec {
    /// The name.
    pub name: &'static str,
    /// One line about it.
    pub description: &'static str,
}

impl StatisticSpec {
    /// Declares a statistic.
    pub const fn new(name: &'static str, description: &'static str) -> Self {
        Self { name, description }
    }
}

/// Why a pass failed.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum PassFailure {
    /// A diagnostic tells the reason already.
    Reported,
    /// The message is to become a diagnostic at the operation the pass runs on.
    Message(String),
}

impl Display for PassFailure {
    fn fmt(&self, formatter: &mut Formatter) -> fmt::Result {
        match self {
            Self::Reported => formatter.write_str("a diagnostic was reported"),
            Self::Message(message) => formatter.write_str(message),
        }
    }
}

impl From<melior::Error> for PassFailure {
    fn from(error: melior::Error) -> Self {
        Self::Message(error.to_string())
    }
}

impl From<anyhow::Error> for PassFailure {
    fn from(error: anyhow::Error) -> Self {
        Self::Message(format!("{error:#}"))
    }
}
