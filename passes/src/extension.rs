//! The registry of extensions: what the tool, the Python package and the caches on disk know of
//! that isn't pyopt's own.
//!
//! ```no_run
//! use pyopt_passes::{extension::{self, Extension}, infra::pipeline::Place, pipelines::AFTER_FUSION};
//!
//! static TIDY: Extension = Extension {
//!     name: "tidy",
//!     version: env!("CARGO_PKG_VERSION"),
//!     at: &[(Place::At(&AFTER_FUSION), "canonicalize")],
//!     ..Extension::NONE
//! };
//!
//! extension::register(&TIDY).unwrap();
//! ```

mod plugin;

pub use plugin::load;

use crate::{
    devices::{self, DeviceSpec},
    infra::{
        InterfaceModel, PassSpec, PipelineSpec, expand_pipeline, is_registered, pass_spec,
        pipeline::{Place, Placement, placed},
        register_pass, register_pipeline, registered_pipelines, without_version,
    },
    pipelines::POINTS,
    registration::register_passes,
    rewrite::{RewriteSpec, register_rewrite},
    typed,
};
use melior::{Context, dialect::DialectRegistry, ir::Module};
use mlir_sys::mlirLoadIRDLDialects;
use pyopt_dialects::DialectSpec;
use std::sync::{
    Arc, Mutex, PoisonError,
    atomic::{AtomicU64, Ordering},
};

/// What an extension adds. All of it is registered at once, by [`register`].
pub struct Extension {
    /// The name, which is its own.
    pub name: &'static str,
    /// What tells its code from that of other versions: compiled functions are kept on disk under
    /// it.
    pub version: &'static str,
    /// Dialects. They are loaded wherever compilation begins, so that all passes and rewrites may make
    /// their operations.
    pub dialects: &'static [&'static DialectSpec],
    /// Passes.
    pub passes: &'static [&'static PassSpec],
    /// Named pipelines.
    pub pipelines: &'static [&'static PipelineSpec],
    /// Rewrites.
    pub rewrites: &'static [&'static RewriteSpec],
    /// Dialects without C++: modules in MLIR's dialect `irdl`.
    pub irdl: &'static [&'static str],
    /// What operations of a dialect without C++ say of themselves, by their names. They are
    /// attached where the dialect is loaded, from [`irdl`](Self::irdl) or by `--irdl-file`.
    pub interfaces: &'static [(&'static str, &'static InterfaceModel)],
    /// Modules of Python with overloads, types and their conversions, which are imported before anything is
    /// compiled.
    pub modules: &'static [&'static str],
    /// Devices that parallel loops run on.
    pub devices: &'static [&'static DeviceSpec],
    /// Passes that become part of pyopt's pipelines, as `pass{option=…}` or `func.func(pass)`.
    pub at: &'static [(Place, &'static str)],
}

impl Extension {
    /// One that adds nothing and has no name; for use with `..` in a table.
    pub const NONE: Self = Self {
        name: "",
        version: "",
        dialects: &[],
        passes: &[],
        pipelines: &[],
        rewrites: &[],
        irdl: &[],
        interfaces: &[],
        modules: &[],
        devices: &[],
        at: &[],
    };
}

static EXTENSIONS: Mutex<Vec<&Extension>> = Mutex::new(Vec::new());

/// How often something was registered.
static GENERATION: AtomicU64 = AtomicU64::new(0);

/// All extensions, in the order in which they were registered.
pub fn extensions() -> Vec<&'static Extension> {
    EXTENSIONS
        .lock()
        .unwrap_or_else(PoisonError::into_inner)
        .clone()
}

/// A number that changes with what is registered: what was made for another one, contexts and parsed
/// pipelines, is stale.
pub fn generation() -> u64 {
    GENERATION.load(Ordering::Acquire)
}

fn changed() {
    GENERATION.fetch_add(1, Ordering::AcqRel);
}

/// Registers an extension, for all contexts and pipelines that are made afterwards. The error says
/// what is registered already, or which place or pass there isn't.
pub fn register(extension: &'static Extension) -> Result<(), String> {
    register_passes();
    {
        let mut known = EXTENSIONS.lock().unwrap_or_else(PoisonError::into_inner);
        if extension.name.is_empty() {
            return Err("an extension has a name".to_owned());
        }
        if known.iter().any(|one| one.name == extension.name) {
            return Err(format!(
                "extension '{}' is registered already",
                extension.name
            ));
        }
        for pass in extension.passes {
            if is_registered(pass.name) {
                return Err(format!("a pass has the name '{}' already", pass.name));
            }
        }
        let pipelines = registered_pipelines();
        for spec in extension.pipelines {
            if pipelines.iter().any(|one| one.name == spec.name) {
                return Err(format!("a pipeline has the name '{}' already", spec.name));
            }
        }
        for spec in extension.devices {
            if spec.name == "cpu" || devices::find(spec.name).is_ok() {
                return Err(format!("devices have the name '{}' already", spec.name));
            }
        }
        known.push(extension);
    }
    extension.devices.iter().copied().for_each(devices::add);
    extension.passes.iter().copied().for_each(register_pass);
    extension
        .pipelines
        .iter()
        .copied()
        .for_each(register_pipeline);
    for &rewrite in extension.rewrites {
        register_rewrite(Arc::new(rewrite))?;
    }
    changed();
    for &(place, passes) in extension.at {
        add_at(place, passes)?;
    }
    Ok(())
}

/// Adds passes to all pipelines at a place, which is a point, or `before:PASS` or `after:PASS`; whether
/// they weren't there already. The error says which place, pass or option there isn't.
pub fn add_pass(place: &str, passes: &str) -> Result<bool, String> {
    register_passes();
    add_at(find_place(place)?, passes)
}

/// Takes away what [`add_pass`] has added; whether it was there.
pub fn remove_pass(place: &str, passes: &str) -> Result<bool, String> {
    let removed = placement(find_place(place)?, passes).remove();
    changed();
    Ok(removed)
}

fn add_at(place: Place, passes: &str) -> Result<bool, String> {
    let around = surroundings(place).ok_or_else(|| unknown_place(&place.to_string()))?;
    let placement = placement(place, passes);
    let tried = expand_pipeline(&create_context(), &placement.alone(&around));
    tried.map_err(|error| format!("'{passes}' can't be added: {}", error.message))?;
    let added = placement.add();
    changed();
    Ok(added)
}

fn placement(place: Place, passes: &str) -> Placement {
    Placement::read(place, passes, |name| {
        pass_spec(name).map_or("", |spec| spec.anchor)
    })
}

/// All places, each with the anchors around it.
fn places() -> impl Iterator<Item = (Place, Vec<String>)> {
    let pipelines = registered_pipelines().into_iter();
    pipelines.flat_map(|spec| spec.places())
}

/// The anchors around a place where it comes first; `None` where no pipeline has it.
fn surroundings(wanted: Place) -> Option<Vec<String>> {
    let found = places().find(|(place, _)| *place == wanted);
    found.map(|(_, around)| around)
}

fn find_place(text: &str) -> Result<Place, String> {
    let found = places().find(|(place, _)| place.to_string() == text);
    found
        .map(|(place, _)| place)
        .ok_or_else(|| unknown_place(text))
}

fn unknown_place(text: &str) -> String {
    let names: Vec<_> = POINTS.iter().map(|point| point.name).collect();
    format!(
        "no pipeline has a place '{text}'; there are {}, and 'before:NAME' and 'after:NAME' of each \
         pass that it runs",
        names.join(", ")
    )
}

/// Makes a context in which every dialect is registered but none is loaded, without threads.
///
/// This takes less than a millisecond; loading every dialect would take twenty. Parsing loads what
/// a module uses, a pipeline what its passes make.
pub fn create_context() -> Context {
    let registry = DialectRegistry::new();
    register_all_dialects(&registry);
    let context = Context::new_with_registry(&registry, false);
    // Kernels are translated by a pass.
    melior::utility::register_all_llvm_translations(&context);
    context
}

/// Registers every dialect there is: upstream's with their extensions, ours, and those of extensions of
/// pyopt's.
pub fn register_all_dialects(registry: &DialectRegistry) {
    melior::utility::register_all_dialects(registry);
    pyopt_dialects::register(registry);
    typed::canonicalize::register(registry);
    register_dialects(registry);
}

/// Adds the dialects of all extensions to a registry.
fn register_dialects(registry: &DialectRegistry) {
    for extension in extensions() {
        for dialect in extension.dialects {
            (dialect.register)(registry);
        }
    }
}

/// The dialects without C++ of all extensions, as text.
pub(crate) fn irdl() -> String {
    let texts = extensions().into_iter().flat_map(|one| one.irdl);
    texts.map(|text| format!("{text}\n")).collect()
}

/// Loads the dialects of all extensions into a new context, and attaches what they say of operations.
///
/// # Panics
///
/// When a dialect without C++ doesn't parse: that is the extension's bug.
pub fn prepare(context: &Context) {
    let text = irdl();
    if !text.is_empty() {
        let module = Module::parse(context, &text).expect("dialects in IRDL parse");
        // SAFETY: the module is valid.
        let loaded = unsafe { mlirLoadIRDLDialects(module.to_raw()) };
        assert!(loaded.value != 0, "dialects in IRDL can be loaded");
    }
    complete(context);
}

/// As [`prepare`], in a context that has the dialects without C++ already.
pub(crate) fn complete(context: &Context) {
    for extension in extensions() {
        for dialect in extension.dialects {
            context.get_or_load_dialect(dialect.name);
        }
        for (name, model) in extension.interfaces {
            model.attach(context, name);
        }
    }
}

/// What extensions contribute to what functions are compiled to, for keys of what is kept on disk:
/// names, versions and added passes. The error says what can't be known again. Rewrites, which have no
/// versions, are asked for apart ([`any_added`](crate::rewrite::any_added)).
pub fn fingerprint() -> Result<Vec<String>, String> {
    let placed = placed();
    let unknown = without_version();
    let named = |passes: &str| {
        let mut names = passes.split(|character: char| "(){},".contains(character));
        names.find_map(|name| unknown.iter().find(|one| *one == name))
    };
    if let Some(pass) = placed.iter().find_map(|(_, passes)| named(passes)) {
        return Err(format!("pass '{pass}' of Python's is registered"));
    }
    let extensions = extensions().into_iter();
    let extensions = extensions.map(|one| format!("{} {}", one.name, one.version));
    let placed = placed.iter();
    let placed = placed.map(|(place, passes)| format!("{place} {passes}"));
    Ok(extensions.chain(placed).collect())
}
