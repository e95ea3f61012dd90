//! What is kept of a compiled function, and how it becomes a function of this process.

use pyopt_passes::compile::{Object, Site};
use pyopt_passes::infra::{Diagnostic, Severity, SourcePosition};
use pyopt_passes::linking::LibraryCall;
use pyopt_runtime::engine::CompiledModule;
use serde::{Deserialize, Serialize};

use super::portable::Origins;
use crate::compiler::{self, CompileError, Compiled, ErrorKind, Generated};
use crate::linking;
use crate::overloads::Consulted;
use crate::types::TypeDesc;

/// The files of the library, which are named as in the package, wherever that is.
const LIBRARY: &str = "pyopt/library/";

/// Everything that calling a function takes, with places in portable files.
#[derive(Serialize, Deserialize)]
pub struct Entry {
    module: CompiledModule,
    /// As text: a class in it may be made only when overloads are asked again.
    returns: String,
    resume: Option<String>,
    sites: Vec<Site>,
    objects: Vec<Object>,
    parallel: bool,
    warnings: Vec<Warning>,
    library: Vec<Linked>,
    /// The overloads that were asked for, and what they gave.
    pub overloads: Vec<Consulted>,
}

/// What the user is told of in every process: what it is about doesn't go away by being compiled.
#[derive(Clone, Serialize, Deserialize)]
struct Warning {
    message: String,
    place: Option<(String, i64)>,
}

/// A function of the library that the code calls, as in [`LibraryCall`].
#[derive(Serialize, Deserialize)]
struct Linked {
    function: String,
    arguments: Vec<String>,
    literals: Vec<(usize, String)>,
}

impl Entry {
    /// What is kept of a compilation of a portable request.
    pub fn new(generated: Generated, overloads: Vec<Consulted>) -> Self {
        let library = linking::calls(&generated.symbols);
        let library = library.into_iter().map(|call| Linked {
            function: call.function.to_owned(),
            arguments: call.arguments,
            literals: call.literals,
        });
        let warnings = generated.warnings.into_iter().map(|warning| Warning {
            message: warning.message,
            place: warning
                .position
                .map(|place| (place.file, place.line as i64)),
        });
        Self {
            overloads,
            library: library.collect(),
            warnings: warnings.collect(),
            module: generated.module,
            returns: generated.returns.into(),
            resume: generated.resume,
            sites: generated.sites,
            objects: generated.objects,
            parallel: generated.parallel,
        }
    }

    /// Whether another process can use it; the error says why not.
    pub fn check(&self, origins: &Origins) -> Result<(), String> {
        let sites = self.sites.iter().filter_map(|site| site.file.as_deref());
        let warnings = self.warnings.iter();
        let warnings = warnings.filter_map(|one| Some(one.place.as_ref()?.0.as_str()));
        let is_known =
            |file: &&str| file.starts_with(LIBRARY) || origins.original(file, 0).is_some();
        match sites.chain(warnings).find(|file| !is_known(file)) {
            Some(file) => Err(format!("it has code of '{file}', which may change")),
            None => Ok(()),
        }
    }

    /// Loads what the code calls; `None` if some of it isn't there any more.
    pub fn link(&self) -> Option<()> {
        self.library.iter().try_for_each(|linked| {
            let (arguments, literals) = (linked.arguments.clone(), linked.literals.clone());
            let call = LibraryCall::new(&linked.function, arguments, literals)?;
            linking::ensure(&call).then_some(())
        })
    }

    /// Loads the code, with the places that the request's functions have in this process.
    pub fn restore(self, origins: &Origins) -> Result<Compiled, Box<CompileError>> {
        let mut sites = self.sites;
        for site in &mut sites {
            let line = site.line.unwrap_or_default();
            let file = site.file.as_deref().unwrap_or_default();
            if let Some((file, line)) = origins.original(file, line) {
                site.line = site.line.map(|_| line);
                site.file = Some(file.to_owned());
            }
        }
        let warnings = self.warnings.into_iter();
        let returns = TypeDesc::try_from(self.returns);
        let unknown = |reason| CompileError::plain(ErrorKind::Lowering, reason);
        compiler::load(Generated {
            warnings: warnings.map(|one| one.restore(origins)).collect(),
            sites,
            symbols: Vec::new(),
            module: self.module,
            returns: returns.map_err(unknown)?,
            resume: self.resume,
            objects: self.objects,
            parallel: self.parallel,
        })
    }
}

impl Warning {
    fn restore(self, origins: &Origins) -> Diagnostic {
        let position = self.place.map(|(file, line)| {
            let original = origins.original(&file, line);
            let (file, line) = original.map_or((file.as_str(), line), |found| found);
            let line = usize::try_from(line).unwrap_or_default();
            SourcePosition {
                file: file.to_owned(),
                line,
                column: 0,
                end_line: line,
                end_column: 0,
            }
        });
        Diagnostic {
            severity: Severity::Warning,
            position,
            message: self.message,
            kind: None,
            notes: Box::default(),
        }
    }
}
