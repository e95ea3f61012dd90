//! Passes that are values: those that are written in Python or come from loaded libraries.

use super::{
    context::PassContext,
    diagnostics::Collector,
    register::{pass_spec, register_pass},
    spec::{PassResult, PassSpec},
};
use melior::ir::{OperationRef, operation::OperationLike};
use std::sync::{Arc, Mutex, PoisonError};

/// A pass that isn't a table.
///
/// What it leaves is verified each time, and that it isn't valid is an error of the pass.
pub trait DynamicPass: Send + Sync {
    /// The name on the command line and in pipelines.
    fn name(&self) -> &str;

    /// One line for `--help`.
    fn summary(&self) -> &str;

    /// The operation it runs on; empty for any.
    fn anchor(&self) -> &str;

    /// What tells its code from any other, for what is kept on disk; `None` where nothing does.
    fn version(&self) -> Option<&str>;

    /// Changes an operation.
    fn run<'c>(&self, cx: &PassContext<'c>, operation: OperationRef<'c, '_>) -> PassResult;
}

static PASSES: Mutex<Vec<Arc<dyn DynamicPass>>> = Mutex::new(Vec::new());

/// Adds a pass, or replaces a dynamic one of its name that runs on the same operation. The error
/// says that the name is taken.
pub fn register_dynamic_pass(pass: Arc<dyn DynamicPass>) -> Result<(), String> {
    let name = pass.name();
    let mut passes = PASSES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = passes.iter_mut().find(|known| known.name() == name) {
        if known.anchor() != pass.anchor() {
            let anchor = known.anchor();
            return Err(format!(
                "pass '{name}' is known already, and runs on '{anchor}'"
            ));
        }
        *known = pass;
        return Ok(());
    }
    if pass_spec(name).is_some() {
        return Err(format!("a pass has the name '{name}' already"));
    }
    let is_name = |character: char| character.is_alphanumeric() || "-_.".contains(character);
    if name.is_empty() || !name.chars().all(is_name) {
        return Err(format!(
            "'{name}' can't be the name of a pass: it takes letters, digits, '-', '_' and '.'"
        ));
    }
    // Passes are never unregistered, so their tables live for ever.
    let leak = |text: &str| -> &'static str { text.to_owned().leak() };
    register_pass(Box::leak(Box::new(PassSpec {
        anchor: leak(pass.anchor()),
        ..PassSpec::new(leak(name), leak(pass.summary()), run)
    })));
    passes.push(pass);
    Ok(())
}

/// The names of dynamic passes whose code nothing tells from other code.
pub(crate) fn without_version() -> Vec<String> {
    let passes = PASSES.lock().unwrap_or_else(PoisonError::into_inner);
    let unknown = passes.iter().filter(|pass| pass.version().is_none());
    unknown.map(|pass| pass.name().to_owned()).collect()
}

/// Runs the pass of the context's name, and verifies what it leaves.
fn run<'c>(cx: &PassContext<'c>, operation: OperationRef<'c, '_>) -> PassResult {
    let name = cx.spec().name;
    let find = || {
        let passes = PASSES.lock().unwrap_or_else(PoisonError::into_inner);
        passes.iter().find(|pass| pass.name() == name).cloned()
    };
    find()
        .expect("passes are never removed")
        .run(cx, operation)?;
    let who = format!("pass '{name}'");
    verify(cx, operation, &who)
}

/// Fails with the reason where an operation doesn't verify, and says who has changed it.
pub fn verify<'c>(cx: &PassContext<'c>, operation: OperationRef<'c, '_>, who: &str) -> PassResult {
    let collector = Collector::new(cx.context());
    let is_valid = operation.verify();
    let told = collector.finish();
    if is_valid {
        return Ok(());
    }
    let why = told.first().map_or("", |diagnostic| &diagnostic.message);
    Err(cx.error(
        operation.location(),
        format!("{who} leaves invalid IR: {why}"),
    ))
}
