//! Extensions that are loaded: libraries that use this process's MLIR.

use super::{Extension, add_at, find_place, register};
use crate::{
    analysis::nest::Nest,
    devices::DeviceSpec,
    infra::{DynamicPass, PassContext, PassFailure, PassResult, register_dynamic_pass},
    registration::register_passes,
};
use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};
use melior::ir::OperationRef;
use mlir_sys::mlirIntegerTypeGetTypeID;
use pyopt_driver::{Sink, Text, table::Loaded as Driver};
use pyopt_plugin::abi::{Device, ENTRY, Entry, Pass, Table, VERSION};
use std::{
    fs,
    hash::{DefaultHasher, Hash, Hasher},
    path::Path,
    sync::Arc,
};

/// Loads a library and registers what it adds. The error says why it can't be used: it is no
/// extension, was made for another version of the interface, or has an MLIR of its own.
pub fn load(path: &Path) -> Result<&'static Extension, String> {
    let file = path.display();
    // SAFETY: the code of extensions is trusted, as that of any Python package is. Its symbols aren't made
    // global, since other libraries of this process may have an LLVM.
    let library = unsafe { Library::open(Some(path), RTLD_NOW | RTLD_LOCAL) };
    let library = library.map_err(|error| format!("{file} can't be loaded: {error}"))?;
    // SAFETY: the function of that name has that type.
    let entry = unsafe { library.get::<Entry>(ENTRY.as_bytes()) };
    let entry = entry.map_err(|_| format!("{file} is no extension: it has no function {ENTRY}"))?;
    // SAFETY: the table lives as long as the library, which is never unloaded.
    let table: &'static Table = unsafe { &*entry() };
    if table.version != VERSION {
        return Err(format!(
            "{file} was made for version {} of the interface, and this is version {VERSION}",
            table.version
        ));
    }
    // SAFETY: both take nothing.
    let is_ours = unsafe { (table.mlir)() == mlirIntegerTypeGetTypeID().ptr };
    if !is_ours {
        return Err(format!(
            "{file} has an MLIR of its own: types and operations of two MLIRs aren't the same. Link it \
             against pyopt._core, as pyopt_build::plugin() does in a build script"
        ));
    }
    std::mem::forget(library);
    add(table, path)
}

fn add(table: &'static Table, path: &Path) -> Result<&'static Extension, String> {
    let [name, code, irdl] = [table.name, table.code, table.irdl].map(text);
    let (name, irdl) = (name?, irdl?);
    let mut hash = DefaultHasher::new();
    fs::read(path).unwrap_or_default().hash(&mut hash);
    let version: &'static str = format!("{}+{:x}", code?, hash.finish()).leak();
    // SAFETY: the table's lists live as long as the library.
    let (passes, at) = unsafe { (table.passes.read(), table.at.read()) };
    register_passes();
    let places = at
        .iter()
        .map(|placed| Ok((find_place(text(placed.place)?)?, text(placed.passes)?)))
        .collect::<Result<Vec<_>, String>>()?;
    let passes = passes
        .iter()
        .map(|pass| Loaded::read(pass, version))
        .collect::<Result<Vec<_>, String>>()?;
    let irdl: &'static [&'static str] = match irdl {
        "" => &[],
        irdl => vec![irdl].leak(),
    };
    // SAFETY: the table's lists live as long as the library.
    let (devices, modules) = unsafe { (table.devices.read(), table.modules.read()) };
    let modules = modules
        .iter()
        .map(|one| text(*one))
        .collect::<Result<Vec<_>, _>>()?;
    let devices = devices
        .iter()
        .map(read_device)
        .collect::<Result<Vec<_>, String>>()?;
    let extension: &'static Extension = Box::leak(Box::new(Extension {
        name,
        version,
        irdl,
        devices: devices.leak(),
        modules: modules.leak(),
        ..Extension::NONE
    }));
    register(extension)?;
    for pass in passes {
        register_dynamic_pass(Arc::new(pass))?;
    }
    for (place, passes) in places {
        add_at(place, passes)?;
    }
    Ok(extension)
}

fn text(text: Text) -> Result<&'static str, String> {
    // SAFETY: the texts of a table live as long as the library.
    unsafe { text.read() }.map_err(|_| "a text of the extension isn't UTF-8".to_owned())
}

/// What a function of a library that says why it failed gives.
fn ask(call: impl FnOnce(*const Sink) -> bool) -> Result<(), String> {
    match Sink::read(call) {
        (true, _) => Ok(()),
        (false, reason) => Err(reason),
    }
}

/// The devices of a loaded library.
fn read_device(device: &'static Device) -> Result<&'static DeviceSpec, String> {
    let [name, code, passes] = [device.name, device.code, device.passes].map(text);
    let (name, lacks) = (name?, text(device.lacks)?);
    // SAFETY: the operation is valid through the call.
    let accepts =
        |nest: &Nest| ask(|sink| unsafe { (device.accepts)(nest.operation.to_raw(), sink) });
    // SAFETY: the driver's table lives as long as the library, which is never unloaded.
    let driver = unsafe { Driver::new(name, &*(device.driver)()) }?;
    Ok(Box::leak(Box::new(DeviceSpec {
        name,
        code: code?,
        passes: passes?,
        lacks: lacks
            .split(',')
            .filter(|one| !one.is_empty())
            .collect::<Vec<_>>()
            .leak(),
        accepts: Box::leak(Box::new(accepts)),
        driver: Some(Box::leak(Box::new(driver))),
        ..DeviceSpec::NONE
    })))
}

/// A pass of a loaded library.
struct Loaded {
    name: &'static str,
    summary: &'static str,
    anchor: &'static str,
    version: &'static str,
    pass: Pass,
}

impl Loaded {
    fn read(pass: &Pass, version: &'static str) -> Result<Self, String> {
        Ok(Self {
            name: text(pass.name)?,
            summary: text(pass.summary)?,
            anchor: text(pass.anchor)?,
            version,
            pass: *pass,
        })
    }
}

impl DynamicPass for Loaded {
    fn name(&self) -> &str {
        self.name
    }

    fn summary(&self) -> &str {
        self.summary
    }

    fn anchor(&self) -> &str {
        self.anchor
    }

    fn version(&self) -> Option<&str> {
        Some(self.version)
    }

    fn run<'c>(&self, _: &PassContext<'c>, operation: OperationRef<'c, '_>) -> PassResult {
        // SAFETY: the operation is valid through the call.
        ask(|sink| unsafe { (self.pass.run)(operation.to_raw(), sink) })
            .map_err(|reason| PassFailure::Message(format!("'{}': {reason}", self.name)))
    }
}
