//! The abstract interpreter for the code of a module.

use super::{Definition, Meaning, Namespace};
use crate::{
    bytecode::{self, Instruction},
    code::CodeObject,
    control_flow::ControlFlow,
    data_flow::{DataFlow, Variable},
    diagnostic::Diagnostic,
    opcodes::Op,
    ssa,
    value::Value,
    well_known,
};
use std::collections::BTreeSet;

/// `MAKE_FUNCTION`: the parts that are on the stack, from the bottom.
const HAS_DEFAULTS: u32 = 1;
const HAS_KEYWORD_DEFAULTS: u32 = 2;
const HAS_ANNOTATIONS: u32 = 4;
const HAS_CLOSURE: u32 = 8;

pub(super) fn execute(module: &CodeObject) -> Result<Namespace, Diagnostic> {
    let flow = ControlFlow::without_exceptions(module)?;
    let data = DataFlow::new(module, &flow)?;
    let arguments = ssa::block_arguments(&flow, &data);
    let handlers = bytecode::handlers(module, &flow.instructions)?;
    let is_protected = |instruction: &Instruction| {
        handlers
            .iter()
            .any(|range| (range.start..range.end).contains(&instruction.offset))
    };

    // Blocks that certainly run, and not again.
    let certain: BTreeSet<usize> = flow
        .post_dominators(0)
        .filter(|&block| flow.loops_of(block).is_empty())
        .collect();
    let mut block_of = vec![None; flow.instructions.len()];
    for (index, block) in flow.blocks.iter().enumerate() {
        block_of[block.instructions.clone()]
            .fill(Some(index).filter(|block| certain.contains(block)));
    }
    let mut machine = Machine::new(module);
    for (index, instruction) in flow.instructions.iter().enumerate() {
        let Some(block) = block_of[index] else {
            machine.skip(instruction);
            continue;
        };
        if flow.blocks[block].instructions.start == index {
            machine.enter(data.blocks[block].depth, &arguments[block]);
        }
        machine.step(instruction, is_protected(instruction));
    }
    Ok(machine.namespace)
}

/// The state of the execution.
pub(super) struct Machine<'a> {
    module: &'a CodeObject,
    pub(super) namespace: Namespace,
    stack: Vec<Meaning>,
    /// The names of the next call's keyword arguments.
    keywords: Vec<String>,
}

impl<'a> Machine<'a> {
    fn new(module: &'a CodeObject) -> Self {
        Self {
            module,
            namespace: Namespace::default(),
            stack: Vec::new(),
            keywords: Vec::new(),
        }
    }

    /// Begins a block: slots that hold another value on each way into it are unknown.
    fn enter(&mut self, depth: usize, arguments: &[Variable]) {
        let unknown = || Meaning::Unknown("it depends on a condition".into());
        self.stack.resize(depth, unknown());
        for argument in arguments {
            if let Variable::Slot(slot) = *argument {
                self.stack[slot] = unknown();
            }
        }
    }

    pub(super) fn pop(&mut self) -> Meaning {
        self.stack.pop().unwrap_or(Meaning::Null)
    }

    pub(super) fn pop_many(&mut self, count: usize) -> Vec<Meaning> {
        self.stack.split_off(self.stack.len().saturating_sub(count))
    }

    fn name(&self, instruction: &Instruction, shift: u32) -> String {
        self.module
            .names
            .get(instruction.index() >> shift)
            .map(|name| name.to_string())
            .unwrap_or_default()
    }

    /// Goes over an instruction that may not run, or not only once.
    fn skip(&mut self, instruction: &Instruction) {
        if matches!(
            instruction.op(),
            Op::StoreName | Op::StoreGlobal | Op::DeleteName | Op::DeleteGlobal
        ) {
            let line = instruction
                .position
                .line
                .map_or(String::new(), |line| format!(" on line {line}"));
            let reason =
                format!("it is assigned{line} under a condition, in a loop or under 'try'");
            self.namespace
                .names
                .insert(self.name(instruction, 0), Meaning::Unknown(reason));
        }
    }

    /// Executes an instruction; what it stores is unknown if it runs under `try`.
    fn step(&mut self, instruction: &Instruction, is_protected: bool) {
        let pushed = match instruction.op() {
            Op::Nop | Op::Resume | Op::Precall | Op::SetupAnnotations => return,
            Op::PopTop => {
                self.pop();
                return;
            }
            Op::StoreName | Op::StoreGlobal => {
                let meaning = self.pop();
                match is_protected {
                    true => self.skip(instruction),
                    false => self.store(instruction, meaning),
                }
                return;
            }
            Op::DeleteName | Op::DeleteGlobal => {
                let name = self.name(instruction, 0);
                self.namespace.names.remove(&name);
                return;
            }
            Op::KwNames => {
                self.keywords = match self.module.constants.get(instruction.index()) {
                    Some(Value::Tuple(names)) => names
                        .iter()
                        .filter_map(|name| Some(name.as_str()?.to_string()))
                        .collect(),
                    _ => Vec::new(),
                };
                return;
            }
            Op::Swap | Op::Copy => {
                self.rearrange(instruction);
                return;
            }
            Op::UnpackSequence => {
                let sequence = self.pop();
                self.unpack(sequence, instruction.index());
                return;
            }
            Op::ImportFrom => {
                let imported = self
                    .stack
                    .last()
                    .map(|module| import_from(module, &self.name(instruction, 0)));
                self.stack.extend(imported);
                return;
            }
            Op::LoadGlobal if instruction.argument & 1 != 0 => {
                self.stack.push(Meaning::Null);
                self.load(&self.name(instruction, 1))
            }
            Op::LoadGlobal => self.load(&self.name(instruction, 1)),
            Op::LoadName => self.load(&self.name(instruction, 0)),
            Op::LoadMethod => {
                let object = self.pop();
                self.stack.push(Meaning::Null);
                attribute(object, &self.name(instruction, 0))
            }
            Op::LoadAttr => {
                let object = self.pop();
                attribute(object, &self.name(instruction, 0))
            }
            Op::LoadConst | Op::LoadSmallInt | Op::LoadCommonConstant => {
                match instruction.constant(self.module) {
                    Some(Value::Code(code)) => Meaning::Code(code),
                    Some(constant) => Meaning::Constant(constant),
                    None => Meaning::Null,
                }
            }
            Op::PushNull => Meaning::Null,
            Op::BuildTuple => {
                let parts = self.pop_many(instruction.index());
                tuple(parts)
            }
            Op::BuildMap => {
                let parts = self.pop_many(2 * instruction.index());
                let entries = parts.chunks_exact(2).map(|entry| match &entry[0] {
                    Meaning::Constant(key) => Some((key.clone(), entry[1].clone())),
                    _ => None,
                });
                map(entries.collect())
            }
            Op::BuildConstKeyMap => {
                let keys = self.pop();
                let values = self.pop_many(instruction.index());
                map(match keys {
                    Meaning::Constant(Value::Tuple(keys)) => {
                        Some(keys.iter().cloned().zip(values).collect())
                    }
                    _ => None,
                })
            }
            Op::ImportName => {
                let names = self.pop();
                let level = self.pop();
                self.import(&self.name(instruction, 0), &level, &names)
            }
            Op::MakeFunction => self.make_function(instruction),
            Op::Call | Op::CallFunction => {
                let arguments = self.pop_many(instruction.index());
                let keywords = std::mem::take(&mut self.keywords);
                self.call(instruction, arguments, keywords)
            }
            _ => {
                let (popped, pushed) = instruction.effect();
                self.pop_many(popped as usize);
                let reason = "it is computed when the module runs";
                self.stack
                    .extend((0..pushed).map(|_| Meaning::Unknown(reason.into())));
                return;
            }
        };
        self.stack.push(pushed);
    }

    fn store(&mut self, instruction: &Instruction, meaning: Meaning) {
        let meaning = match meaning {
            Meaning::Package(path, depth) => Meaning::Module(prefix(&path, depth)),
            other => other,
        };
        self.namespace
            .names
            .insert(self.name(instruction, 0), meaning);
    }

    fn rearrange(&mut self, instruction: &Instruction) {
        let Some(index) = self.stack.len().checked_sub(instruction.index()) else {
            return;
        };
        match instruction.op() {
            Op::Swap => {
                let top = self.stack.len() - 1;
                self.stack.swap(index, top);
            }
            _ => self.stack.push(self.stack[index].clone()),
        }
    }

    fn unpack(&mut self, sequence: Meaning, count: usize) {
        let parts = match sequence {
            Meaning::Constant(Value::Tuple(parts)) => {
                parts.iter().cloned().map(Meaning::Constant).collect()
            }
            Meaning::Tuple(parts) => parts,
            _ => Vec::new(),
        };
        match parts.len() == count {
            true => self.stack.extend(parts.into_iter().rev()),
            false => self
                .stack
                .extend((0..count).map(|_| Meaning::Unknown("it is unpacked".into()))),
        }
    }

    fn load(&self, name: &str) -> Meaning {
        match self.namespace.names.get(name) {
            Some(meaning) => meaning.clone(),
            None if well_known::is_builtin(name) => Meaning::Named(format!("builtins.{name}")),
            None => Meaning::Unknown(format!("'{name}' is not defined")),
        }
    }

    fn import(&self, name: &str, level: &Meaning, names: &Meaning) -> Meaning {
        match (level, names) {
            (Meaning::Constant(level), _) if level.as_i64() != Some(0) => {
                Meaning::Unknown("it is imported relative to the package".into())
            }
            (_, Meaning::Constant(Value::None)) => Meaning::Package(name.into(), 1),
            _ => Meaning::Module(name.into()),
        }
    }

    fn make_function(&mut self, instruction: &Instruction) -> Meaning {
        let Meaning::Code(code) = self.pop() else {
            return Meaning::Unknown("it is a function whose code is not known".into());
        };
        let mut part = |flag: u32| (instruction.argument & flag != 0).then(|| self.pop());
        let closure = part(HAS_CLOSURE);
        part(HAS_ANNOTATIONS);
        let keyword_defaults = part(HAS_KEYWORD_DEFAULTS);
        let defaults = part(HAS_DEFAULTS);
        if closure.is_some() {
            return Meaning::Unknown("it is a closure".into());
        }
        let definition = Definition {
            code,
            defaults: match defaults {
                None => Vec::new(),
                Some(Meaning::Constant(Value::Tuple(values))) => {
                    values.iter().cloned().map(Meaning::Constant).collect()
                }
                Some(Meaning::Tuple(values)) => values,
                Some(_) => return Meaning::Unknown("its default values are not known".into()),
            },
            keyword_defaults: match keyword_defaults {
                None => Vec::new(),
                Some(Meaning::Map(entries)) => entries
                    .into_iter()
                    .filter_map(|(key, value)| Some((key.as_str()?.to_string(), value)))
                    .collect(),
                Some(_) => return Meaning::Unknown("its default values are not known".into()),
            },
            options: None,
        };
        self.namespace.functions.push(definition);
        Meaning::Function(self.namespace.functions.len() - 1)
    }
}

/// The first `depth` parts of a dotted name.
fn prefix(path: &str, depth: usize) -> String {
    path.split('.').take(depth).collect::<Vec<_>>().join(".")
}

/// What `from module import name`, or the `as` of `import a.name as b`, takes from a module.
fn import_from(module: &Meaning, name: &str) -> Meaning {
    match module {
        Meaning::Package(path, depth) => Meaning::Package(path.clone(), depth + 1),
        other => attribute(other.clone(), name),
    }
}

/// What an attribute of a value means.
fn attribute(object: Meaning, name: &str) -> Meaning {
    let qualified = match object {
        Meaning::Module(module) | Meaning::Named(module) => format!("{module}.{name}"),
        Meaning::Package(path, depth) => format!("{}.{name}", prefix(&path, depth)),
        Meaning::Unknown(reason) => return Meaning::Unknown(reason),
        _ => return Meaning::Unknown(format!("it is an attribute '{name}' of a value")),
    };
    match well_known::module_number(&qualified) {
        Some(number) => Meaning::Constant(Value::Float(number)),
        None => Meaning::Named(qualified),
    }
}

fn tuple(parts: Vec<Meaning>) -> Meaning {
    let constants: Option<Vec<Value>> = parts
        .iter()
        .map(|part| match part {
            Meaning::Constant(value) => Some(value.clone()),
            _ => None,
        })
        .collect();
    match constants {
        Some(constants) => Meaning::Constant(Value::Tuple(constants.into())),
        None => Meaning::Tuple(parts),
    }
}

fn map(entries: Option<Vec<(Value, Meaning)>>) -> Meaning {
    entries.map_or_else(
        || Meaning::Unknown("it is a dictionary whose keys are not known".into()),
        Meaning::Map,
    )
}
