//! Requests for specialisations, from their text.

use anyhow::{Result, ensure};
use melior::{
    Context,
    ir::{BlockLike, Module, operation::OperationLike},
};
use pyopt_frontend::attributes::attribute_text;

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
        known.iter().any(|function| function == name),
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
fn functions(module: &Module) -> Vec<String> {
    operations(module, "py.code")
        .filter_map(|code| {
            let name = code.attribute("sym_name").ok()?;
            attribute_text(name.try_into().ok()?).map(String::from)
        })
        .collect()
}

fn requests(module: &Module) -> usize {
    operations(module, "py.specialize").count()
}

fn operations<'c: 'a, 'a>(
    module: &'a Module<'c>,
    name: &'static str,
) -> impl Iterator<Item = melior::ir::OperationRef<'c, 'a>> {
    std::iter::successors(module.body().first_operation(), |operation| {
        operation.next_in_block()
    })
    .filter(move |operation| operation.name().as_string_ref().as_str() == Ok(name))
}
