//! The settings of threads, which the runtime keeps, and the contexts of devices.

use super::table::Table;
use crate::{
    inference::{
        arguments::Arguments,
        emit::Emit,
        families::objects,
        issue::{Typing, stop},
        val::Val,
    },
    infra::ops::parfor,
};

/// The functions that have no errors to report; the others are in the library.
pub(super) const FUNCTIONS: Table = &[
    ("pyopt.get_num_threads", |e, x| {
        getter(e, x, "pyopt_get_num_threads")
    }),
    ("pyopt.get_parallel_chunksize", |e, x| {
        getter(e, x, "pyopt_get_parallel_chunksize")
    }),
    ("pyopt.get_thread_id", get_thread_id),
    // Numba's names for the same.
    ("pyopt.np.ufunc.parallel.get_thread_id", get_thread_id),
    ("pyopt.np.ufunc.parallel._get_thread_id", get_thread_id),
    ("pyopt.library.intrinsics.pool_size", |e, x| {
        getter(e, x, "pyopt_pool_size")
    }),
    ("pyopt.library.intrinsics.set_num_threads", |e, x| {
        call(e, x.one()?, "pyopt_set_num_threads")
    }),
    ("pyopt.library.intrinsics.set_parallel_chunksize", |e, x| {
        call(e, x.one()?, "pyopt_set_parallel_chunksize")
    }),
    ("pyopt.library.intrinsics.enter_device", enter_device),
    ("pyopt.library.intrinsics.leave_device", |e, _| {
        e.effect(|builder| parfor::LeaveDevice::create(builder, &[]));
        Ok(e.none())
    }),
];

/// Enters a context; what device it is of is known when the function is compiled.
fn enter_device<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    arguments: &Arguments<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let [name] = arguments.bind(["name"], 1)?;
    let Some(name) = name.and_then(|name| name.literal_str()) else {
        return stop("device_context in compiled code takes the name of a device as a constant");
    };
    e.effect(|builder| parfor::EnterDevice::create(builder, name, &[]));
    Ok(e.none())
}

fn get_thread_id<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    arguments: &Arguments<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    getter(e, arguments, "pyopt_get_thread_id")
}

fn getter<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    arguments: &Arguments<'c, 'a>,
    symbol: &str,
) -> Typing<Val<'c, 'a>> {
    arguments.bind::<0>([], 0)?;
    let nothing = e.int(0);
    call(e, nothing, symbol)
}

/// Calls a function of the runtime from a number to a number.
fn call<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    argument: Val<'c, 'a>,
    symbol: &str,
) -> Typing<Val<'c, 'a>> {
    let ty = e.si64();
    let argument = e.cast(argument, ty);
    Ok(objects::call_native(e, symbol, &[argument], ty))
}
