//! Overloads that Python code has registered through `pyopt.extending`, for type inference.

use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

use melior::Context;
use melior::ir::BlockRef;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use pyopt_passes::overloads::{Argument, Resolution, Resolver, set_resolver};
use pyopt_runtime::fork::Table;

use serde::{Deserialize, Serialize};

use crate::detached::asking;
use crate::function_cache::portable::Origins;
use crate::{compiler, host, request};

/// The names of the functions and methods that have overloads.
static NAMES: Table<HashSet<String>> = Table::new();

/// The module of tuples of any length, which is loaded when somebody asks for one: most programs that name
/// `tuple` or `zip` have none.
const LONG_TUPLES: &str = "pyopt.long_tuples";

/// Loads that module; its overloads aren't there if it fails.
pub fn load_long_tuples() {
    Python::attach(|py| {
        if let Err(error) = py.import(LONG_TUPLES) {
            error.write_unraisable(py, None);
        }
    });
}

/// The kinds of names of which one overload may be for all.
const OF_ANY_NAME: [&str; 5] = [
    "attribute:",
    "setattribute:",
    "cast:",
    "method:",
    "has-method:",
];

/// Whether a name has overloads.
fn has_overloads(name: &str) -> bool {
    if name.starts_with(LONG_TUPLES) {
        // Code on disk asks for them before anything compiles.
        load_long_tuples();
    }
    let names = NAMES.lock();
    let any = |kind| name.starts_with(kind) && names.contains(&format!("{kind}*"));
    names.contains(name) || OF_ANY_NAME.into_iter().any(any)
}

/// The Python functions of bodies that may have `objmode` blocks, by their symbols: the code is bound to
/// them when it is there.
static BODIES: Table<HashMap<String, Py<PyAny>>> = Table::new();

/// The Python function of a body, by its symbol.
pub fn body<'py>(py: Python<'py>, symbol: &str) -> Option<Bound<'py, PyAny>> {
    let bodies = BODIES.lock();
    bodies.get(symbol).map(|body| body.bind(py).clone())
}

/// Keeps the functions of a body that have blocks: these, and `try`, are in the table of exceptions, where
/// there is one.
fn keep_bodies(functions: &[Bound<'_, PyTuple>]) -> PyResult<()> {
    for function in functions {
        let symbol: String = function.get_item(0)?.extract()?;
        let function = function.get_item(function.len() - 2)?;
        let may_have_blocks = !host::HAS_EXCEPTION_TABLES || {
            let code = function.getattr("__code__")?;
            code.getattr("co_exceptiontable")?.len()? > 0
        };
        if may_have_blocks {
            let kept = function.unbind();
            let mut bodies = BODIES.lock();
            let before = bodies.insert(symbol, kept);
            drop(bodies);
            drop(before);
        }
    }
    Ok(())
}

/// Takes note that a function, method or attribute has overloads.
#[pyfunction]
pub fn register_overload(name: String) {
    NAMES.lock().insert(name);
    set_resolver(Box::new(Extending));
}

/// What `pyopt.extending` gives for a call: the symbol of the body, functions, attributes of modules, and
/// whether it is for literals; for an intrinsic the symbol, its function in MLIR's syntax and the types of
/// arguments and result; or else why there is nothing.
#[derive(FromPyObject)]
enum Found<'py> {
    Native(String, String, Vec<(usize, String)>, String),
    Body(String, Vec<Bound<'py, PyTuple>>, Bound<'py, PyDict>, bool),
    #[pyo3(transparent)]
    Declined(String),
}

/// What `pyopt.extending` is asked: for the body of a function for arguments, each with its keyword, if
/// it has one, its type, and that of its value, if it is known.
#[derive(Serialize, Deserialize)]
struct Question {
    name: String,
    arguments: Vec<(Option<String>, String, Option<String>)>,
}

/// What was found: a body with what it reaches, or an intrinsic.
#[derive(Clone, Serialize)]
enum Implementation {
    Body {
        symbol: String,
        of_literals: bool,
        request: compiler::Request,
    },
    Native {
        symbol: String,
        function: String,
        arguments: Vec<(usize, String)>,
        result: String,
    },
}

/// What a question is answered: an implementation, or why there is none.
type Answer = Result<Implementation, String>;

impl Question {
    fn new(name: &str, arguments: Vec<Argument>) -> Self {
        let arguments = arguments.into_iter();
        Self {
            name: name.to_owned(),
            arguments: arguments
                .map(|one| (one.keyword, one.r#type, one.literal))
                .collect(),
        }
    }

    /// Asks, with the GIL.
    fn ask(&self) -> PyResult<Answer> {
        if !has_overloads(&self.name) {
            return Ok(Err(String::new()));
        }
        asking(|py| {
            let extending = py.import("pyopt.extending")?;
            let found = extending
                .getattr("resolve")?
                .call1((&self.name, self.arguments.clone()))?;
            Ok(match found.extract()? {
                Found::Body(symbol, functions, attributes, of_literals) => {
                    keep_bodies(&functions)?;
                    Ok(Implementation::Body {
                        symbol,
                        of_literals,
                        request: request::functions(&functions, &attributes)?,
                    })
                }
                Found::Native(symbol, function, arguments, result) => Ok(Implementation::Native {
                    symbol,
                    function,
                    arguments,
                    result,
                }),
                Found::Declined(reason) => Err(reason),
            })
        })
    }
}

/// A question that a compilation asked, and a hash of what was found, if anything was: code that is kept on
/// disk is used where the answer is the same. Names without overloads are among what was asked, so that code
/// doesn't depend on which other ones a process has registered.
#[derive(Serialize, Deserialize)]
pub struct Consulted {
    question: Question,
    answer: Option<[u8; 32]>,
}

impl Consulted {
    /// Asks again. `origins` are of what was asked before.
    pub fn is_same_now(&self, origins: &mut Origins) -> bool {
        let answer = self.question.ask().ok();
        let moved = answer.and_then(|answer| move_answer(answer, origins).ok());
        moved.is_some_and(|answer| hash(&answer).is_ok_and(|hash| hash == self.answer))
    }
}

fn move_answer(answer: Answer, origins: &mut Origins) -> Result<Answer, String> {
    Ok(match answer {
        Ok(Implementation::Body {
            symbol,
            of_literals,
            request,
        }) => Ok(Implementation::Body {
            symbol,
            of_literals,
            request: origins.move_request(&request)?,
        }),
        other => other,
    })
}

/// Why there is none is for people, and says where overloads are: code is the same without.
fn hash(answer: &Answer) -> postcard::Result<Option<[u8; 32]>> {
    let Ok(found) = answer else {
        return Ok(None);
    };
    let bytes = postcard::to_allocvec(found)?;
    Ok(Some(*blake3::hash(&bytes).as_bytes()))
}

/// Notes what a compilation asks, and makes the answers portable.
pub struct Recorder {
    origins: Origins,
    consulted: Vec<Consulted>,
    /// Why an answer can't be kept on disk.
    refused: Option<String>,
}

thread_local! {
    /// That of the compilation that runs on this thread: a compilation has one thread.
    static RECORDER: RefCell<Option<Recorder>> = const { RefCell::new(None) };
}

impl Recorder {
    /// A recorder for a compilation whose request has `origins`.
    pub fn new(origins: Origins) -> Self {
        // What has no overloads now may have some where the code is found.
        set_resolver(Box::new(Extending));
        Self {
            origins,
            consulted: Vec::new(),
            refused: None,
        }
    }

    /// Runs a compilation. Besides its result gives what it asked, and where everything that was compiled
    /// is; or else why that can't be kept.
    pub fn record<R>(
        self,
        work: impl FnOnce() -> R,
    ) -> (R, Result<(Vec<Consulted>, Origins), String>) {
        // An overload may call a function, which is compiled meanwhile.
        let outer = RECORDER.replace(Some(self));
        let result = catch_unwind(AssertUnwindSafe(work));
        let own = RECORDER.replace(outer);
        let result = result.unwrap_or_else(|panic| resume_unwind(panic));
        let recorded = match own {
            Some(Self {
                refused: None,
                consulted,
                origins,
            }) => Ok((consulted, origins)),
            own => Err(own.and_then(|one| one.refused).unwrap_or_default()),
        };
        (result, recorded)
    }

    /// Takes down a question and its answer; the answer as it is to be compiled.
    fn note(&mut self, question: Question, answer: Answer) -> Answer {
        let moved = move_answer(answer.clone(), &mut self.origins).and_then(|moved| {
            let answer = hash(&moved).map_err(|error| error.to_string())?;
            self.consulted.push(Consulted { question, answer });
            Ok(moved)
        });
        moved.unwrap_or_else(|reason| {
            self.refused = Some(reason);
            answer
        })
    }
}

/// Asks `pyopt.extending`.
struct Extending;

impl Resolver for Extending {
    fn knows(&self, name: &str) -> bool {
        has_overloads(name)
    }

    fn takes_notes(&self) -> bool {
        RECORDER.with_borrow(Option::is_some)
    }

    fn note(&self, name: &str, arguments: Vec<Argument>) {
        RECORDER.with_borrow_mut(|recorder| {
            if let Some(recorder) = recorder {
                recorder.consulted.push(Consulted {
                    question: Question::new(name, arguments),
                    answer: None,
                });
            }
        });
    }

    fn resolve<'c>(
        &self,
        context: &'c Context,
        module: BlockRef<'c, '_>,
        name: &str,
        arguments: &[Argument],
    ) -> Result<Resolution, String> {
        let question = Question::new(name, arguments.to_vec());
        // What asking compiles is recorded, if at all, by a recorder of its own.
        let recorder = RECORDER.take();
        let answer = question.ask();
        RECORDER.set(recorder);
        let answer = answer.map_err(|error| error.to_string())?;
        let answer = RECORDER.with_borrow_mut(|recorder| match recorder {
            Some(recorder) => recorder.note(question, answer),
            None => answer,
        });
        match answer {
            Ok(Implementation::Body {
                symbol,
                of_literals,
                request,
            }) => {
                compiler::extend(context, &module, &request)
                    .map_err(|error| error.diagnostic.message)?;
                Ok(Resolution::Body {
                    symbol,
                    of_literals,
                })
            }
            Ok(Implementation::Native {
                symbol,
                function,
                arguments,
                result,
            }) => {
                compiler::append_function(context, &module, &function)?;
                Ok(Resolution::Native {
                    symbol,
                    arguments,
                    result,
                })
            }
            Err(reason) => Ok(Resolution::Declined(reason)),
        }
    }
}
