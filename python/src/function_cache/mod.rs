//! Functions with `cache=True`: what they are compiled to is kept on disk for later processes.
//!
//! All that a compilation depends on is in its [`Request`] by value. The key is made of the request in
//! its [`portable`] form, and that form is what is compiled: two requests with one key are the same to
//! the compiler. What isn't in the request and could change the code is in the key too, or refuses.

pub mod contents;
mod entry;
pub mod portable;

use std::env;
use std::ffi::OsString;
use std::sync::{Mutex, PoisonError};

use pyopt_passes::extension::fingerprint;
use pyopt_passes::rewrite::any_added;
use pyopt_runtime::disk_cache::{self, DiskCache, Key, Unusable};
use pyopt_runtime::engine::{Host, has_debuggers};
use pyopt_runtime::fork;

use self::entry::Entry;
use self::portable::Origins;
use crate::compiler::{self, CompileError, Compiled, Request};
use crate::overloads::{Consulted, Recorder};

/// A hash of all that this extension is built from.
pub const VERSION: &str = env!("PYOPT_SOURCES");

/// A directory as the user names it, and its cache.
type Opened = (Option<OsString>, &'static Result<DiskCache, Unusable>);

/// The caches that were opened: programs may name another directory at any time, and few ever do.
static CACHES: Mutex<Vec<Opened>> = Mutex::new(Vec::new());

/// The cache of the directory that the user names now.
fn cache() -> &'static Result<DiskCache, Unusable> {
    let named = env::var_os(disk_cache::VARIABLE);
    let mut caches = CACHES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, known)) = caches.iter().find(|(known, _)| *known == named) {
        return known;
    }
    let opened: &'static _ = Box::leak(Box::new(DiskCache::open("functions", VERSION)));
    caches.push((named, opened));
    opened
}

/// Code for a request.
pub struct Answer {
    /// The code.
    pub compiled: Compiled,
    /// Whether it was on disk.
    pub found: bool,
    /// Why it is not kept, where the user would want to know.
    pub refused: Option<String>,
}

/// Finds code for a request, or compiles it and keeps it.
pub fn compile(request: &Request) -> Result<Answer, Box<CompileError>> {
    let place = match Place::of(request) {
        Ok(place) => place,
        Err(refused) => return uncached(request, refused),
    };
    if let Some(compiled) = place.read() {
        return Ok(Answer {
            compiled,
            found: true,
            refused: None,
        });
    }
    let recorder = Recorder::new(place.origins.clone());
    let (generated, recorded) = recorder.record(|| compiler::generate(&place.request));
    let Ok(generated) = generated else {
        // Again for the error, which is to name the lines and files that there are.
        let reason = "it compiles only under the names of its files";
        return uncached(request, Some(reason.to_owned()));
    };
    let (entry, origins) = match recorded {
        Ok((consulted, origins)) => (Entry::new(generated, consulted), origins),
        Err(reason) => return uncached(request, Some(reason)),
    };
    let refused = place.write(&entry, &origins).err();
    Ok(Answer {
        compiled: entry.restore(&origins)?,
        found: false,
        refused,
    })
}

fn uncached(request: &Request, refused: Option<String>) -> Result<Answer, Box<CompileError>> {
    Ok(Answer {
        compiled: compiler::load(compiler::generate(request)?)?,
        found: false,
        refused,
    })
}

/// Where the code of a request is kept.
struct Place {
    cache: &'static DiskCache,
    key: Key,
    /// The request, portable.
    request: Request,
    origins: Origins,
}

impl Place {
    /// The place for a request. The error says why there is none, unless the user wants none.
    fn of(request: &Request) -> Result<Self, Option<String>> {
        // Inside the gate, so that no child inherits a cache that is being opened.
        let cache = match fork::guarded(cache) {
            Ok(cache) => cache,
            Err(Unusable::SwitchedOff) => return Err(None),
            Err(reason) => return Err(Some(reason.to_string())),
        };
        if request.options().debug || has_debuggers() {
            return Err(Some("it describes itself to debuggers".to_owned()));
        }
        if any_added() {
            return Err(Some("rewrites are registered".to_owned()));
        }
        let extensions = fingerprint().map_err(Some)?;
        let mut origins = Origins::default();
        let request = origins.move_request(request)?;
        let key = (Host::current(), extensions, &request);
        let key = postcard::to_allocvec(&key).map_err(|error| Some(error.to_string()))?;
        Ok(Self {
            key: cache.key(&key),
            cache,
            request,
            origins,
        })
    }

    fn read(&self) -> Option<Compiled> {
        let entry: Entry = self.cache.read(self.key)?;
        let mut origins = self.origins.clone();
        let same = |consulted: &Consulted| consulted.is_same_now(&mut origins);
        if !entry.overloads.iter().all(same) {
            return None;
        }
        entry.link()?;
        entry.restore(&origins).ok()
    }

    fn write(&self, entry: &Entry, origins: &Origins) -> Result<(), String> {
        entry.check(origins)?;
        let written = self.cache.write(self.key, &self.label(), entry);
        written.map_err(|error| {
            let directory = self.cache.directory().display();
            format!("'{directory}' can't be written: {error}")
        })
    }

    /// What is compiled, for people.
    fn label(&self) -> String {
        let function = self.request.functions.first();
        let name = function.map_or("", |function| function.symbol.as_str());
        let arguments = self.request.arguments.iter().map(ToString::to_string);
        format!("{name}({})", arguments.collect::<Vec<_>>().join(", "))
    }
}
