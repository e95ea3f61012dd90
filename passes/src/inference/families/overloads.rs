//! Overloads that the host has registered: bodies of functions, chosen for the argument types.
//!
//! In a Python process that are those of `pyopt.extending`. What a resolver gives becomes part of
//! the module, so that the passes behind need no host.

use crate::{
    inference::{
        arguments::Arguments,
        emit::Emit,
        issue::{Stop, Typing, stop},
        rules,
        val::Val,
    },
    infra::{BlockExt, OperationExt, ops::py},
};
use melior::{Context, ir::BlockRef};
use pyopt_frontend::lift;
use std::sync::OnceLock;

/// An argument of a call, as the host sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// The name, for one passed by keyword.
    pub keyword: Option<String>,
    /// The typed type.
    pub r#type: String,
}

/// Knows the overloads of a host.
pub trait Resolver: Send + Sync {
    /// Whether a function, by its qualified name, or a method such as `array.name` has overloads.
    fn knows(&self, name: &str) -> bool;

    /// Appends the code and the bindings of the body for some arguments to a module, and gives its
    /// symbol; `None` if there is no body for them.
    fn resolve<'c>(
        &self,
        context: &'c Context,
        module: BlockRef<'c, '_>,
        name: &str,
        arguments: &[Argument],
    ) -> Result<Option<String>, String>;
}

static RESOLVER: OnceLock<Box<dyn Resolver>> = OnceLock::new();

/// Sets the resolver of this process; the first one stays.
pub fn set_resolver(resolver: Box<dyn Resolver>) {
    RESOLVER.get_or_init(|| resolver);
}

/// Whether a name has overloads.
pub(crate) fn knows(name: &str) -> bool {
    RESOLVER.get().is_some_and(|resolver| resolver.knows(name))
}

/// Calls the overload of a name for these arguments; `None` if there is none. Functions of the library
/// call none: they are compiled once, for all programs, whatever the host has registered by then.
pub(crate) fn call<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    name: &str,
    arguments: &Arguments<'c, 'a>,
) -> Option<Typing<Val<'c, 'a>>> {
    let resolver = RESOLVER
        .get()
        .filter(|resolver| !e.is_library() && resolver.knows(name))?;
    match find(e, resolver.as_ref(), name, arguments) {
        Ok(Some(symbol)) => Some(rules::call_function(e, &symbol, arguments)),
        Ok(None) => None,
        Err(stop) => Some(Err(stop)),
    }
}

fn find<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    resolver: &dyn Resolver,
    name: &str,
    arguments: &Arguments<'c, 'a>,
) -> Typing<Option<String>> {
    let positional = arguments.positional.iter().map(|value| (None, value));
    let keywords = arguments
        .keywords
        .iter()
        .map(|(keyword, value)| (Some((*keyword).to_owned()), value));
    let types: Vec<_> = positional
        .chain(keywords)
        .map(|(keyword, value)| Argument {
            keyword,
            r#type: value.ty.to_string(),
        })
        .collect();
    let key = format!("{name}{types:?}");
    if let Some(known) = e.program.overloads.get(&key) {
        return Ok(known.clone());
    }
    let body = e.program.body();
    let before = body.operation_list().len();
    let symbol = resolver
        .resolve(e.context(), body, name, &types)
        .map_err(|reason| Stop::issue(format!("the overload of {name} failed: {reason}")))?;
    adopt(e, before)?;
    e.program.overloads.insert(key, symbol.clone());
    Ok(symbol)
}

/// Takes over the code and bindings behind the first operations of the module.
fn adopt(e: &mut Emit, first: usize) -> Typing<()> {
    for operation in e.program.body().operation_list().split_off(first) {
        match py::Op::of(operation) {
            Some(py::Op::Binding(binding)) => {
                e.program.add_binding(binding.sym_name(), binding.value());
            }
            Some(py::Op::Code(code)) => {
                let symbol = code.sym_name();
                let lifted =
                    lift::lift(e.context(), operation, lift::Form::Values).map_err(Stop::issue)?;
                operation.erase();
                if e.program.add_function(lifted, None).is_none() {
                    return stop(format!("'{symbol}' is malformed"));
                }
            }
            _ => {}
        }
    }
    Ok(())
}
