//! The overload library in the bytecode of one CPython: the one that the build was given.

use pyopt_dialects::enums::LibraryRole;
use pyopt_frontend::version::Version;
use pyopt_library::{Errors, Library, Source};

/// The library.
pub static LIBRARY: Library = include!(concat!(env!("OUT_DIR"), "/library.rs"));

#[cfg(test)]
mod tests {
    use super::*;
    use melior::{Context, dialect::DialectRegistry};

    #[test]
    fn every_function_can_be_lifted() {
        pyopt_library::install(&LIBRARY);
        let registry = DialectRegistry::new();
        pyopt_dialects::register(&registry);
        let context = Context::new();
        context.append_dialect_registry(&registry);
        context.load_all_available_dialects();
        for source in LIBRARY.sources {
            if let Err(reason) = source.lift(&context) {
                panic!("{}: {reason}", source.name);
            }
        }
    }
}
