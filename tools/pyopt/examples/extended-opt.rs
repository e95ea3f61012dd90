//! An out-of-tree tool: everything in `pyopt`, passes, a pipeline, rewrites and devices more.
//!
//! A crate that depends on `pyopt-passes` and `pyopt-library-bytecode` needs no more than this for its own mlir-opt. The lit
//! tests of the pass infrastructure run it.

use melior::ir::{BlockRef, OperationRef, attribute::StringAttribute, operation::OperationLike};
use pyopt_library_bytecode::LIBRARY;
use pyopt_passes::{
    devices::DeviceSpec,
    infra::{
        BlockExt, InterfaceModel, OperationExt, OptionSpec, PassContext, PassResult, PassSpec,
        PipelineSpec, Raises, RegionExt, StatisticSpec,
        ops::{builtin, func, llvm, marks, py, typed},
        pipeline::{Place, fixed, nest, option, pass},
    },
    pipelines::BEFORE_OWNERSHIP,
    rewrite::{Point, RewriteContext, RewriteSpec},
    tool::{self, Extension},
};

static COUNT_OPS: PassSpec = PassSpec {
    anchor: "",
    options: &[
        OptionSpec::text("name", "the operation to count; all when empty", ""),
        OptionSpec::int("limit", "more operations than this fail the pass", i64::MAX),
        OptionSpec::bool("report", "write a remark with the number", false),
    ],
    statistics: &[StatisticSpec::new("counted", "operations counted")],
    ..PassSpec::new("example-count-ops", "count operations", count_ops)
};

fn count_ops(cx: &PassContext, root: OperationRef) -> PassResult {
    let wanted = cx.options().text("name");
    let limit = cx.options().int("limit");
    let mut count = 0;
    for operation in root.pre_order() {
        if wanted.is_empty() || operation.is(wanted) {
            count += 1;
        }
    }
    cx.bump("counted", count as u64);

    // A bug in a pass is no more than a failed pass.
    assert!(limit >= 0, "a limit of {limit} makes no sense");
    if count > limit {
        return Err(cx.error(
            root.location(),
            format!("{count} operations are more than {limit}"),
        ));
    }
    if cx.options().bool("report") {
        cx.remark(root.location(), format!("{count} operations"));
    }
    Ok(())
}

static SIMPLIFY: PipelineSpec = PipelineSpec {
    name: "example-simplify",
    summary: "canonicalize and count",
    options: &[OptionSpec::text("name", "the operation to count", "")],
    steps: &[
        nest(func::Func::NAME, &[pass("canonicalize"), pass("cse")]),
        pass("example-count-ops").with(&[option("name", "name"), fixed("report", "true")]),
    ],
};

/// Unary operators twice in a row, as in `-(-x)`.
fn doubled<'c, 'a>(
    _: &RewriteContext<'_, 'c, 'a>,
    block: BlockRef<'c, 'a>,
) -> Vec<OperationRef<'c, 'a>> {
    let mut operations = block.operation_list();
    operations.retain(|outer| {
        typed::Unary::of(*outer).is_some_and(|outer| {
            let inner = typed::Unary::defining(outer.operand());
            inner.is_some_and(|inner| inner.kind() == outer.kind())
        })
    });
    operations
}

static UNDO: RewriteSpec = RewriteSpec {
    name: "example-undo",
    summary: "an operator that undoes itself",
    description: "",
    point: Point::AfterInference,
    roots: &[typed::Unary::NAME],
    matches: doubled,
    apply: |cx, outer| {
        // What was changed before may be what it was an operand of.
        if let Some(outer) = typed::Unary::of(outer)
            && let Some(inner) = typed::Unary::defining(outer.operand())
        {
            cx.builder.replace_op(*outer, &[inner.operand()]);
        }
        Ok(())
    },
};

/// A rewrite that leaves what it matched.
static ENDLESS: RewriteSpec = RewriteSpec {
    name: "example-endless",
    point: Point::BeforeInference,
    matches: |_, block| block.operation_list(),
    apply: |_, _| Ok(()),
    roots: &[py::Global::NAME],
    ..UNDO
};

// What the operations of a dialect in IRDL say of themselves (lit-tests/infra/Inputs/example.irdl).
// Passes that have never heard of them treat them accordingly.

/// `example.sum` reads its operands' memory.
static READS: InterfaceModel = InterfaceModel {
    raises: Some(|_| Raises::Nothing),
    accesses: Some(|_, _| (true, false)),
    ..InterfaceModel::NONE
};

/// `example.clear` writes to its operands' memory.
static WRITES: InterfaceModel = InterfaceModel {
    raises: Some(|_| Raises::Nothing),
    accesses: Some(|_, _| (false, true)),
    ..InterfaceModel::NONE
};

/// `example.guard` may raise any error.
static GUARDS: InterfaceModel = InterfaceModel {
    raises: Some(|_| Raises::Anything),
    accesses: Some(|_, _| (false, false)),
    ..InterfaceModel::NONE
};

/// `example.mix` computes, as long as seven additions.
static COMPUTES: InterfaceModel = InterfaceModel {
    raises: Some(|_| Raises::Nothing),
    accesses: Some(|_, _| (false, false)),
    speculatable: Some(|_| true),
    cost: Some(|_| Some(7)),
    ..InterfaceModel::NONE
};

/// `example.each` computes with the elements of its operands.
static ELEMENTS: InterfaceModel = InterfaceModel {
    is_element_loop: true,
    cost: Some(|_| None),
    ..COMPUTES
};

/// The result of `example.make` is its user's own.
static MAKES: InterfaceModel = InterfaceModel {
    ownership: Some((|_| true, |_, _| false)),
    ..COMPUTES
};

/// `example.repeat` is a loop.
static REPEATS: InterfaceModel = InterfaceModel {
    is_loop: true,
    ..InterfaceModel::NONE
};

/// `example.take` takes the reference of its operand over.
static TAKES: InterfaceModel = InterfaceModel {
    ownership: Some((|_| false, |_, _| true)),
    ..WRITES
};

/// The result of `example.part` is a view of its operand.
static VIEWS: InterfaceModel = InterfaceModel {
    view_source: Some(|_| 0),
    ..COMPUTES
};

/// Writes what kernels there are on tape.
static TO_TAPE: PassSpec = PassSpec {
    anchor: builtin::Module::NAME,
    ..PassSpec::new("example-to-tape", "write kernels on tape", |cx, module| {
        let body = module.region_at(0).entry().expect("a module has a block");
        let mut tape = String::new();
        for operation in body.operation_list() {
            if let Some(kernel) = llvm::LLVMFunc::of(operation) {
                tape += &format!("[{}]", kernel.sym_name());
            }
            operation.erase();
        }
        module.set_attr(marks::IMAGE, StringAttribute::new(cx.context(), &tape));
        Ok(())
    })
};

/// A device with code of its own, conditions on loops and no sines.
static TAPE: DeviceSpec = DeviceSpec {
    name: "tape",
    code: "tape",
    passes: "example-to-tape",
    lacks: &["sin"],
    accepts: &|nest| match nest.extents.len() {
        1 => Ok(()),
        count => Err(format!("a tape has no {count} dimensions")),
    },
    ..DeviceSpec::NONE
};

/// A device of the same processor as the host.
static TWIN: DeviceSpec = DeviceSpec {
    name: "twin",
    ..DeviceSpec::NONE
};

/// A device whose loops are outlined in another way.
static SCRIBE: DeviceSpec = DeviceSpec {
    name: "scribe",
    outline: "example-count-ops{name=parfor.loop},parfor-to-gpu{fp64=false}",
    ..DeviceSpec::NONE
};

static EXTENSION: Extension = Extension {
    name: "example",
    version: env!("CARGO_PKG_VERSION"),
    passes: &[&COUNT_OPS, &TO_TAPE],
    devices: &[&TAPE, &TWIN, &SCRIBE],
    pipelines: &[&SIMPLIFY],
    rewrites: &[&UNDO, &ENDLESS],
    interfaces: &[
        ("example.sum", &READS),
        ("example.clear", &WRITES),
        ("example.guard", &GUARDS),
        ("example.mix", &COMPUTES),
        ("example.each", &ELEMENTS),
        ("example.make", &MAKES),
        ("example.take", &TAKES),
        ("example.part", &VIEWS),
        ("example.repeat", &REPEATS),
    ],
    at: &[(
        Place::At(&BEFORE_OWNERSHIP),
        "example-count-ops{limit=100000}",
    )],
    ..Extension::NONE
};

fn main() {
    tool::main("extended-opt", &[&EXTENSION], &LIBRARY)
}
