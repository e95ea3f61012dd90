//! Exception classes: which there are, and which are whose subclasses.

use crate::infra::AttributeExt;
use melior::ir::Attribute;

/// Python's exception classes, each with its base.
const BUILTIN: &[(&str, &str)] = &[
    ("ArithmeticError", "Exception"),
    ("AssertionError", "Exception"),
    ("AttributeError", "Exception"),
    ("BaseException", ""),
    ("BlockingIOError", "OSError"),
    ("BrokenPipeError", "ConnectionError"),
    ("BufferError", "Exception"),
    ("BytesWarning", "Warning"),
    ("ChildProcessError", "OSError"),
    ("ConnectionAbortedError", "ConnectionError"),
    ("ConnectionError", "OSError"),
    ("ConnectionRefusedError", "ConnectionError"),
    ("ConnectionResetError", "ConnectionError"),
    ("DeprecationWarning", "Warning"),
    ("EOFError", "Exception"),
    ("EncodingWarning", "Warning"),
    ("Exception", "BaseException"),
    ("FileExistsError", "OSError"),
    ("FileNotFoundError", "OSError"),
    ("FloatingPointError", "ArithmeticError"),
    ("FutureWarning", "Warning"),
    ("GeneratorExit", "BaseException"),
    ("ImportError", "Exception"),
    ("ImportWarning", "Warning"),
    ("IndentationError", "SyntaxError"),
    ("IndexError", "LookupError"),
    ("InterruptedError", "OSError"),
    ("IsADirectoryError", "OSError"),
    ("KeyError", "LookupError"),
    ("KeyboardInterrupt", "BaseException"),
    ("LookupError", "Exception"),
    ("MemoryError", "Exception"),
    ("ModuleNotFoundError", "ImportError"),
    ("NameError", "Exception"),
    ("NotADirectoryError", "OSError"),
    ("NotImplementedError", "RuntimeError"),
    ("OSError", "Exception"),
    ("OverflowError", "ArithmeticError"),
    ("PendingDeprecationWarning", "Warning"),
    ("PermissionError", "OSError"),
    ("ProcessLookupError", "OSError"),
    ("RecursionError", "RuntimeError"),
    ("ReferenceError", "Exception"),
    ("ResourceWarning", "Warning"),
    ("RuntimeError", "Exception"),
    ("RuntimeWarning", "Warning"),
    ("StopAsyncIteration", "Exception"),
    ("StopIteration", "Exception"),
    ("SyntaxError", "Exception"),
    ("SyntaxWarning", "Warning"),
    ("SystemError", "Exception"),
    ("SystemExit", "BaseException"),
    ("TabError", "IndentationError"),
    ("TimeoutError", "OSError"),
    ("TypeError", "Exception"),
    ("UnboundLocalError", "NameError"),
    ("UnicodeDecodeError", "UnicodeError"),
    ("UnicodeEncodeError", "UnicodeError"),
    ("UnicodeError", "ValueError"),
    ("UnicodeTranslateError", "UnicodeError"),
    ("UnicodeWarning", "Warning"),
    ("UserWarning", "Warning"),
    ("ValueError", "Exception"),
    ("Warning", "Exception"),
    ("ZeroDivisionError", "ArithmeticError"),
];

/// The class of what a `raise` without an exception raises outside of handlers: the exception that
/// the host handles, or else a RuntimeError.
pub const HANDLED_BY_HOST: &str = "<handled>";

/// The name of a class and those of its bases that are known, as operations have it: one name of a
/// builtin class, or all of another one.
pub(crate) fn names(class: Attribute<'_>) -> Vec<&str> {
    let all = class.elements().unwrap_or_else(|| vec![class]);
    all.into_iter()
        .filter_map(AttributeExt::string_value)
        .collect()
}

/// Whether instances of a class with these names are instances of another one.
pub(crate) fn is_instance(names: &[&str], of: &str) -> bool {
    names.iter().any(|name| is_subclass(name, of))
}

/// Whether a name is that of a builtin exception class.
pub(crate) fn is_builtin(name: &str) -> bool {
    base(name).is_some()
}

/// Whether instances of a builtin class are instances of another one.
fn is_subclass(class: &str, of: &str) -> bool {
    let mut next = Some(class);
    while let Some(class) = next {
        if class == of {
            return true;
        }
        next = base(class);
    }
    false
}

fn base(class: &str) -> Option<&'static str> {
    let found = BUILTIN.binary_search_by_key(&class, |(name, _)| name);
    found.ok().map(|index| BUILTIN[index].1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sorted_and_whole() {
        assert!(BUILTIN.is_sorted());
        for (name, base) in BUILTIN {
            assert!(is_subclass(name, "BaseException"), "{name}");
            assert!(base.is_empty() || is_builtin(base), "{name}");
        }
    }

    #[test]
    fn subclasses() {
        assert!(is_subclass("ZeroDivisionError", "ArithmeticError"));
        assert!(is_subclass("RecursionError", "Exception"));
        assert!(!is_subclass("KeyError", "IndexError"));
        assert!(!is_subclass("KeyboardInterrupt", "Exception"));
        assert!(!is_builtin("int"));
        let sold_out = ["shop.SoldOut@0", "KeyError"];
        assert!(is_instance(&sold_out, "shop.SoldOut@0"));
        assert!(is_instance(&sold_out, "LookupError"));
        assert!(!is_instance(&sold_out, "IndexError"));
    }
}
