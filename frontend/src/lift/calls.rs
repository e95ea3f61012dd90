//! Calls and the making of functions.

use super::{Form, Lifter, stack::Slot};
use crate::{diagnostic::Diagnostic, value::Value as Constant};
use melior::ir::{Attribute, Value};
use pyopt_dialects::ops::py;

/// `CALL_FUNCTION_EX`: a mapping of keyword arguments is on the stack.
const CALL_HAS_KEYWORDS: u32 = 1;

/// `MAKE_FUNCTION`: the bits that say which parts are on the stack.
const FUNCTION_PARTS: u32 = 0x1f;

impl<'c, 'a> Lifter<'c, 'a> {
    /// Pushes the attribute alone: `py.getattr` gives a bound method.
    pub(super) fn load_method(&mut self) -> Result<(), Diagnostic> {
        let object = self.pop()?;
        self.push_null()?;
        self.push(object);
        self.load_attribute()
    }

    pub(super) fn keyword_names(&mut self) -> Result<(), Diagnostic> {
        let code = self.code;
        let names = match code.constants.get(self.instruction.index()) {
            Some(Constant::Tuple(names)) => names
                .iter()
                .map(|name| Some(self.text(name.as_str()?).into()))
                .collect(),
            _ => None,
        };
        let names: Vec<Attribute> =
            names.ok_or_else(|| self.malformed("the names are not strings"))?;
        self.keywords = Some(names);
        Ok(())
    }

    /// A call; `marked` says that a mark or a first argument lies with the callable.
    pub(super) fn call(&mut self, marked: bool) -> Result<(), Diagnostic> {
        let mut arguments = self.pop_many(self.instruction.index())?;
        let callee = self.pop_callee(marked, &mut arguments)?;
        let keywords = self.keywords.take();
        if (keywords.as_ref()).is_some_and(|names| names.len() > arguments.len()) {
            return Err(self.malformed("more names than arguments"));
        }
        // A frame has what `super` looks for.
        if self.form != Form::Frame
            && arguments.is_empty()
            && let Some((class, first)) = self.super_arguments(callee)
        {
            self.push(py::CallSuper::create(self, callee, class, first).result());
            return Ok(());
        }
        let call = py::Call::create(self, callee, &arguments);
        if let Some(keywords) = keywords {
            call.set_keywords(Some(&keywords));
        }
        self.push(call.result());
        Ok(())
    }

    /// Pops what is called: a callable with a null beside it, or a function and its first argument.
    fn pop_callee(
        &mut self,
        marked: bool,
        arguments: &mut Vec<Value<'c, 'a>>,
    ) -> Result<Value<'c, 'a>, Diagnostic> {
        let top = self.pop_slot()?;
        if !marked {
            return self.slot_value(&top);
        }
        match (self.pop_slot()?, top) {
            (Slot::Null, callee) | (callee, Slot::Null) => self.slot_value(&callee),
            (function, first) => {
                arguments.insert(0, self.slot_value(&first)?);
                self.slot_value(&function)
            }
        }
    }

    /// A call with a tuple of arguments, and maybe a mapping; `marked` as in `call`.
    pub(super) fn call_starred(&mut self, marked: bool) -> Result<(), Diagnostic> {
        let keywords = match self.instruction.argument & CALL_HAS_KEYWORDS {
            0 => None,
            _ => match self.pop_slot()? {
                Slot::Null => None,
                mapping => Some(self.slot_value(&mapping)?),
            },
        };
        let arguments = self.pop()?;
        let callee = self.pop_callee(marked, &mut Vec::new())?;
        self.push(py::CallEx::create(self, callee, arguments, keywords).result());
        Ok(())
    }

    pub(super) fn make_function(&mut self) -> Result<(), Diagnostic> {
        let flags = self.instruction.argument;
        if flags & !FUNCTION_PARTS != 0 {
            return Err(self.malformed("unknown parts"));
        }
        let Slot::Code(symbol) = self.pop_slot()? else {
            return Err(self.malformed("code is needed on the stack"));
        };
        let parts = self.pop_many(flags.count_ones() as usize)?;
        self.push(py::MakeFunction::create(self, &symbol, flags.into(), &parts).result());
        Ok(())
    }
}
