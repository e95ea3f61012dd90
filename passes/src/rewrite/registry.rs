//! The registry of rewrites, and the driver that applies them.

use crate::{
    infra::{
        BlockExt, Builder, OperationExt, PassContext, PassFailure, PassResult, PassSpec, Report,
        Severity, StatisticSpec, is_registered,
        ops::{func, py},
        register_pass,
    },
    py::bindings::Bindings,
};
use melior::ir::{Attribute, BlockRef, OperationRef, Value, operation::OperationLike};
use std::{
    cell::OnceCell,
    collections::HashSet,
    sync::{Arc, Mutex, PoisonError},
};

/// How often a rewrite may change one block: after that it is taken not to come to an end.
const MAX_ROUNDS: usize = 64;

/// The rewrites of this crate.
static REWRITES: &[&RewriteSpec] = include!(concat!(env!("OUT_DIR"), "/rewrite_table.rs"));

/// The rewrites of this crate, for the documentation.
pub(crate) fn own_rewrites() -> &'static [&'static RewriteSpec] {
    REWRITES
}

/// The rewrites that were added, in order.
static ADDED: Mutex<Vec<Arc<dyn Rewrite>>> = Mutex::new(Vec::new());

/// When a rewrite runs.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Point {
    /// On the `py` dialect, where no type is known.
    BeforeInference,
    /// On the `typed` dialect: the type map is the types of the values.
    AfterInference,
}

impl Point {
    /// The name, as in Numba's registry.
    pub const fn name(self) -> &'static str {
        match self {
            Self::BeforeInference => "before-inference",
            Self::AfterInference => "after-inference",
        }
    }

    /// The point of a name.
    pub fn from_name(name: &str) -> Option<Self> {
        [Self::BeforeInference, Self::AfterInference]
            .into_iter()
            .find(|point| point.name() == name)
    }

    const fn function(self) -> &'static str {
        match self {
            Self::BeforeInference => py::Func::NAME,
            Self::AfterInference => func::Func::NAME,
        }
    }
}

/// A rewrite of blocks.
pub trait Rewrite: Send + Sync {
    /// The name, which is that of its pass.
    fn name(&self) -> &str;

    /// When it runs.
    fn point(&self) -> Point;

    /// Whether it may match in a function that has operations of these names. Should be quick.
    fn may_match(&self, operations: &HashSet<&str>) -> bool;

    /// Matches in a block, and changes what matches; whether anything did.
    ///
    /// It is asked again about a block that it has changed, so what it makes must not match.
    fn rewrite<'c, 'a>(
        &self,
        cx: &RewriteContext<'_, 'c, 'a>,
        block: BlockRef<'c, 'a>,
    ) -> PassResult<bool>;
}

/// A rewrite that is a table of two functions.
pub struct RewriteSpec {
    /// The name, which is that of its pass.
    pub name: &'static str,
    /// One line for `--help`, in lower case.
    pub summary: &'static str,
    /// Prose for the reference.
    pub description: &'static str,
    /// When it runs.
    pub point: Point,
    /// The operations of which a function needs one for the rewrite to match.
    pub roots: &'static [&'static str],
    /// What in a block matches.
    pub matches: Matches,
    /// Changes one of those. It may be that it doesn't match any more, as others were changed
    /// before; it must not erase the others.
    pub apply: Apply,
}

/// Says what in a block matches.
pub type Matches =
    for<'p, 'c, 'a> fn(&RewriteContext<'p, 'c, 'a>, BlockRef<'c, 'a>) -> Vec<OperationRef<'c, 'a>>;

/// Changes an operation that matches.
pub type Apply =
    for<'p, 'c, 'a> fn(&RewriteContext<'p, 'c, 'a>, OperationRef<'c, 'a>) -> PassResult;

impl RewriteSpec {
    /// Makes a rewrite of functions that have one of the operations `roots`, without a description.
    pub const fn new(
        name: &'static str,
        summary: &'static str,
        point: Point,
        roots: &'static [&'static str],
        matches: Matches,
        apply: Apply,
    ) -> Self {
        Self {
            name,
            summary,
            description: "",
            point,
            roots,
            matches,
            apply,
        }
    }

    /// The pass that applies this rewrite alone.
    pub const fn pass(&self) -> PassSpec {
        PassSpec {
            description: self.description,
            dialects: match self.point {
                Point::BeforeInference => &["py"],
                Point::AfterInference => &["typed"],
            },
            statistics: STATISTICS,
            ..PassSpec::new(self.name, self.summary, run_alone)
        }
    }
}

impl Rewrite for &'static RewriteSpec {
    fn name(&self) -> &str {
        self.name
    }

    fn point(&self) -> Point {
        self.point
    }

    fn may_match(&self, operations: &HashSet<&str>) -> bool {
        self.roots.iter().any(|root| operations.contains(root))
    }

    fn rewrite<'c, 'a>(
        &self,
        cx: &RewriteContext<'_, 'c, 'a>,
        block: BlockRef<'c, 'a>,
    ) -> PassResult<bool> {
        let found = (self.matches)(cx, block);
        for &operation in &found {
            (self.apply)(cx, operation)?;
        }
        Ok(!found.is_empty())
    }
}

/// What the passes that apply rewrites count.
pub(crate) const STATISTICS: &[StatisticSpec] = &[StatisticSpec::new(
    "rewritten",
    "blocks that a rewrite changed",
)];

/// What a rewrite works with.
pub struct RewriteContext<'p, 'c, 'a> {
    /// The pass.
    pub cx: &'p PassContext<'c>,
    /// Makes operations.
    pub builder: Builder<'c, 'a>,
    root: OperationRef<'c, 'a>,
    bindings: OnceCell<Bindings<'c, 'a>>,
}

impl<'c: 'a, 'a> RewriteContext<'_, 'c, 'a> {
    /// The constant that a value of `py` is on every path.
    pub fn constant(&self, value: Value<'c, 'a>) -> Option<Attribute<'c>> {
        self.bindings().constant(value)
    }

    /// What values are known to be.
    pub(crate) fn bindings(&self) -> &Bindings<'c, 'a> {
        self.bindings
            .get_or_init(|| Bindings::read(self.cx.context(), self.root))
    }
}

/// Adds a rewrite, or replaces one that was added under its name, and makes a pass of it. The error
/// says that a pass has the name already.
pub fn register_rewrite(rewrite: Arc<dyn Rewrite>) -> Result<(), String> {
    let mut added = ADDED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = added
        .iter_mut()
        .find(|known| known.name() == rewrite.name())
    {
        *known = rewrite;
        return Ok(());
    }
    if is_registered(rewrite.name()) {
        return Err(format!("a pass has the name '{}' already", rewrite.name()));
    }
    // Passes are never unregistered, so their tables live for ever.
    let name: &'static str = rewrite.name().to_owned().leak();
    register_pass(Box::leak(Box::new(PassSpec {
        statistics: STATISTICS,
        ..PassSpec::new(name, "a rewrite that was added to the registry", run_alone)
    })));
    added.push(rewrite);
    Ok(())
}

/// Whether rewrites were added, at any point.
pub fn any_added() -> bool {
    let added = ADDED.lock().unwrap_or_else(PoisonError::into_inner);
    !added.is_empty()
}

/// Whether rewrites were added that run after inference, on the library's functions too.
pub fn changes_library() -> bool {
    let added = ADDED.lock().unwrap_or_else(PoisonError::into_inner);
    let mut points = added.iter().map(|rewrite| rewrite.point());
    points.any(|point| point == Point::AfterInference)
}

/// All rewrites that a condition holds for, those of this crate first.
fn registered(wanted: impl Fn(&dyn Rewrite) -> bool) -> Vec<Arc<dyn Rewrite>> {
    let own = REWRITES.iter().copied().filter(|rewrite| wanted(rewrite));
    let own = own.map(|rewrite| Arc::new(rewrite) as Arc<dyn Rewrite>);
    let added = ADDED.lock().unwrap_or_else(PoisonError::into_inner);
    own.chain(
        added
            .iter()
            .filter(|rewrite| wanted(rewrite.as_ref()))
            .cloned(),
    )
    .collect()
}

/// Applies all rewrites of a point.
pub(crate) fn run_point<'c>(
    cx: &PassContext<'c>,
    root: OperationRef<'c, '_>,
    point: Point,
) -> PassResult {
    apply(cx, root, &registered(|rewrite| rewrite.point() == point))
}

/// Applies the rewrite that has the name of the pass.
fn run_alone<'c>(cx: &PassContext<'c>, root: OperationRef<'c, '_>) -> PassResult {
    apply(
        cx,
        root,
        &registered(|rewrite| rewrite.name() == cx.spec().name),
    )
}

fn apply<'c>(
    cx: &PassContext<'c>,
    root: OperationRef<'c, '_>,
    rewrites: &[Arc<dyn Rewrite>],
) -> PassResult {
    if rewrites.is_empty() {
        return Ok(());
    }
    let context = RewriteContext {
        cx,
        builder: Builder::new(cx.context(), root),
        root,
        bindings: OnceCell::new(),
    };
    let operations = root
        .nested_blocks()
        .into_iter()
        .flat_map(BlockExt::operation_list);
    for function in operations {
        for rewrite in rewrites {
            if function.is(rewrite.point().function()) {
                apply_to_function(&context, function, rewrite.as_ref())?;
            }
        }
    }
    Ok(())
}

fn apply_to_function<'c: 'a, 'a>(
    context: &RewriteContext<'_, 'c, 'a>,
    function: OperationRef<'c, 'a>,
    rewrite: &dyn Rewrite,
) -> PassResult {
    let blocks_now = || -> Vec<_> {
        let operations = function.pre_order().into_iter();
        operations.flat_map(OperationExt::nested_blocks).collect()
    };
    let mut blocks = blocks_now();
    let names = blocks.iter().flat_map(|block| block.operation_list());
    if !rewrite.may_match(&names.map(OperationExt::full_name).collect()) {
        return Ok(());
    }
    let mut next = 0;
    while let Some(&block) = blocks.get(next) {
        next += 1;
        let mut rounds = 0;
        while rewrite.rewrite(context, block)? {
            rounds += 1;
            if rounds > MAX_ROUNDS {
                return Err(endless(context.cx, function, block, rewrite.name()));
            }
            // The rewrite may have erased blocks, with the operations that they are in.
            blocks = blocks_now();
            if !blocks.contains(&block) {
                break;
            }
        }
        if rounds != 0 {
            context.cx.bump("rewritten", 1);
        }
    }
    Ok(())
}

fn endless<'c>(
    cx: &PassContext<'c>,
    function: OperationRef<'c, '_>,
    block: BlockRef<'c, '_>,
    name: &str,
) -> PassFailure {
    let location = block
        .first()
        .map_or(function.location(), |first| first.location());
    let message = format!("rewrite '{name}' still matches after {MAX_ROUNDS} rounds");
    cx.fail(
        Report::new(Severity::Error, location, message)
            .note(location, "what a rewrite makes must not match it again"),
    )
}
