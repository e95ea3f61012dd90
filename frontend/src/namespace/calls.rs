//! Calls in a module's code: decorators and what makes them.

use super::{Meaning, execution::Machine};
use crate::{bytecode::Instruction, op::Op, value::Value};

/// The packages whose decorators are known.
const PACKAGES: &[&str] = &["pyopt", "numba"];

/// Options of `jit` and `njit` that say what the compiled code does.
const MEANINGFUL_OPTIONS: &[&str] = &["boundscheck", "error_model", "fastmath", "parallel"];

/// Options of `jit` and `njit` that say how it is compiled or called.
const OTHER_OPTIONS: &[&str] = &["cache", "debug", "inline", "nogil", "nopython"];

/// Options of `stencil`.
const STENCIL_OPTIONS: &[&str] = &["cval", "mode", "neighborhood", "standard_indexing"];

/// What a decorator makes of a function.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecoratorKind {
    /// `jit` or `njit`: a compiled function.
    Jit,
    /// `stencil`: a stencil with the function as its kernel.
    Stencil,
}

impl DecoratorKind {
    /// The kind of a decorator, by its qualified name.
    fn of(qualified_name: &str) -> Option<Self> {
        let (package, name) = qualified_name.split_once('.')?;
        match name {
            "jit" | "njit" if PACKAGES.contains(&package) => Some(Self::Jit),
            "stencil" if PACKAGES.contains(&package) => Some(Self::Stencil),
            _ => None,
        }
    }
}

impl Machine<'_> {
    /// Executes a call whose arguments are popped; the last ones are passed by the names in
    /// `keywords`.
    pub(super) fn call(
        &mut self,
        instruction: &Instruction,
        mut arguments: Vec<Meaning>,
        keywords: Vec<String>,
    ) -> Meaning {
        let top = self.pop();
        let callee = match instruction.op() {
            Op::CallFunction => top,
            _ => match (self.pop(), top) {
                (Meaning::Null, callee) | (callee, Meaning::Null) => callee,
                (method, object) => {
                    arguments.insert(0, object);
                    method
                }
            },
        };
        let named = arguments.split_off(arguments.len().saturating_sub(keywords.len()));
        let options: Vec<_> = keywords.into_iter().zip(named).collect();
        match callee {
            Meaning::Named(name) => match DecoratorKind::of(&name) {
                Some(kind) => self.decorator(instruction, kind, arguments, options),
                None => Meaning::Unknown(format!("it is the result of calling '{name}'")),
            },
            Meaning::Decorator(kind, known) => match arguments.as_slice() {
                [Meaning::Function(function)] => self.decorate(kind, *function, known),
                _ => Meaning::Unknown(
                    "it is a decorator applied to something that is not a function".into(),
                ),
            },
            _ => Meaning::Unknown("it is the result of a call".into()),
        }
    }

    /// `njit`, `njit(…)` or `njit(…)(f)`, and the same of `jit` and `stencil`.
    fn decorator(
        &mut self,
        instruction: &Instruction,
        kind: DecoratorKind,
        arguments: Vec<Meaning>,
        options: Vec<(String, Meaning)>,
    ) -> Meaning {
        let mut known = Vec::new();
        let (meaningful, other) = match kind {
            DecoratorKind::Jit => (MEANINGFUL_OPTIONS, OTHER_OPTIONS),
            DecoratorKind::Stencil => (STENCIL_OPTIONS, &[][..]),
        };
        for (name, value) in options {
            let is_known = matches!(
                value,
                Meaning::Constant(_) | Meaning::Map(_) | Meaning::Tuple(_)
            );
            if meaningful.contains(&&*name) && is_known {
                known.extend(normalized(name, value));
            } else if meaningful.contains(&&*name) {
                self.note(
                    instruction,
                    format!("the value of the option '{name}' is not known; it is ignored"),
                );
            } else if !other.contains(&&*name) {
                self.note(instruction, format!("the option '{name}' is ignored"));
            }
        }
        match arguments.as_slice() {
            [] => Meaning::Decorator(kind, known),
            [Meaning::Function(function)] => self.decorate(kind, *function, known),
            [Meaning::Constant(Value::Str(mode))] if kind == DecoratorKind::Stencil => {
                known.push(("mode".into(), Meaning::Constant(Value::Str(mode.clone()))));
                Meaning::Decorator(kind, known)
            }
            _ => {
                self.note(instruction, "the decorator's signatures are ignored".into());
                Meaning::Decorator(kind, known)
            }
        }
    }

    fn decorate(
        &mut self,
        kind: DecoratorKind,
        function: usize,
        options: Vec<(String, Meaning)>,
    ) -> Meaning {
        match kind {
            DecoratorKind::Jit => {
                self.namespace.functions[function].options = Some(options);
                Meaning::Function(function)
            }
            DecoratorKind::Stencil => Meaning::Stencil(function, options),
        }
    }

    fn note(&mut self, instruction: &Instruction, text: String) {
        self.namespace.notes.push((instruction.position, text));
    }
}

/// The options that one option of a decorator stands for, each in its one form: `parallel` and a
/// list of what is off, `fastmath` as a list of flags.
fn normalized(name: String, value: Meaning) -> Vec<(String, Meaning)> {
    let constant = |value| Meaning::Constant(value);
    let texts = |texts: Vec<&str>| {
        constant(Value::Tuple(
            texts
                .into_iter()
                .map(|text| Value::Str(text.into()))
                .collect(),
        ))
    };
    match (&*name, value) {
        ("parallel", Meaning::Map(entries)) => {
            let off = entries
                .iter()
                .filter(|(_, value)| *value == constant(Value::Bool(false)));
            let off = off
                .filter_map(|(key, _)| key.as_str().map(|key| &**key))
                .collect();
            vec![
                (name, constant(Value::Bool(true))),
                ("parallel_off".into(), texts(off)),
            ]
        }
        ("fastmath", Meaning::Constant(Value::Bool(all))) => {
            vec![(name, texts(if all { vec!["fast"] } else { vec![] }))]
        }
        (_, value) => vec![(name, value)],
    }
}
