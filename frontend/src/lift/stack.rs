//! Stack manipulation, constants and locals.

use super::Lifter;
use crate::{attributes::to_attribute, diagnostic::Diagnostic, value::Value as Constant};
use melior::ir::{Attribute, Value};
use pyopt_dialects::{ops::py, py::PyAttribute};
use std::sync::Arc;

/// What a stack slot holds.
#[derive(Clone)]
pub(super) enum Slot<'c, 'a> {
    /// Nothing that is read any more.
    Empty,
    /// The mark below a callable that is not a bound method.
    Null,
    /// Nested code, by its symbol.
    Code(Arc<str>),
    /// A truth value, which is an object only where one is needed.
    Truth(Value<'c, 'a>),
    /// A value.
    Value(Value<'c, 'a>),
}

impl<'c, 'a> Lifter<'c, 'a> {
    pub(super) fn push(&mut self, value: Value<'c, 'a>) {
        self.state.stack.push(Slot::Value(value));
    }

    pub(super) fn pop_slot(&mut self) -> Result<Slot<'c, 'a>, Diagnostic> {
        self.state
            .stack
            .pop()
            .ok_or_else(|| self.malformed("the stack is too short"))
    }

    pub(super) fn pop(&mut self) -> Result<Value<'c, 'a>, Diagnostic> {
        let slot = self.pop_slot()?;
        self.slot_value(&slot)
    }

    /// Pops values; the first is the one that was deepest.
    pub(super) fn pop_many(&mut self, count: usize) -> Result<Vec<Value<'c, 'a>>, Diagnostic> {
        let bottom = self.state.stack.len().checked_sub(count);
        let bottom = bottom.ok_or_else(|| self.malformed("the stack is too short"))?;
        let slots = self.state.stack.split_off(bottom);
        slots.iter().map(|slot| self.slot_value(slot)).collect()
    }

    pub(super) fn slot_value(&self, slot: &Slot<'c, 'a>) -> Result<Value<'c, 'a>, Diagnostic> {
        match slot {
            Slot::Value(value) => Ok(*value),
            Slot::Truth(truth) => Ok(py::Bool::create(self, *truth).result()),
            _ => Err(self.malformed("a value is needed on the stack")),
        }
    }

    /// The value `depth` places from the top, 1 being the top.
    pub(super) fn peek(&self, depth: usize) -> Result<Value<'c, 'a>, Diagnostic> {
        self.slot_value(&self.state.stack[self.stack_index(depth)?])
    }

    fn stack_index(&self, depth: usize) -> Result<usize, Diagnostic> {
        match self.state.stack.len().checked_sub(depth) {
            Some(index) if depth > 0 => Ok(index),
            _ => Err(self.malformed("the stack is too short")),
        }
    }

    pub(super) fn push_null(&mut self) -> Result<(), Diagnostic> {
        self.state.stack.push(Slot::Null);
        Ok(())
    }

    pub(super) fn copy(&mut self) -> Result<(), Diagnostic> {
        let index = self.stack_index(self.instruction.index())?;
        self.state.stack.push(self.state.stack[index].clone());
        Ok(())
    }

    pub(super) fn swap(&mut self) -> Result<(), Diagnostic> {
        let index = self.stack_index(self.instruction.index())?;
        let top = self.state.stack.len() - 1;
        self.state.stack.swap(index, top);
        Ok(())
    }

    /// A `py.constant` at the current instruction.
    pub(super) fn constant(&self, value: Attribute<'c>) -> Value<'c, 'a> {
        py::Constant::create(self, value).result()
    }

    pub(super) fn none(&self) -> Value<'c, 'a> {
        self.constant(PyAttribute::None.to_attribute(self.context))
    }

    pub(super) fn load_constant(&mut self) -> Result<(), Diagnostic> {
        let code = self.code;
        let constant = self.instruction.constant(code);
        match constant.ok_or_else(|| self.malformed("no such constant"))? {
            Constant::CodeSymbol(symbol) => self.state.stack.push(Slot::Code(symbol)),
            constant => {
                let value = self.constant_value(&constant)?;
                self.push(value);
            }
        }
        Ok(())
    }

    /// The value of a constant. Slices, which are constants since 3.14, are made of their parts, and so
    /// are tuples that have some: they stand in subscripts.
    fn constant_value(&self, constant: &Constant) -> Result<Value<'c, 'a>, Diagnostic> {
        match constant {
            Constant::Slice(parts) => {
                let [start, stop, step] = &**parts;
                let start = self.constant_value(start)?;
                let stop = self.constant_value(stop)?;
                let step = self.constant_value(step)?;
                return Ok(py::Slice::create(self, start, stop, step).result());
            }
            Constant::Tuple(elements) if elements.iter().any(has_slice) => {
                let elements = elements.iter().map(|element| self.constant_value(element));
                let elements: Vec<_> = elements.collect::<Result<_, _>>()?;
                return Ok(py::BuildTuple::create(self, &elements).result());
            }
            _ => {}
        }
        let attribute = to_attribute(self.context, constant).ok_or_else(|| {
            self.error(format!(
                "constants of type '{}' are not supported",
                constant.type_name()
            ))
        })?;
        Ok(self.constant(attribute))
    }

    pub(super) fn local_name(&self) -> Result<&'a str, Diagnostic> {
        let name = self.code.local_names.get(self.instruction.index());
        name.map(|name| &**name)
            .ok_or_else(|| self.malformed("no such local"))
    }

    /// The value of a local, which may be unbound.
    pub(super) fn local(&mut self, local: usize) -> Value<'c, 'a> {
        if let Some(value) = self.state.locals[local] {
            return value;
        }
        self.unbound_value(local)
    }

    /// The value of a local that has none. Each local has its own, so that inference may give each
    /// its own type.
    pub(super) fn unbound_value(&mut self, local: usize) -> Value<'c, 'a> {
        if let Some(&value) = self.unbound_values.get(&local) {
            return value;
        }
        let value = py::Unbound::create(&self.function_start()).result();
        self.unbound_values.insert(local, value);
        value
    }

    /// The value of the current instruction's local, checked where it may be unbound.
    fn bound_local(&mut self) -> Result<Value<'c, 'a>, Diagnostic> {
        let (local, name) = (self.instruction.index(), self.local_name()?);
        let value = self.local(local);
        if !self.unbound.contains(local) {
            return Ok(value);
        }
        let (flow, block) = (self.flow, self.block);
        // Where an exception leaves a block its checks have not necessarily passed.
        let has_passed = |at: usize| {
            at == block || flow.blocks[at].unwind.is_none() && flow.dominates(at, block)
        };
        let mut checks = self.checks.iter();
        if let Some(&(.., bound)) =
            checks.find(|&&(checked, at, _)| checked == value && has_passed(at))
        {
            return Ok(bound);
        }
        let bound = py::CheckBound::create(self, value, name).result();
        self.checks.push((value, block, bound));
        Ok(bound)
    }

    pub(super) fn load_local(&mut self) -> Result<(), Diagnostic> {
        let value = self.bound_local()?;
        self.push(value);
        Ok(())
    }

    pub(super) fn store_local(&mut self) -> Result<(), Diagnostic> {
        self.local_name()?;
        let value = self.pop()?;
        let local = self.instruction.index();
        self.mark_assignment(local, value);
        self.state.locals[local] = Some(value);
        Ok(())
    }

    /// Makes room for a comprehension's variable of the same name; what the local has is kept on the
    /// stack, bound or not.
    pub(super) fn save_local(&mut self) -> Result<(), Diagnostic> {
        self.local_name()?;
        let local = self.instruction.index();
        let value = self.local(local);
        self.push(value);
        self.state.locals[local] = None;
        Ok(())
    }

    /// The same, where nobody reads later what the local has.
    pub(super) fn clear_local(&mut self) -> Result<(), Diagnostic> {
        self.local_name()?;
        self.state.stack.push(Slot::Empty);
        self.state.locals[self.instruction.index()] = None;
        Ok(())
    }

    /// The end of a comprehension behind which nobody reads the local.
    pub(super) fn forget_local(&mut self) -> Result<(), Diagnostic> {
        self.local_name()?;
        self.pop_slot()?;
        self.state.locals[self.instruction.index()] = None;
        Ok(())
    }

    /// Gives a local back what it had before a comprehension.
    pub(super) fn restore_local(&mut self) -> Result<(), Diagnostic> {
        self.local_name()?;
        let value = self.pop()?;
        let local = self.instruction.index();
        // A free variable's cell is not in the local.
        self.state.locals[local] = Some(value).filter(|_| !self.code.is_free(local));
        Ok(())
    }

    pub(super) fn delete_local(&mut self) -> Result<(), Diagnostic> {
        self.bound_local()?;
        self.state.locals[self.instruction.index()] = None;
        Ok(())
    }
}

/// Whether a constant is a slice or a tuple with one.
fn has_slice(constant: &Constant) -> bool {
    match constant {
        Constant::Slice(_) => true,
        Constant::Tuple(elements) => elements.iter().any(has_slice),
        _ => false,
    }
}
