//! What the Python class behind the dispatcher does to an instance.

use std::sync::Arc;

use pyo3::prelude::*;
use pyopt_runtime::device::registry::OpenDevice;

use super::parameters::Parameters;
use super::type_object::body_of;
use super::{Place, convert};
use crate::devices;
use crate::specialisation::Specialisation;
use crate::types::ArgumentTypes;

/// Adds a compiled specialisation, unless one for the same types is there already.
#[pyfunction]
pub fn add_specialisation(dispatcher: &Bound<'_, PyAny>, made: Py<Specialisation>) -> PyResult<()> {
    // SAFETY: no Python code runs while the body is borrowed.
    let body = unsafe { &mut *body_of(dispatcher)? };
    let device = made.get().device_number();
    if body.find(&made.get().words, device).is_none() {
        body.specialisations.push(made);
    }
    Ok(())
}

/// What is compiled, in the order in which it was made, for the CPU and for devices.
#[pyfunction]
pub fn specialisations(dispatcher: &Bound<'_, PyAny>) -> PyResult<Vec<Py<Specialisation>>> {
    // SAFETY: no Python code runs while the body is borrowed.
    let made = unsafe { &(*body_of(dispatcher)?).specialisations };
    let again = |one: &Py<Specialisation>| one.clone_ref(dispatcher.py());
    Ok(made.iter().map(again).collect())
}

/// Removes all specialisations.
#[pyfunction]
pub fn clear_specialisations(dispatcher: &Bound<'_, PyAny>) -> PyResult<()> {
    // SAFETY: the entries are taken out first; freeing them afterwards may run Python code.
    let removed = unsafe { std::mem::take(&mut (*body_of(dispatcher)?).specialisations) };
    drop(removed);
    Ok(())
}

/// Reads the parameters of the function again: it has got its defaults only now.
#[pyfunction]
pub fn reset_parameters(dispatcher: &Bound<'_, PyAny>) -> PyResult<()> {
    let parameters = Parameters::of(&dispatcher.getattr("py_func")?)?;
    // SAFETY: no Python code runs while the body is borrowed; freeing the former ones afterwards may run some.
    let former = unsafe { std::mem::replace(&mut (*body_of(dispatcher)?).parameters, parameters) };
    drop(former);
    Ok(())
}

/// Says which parameters code is compiled for the values of.
#[pyfunction]
pub fn set_literals(dispatcher: &Bound<'_, PyAny>, positions: Vec<usize>) -> PyResult<()> {
    // SAFETY: no Python code runs while the body is borrowed.
    unsafe { (*body_of(dispatcher)?).literals = positions };
    Ok(())
}

/// Says whether calls with new types compile.
#[pyfunction]
pub fn set_compiles(dispatcher: &Bound<'_, PyAny>, compiles: bool) -> PyResult<()> {
    // SAFETY: no Python code runs while the body is borrowed.
    unsafe { (*body_of(dispatcher)?).compiles = compiles };
    Ok(())
}

/// Says whether calls run on the device of their context.
#[pyfunction]
pub fn set_uses_devices(dispatcher: &Bound<'_, PyAny>, uses: bool) -> PyResult<()> {
    // SAFETY: no Python code runs while the body is borrowed.
    unsafe { (*body_of(dispatcher)?).place = if uses { Place::Context } else { Place::Host } };
    Ok(())
}

/// Has calls run on a device, whatever context they are in. Without a name it is to be opened by the first one,
/// which asks for code. The device's whole name.
#[pyfunction]
#[pyo3(signature = (dispatcher, name = None))]
pub fn set_device(dispatcher: &Bound<'_, PyAny>, name: Option<&str>) -> PyResult<Option<String>> {
    let device = devices::opened(dispatcher.py(), name)?;
    let number = |device: &Arc<OpenDevice>| Place::Device(device.number);
    let place = device.as_ref().map_or(Place::UNOPENED, number);
    // SAFETY: no Python code runs while the body is borrowed.
    unsafe { (*body_of(dispatcher)?).place = place };
    Ok(device.map(|device| device.name().to_owned()))
}

/// The signatures that arguments of some types are converted to most easily, by their positions: several if
/// there is no best one.
#[pyfunction]
pub fn best_signatures(
    given: &ArgumentTypes,
    declared: Vec<Bound<'_, ArgumentTypes>>,
) -> Vec<usize> {
    convert::best(declared.iter().map(|one| one.get().all()), given.all())
}
