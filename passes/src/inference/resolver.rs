//! The host's overloads: bodies of functions, chosen for the argument types.
//!
//! In a Python process that are those of `pyopt.extending`. What a resolver gives becomes part of
//! the module, so that the passes behind need no host.

use melior::{Context, ir::BlockRef};
use std::sync::OnceLock;

/// An argument of a call, as the host sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// The name, for one passed by keyword.
    pub keyword: Option<String>,
    /// The typed type.
    pub r#type: String,
    /// The type that says its value, where the compiler knows that.
    pub literal: Option<String>,
}

/// What a host has for a call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Resolution {
    /// A function of the module.
    Body {
        /// Its symbol.
        symbol: String,
        /// Whether it was chosen for the values that are known of arguments, and is compiled for them.
        of_literals: bool,
    },
    /// A typed function of the module that isn't inferred: an intrinsic.
    Native {
        /// Its symbol.
        symbol: String,
        /// Which of the call's values its arguments are, keywords last, and the types that these are
        /// converted to.
        arguments: Vec<(usize, String)>,
        /// The type of its result.
        result: String,
    },
    /// None of the overloads takes these arguments: why each doesn't.
    Declined(String),
}

/// Knows the overloads of a host.
pub trait Resolver: Send + Sync {
    /// Whether there are overloads of a function, by its qualified name, of a method (`method:name`)
    /// or of an attribute (`attribute:name`).
    fn knows(&self, name: &str) -> bool;

    /// Whether questions about other names are to be noted: by somebody who keeps what is compiled.
    fn takes_notes(&self) -> bool {
        false
    }

    /// Takes down a question about a name without overloads.
    fn note(&self, name: &str, arguments: Vec<Argument>) {
        let _ = (name, arguments);
    }

    /// Appends the code and the bindings of the body for some arguments to a module, or the function of
    /// an intrinsic, and gives its symbol.
    fn resolve<'c>(
        &self,
        context: &'c Context,
        module: BlockRef<'c, '_>,
        name: &str,
        arguments: &[Argument],
    ) -> Result<Resolution, String>;
}

static RESOLVER: OnceLock<Box<dyn Resolver>> = OnceLock::new();

/// Sets the resolver of this process; the first one stays.
pub fn set_resolver(resolver: Box<dyn Resolver>) {
    RESOLVER.get_or_init(|| resolver);
}

/// The resolver of this process, if there is one.
pub(crate) fn resolver() -> Option<&'static dyn Resolver> {
    RESOLVER.get().map(AsRef::as_ref)
}

static LOADER: OnceLock<fn()> = OnceLock::new();

/// Sets what loads the overloads of tuples of any length, which few programs need; the first one stays.
pub fn set_loader(loader: fn()) {
    LOADER.get_or_init(|| loader);
}

/// Has the host load its tuples of any length, if it has some.
pub(crate) fn load_long_tuples() {
    if let Some(loader) = LOADER.get() {
        loader();
    }
}
