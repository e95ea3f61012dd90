//! Requests for specialisations, from their text.

use anyhow::{Result, ensure};
use melior::{
    Context,
    ir::{BlockLike, Module, OperationRef, operation::OperationLike},
};
use pyopt_dialects::{ops::py, view::OpView};

/// Appends `py.specialize` for a signature such as `f(si64, f64) -> f64`.
///
/// The types are those of the `typed` dialect in MLIR's syntax. The entry gets the function's name
/// with a number behind it.
pub fn append(context: &Context, module: &Module, signature: &str) -> Result<()> {
    let (name, types) = signature
        .split_once('(')
        .map(|(name, types)| (name.trim(), types))
        .unwrap_or((signature, ""));
    ensure!(
        signature.contains('('),
        "expected argument types in parentheses behind the name"
    );
    let known: Vec<_> = functions(module);
    ensure!(
        known.contains(&name),
        "there is no function '{name}'; there is {}",
        known.join(", ")
    );
    let number = 1 + requests(module);
    let text = format!("py.specialize @\"{name}\"({types} as @\"{name}.{number}\"");
    // Parsed beside a stand-in for the callee: a module verifies its symbols.
    let stand_in =
        "attributes {arg_names = [], globals = \"\"} { %0 = py.constant #py.none py.return %0 }";
    let parsed = Module::parse(
        context,
        &format!("py.func @\"{name}\"() {stand_in}\n{text}"),
    );
    let Some(parsed) = parsed else {
        anyhow::bail!("the types are not well-formed");
    };
    let request = parsed
        .body()
        .first_operation()
        .and_then(|function| function.next_in_block())
        .expect("both operations were parsed");
    module.body().append_operation((*request).clone());
    Ok(())
}

/// The symbols of the code objects.
fn functions<'c: 'a, 'a>(module: &'a Module<'c>) -> Vec<&'c str> {
    operations::<py::Code>(module)
        .map(|code| code.sym_name())
        .collect()
}

fn requests(module: &Module) -> usize {
    operations::<py::Specialize>(module).count()
}

/// The operations of one kind.
fn operations<'c: 'a, 'a, V: OpView<'c, 'a>>(module: &'a Module<'c>) -> impl Iterator<Item = V> {
    let first: Option<OperationRef<'c, 'a>> = module.body().first_operation();
    std::iter::successors(first, |operation| operation.next_in_block()).filter_map(V::of)
}
