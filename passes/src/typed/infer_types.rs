//! `infer-types`: from `py`, where every value is an object, to `typed` functions.
//!
//! Starts at the `py.specialize` requests, specialises what they call, and leaves one `func.func`
//! for each specialisation; nothing of `py` remains. See [`crate::inference`].

use crate::{
    inference::{emission, families::arrays, flow, lattice::Fact, program::Program, refusals},
    infra::{
        BlockExt, Builder, OperationExt, OptionSpec, PassContext, PassResult, PassSpec, RegionExt,
        StatisticSpec, ops::py,
    },
};
use melior::ir::OperationRef;
use pyopt_dialects::typed::TypedType;

/// Type inference.
pub static PASS: PassSpec = PassSpec {
    description: "Specialises the functions that `py.specialize` asks for, and those they call, \
                  for their argument types. Types are found by a fixed point over all values, and \
                  through the return types of calls, so recursion is typed too. What can't be \
                  typed is an error at the Python line. The result holds typed functions only: \
                  `func.func` with a control flow graph, `pyopt.entry` on those asked for; an \
                  objmode block is a declared function with its code as `pyopt.object`, a function of \
                  the library that the host keeps compiled one with its symbol as `pyopt.linked`. \
                  With `threads`, a reduction that the program declares becomes a `parfor.combiner`, \
                  and calls of it say which one they are a step of.",
    dialects: &[
        "func", "cf", "arith", "complex", "math", "scf", "typed", "stencil", "parfor",
    ],
    options: &[
        OptionSpec::text(
            "error-model",
            "`python`: division by zero raises; `numpy`: it gives infinity, NaN or 0",
            "python",
        ),
        OptionSpec::bool("boundscheck", "an index out of bounds raises", false),
        OptionSpec::text(
            "products",
            "which products of arrays the runtime computes: `all`, of two `matrices`, these on \
             `threads`, or none, which are `loops`",
            "loops",
        ),
        OptionSpec::bool("threads", "loops of the library are cut for threads", false),
        OptionSpec::bool(
            "link-library",
            "large functions of the library are declared, where the host keeps them compiled",
            false,
        ),
    ],
    statistics: &[
        StatisticSpec::new("specialisations", "typed functions made"),
        StatisticSpec::new("analyses", "times a specialisation was analysed"),
    ],
    ..PassSpec::new("infer-types", "infer types: py to typed", run)
};

fn run<'c>(cx: &PassContext<'c>, root: OperationRef<'c, '_>) -> PassResult {
    let Some(body) = root.region_at(0).entry() else {
        return Ok(());
    };
    let mut program = Program::read(cx, body)?;
    let operations = body.operation_list().into_iter();
    let requests: Vec<_> = operations.filter_map(py::Specialize::of).collect();
    let requested = requests.iter().map(|request| request.callee()).collect();
    refusals::check(cx, &mut program, requested)?;
    for request in requests {
        program.request(cx, request)?;
    }
    infer(cx, &mut program);

    let builder = Builder::new(cx.context(), root);
    let mut next = 0;
    while let Some(&id) = program.wanted.get(next) {
        emission::emit(cx, &mut program, &builder, body, id)?;
        cx.bump("specialisations", 1);
        next += 1;
    }
    emission::declare_combiners(cx, &mut program, &builder, body)?;
    program.declare_host_functions(&builder, body);
    arrays::finish_stencils(cx, &builder, body)?;
    for operation in body.operation_list() {
        if operation.dialect() == "py" {
            operation.erase();
        }
    }
    Ok(())
}

/// Repeats the analysis until no result type changes (a fixed point).
fn infer<'c>(cx: &PassContext<'c>, program: &mut Program<'c, '_>) {
    loop {
        while let Some(id) = program.pending.pop() {
            cx.bump("analyses", 1);
            flow::analyze(program, id);
        }
        // A function that never returns has the result type None, so that its callers have a type
        // to go on with; a generator that waits for them, of which it yields what they return, has no
        // items so far. One that has no type since something in it can't be compiled isn't such a
        // function: its callers would fail for want of a value before the cause is reported.
        let none = Fact::of(TypedType::None.to_type(cx.context()));
        let refused = program.refused();
        for id in 0..program.specializations.len() {
            let specialization = &program.specializations[id];
            if !specialization.returns
                && specialization.result.is_bottom()
                && !refused.contains(&id)
            {
                let result = match specialization.function.is_generator {
                    true => flow::without_items(program, id),
                    false => none,
                };
                let specialization = &mut program.specializations[id];
                specialization.result = result;
                program.pending.extend(specialization.dependents.clone());
            }
        }
        if program.pending.is_empty() && !program.specialize_by_value() {
            return;
        }
    }
}
