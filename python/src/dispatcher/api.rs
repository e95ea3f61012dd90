//! What the Python class behind the dispatcher does to an instance.

use std::sync::atomic::Ordering;

use pyo3::prelude::*;

use super::code::Code;
use super::parameters::Parameters;
use super::type_object::body_of;
use super::{HOST, OF_CONTEXT, UNOPENED, convert};
use crate::devices;
use crate::specialisation::Specialisation;
use crate::types::ArgumentTypes;

/// Adds a compiled specialisation, unless one for the same types is there already.
#[pyfunction]
pub fn add_specialisation(dispatcher: &Bound<'_, PyAny>, made: Py<Specialisation>) -> PyResult<()> {
    // SAFETY: adding runs no Python code.
    let code = unsafe { body_of(dispatcher)?.code.get() };
    code.add(dispatcher.py(), made);
    Ok(())
}

/// The specialisation for the CPU whose fingerprint is `words`.
pub fn find(dispatcher: &Bound<'_, PyAny>, words: &[u64]) -> PyResult<Option<Py<Specialisation>>> {
    // SAFETY: no Python code runs while the code is borrowed.
    let code = unsafe { body_of(dispatcher)?.code.get() };
    let found = code.find(dispatcher.py(), words, HOST);
    Ok(found.map(|found| found.to_owned().unbind()))
}

/// What is compiled, in the order in which it was made, for the CPU and for devices.
#[pyfunction]
pub fn specialisations(dispatcher: &Bound<'_, PyAny>) -> PyResult<Vec<Py<Specialisation>>> {
    // SAFETY: no Python code runs while the code is borrowed.
    let code = unsafe { body_of(dispatcher)?.code.get() };
    let again = |one: &Py<Specialisation>| one.clone_ref(dispatcher.py());
    let mut made: Vec<_> = code.all().map(again).collect();
    made.reverse();
    Ok(made)
}

/// Removes all specialisations.
#[pyfunction]
pub fn clear_specialisations(dispatcher: &Bound<'_, PyAny>) -> PyResult<()> {
    drop(body_of(dispatcher)?.code.replace(Code::new()));
    Ok(())
}

/// Reads the parameters of the function again: it has got its defaults only now.
#[pyfunction]
pub fn reset_parameters(dispatcher: &Bound<'_, PyAny>) -> PyResult<()> {
    let parameters = Parameters::of(&dispatcher.getattr("py_func")?)?;
    drop(body_of(dispatcher)?.parameters.replace(parameters));
    Ok(())
}

/// Says which parameters code is compiled for the values of.
#[pyfunction]
pub fn set_literals(dispatcher: &Bound<'_, PyAny>, positions: Vec<usize>) -> PyResult<()> {
    let body = body_of(dispatcher)?;
    let has_literals = !positions.is_empty();
    drop(body.literals.replace(positions));
    body.has_literals.store(has_literals, Ordering::Release);
    Ok(())
}

/// Says whether calls with new types compile.
#[pyfunction]
pub fn set_compiles(dispatcher: &Bound<'_, PyAny>, compiles: bool) -> PyResult<()> {
    let body = body_of(dispatcher)?;
    body.compiles.store(compiles, Ordering::Release);
    Ok(())
}

/// Says whether calls run on the device of their context.
#[pyfunction]
pub fn set_uses_devices(dispatcher: &Bound<'_, PyAny>, uses: bool) -> PyResult<()> {
    let place = if uses { OF_CONTEXT } else { HOST };
    body_of(dispatcher)?.place.store(place, Ordering::Release);
    Ok(())
}

/// Has calls run on a device, whatever context they are in. Without a name it is to be opened by the first one,
/// which asks for code. The device's whole name.
#[pyfunction]
#[pyo3(signature = (dispatcher, name = None))]
pub fn set_device(dispatcher: &Bound<'_, PyAny>, name: Option<&str>) -> PyResult<Option<String>> {
    let device = devices::opened(dispatcher.py(), name)?;
    let place = device.as_ref().map_or(UNOPENED, |device| device.number);
    body_of(dispatcher)?.place.store(place, Ordering::Release);
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
