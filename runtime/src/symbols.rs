//! The addresses compiled code may refer to by name.
//!
//! Machine code holds no addresses, only relocations. They are resolved first from this table
//! (the runtime's own entry points and the compiler's support routines, which no dynamic symbol
//! table lists), then from the process: libm, `memcpy` and the like.

use std::{
    collections::HashMap,
    ffi::{CStr, c_void},
    ptr::NonNull,
    sync::LazyLock,
};

use crate::{
    border::pyopt_fill_border,
    clock::pyopt_clock,
    complex::pyopt_pow_complex,
    device::entry::{pyopt_device_fence, pyopt_device_fence_of, pyopt_device_launch},
    device::nested::{
        pyopt_device_depth, pyopt_device_enter, pyopt_device_in_use, pyopt_device_leave,
        pyopt_device_leave_to,
    },
    exception::{pyopt_catch, pyopt_hold, pyopt_raise},
    fork::Table,
    identity::pyopt_same_slots,
    keeping::{pyopt_keep, pyopt_keep_bytes},
    kept_results::pyopt_kept_results,
    kernels::{pyopt_pow_i64, pyopt_pow_u64, pyopt_sum_f32, pyopt_sum_f64},
    lists::{pyopt_list_new, pyopt_list_reserve, pyopt_list_truncate, pyopt_struct_new},
    made_constants::{pyopt_constant_is_made, pyopt_keep_constant, pyopt_made_constant},
    memory::{pyopt_acquire, pyopt_alloc, pyopt_alloc_holder, pyopt_release},
    products::{
        pyopt_matmul_c64, pyopt_matmul_c128, pyopt_matmul_f32, pyopt_matmul_f64,
        pyopt_matmul_on_threads_c64, pyopt_matmul_on_threads_c128, pyopt_matmul_on_threads_f32,
        pyopt_matmul_on_threads_f64, pyopt_matvec_c64, pyopt_matvec_c128, pyopt_matvec_f32,
        pyopt_matvec_f64, pyopt_vecmat_c64, pyopt_vecmat_c128, pyopt_vecmat_f32, pyopt_vecmat_f64,
        pyopt_vecmat_on_threads_c64, pyopt_vecmat_on_threads_c128, pyopt_vecmat_on_threads_f32,
        pyopt_vecmat_on_threads_f64,
    },
    random,
    repeat::pyopt_repeat,
    scheduler::{
        pyopt_chunks, pyopt_get_num_threads, pyopt_get_parallel_chunksize, pyopt_get_thread_id,
        pyopt_parallel, pyopt_parts, pyopt_parts_for_work, pyopt_pool_size, pyopt_set_num_threads,
        pyopt_set_parallel_chunksize,
    },
    tables::{
        pyopt_table_clear, pyopt_table_copy, pyopt_table_first, pyopt_table_grow, pyopt_table_new,
        pyopt_table_remove,
    },
    text,
};

/// Pairs of a function's name and its address. Addresses are kept as numbers because pointers
/// cannot be shared between threads.
macro_rules! table {
    ($($name:ident,)*) => {
        [$((
            const { $crate::symbols::symbol_name(concat!(stringify!($name), "\0")) },
            $name as *const () as usize,
        ),)*]
    };
}

pub(crate) use table;

/// Declares routines that the linker finds in every Rust binary and pairs them with their names.
/// They have no types here because nobody calls them from here.
macro_rules! builtins {
    ($($name:ident,)*) => {{
        unsafe extern "C" {
            $(fn $name();)*
        }
        table!($($name,)*)
    }};
}

/// The address of a symbol that compiled code may use, if there is one.
pub fn address(name: &CStr) -> Option<NonNull<c_void>> {
    if let Some(&address) = TABLE.get(name) {
        return NonNull::new(address as *mut c_void);
    }
    let further = FURTHER.lock();
    if let Some(&address) = further.get(name) {
        return NonNull::new(address as *mut c_void);
    }
    // SAFETY: the name is a C string; the default search order has no precondition.
    NonNull::new(unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) })
}

/// Makes further functions known, such as those of a host: pairs of a name and an address. The
/// functions must stay as long as compiled code may refer to them.
pub fn register(functions: impl IntoIterator<Item = (&'static CStr, usize)>) {
    let mut further = FURTHER.lock();
    further.extend(functions);
}

static FURTHER: Table<HashMap<&'static CStr, usize>> = Table::new();

static TABLE: LazyLock<HashMap<&'static CStr, usize>> = LazyLock::new(|| {
    let runtime = table! {
        pyopt_alloc,
        pyopt_alloc_holder,
        pyopt_device_fence,
        pyopt_device_fence_of,
        pyopt_device_launch,
        pyopt_device_depth,
        pyopt_device_enter,
        pyopt_device_in_use,
        pyopt_device_leave,
        pyopt_device_leave_to,
        pyopt_catch,
        pyopt_raise,
        pyopt_hold,
        pyopt_acquire,
        pyopt_release,
        pyopt_matmul_c64,
        pyopt_matmul_c128,
        pyopt_matmul_f32,
        pyopt_matmul_f64,
        pyopt_matmul_on_threads_c64,
        pyopt_matmul_on_threads_c128,
        pyopt_matmul_on_threads_f32,
        pyopt_matmul_on_threads_f64,
        pyopt_matvec_c64,
        pyopt_matvec_c128,
        pyopt_matvec_f32,
        pyopt_matvec_f64,
        pyopt_vecmat_c64,
        pyopt_vecmat_c128,
        pyopt_vecmat_f32,
        pyopt_vecmat_f64,
        pyopt_vecmat_on_threads_c64,
        pyopt_vecmat_on_threads_c128,
        pyopt_vecmat_on_threads_f32,
        pyopt_vecmat_on_threads_f64,
        pyopt_list_new,
        pyopt_list_reserve,
        pyopt_list_truncate,
        pyopt_fill_border,
        pyopt_repeat,
        pyopt_table_clear,
        pyopt_table_copy,
        pyopt_table_grow,
        pyopt_table_new,
        pyopt_table_first,
        pyopt_table_remove,
        pyopt_struct_new,
        pyopt_keep,
        pyopt_keep_bytes,
        pyopt_get_num_threads,
        pyopt_get_parallel_chunksize,
        pyopt_get_thread_id,
        pyopt_parallel,
        pyopt_chunks,
        pyopt_parts,
        pyopt_parts_for_work,
        pyopt_pool_size,
        pyopt_set_num_threads,
        pyopt_set_parallel_chunksize,
        pyopt_clock,
        pyopt_pow_complex,
        pyopt_same_slots,
        pyopt_constant_is_made,
        pyopt_keep_constant,
        pyopt_kept_results,
        pyopt_made_constant,
        pyopt_pow_i64,
        pyopt_pow_u64,
        pyopt_sum_f32,
        pyopt_sum_f64,
    };
    // What the code generator calls for `i128`, `f16` and `powi`.
    let builtins = builtins! {
        __ashlti3,
        __ashrti3,
        __lshrti3,
        __multi3,
        __muloti4,
        __divti3,
        __udivti3,
        __modti3,
        __umodti3,
        __floattisf,
        __floattidf,
        __floatuntisf,
        __floatuntidf,
        __fixsfti,
        __fixdfti,
        __fixunssfti,
        __fixunsdfti,
        __extendhfsf2,
        __extendhfdf2,
        __truncsfhf2,
        __truncdfhf2,
        __powisf2,
        __powidf2,
    };
    let tables = runtime.into_iter().chain(builtins);
    let tables = tables.chain(random::symbols());
    tables.chain(text::symbols()).collect()
});

pub(crate) const fn symbol_name(name: &'static str) -> &'static CStr {
    match CStr::from_bytes_with_nul(name.as_bytes()) {
        Ok(name) => name,
        Err(_) => panic!("an identifier holds no null byte"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_runtime_the_builtins_and_libm_are_found() {
        for name in [
            c"pyopt_alloc",
            c"__truncdfhf2",
            c"__divti3",
            c"sin",
            c"sincos",
            c"fmodf",
        ] {
            assert!(address(name).is_some(), "{name:?}");
        }
    }

    #[test]
    fn an_unknown_name_has_no_address() {
        assert_eq!(address(c"pyopt_no_such_symbol"), None);
    }
}
