//! `define-device-functions`: kernels get the functions of the runtime and libm that they call.

use super::control_flow::module_block;
use crate::infra::{
    Builder, OperationAttributes, OperationExt, OptionSpec, PassContext, PassFailure, PassResult,
    PassSpec, RegionExt, StatisticSpec,
    ops::{func, marks},
    parse_operation,
};
use melior::ir::OperationRef;

/// The functions, in MLIR's assembly.
const LIBRARY: &str = include_str!("device_library.mlir");

/// The `define-device-functions` pass.
pub static PASS: PassSpec = PassSpec {
    description: "Powers of integers, nextafter and functions of complex numbers are calls of the runtime or of libm \
                  on the host. What a module declares of these, and device_library.mlir defines, is defined: with \
                  what the definitions call. With `library` the device has what is libm's.",
    dialects: &["arith", "complex", "func", "math", "pyopt", "scf"],
    options: &[OptionSpec::bool(
        "library",
        "the device has the functions of C on floats",
        false,
    )],
    statistics: &[StatisticSpec::new("defined", "functions defined")],
    ..PassSpec::new(
        "define-device-functions",
        "define functions of the host that kernels call",
        run,
    )
};

fn run<'c, 'a>(cx: &PassContext<'c>, module: OperationRef<'c, 'a>) -> PassResult {
    let has_library = cx.options().bool("library");
    let builder = Builder::new(cx.context(), module);
    let declared = |function: &func::Func<'c, 'a>| {
        let is_there = has_library && function.str_attr(marks::LIBM).is_some();
        function.body().is_empty() && !is_there && is_defined(function.sym_name())
    };
    let declarations: Vec<_> = (module.nested_ops::<func::Func>().into_iter())
        .filter(declared)
        .collect();
    if declarations.is_empty() {
        return Ok(());
    }
    let source = format!("module {{ {LIBRARY} }}");
    let library = parse_operation(cx.context(), &source, "device_library.mlir")
        .ok_or_else(|| PassFailure::Message("device_library.mlir does not parse".to_owned()))?;
    let body = module_block(module).expect("a module has a block");
    let library = builder.at_end(body).insert(library);
    let mut definitions = Vec::new();
    for declaration in declarations {
        let definition = library.lookup_symbol(declaration.sym_name());
        let definition = definition.expect("what is declared is defined there");
        builder.move_before(definition, *declaration);
        builder.erase_op(*declaration);
        definitions.push(definition);
        cx.bump("defined", 1);
    }
    // What is only declared there is expanded, or the device's.
    while let Some(definition) = definitions.pop() {
        for call in definition.nested_ops::<func::Call>() {
            if module.lookup_symbol(call.callee()).is_none()
                && let Some(callee) = library.lookup_symbol(call.callee())
            {
                builder.move_before(callee, library);
                definitions.push(callee);
            }
        }
    }
    builder.erase_op(library);
    Ok(())
}

/// Whether the library defines a function.
fn is_defined(name: &str) -> bool {
    let head = format!("func.func private @{name}(%");
    LIBRARY.contains(&head)
}
