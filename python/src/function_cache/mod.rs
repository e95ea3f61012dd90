//! Functions with `cache=True`: what they are compiled to is kept on disk for later processes.
//!
//! All that a compilation depends on is in its [`Request`] by value. The key is made of the request in
//! its [`portable`] form, and that form is what is compiled: two requests with one key are the same to
//! the compiler. What isn't in the request and could change the code is in the key too, or refuses.

pub mod contents;
mod entry;
mod portable;

use std::sync::LazyLock;

use pyopt_passes::rewrite::changes_library;
use pyopt_runtime::disk_cache::{DiskCache, Key, Unusable};
use pyopt_runtime::engine::{Host, has_debuggers};

use self::entry::Entry;
use self::portable::Portable;
use crate::compiler::{self, CompileError, Compiled, Request};
use crate::overloads;

/// A hash of all that this extension is built from.
pub const VERSION: &str = env!("PYOPT_SOURCES");

static CACHE: LazyLock<Result<DiskCache, Unusable>> =
    LazyLock::new(|| DiskCache::open("functions", VERSION));

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
        Err(refused) => {
            return Ok(Answer {
                compiled: compiler::load(compiler::generate(request)?)?,
                found: false,
                refused,
            });
        }
    };
    if let Some(compiled) = place.read() {
        return Ok(Answer {
            compiled,
            found: true,
            refused: None,
        });
    }
    let Ok(generated) = compiler::generate(&place.portable.request) else {
        // Again for the error, which is to name the lines and files that there are.
        return Ok(Answer {
            compiled: compiler::load(compiler::generate(request)?)?,
            found: false,
            refused: Some("it compiles only under the names of its files".to_owned()),
        });
    };
    let entry = Entry::new(generated);
    let refused = place.write(&entry).err();
    Ok(Answer {
        compiled: entry.restore(&place.portable)?,
        found: false,
        refused,
    })
}

/// Where the code of a request is kept.
struct Place {
    cache: &'static DiskCache,
    portable: Portable,
    key: Key,
}

impl Place {
    /// The place for a request. The error says why there is none, unless the user wants none.
    fn of(request: &Request) -> Result<Self, Option<String>> {
        let cache = match &*CACHE {
            Ok(cache) => cache,
            Err(Unusable::SwitchedOff) => return Err(None),
            Err(reason) => return Err(Some(reason.to_string())),
        };
        if request.options().debug || has_debuggers() {
            return Err(Some("it describes itself to debuggers".to_owned()));
        }
        if changes_library() {
            return Err(Some("rewrites are registered".to_owned()));
        }
        if overloads::exist() {
            return Err(Some("overloads are registered".to_owned()));
        }
        let portable = Portable::of(request)?;
        let key = postcard::to_allocvec(&(Host::current(), &portable.request));
        let key = key.map_err(|error| Some(error.to_string()))?;
        Ok(Self {
            key: cache.key(&key),
            cache,
            portable,
        })
    }

    fn read(&self) -> Option<Compiled> {
        let entry: Entry = self.cache.read(self.key)?;
        entry.link()?;
        entry.restore(&self.portable).ok()
    }

    fn write(&self, entry: &Entry) -> Result<(), String> {
        entry.check(&self.portable)?;
        let written = self.cache.write(self.key, &self.portable.label(), entry);
        written.map_err(|error| {
            let directory = self.cache.directory().display();
            format!("'{directory}' can't be written: {error}")
        })
    }
}
