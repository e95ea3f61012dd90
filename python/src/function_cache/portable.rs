//! Requests without what differs between processes and checkouts that run one program.
//!
//! In a portable request code objects are in files that are numbered as the functions are, and begin at
//! one line; lines within a function stay where they are to each other. What refers to a place is
//! translated back when code is loaded, for the files and lines of then.
//!
//! A compilation has one request, the first, and further ones for the bodies of overloads.

use std::sync::Arc;

use pyopt_frontend::code::CodeObject;
use pyopt_frontend::value::Value;
use serde::Serialize;

use crate::compiler::{Binding, Function, Request};

/// The line that portable functions begin at. Lines before it are for code that says it is above its
/// first line, as what programs generate may do.
const FIRST_LINE: i32 = 1 << 20;

/// Larger global arrays would take longer to hash than to pass as arguments, and aren't constants.
const LARGEST_CONSTANT: usize = 1 << 20;

/// What the names of files are made of.
const FILE: (&str, &str) = ("<pyopt function ", ">");

/// Where the functions of a compilation are in this process: for each request, for each function.
#[derive(Clone, Default)]
pub struct Origins(Vec<Vec<Origin>>);

/// Where a function is.
#[derive(Clone)]
struct Origin {
    file: Arc<str>,
    first_line: i32,
}

type Result<T> = std::result::Result<T, String>;

impl Origins {
    /// Makes the next request of a compilation portable; the error says why that can't be done.
    pub fn move_request(&mut self, request: &Request) -> Result<Request> {
        let functions = request.functions.iter();
        let bindings = functions.flat_map(|one| one.bindings.iter().chain(&one.defaults));
        for (name, value) in bindings.chain(&request.attributes) {
            check_binding(name, value)?;
        }
        let number = self.0.len();
        let functions = request.functions.iter().enumerate();
        let functions = functions.map(|(index, function)| {
            let file = format!("{}{number}.{index}{}", FILE.0, FILE.1).into();
            Ok(Function {
                code: move_code(&function.code, &function.code, &file)?,
                ..function.clone()
            })
        });
        let functions = functions.collect::<Result<_>>()?;
        let origins = request.functions.iter().map(|function| Origin {
            file: function.code.filename.clone(),
            first_line: function.code.first_line,
        });
        self.0.push(origins.collect());
        Ok(Request {
            functions,
            arguments: request.arguments.clone(),
            attributes: request.attributes.clone(),
            returns: request.returns.clone(),
            c_entry: request.c_entry,
            device: request.device.clone(),
            enters_devices: request.enters_devices,
        })
    }

    /// A place in this process for one in portable code; `None` for a place elsewhere. Line 0, which is
    /// of code without lines, stays.
    pub fn original(&self, file: &str, line: i64) -> Option<(&str, i64)> {
        let numbers = file.strip_prefix(FILE.0)?.strip_suffix(FILE.1)?;
        let (request, function) = numbers.split_once('.')?;
        let request = self.0.get(request.parse::<usize>().ok()?)?;
        let origin = request.get(function.parse::<usize>().ok()?)?;
        let shift = i64::from(origin.first_line) - i64::from(FIRST_LINE);
        Some((&*origin.file, if line == 0 { 0 } else { line + shift }))
    }
}

fn check_binding(name: &str, value: &Binding) -> Result<()> {
    match value {
        Binding::Frozen { data, .. } if data.len() > LARGEST_CONSTANT => Err(format!(
            "the global array '{name}' has {} bytes; pass it as an argument",
            data.len()
        )),
        Binding::CFunction { name, address, .. } if *address != 0 => Err(format!(
            "the C function '{name}' is made at run time: it is in no library"
        )),
        Binding::Tuple(items) | Binding::FrozenSet(items) | Binding::TupleOf { items, .. } => {
            items.iter().try_for_each(|item| check_binding(name, item))
        }
        Binding::Declared { value, .. } => check_binding(name, value),
        _ => Ok(()),
    }
}

/// Moves code that is in the function `outer`, or is that itself, to a file.
fn move_code(code: &CodeObject, outer: &CodeObject, file: &Arc<str>) -> Result<Arc<CodeObject>> {
    if code.filename != outer.filename {
        let name = &code.qualified_name;
        return Err(format!("'{name}' is in another file than what it is in"));
    }
    let line = i64::from(code.first_line) - i64::from(outer.first_line) + i64::from(FIRST_LINE);
    let constants = code.constants.iter();
    let constants = constants.map(|value| move_value(value, outer, file));
    Ok(Arc::new(CodeObject {
        filename: file.clone(),
        first_line: i32::try_from(line).map_err(|_| "its lines have no order".to_owned())?,
        constants: constants.collect::<Result<_>>()?,
        ..code.clone()
    }))
}

fn move_value(value: &Value, outer: &CodeObject, file: &Arc<str>) -> Result<Value> {
    let all = |values: &[Value]| -> Result<Arc<[Value]>> {
        values
            .iter()
            .map(|one| move_value(one, outer, file))
            .collect()
    };
    Ok(match value {
        Value::Code(code) => Value::Code(move_code(code, outer, file)?),
        Value::Tuple(values) => Value::Tuple(all(values)?),
        Value::FrozenSet(values) => Value::FrozenSet(in_order(all(values)?)?),
        other => other.clone(),
    })
}

/// The items of a set in an order that is the same in every process. The hashes of text, which differ,
/// make the order of sets with text in them; that of others says in which order items came in.
fn in_order(values: Arc<[Value]>) -> Result<Arc<[Value]>> {
    fn has_text(value: &Value) -> bool {
        match value {
            Value::Str(_) | Value::SurrogateStr(_) | Value::Bytes(_) => true,
            Value::Tuple(values) | Value::FrozenSet(values) => values.iter().any(has_text),
            _ => false,
        }
    }
    if !values.iter().any(has_text) {
        return Ok(values);
    }
    let mut keyed = values
        .iter()
        .map(|value| Ok((bytes(value)?, value.clone())))
        .collect::<Result<Vec<_>>>()?;
    keyed.sort_by(|left, right| left.0.cmp(&right.0));
    Ok(keyed.into_iter().map(|(_, value)| value).collect())
}

fn bytes(value: &impl Serialize) -> Result<Vec<u8>> {
    postcard::to_allocvec(value).map_err(|error| error.to_string())
}
