//! The contexts of devices that compiled functions enter: what a request has to know of them.

use pyo3::prelude::*;
use pyopt_frontend::code::CodeObject;
use pyopt_frontend::value::Value;
use pyopt_passes::devices;
use pyopt_runtime::device::registry;

use crate::compiler::{Binding, CompileError, DeviceTarget, ErrorKind, Request};
use crate::errors;

/// What the context manager is called.
const MANAGER: &str = "pyopt.device_context";

/// Adds to a request what its functions' contexts come to: for which devices their loops have kernels. An absent
/// device has none; entering its context says so.
pub fn prepare(py: Python<'_>, request: &mut Request) -> PyResult<()> {
    let bindings = request.functions.iter().map(|function| &function.bindings);
    let mut bindings = bindings.chain([&request.attributes]).flatten();
    if !bindings.any(|(_, value)| matches!(value, Binding::Named(name) if name == MANAGER)) {
        return Ok(());
    }
    request.enters_devices = true;
    if !request.options().parallel {
        return Ok(());
    }
    let refuse = |message: String| {
        let error = CompileError::plain(ErrorKind::Unsupported, message);
        Err(errors::to_python(py, *error))
    };
    for name in names(request) {
        let Ok(found) = py.detach(|| registry::open(&name)) else {
            continue;
        };
        let target = DeviceTarget::of(&found);
        request.device = match request.device.take() {
            None => Some(target),
            Some(other) if other.driver == target.driver => Some(other.and(target)),
            Some(other) => {
                return refuse(format!(
                    "a compiled function has loops for the devices of one driver, not of '{}' and '{}'",
                    other.driver, target.driver
                ));
            }
        };
    }
    let own = |target: &DeviceTarget| {
        devices::find(&target.driver).is_ok_and(|spec| !spec.outline.is_empty())
    };
    match request.device.as_ref().filter(|target| own(target)) {
        Some(target) => refuse(format!(
            "'{}' makes kernels in its own way, which no context in compiled code can choose",
            target.driver
        )),
        None => Ok(()),
    }
}

/// The constant texts of a request's functions that may be names of devices.
fn names(request: &Request) -> Vec<String> {
    let mut found = Vec::new();
    for function in &request.functions {
        of_code(&function.code, &mut found);
    }
    let bindings = request.functions.iter().map(|function| &function.bindings);
    for (_, value) in bindings.chain([&request.attributes]).flatten() {
        if let Binding::Str(text) = value {
            found.push(text.clone());
        }
    }
    let is_of_driver = |text: &String| {
        let driver = text.split(':').next().unwrap_or_default();
        devices::find(driver).is_ok()
    };
    found.retain(is_of_driver);
    found.sort();
    found.dedup();
    found
}

fn of_code(code: &CodeObject, found: &mut Vec<String>) {
    for constant in code.constants.iter() {
        match constant {
            Value::Str(text) => found.push(text.to_string()),
            Value::Code(inner) => of_code(inner, found),
            _ => {}
        }
    }
}
