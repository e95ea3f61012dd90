//! Kernels for devices that run code of the host's processor.

use std::ffi::c_void;

use super::driver::{DeviceError, List, Result, Sink, Text, host::Services, table::Status};
use crate::engine::{LlvmModule, LoadedCode, Tier, compile};

/// What this process does for drivers.
pub(super) static SERVICES: Services = Services {
    compile: compile_kernel,
};

/// The function of [`Services::compile`].
///
/// # Safety
///
/// The image, the name, the room for the address and the sink are the caller's through the call.
unsafe extern "C" fn compile_kernel(
    image: List<u8>,
    name: Text,
    address: *mut *const c_void,
    sink: *const Sink,
) -> Status {
    // SAFETY: the caller says so.
    unsafe {
        Status::of(sink, || {
            let name = name.read().unwrap_or_default();
            let found = address_of(image.read(), name)?;
            address.write(found);
            Ok(())
        })
    }
}

/// The address of a kernel of an image, which is LLVM's IR as text. The code is never freed.
fn address_of(image: &[u8], name: &str) -> Result<*const c_void> {
    let failed = |error: String| DeviceError::Failed(format!("the kernel {name}: {error}"));
    let text = std::str::from_utf8(image).map_err(|_| failed("its code isn't text".to_owned()))?;
    let found = LlvmModule::from_ir(text).and_then(|module| {
        let code = LoadedCode::load(&compile(module, Tier::O3)?)?;
        let address = code.lookup(name)?;
        // Whoever has launched the kernel may launch it again at any time.
        std::mem::forget(code);
        Ok(address)
    });
    found
        .map(|address| address.as_ptr().cast_const())
        .map_err(|error| failed(error.to_string()))
}
