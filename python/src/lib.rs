//! `pyopt._core`: the Python extension.
//!
//! Python functions come in as code objects with what their names are bound to ([`request`]), go through
//! the compiler ([`compiler`]) and come back as [`specialisation`]s, which the [`dispatcher`] finds by the
//! [`fingerprint`] of a call's arguments. [`unbox`] and [`boxing`] carry values across without copying.

mod addresses;
pub mod boxing;
mod c_entry;
mod classes;
pub mod code_parts;
mod compiler;
mod detached;
mod device_calls;
mod device_contexts;
mod devices;

pub mod dispatcher;
mod dlpack;
mod elem;
pub mod errors;
mod exception_classes;
mod extensions;
pub mod fingerprint;
mod first_class;
mod function_cache;
mod functions;
mod generator;
mod halves;
mod held;
mod host;
mod instances;
mod kept_lists;
mod library_cache;
mod linking;
mod lists;
mod literal_texts;
mod loop_remarks;
mod loops;
mod machine;
mod methods;
pub mod nones;
mod numpy;
#[cfg(own_frames)]
pub mod object;
mod objmode;
pub mod overloads;
mod own_types;
mod owner;
pub mod raise;
mod random_states;
mod records;
pub mod request;
pub mod rewrites;
mod same_array;
mod shapes;
pub mod specialisation;
mod structures;
mod threads;
mod tracebacks;
mod typed_containers;
pub mod types;
mod ufuncs;
pub mod unbox;

use pyo3::exceptions::{PyOverflowError, PyTypeError, PyValueError};
use pyo3::prelude::*;

/// The type of a Python value in the compiler's text form.
#[pyfunction]
fn typeof_text(value: &Bound<'_, PyAny>) -> PyResult<String> {
    let mut buffer = unbox::ArgBuffer::default();
    // SAFETY: the GIL is held, and the value outlives the buffer.
    match unsafe { buffer.push(value.as_ptr()) } {
        Ok(()) => Ok(fingerprint::decode(&buffer.words)[0].to_string()),
        Err(unbox::Failure::Raised) => Err(PyErr::fetch(value.py())),
        Err(unbox::Failure::TooLarge) => Err(PyOverflowError::new_err(
            "the int does not fit into 64 bits",
        )),
        Err(unbox::Failure::Unsupported(reason)) => Err(PyTypeError::new_err(reason)),
    }
}

/// Counters of memory that compiled code allocated: allocations, frees, bytes alive.
#[pyfunction]
fn memory_stats() -> (u64, u64, u64) {
    let stats = pyopt_runtime::memory::stats();
    (stats.allocations, stats.frees, stats.live_bytes)
}

/// The names of the pipelines.
#[pyfunction]
fn pipeline_names() -> Vec<&'static str> {
    pyopt_passes::register_passes();
    let all = pyopt_passes::infra::registered_pipelines().into_iter();
    all.map(|spec| spec.name).collect()
}

/// The passes that a pipeline runs for options as they stand in a textual pipeline.
#[pyfunction]
fn pipeline_passes(name: &str, options: &str) -> PyResult<Vec<String>> {
    pyopt_passes::pipelines::passes(name, options).map_err(PyValueError::new_err)
}

/// Fills the module `pyopt._core`. That of `core` has no extensions built in; what has some makes its own:
///
/// ```ignore
/// #[pyo3::pymodule(gil_used = false)]
/// fn _core(module: &Bound<'_, PyModule>) -> PyResult<()> {
///     pyopt_python::init(module, &[&poly::POLY])
/// }
/// ```
pub fn init(
    module: &Bound<'_, PyModule>,
    built_in: &[&'static pyopt_passes::extension::Extension],
) -> PyResult<()> {
    pyopt_library::install(&pyopt_library_bytecode::LIBRARY);
    for extension in built_in {
        pyopt_passes::extension::register(extension).map_err(PyValueError::new_err)?;
    }
    pyopt_passes::overloads::set_loader(overloads::load_long_tuples);
    numpy::load(module.py())?;
    owner::load(module.py())?;
    #[cfg(own_frames)]
    object::load(module)?;
    linking::load();
    devices::load();
    for extension in built_in {
        devices::register_drivers(extension)?;
    }
    objmode::load();
    c_entry::load();
    first_class::load();
    threads::wait_at_exit();
    exception_classes::load();
    tracebacks::load(module)?;
    module.add_class::<specialisation::Specialisation>()?;
    module.add_class::<types::ArgumentTypes>()?;
    module.add_class::<generator::Generator>()?;
    module.add_class::<devices::DeviceMemory>()?;
    module.add_class::<devices::DeviceArrayBase>()?;
    module.add_class::<structures::Structure>()?;
    module.add_class::<rewrites::Block>()?;
    module.add_class::<rewrites::Region>()?;
    module.add_class::<rewrites::Operation>()?;
    module.add_class::<rewrites::Value>()?;
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add("SOURCES", env!("PYOPT_SOURCES"))?;
    module.add("OWN_FRAMES", cfg!(own_frames))?;
    for function in [
        wrap_pyfunction!(typeof_text, module)?,
        wrap_pyfunction!(literal_texts::quoted_text, module)?,
        wrap_pyfunction!(literal_texts::unquoted_text, module)?,
        wrap_pyfunction!(threads::pool_size, module)?,
        wrap_pyfunction!(threads::get_num_threads, module)?,
        wrap_pyfunction!(threads::set_num_threads, module)?,
        wrap_pyfunction!(threads::get_thread_id, module)?,
        wrap_pyfunction!(threads::get_parallel_chunksize, module)?,
        wrap_pyfunction!(threads::set_parallel_chunksize, module)?,
        wrap_pyfunction!(threads::has_launched, module)?,
        wrap_pyfunction!(machine::machine, module)?,
        wrap_pyfunction!(memory_stats, module)?,
        wrap_pyfunction!(random_states::random_state, module)?,
        wrap_pyfunction!(random_states::set_random_state, module)?,
        wrap_pyfunction!(devices::list_devices, module)?,
        wrap_pyfunction!(devices::enter_device, module)?,
        wrap_pyfunction!(devices::leave_device, module)?,
        wrap_pyfunction!(devices::current_device, module)?,
        wrap_pyfunction!(devices::device_memory, module)?,
        wrap_pyfunction!(devices::device_counters, module)?,
        wrap_pyfunction!(devices::synchronize_device, module)?,
        wrap_pyfunction!(devices::set_device_array_type, module)?,
        wrap_pyfunction!(dlpack::dlpack_capsule, module)?,
        wrap_pyfunction!(pipeline_names, module)?,
        wrap_pyfunction!(pipeline_passes, module)?,
        wrap_pyfunction!(library_cache::library_cache_stats, module)?,
        wrap_pyfunction!(request::compile, module)?,
        wrap_pyfunction!(request::compile_cached, module)?,
        wrap_pyfunction!(function_cache::contents::cache_directory, module)?,
        wrap_pyfunction!(function_cache::contents::cache_entries, module)?,
        wrap_pyfunction!(function_cache::contents::cache_usage, module)?,
        wrap_pyfunction!(function_cache::contents::clear_cache, module)?,
        wrap_pyfunction!(classes::named_tuple_slot, module)?,
        wrap_pyfunction!(exception_classes::exception_class_names, module)?,
        wrap_pyfunction!(overloads::register_overload, module)?,
        wrap_pyfunction!(first_class::function_value, module)?,
        wrap_pyfunction!(first_class::function_type, module)?,
        wrap_pyfunction!(own_types::set_unboxing, module)?,
        wrap_pyfunction!(own_types::register_holder, module)?,
        wrap_pyfunction!(typed_containers::container_classes, module)?,
        wrap_pyfunction!(typed_containers::iterator_of_view, module)?,
        wrap_pyfunction!(errors::render_error, module)?,
        wrap_pyfunction!(rewrites::register_rewrite, module)?,
        wrap_pyfunction!(rewrites::register_pass, module)?,
        wrap_pyfunction!(extensions::add_pass, module)?,
        wrap_pyfunction!(extensions::remove_pass, module)?,
        wrap_pyfunction!(extensions::placed_passes, module)?,
        wrap_pyfunction!(extensions::extensions, module)?,
        wrap_pyfunction!(extensions::load_extension, module)?,
        wrap_pyfunction!(extensions::extension_modules, module)?,
        wrap_pyfunction!(extensions::mentioned_groups, module)?,
        wrap_pyfunction!(loops::lift_loops, module)?,
        wrap_pyfunction!(dispatcher::dispatcher_type, module)?,
        wrap_pyfunction!(dispatcher::add_specialisation, module)?,
        wrap_pyfunction!(dispatcher::best_signatures, module)?,
        wrap_pyfunction!(dispatcher::clear_specialisations, module)?,
        wrap_pyfunction!(dispatcher::reset_parameters, module)?,
        wrap_pyfunction!(dispatcher::set_compiles, module)?,
        wrap_pyfunction!(dispatcher::set_uses_devices, module)?,
        wrap_pyfunction!(dispatcher::set_device, module)?,
        wrap_pyfunction!(dispatcher::set_literals, module)?,
        wrap_pyfunction!(dispatcher::specialisations, module)?,
        wrap_pyfunction!(request::literal_parameters, module)?,
        wrap_pyfunction!(request::filled_arguments, module)?,
        wrap_pyfunction!(ufuncs::make_ufunc, module)?,
        #[cfg(own_frames)]
        wrap_pyfunction!(object::make_function, module)?,
        #[cfg(own_frames)]
        wrap_pyfunction!(object::compile_function, module)?,
    ] {
        module.add_function(function)?;
    }
    Ok(())
}
