//! Reading of the marshal format beside what an interpreter says of the objects that it wrote.

use crate::{code::CodeObject, marshal, tables::TableError, value::Value, version::Version};
use std::{fmt::Write, sync::Arc};

/// A Python program that prints, for an object of each kind that the format has, what it is, the bytes
/// that the interpreter writes for it, and a description. Of code these also are the tables of positions
/// and handlers, where the interpreter can read them itself.
pub const SCRIPT: &str = r#"
import dis, marshal, struct, types
def bits(number):
    return struct.pack(">d", number).hex()
def names(all):
    return " ".join(all)
def tell(value):
    kind = type(value)
    if value is None or value is ... or value is StopIteration or kind is bool:
        return str(getattr(value, "__name__", value))
    if kind is int:
        return str(value)
    if kind is float:
        return f"float {bits(value)}"
    if kind is complex:
        return f"complex {bits(value.real)} {bits(value.imag)}"
    if kind is str:
        return f"str {value.encode('utf-8', 'surrogatepass').hex()}"
    if kind is bytes:
        return f"bytes {value.hex()}"
    if kind is slice:
        return f"slice({tell(value.start)}, {tell(value.stop)}, {tell(value.step)})"
    if kind is dict:
        return f"dict({', '.join(tell(key) + ': ' + tell(value[key]) for key in value)})"
    if kind is types.CodeType:
        return code(value)
    return f"{kind.__name__}({', '.join(map(tell, value))})"
def code(value):
    counts = value.co_argcount, value.co_posonlyargcount, value.co_kwonlyargcount, value.co_stacksize
    return ", ".join([
        f"code({value.co_name}", f"counts {names(map(str, counts))}", f"flags {value.co_flags}",
        f"line {value.co_firstlineno}", f"names {names(value.co_names)}",
        f"locals {names(value.co_varnames)}", f"cells {names(sorted(value.co_cellvars))}",
        f"free {names(value.co_freevars)}", *map(tell, value.co_consts), positions(value), handlers(value),
    ]) + ")"
def positions(value):
    # In 3.10 instructions have a line and no more.
    found = getattr(value, "co_positions", lambda: ())()
    return "positions" + "".join(" " + ":".join(map(str, one)) for one in found)
def handlers(value):
    parse = getattr(dis, "_parse_exception_table", lambda code: ())
    return "handlers" + "".join(
        f" {one.start}:{one.end}:{one.target}:{one.depth}:{one.lasti}" for one in parse(value)
    )
source = '''
def f(a, /, b=1.5, *c, d=(1, None), **e):
    "Text."
    def g():
        return a, e
    try:
        with b as x:
            for y in c:
                yield [z for z in y[1:2] if z in {1, 2}]
    except* (ValueError, TypeError) as error:
        raise RuntimeError from error
    finally:
        del b
    return lambda: x
class C:
    h = ...
'''
try:
    module = compile(source, "<examples>", "exec", optimize=0)
except SyntaxError:
    # Groups of exceptions are younger than 3.10.
    module = compile(source.replace("except*", "except"), "<examples>", "exec", optimize=0)
examples = {
    "None": None, "an ellipsis": ..., "StopIteration": StopIteration, "False": False, "True": True,
    "a short int": -7, "an int": -2**40, "a long int": 3**200, "a float": -1.5, "a complex": 1 - 2j,
    "bytes": b"\0\xff", "ASCII": "text of ASCII", "a long text": "x" * 300, "Unicode": "\xe4\u1234\U00012345",
    "a surrogate": "\ud800", "a name": "name", "an empty tuple": (), "a tuple": (1, "a", (2.0,)),
    "a long tuple": tuple(range(300)), "a list": [1, [2]], "a set": {1}, "a frozen set": frozenset({"a"}),
    "a dict": {"a": 1, 2: None}, "a shared object": (lambda x: (x, x))((1.25, "shared")),
    "a slice": slice(1, None, 2), "code": module,
}
for name, value in examples.items():
    try:
        written = marshal.dumps(value).hex()
    except ValueError:
        # Slices are constants since 3.14 only.
        continue
    print(name, written, tell(value), sep="\t")
"#;

/// Which objects are read as something else than an interpreter of a version wrote, of which [`SCRIPT`]
/// printed `theirs`: a line for each.
pub fn differences(version: Version, theirs: &str) -> Vec<String> {
    let mut differences = Vec::new();
    for line in theirs.lines() {
        let parts: Vec<&str> = line.split('\t').collect();
        let [name, bytes, expected] = parts[..] else {
            differences.push(format!("not understood: {line}"));
            continue;
        };
        let read = bytes_of(bytes).ok_or_else(|| "no hexadecimal digits".to_owned());
        let read = read
            .and_then(|bytes| marshal::load(&bytes, version).map_err(|error| error.to_string()));
        match read.and_then(|value| described(&value)) {
            Ok(found) if found == expected => {}
            Ok(found) => differences.push(format!("{name}: {expected}\n  is read as {found}")),
            Err(error) => differences.push(format!("{name} can't be read: {error}")),
        }
    }
    differences
}

/// The bytes that hexadecimal digits stand for.
fn bytes_of(digits: &str) -> Option<Vec<u8>> {
    let pair = |place| u8::from_str_radix(digits.get(place..place + 2)?, 16).ok();
    (0..digits.len()).step_by(2).map(pair).collect()
}

/// Describes a value as [`SCRIPT`] does.
fn described(value: &Value) -> Result<String, String> {
    let all = |kind: &str, values: &[Value]| -> Result<String, String> {
        let values: Result<Vec<_>, _> = values.iter().map(described).collect();
        Ok(format!("{kind}({})", values?.join(", ")))
    };
    Ok(match value {
        Value::None => "None".into(),
        Value::StopIteration => "StopIteration".into(),
        Value::Ellipsis => "Ellipsis".into(),
        Value::Bool(true) => "True".into(),
        Value::Bool(false) => "False".into(),
        Value::Int(number) => number.to_string(),
        Value::Float(number) => format!("float {:016x}", number.to_bits()),
        Value::Complex(real, imaginary) => {
            let (real, imaginary) = (real.to_bits(), imaginary.to_bits());
            format!("complex {real:016x} {imaginary:016x}")
        }
        Value::Str(text) => format!("str {}", digits(text.as_bytes())),
        Value::SurrogateStr(bytes) => format!("str {}", digits(bytes)),
        Value::Bytes(bytes) => format!("bytes {}", digits(bytes)),
        Value::Tuple(values) => all("tuple", values)?,
        Value::List(values) => all("list", values)?,
        Value::Set(values) => all("set", values)?,
        Value::FrozenSet(values) => all("frozenset", values)?,
        Value::Slice(parts) => all("slice", &parts[..])?,
        Value::Dict(entries) => {
            let entry = |(key, value): &(_, _)| -> Result<String, String> {
                Ok(format!("{}: {}", described(key)?, described(value)?))
            };
            let entries: Result<Vec<_>, _> = entries.iter().map(entry).collect();
            format!("dict({})", entries?.join(", "))
        }
        Value::Code(code) => described_code(code)?,
        Value::CodeSymbol(_) => return Err("no format has symbols of code".into()),
    })
}

fn digits(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn described_code(code: &CodeObject) -> Result<String, String> {
    let table = |error: TableError| format!("{}: {error}", code.name);
    let mut cells: Vec<_> = code.cell_names().collect();
    cells.sort();
    let mut parts = vec![
        format!("code({}", code.name),
        format!(
            "counts {} {} {} {}",
            code.argument_count,
            code.positional_only_count,
            code.keyword_only_count,
            code.stack_size
        ),
        format!("flags {}", code.flags),
        format!("line {}", code.first_line),
        format!("names {}", joined(code.names.iter())),
        format!("locals {}", joined(code.variable_names())),
        format!("cells {}", joined(cells.into_iter())),
        format!("free {}", joined(code.free_names())),
    ];
    for constant in code.constants.iter() {
        parts.push(described(constant)?);
    }
    let mut positions = "positions".to_owned();
    let mut handlers = "handlers".to_owned();
    if code.version >= Version::PYTHON_3_11 {
        for position in code.positions().map_err(table)? {
            let shown = |part: Option<u32>| part.map_or("None".into(), |part| part.to_string());
            let parts = [
                position.line,
                position.end_line,
                position.column,
                position.end_column,
            ];
            let _ = write!(positions, " {}", parts.map(shown).join(":"));
        }
        for handler in code.exception_handlers().map_err(table)? {
            let (start, end, target) = (handler.start, handler.end, handler.target);
            let last = if handler.push_last_offset {
                "True"
            } else {
                "False"
            };
            let _ = write!(handlers, " {start}:{end}:{target}:{}:{last}", handler.depth);
        }
    }
    parts.extend([positions, handlers]);
    Ok(format!("{})", parts.join(", ")))
}

fn joined<'a>(names: impl Iterator<Item = &'a Arc<str>>) -> String {
    names.map(|name| &**name).collect::<Vec<_>>().join(" ")
}
