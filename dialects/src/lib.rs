//! The dialects of pyopt: `py`, `typed`, `parfor` and `stencil`, and `pyopt` with the discardable
//! attributes that passes note on operations of all dialects.
//!
//! They are defined in ODS (`include/pyopt`), with verifiers, folders and
//! interfaces in C++ (`lib`). This crate registers them, gives views of
//! operations and the names of the discardable attributes, generated from the
//! same `.td` files ([`ops`]), and wraps their types ([`typed`]), attributes
//! ([`py`], [`parfor`]) and enums ([`enums`]).

// The generated code names this crate in the same way here and in extensions.
extern crate self as pyopt_dialects;

pub mod attributes;
pub mod enums;
mod ffi;
pub mod ops;
pub mod parfor;
pub mod py;
pub mod records;
pub mod times;
pub mod typed;
pub mod upstream;
pub mod view;

use melior::dialect::{DialectHandle, DialectRegistry};

/// Includes what `pyopt_build::dialects` has made of an extension's `.td` files: a module a dialect with
/// views and builders of its operations, and a function that registers it.
#[macro_export]
macro_rules! include_dialects {
    () => {
        include!(concat!(env!("OUT_DIR"), "/dialects.rs"));
    };
}

/// A dialect of an extension, as `pyopt_build::dialects` makes one.
#[derive(Clone, Copy, Debug)]
pub struct DialectSpec {
    /// Its name.
    pub name: &'static str,
    /// Adds it to a registry.
    pub register: fn(&DialectRegistry),
}

/// The names of the dialects that this crate defines.
pub const NAMES: [&str; 5] = ["py", "typed", "parfor", "stencil", "pyopt"];

/// Adds these dialects to a registry.
pub fn register(registry: &DialectRegistry) {
    for handle in handles() {
        handle.insert_dialect(registry);
    }
    // SAFETY: the registry is valid; what is added refers to static functions.
    unsafe { ffi::pyoptRegisterExternalModels(registry.to_raw()) };
}

fn handles() -> [DialectHandle; 5] {
    // SAFETY: the functions return handles to static registration hooks.
    unsafe {
        [
            DialectHandle::from_raw(ffi::mlirGetDialectHandle__py__()),
            DialectHandle::from_raw(ffi::mlirGetDialectHandle__typed__()),
            DialectHandle::from_raw(ffi::mlirGetDialectHandle__parfor__()),
            DialectHandle::from_raw(ffi::mlirGetDialectHandle__stencil__()),
            DialectHandle::from_raw(ffi::mlirGetDialectHandle__pyopt__()),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use melior::{Context, ir::Module, ir::operation::OperationLike};

    fn context() -> Context {
        let registry = DialectRegistry::new();
        register(&registry);
        melior::utility::register_all_dialects(&registry);
        let context = Context::new();
        context.append_dialect_registry(&registry);
        context.load_all_available_dialects();
        context
    }

    #[test]
    fn parses_and_verifies_a_function() {
        let context = context();
        let module = Module::parse(
            &context,
            r#"py.func @f(%a) attributes {arg_names = ["a"], globals = "m"} { py.return %a }"#,
        )
        .expect("a well-formed module");
        assert!(module.as_operation().verify());
    }
}
