//! What compiled code calls: one function for each operation that isn't a few instructions.
//!
//! The conventions: arguments are live objects that the caller keeps alive, unless a function says
//! that it takes a reference over; a returned object is a new reference, null when an exception is
//! set; a status is negative then. The GIL is held.
//!
//! Where CPython has no function for what its evaluation loop does, messages and order of effects
//! follow that.

mod attributes;
mod calls;
mod cells;
mod containers;
mod contexts;
mod errors;
mod exceptions;
mod functions;
mod generators;
mod globals;
mod groups;
mod imports;
mod items;
mod iteration;
mod operators;
mod patterns;
mod starred;
mod unpacking;

use std::ffi::CStr;

/// The functions by the names that compiled code has for them.
macro_rules! table {
    ($($module:ident: $($name:ident)*;)*) => {
        [$($((
            const {
                match CStr::from_bytes_with_nul(concat!("pyopt_object_", stringify!($name), "\0").as_bytes()) {
                    Ok(name) => name,
                    Err(_) => panic!("an identifier holds no null byte"),
                }
            },
            $module::$name as *const () as usize,
        ),)*)*]
    };
}

/// Makes the functions known to the engine.
pub fn register() {
    pyopt_runtime::symbols::register(table! {
        attributes: load_attribute store_attribute delete_attribute load_method;
        calls: call call_method;
        cells: make_cell delete_cell raise_unbound raise_empty;
        containers: build_tuple build_list build_set build_map build_string list_append list_extend
            set_add set_update dict_update dict_merge list_to_tuple build_slice format;
        contexts: enter_context enter_async_context leave_context;
        exceptions: traceback catch raise raise_handled reraise push_exception pop_exception
            matches_exception interrupt end_async_for;
        functions: make_function;
        generators: suspend resume send get_delegate get_awaitable get_async_iterator
            get_async_next wrap_async_value;
        globals: load_global store_global delete_global load_build_class load_assertion_error;
        groups: match_group prepare_reraise;
        imports: import_name import_from;
        items: load_item store_item delete_item length;
        iteration: get_iterator end_iteration;
        operators: unary_neg unary_pos unary_invert binary_add binary_sub binary_mul
            binary_truediv binary_floordiv binary_mod binary_pow binary_matmul binary_and binary_or
            binary_xor binary_lshift binary_rshift inplace_add inplace_sub inplace_mul
            inplace_truediv inplace_floordiv inplace_mod inplace_pow inplace_matmul inplace_and
            inplace_or inplace_xor inplace_lshift inplace_rshift add_to_local compare compare_truth contains
            truth;
        patterns: match_keys match_class is_mapping is_sequence;
        starred: call_starred;
        unpacking: unpack;
    });
}
