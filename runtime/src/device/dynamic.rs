//! Libraries that are loaded when they are needed.

use super::{DeviceError, Result};

/// Loads the first library of some names that there is. It stays loaded.
pub fn load(purpose: &str, names: &[&str]) -> Result<&'static libloading::Library> {
    let mut last = String::new();
    for name in names {
        // SAFETY: these are libraries of drivers, which do what they do when they are loaded in any program.
        match unsafe { libloading::Library::new(name) } {
            Ok(library) => return Ok(Box::leak(Box::new(library))),
            Err(error) => last = error.to_string(),
        }
    }
    Err(DeviceError::Absent(format!(
        "{purpose} isn't installed: {last}"
    )))
}

/// Declares functions of a library, as fields of a structure that [`load`]s them.
macro_rules! functions {
    ($name:ident { $(fn $function:ident($($argument:ty),* $(,)?) -> $result:ty;)* }) => {
        #[allow(non_snake_case)]
        pub(super) struct $name {
            $(pub(super) $function: unsafe extern "C" fn($($argument),*) -> $result,)*
        }

        impl $name {
            /// Finds all of them.
            pub(super) fn of(
                library: &'static libloading::Library,
            ) -> $crate::device::Result<Self> {
                Ok(Self {
                    $($function: {
                        let name = concat!(stringify!($function), "\0");
                        // SAFETY: the function's type is the one that the driver's headers give it.
                        let found = unsafe { library.get(name.as_bytes()) };
                        *found.map_err(|error| $crate::device::DeviceError::Absent(error.to_string()))?
                    },)*
                })
            }
        }
    };
}

pub(super) use functions;
