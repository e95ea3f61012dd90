//! `py-convert-closures`: gives inner functions their free variables as parameters.
//!
//! Closure conversion. What `py-inline-closures` leaves is a function object that is passed on, or
//! the call of a generator expression. Its free variables become leading parameters, and the object
//! holds their values. That means the same as Python's cells where no variable is assigned while
//! the object is in use; else the operation says which one is.

use super::{
    capture::{Assignments, Capture},
    captured_defaults::{Defaults, has_values},
    closure_plans::{Captured, FreeVariables, Plan, Plans},
    edges::Edge,
    escapes::Escapes,
    function::PyFunction,
    function_object::CLOSURE,
};
use crate::infra::{
    AttributeExt, BlockExt, Builder, Identity, Key, OperationAttributes, OperationExt, PassContext,
    PassResult, PassSpec, RegionExt, StatisticSpec, ValueExt, erase_unused,
    ops::{marks, py},
};
use melior::ir::{
    Attribute, OperationRef, Value,
    attribute::{IntegerAttribute, StringAttribute},
    operation::OperationLike,
    r#type::{FunctionType, IntegerType},
};
use pyopt_dialects::{enums::FunctionKind, py::object_type};
use std::collections::{BTreeMap, HashMap, HashSet};

/// The parameter of a generator expression.
const IMPLICIT: &str = ".0";

/// Function objects with values.
pub static PASS: PassSpec = PassSpec {
    description: "The function of a `py.make_function` gets its free variables as its first \
                  parameters, and the operation marked `pyopt.captures` a tuple of their values. \
                  Constant defaults become attributes of the function, other ones values behind \
                  those of the free variables (`pyopt.captured_defaults`). A generator expression \
                  makes its iterator itself. Where a free variable changes later, `pyopt.reason` \
                  says so.",
    dialects: &["py"],
    statistics: &[StatisticSpec::new("converted", "function objects")],
    ..PassSpec::new(
        "py-convert-closures",
        "pass the free variables of inner functions as arguments",
        run,
    )
};

fn run<'c>(cx: &PassContext<'c>, root: OperationRef<'c, '_>) -> PassResult {
    let makers = root.nested_ops::<py::MakeFunction>();
    if makers.is_empty() {
        return Ok(());
    }
    let mut conversion = Conversion {
        cx,
        builder: Builder::new(cx.context(), root),
        functions: HashMap::new(),
        bound: HashSet::new(),
        free: HashMap::new(),
        captured: BTreeMap::new(),
        with_values: makers
            .iter()
            .filter(|maker| has_values(**maker))
            .map(|maker| maker.code())
            .collect(),
        plans: HashMap::new(),
        assignments: Assignments::default(),
        escapes: Escapes::new(cx.context(), root),
    };
    for operation in root
        .region_at(0)
        .entry()
        .into_iter()
        .flat_map(BlockExt::operation_list)
    {
        match py::Func::of(operation) {
            Some(function) => {
                conversion.functions.insert(function.sym_name(), function);
            }
            None => conversion.bound.extend(operation.symbol_name()),
        }
    }
    // The cells of an inner function are there when its own free variables are parameters.
    let mut open = makers;
    loop {
        let before = open.len();
        let mut later = Vec::new();
        for maker in open {
            if !conversion.convert(maker)? {
                later.push(maker);
            }
        }
        if later.len() == before {
            return Ok(());
        }
        open = later;
    }
}

struct Conversion<'p, 'c, 'a> {
    cx: &'p PassContext<'c>,
    builder: Builder<'c, 'a>,
    functions: HashMap<&'c str, py::Func<'c, 'a>>,
    /// Symbols with a binding.
    bound: HashSet<&'c str>,
    /// The free variables of functions, before they are converted.
    free: HashMap<&'c str, FreeVariables<'c>>,
    /// What converted functions got for them.
    captured: BTreeMap<&'c str, Captured<'c>>,
    /// Functions with defaults that are no constants.
    with_values: HashSet<&'c str>,
    /// What is planned for function objects that others refer to.
    plans: HashMap<Key, Plan<'c, 'a>>,
    assignments: Assignments,
    escapes: Escapes<'c, 'a>,
}

impl<'c: 'a, 'a> Conversion<'_, 'c, 'a> {
    /// Converts a function object; false where its cells aren't known.
    fn convert(&mut self, maker: py::MakeFunction<'c, 'a>) -> PassResult<bool> {
        let code = maker.code();
        let Some(&function) = self.functions.get(code) else {
            return Ok(false);
        };
        let Some(defaults) = Defaults::of(self.cx.context(), maker, &PyFunction::read(*function)?)
        else {
            return Ok(self.refuse(maker, "defaults that aren't known"));
        };
        let Some(mut plan) = self.plan(maker) else {
            return Ok(false);
        };
        if (plan.captured.functions.iter()).any(|made| self.with_values.contains(made.code)) {
            return Ok(self.refuse(
                maker,
                "a function that has a default which isn't a constant",
            ));
        }
        let valued = defaults.values.iter().map(|one| (None, one.name));
        plan.captured.variables.extend(valued);
        if (plan.cells.iter()).any(|cell| Capture::new(maker, *cell).may_be_empty()) {
            self.make_later(maker);
        }
        if let Some(reason) = self.refusal(maker, function, &plan) {
            return Ok(self.refuse(maker, &reason));
        }
        if !self.captured.contains_key(code) {
            self.add_parameters(function, &plan.captured, &defaults)?;
            self.captured.insert(code, plan.captured.clone());
        } else if !defaults.are_of(function) {
            return Ok(self.refuse(maker, "a default that has several values"));
        }
        let builder = self.builder.before(*maker).at(maker.location());
        let variables = plan.captured.variables.iter();
        let loaded = (plan.cells.iter().zip(variables))
            .map(|(cell, (_, name))| py::LoadCell::create(builder, cell.result(), name).result());
        let values: Vec<_> = (loaded.chain(defaults.values.iter().map(|one| one.value))).collect();
        let made = self.make_function(builder, code, &values);
        let parts = maker.parts();
        self.builder.replace_op(*maker, &[made]);
        erase_unused(parts, |part| {
            matches!(
                py::Op::of(part),
                Some(py::Op::BuildTuple(_) | py::Op::BuildMap(_) | py::Op::Constant(_))
            )
        });
        if is_generator_expression(function) {
            self.pass_iterables(made);
        }
        self.cx.bump("converted", 1);
        Ok(true)
    }

    /// How a function object is converted; `None` where its cells aren't known.
    fn plan(&mut self, maker: py::MakeFunction<'c, 'a>) -> Option<Plan<'c, 'a>> {
        if let Some(known) = self.plans.remove(&maker.key()) {
            return Some(known);
        }
        let plans = Plans::of(maker, &mut |code| self.free_variables(code))?;
        for (maker, plan) in plans.into_plans() {
            self.plans.insert(maker.key(), plan);
        }
        self.plans.remove(&maker.key())
    }

    /// Makes a function right before its own variable is first used in the block, so that variables which are
    /// assigned between the definition and the first call have their values.
    fn make_later(&self, maker: py::MakeFunction<'c, 'a>) {
        let uses = maker.result().uses();
        let [only] = uses.as_slice() else {
            return;
        };
        let (Some(store), Some(block)) = (py::StoreCell::of(only.user), maker.parent_block())
        else {
            return;
        };
        let operations = block.operation_list();
        let leaves_at_errors = |operation: &OperationRef<'c, 'a>| {
            Edge::of(*operation).into_iter().any(|edge| edge.unwind)
        };
        if operations.iter().any(leaves_at_errors) {
            // A handler may find the variable.
            return;
        }
        let behind = operations
            .into_iter()
            .skip_while(|one| *one != *store)
            .skip(1);
        let is_first_use = |one: &OperationRef<'c, 'a>| {
            one.is_terminator() || one.operand_values().contains(&store.cell())
        };
        if let Some(first_use) = behind.into_iter().find(is_first_use) {
            self.builder.move_before(*maker, first_use);
            self.builder.move_before(*store, first_use);
        }
    }

    /// Why a function object can't have the values of its free variables.
    fn refusal(
        &mut self,
        maker: py::MakeFunction<'c, 'a>,
        function: py::Func<'c, 'a>,
        plan: &Plan<'c, 'a>,
    ) -> Option<String> {
        let captured = &plan.captured;
        let is_other = |known: &Captured| known != captured;
        if self.captured.get(maker.code()).is_some_and(is_other) {
            return Some("itself, by a variable that has other values, too".into());
        }
        let own = captured
            .variables
            .iter()
            .filter_map(|&(index, name)| Some((index?, name)));
        let made = captured
            .functions
            .iter()
            .map(|made| (made.index, made.name));
        for (index, name) in own.chain(made) {
            if self.assignments.include(function, index, &self.functions) {
                return Some(format!("the assignment to '{name}' in it"));
            }
        }
        let in_use =
            |name: &str| format!("'{name}', which is assigned while the function is in use");
        let not_yet = |name: &str| format!("'{name}', which may have no value yet");
        for (cell, (_, name)) in plan.cells.iter().zip(&captured.variables) {
            let capture = Capture::new(maker, *cell);
            if capture.may_be_empty() {
                return Some(not_yet(name));
            }
            if capture.is_changed_in_use(&self.escapes) {
                return Some(in_use(name));
            }
        }
        for (store, made) in plan.stores.iter().zip(&captured.functions) {
            if made.code == maker.code() {
                continue;
            }
            let cell = py::MakeCell::defining(store.cell())?;
            let capture = Capture::new(maker, cell);
            if capture.may_be_empty() && capture.is_used_before(*store, &self.escapes) {
                return Some(not_yet(made.name));
            }
        }
        None
    }

    /// Makes the object of a converted function, with the values of its free variables.
    fn make_function(
        &self,
        builder: &Builder<'c, 'a>,
        code: &str,
        values: &[Value<'c, 'a>],
    ) -> Value<'c, 'a> {
        let closure = py::BuildTuple::create(builder, values).result();
        let made = py::MakeFunction::create(builder, code, CLOSURE, &[closure]);
        made.set_attr(marks::CAPTURES, self.integer(values.len() as i64));
        made.result()
    }

    /// Replaces the cell of a free variable in a function by cells of its own, which have a value.
    fn replace_cells(
        &self,
        function: py::Func<'c, 'a>,
        index: usize,
        value: impl Fn(&Builder<'c, 'a>) -> Value<'c, 'a>,
    ) {
        let cells = function.nested_ops::<py::FreeCell>().into_iter();
        for cell in cells.filter(|cell| cell.index() == index as i64) {
            let builder = self.builder.before(*cell).at(cell.location());
            let made = py::MakeCell::create(builder, Some(value(builder))).result();
            self.builder.replace_op(*cell, &[made]);
        }
    }

    /// Says why a function object can't be converted; it isn't looked at again.
    fn refuse(&self, maker: py::MakeFunction<'c, 'a>, reason: &str) -> bool {
        maker.set_attr(
            marks::REASON,
            StringAttribute::new(self.cx.context(), reason),
        );
        true
    }

    fn text(&self, text: &str) -> Attribute<'c> {
        StringAttribute::new(self.cx.context(), text).into()
    }

    fn integer(&self, value: i64) -> Attribute<'c> {
        IntegerAttribute::new(IntegerType::new(self.cx.context(), 64).into(), value).into()
    }

    /// The free variables of a function that no binding gives a meaning.
    fn free_variables(&mut self, code: &'c str) -> Option<FreeVariables<'c>> {
        if let Some(known) = self.free.get(code) {
            return Some(known.clone());
        }
        let function = *self.functions.get(code)?;
        let names = function.freevars().unwrap_or_default();
        let mut captured: BTreeMap<usize, &'c str> = BTreeMap::new();
        for cell in function.nested_ops::<py::FreeCell>() {
            let index = cell.index() as usize;
            let name = names.get(index).and_then(|name| name.string_value());
            if !self.bound.contains(cell.binding()) {
                captured.insert(index, name.unwrap_or_default());
            }
        }
        let variables: FreeVariables = captured.into_iter().collect();
        self.free.insert(code, variables.clone());
        Some(variables)
    }

    /// Makes free variables the first parameters of a function.
    fn add_parameters(
        &self,
        function: py::Func<'c, 'a>,
        captured: &Captured<'c>,
        defaults: &Defaults<'c, 'a>,
    ) -> PassResult {
        let context = self.cx.context();
        let object = object_type(context);
        let entry = function.required("body", function.body().entry())?;
        if is_generator_expression(function) {
            let iterator = entry.argument_value(0);
            let first = function.required("body", entry.first())?;
            let builder = self.builder.before(first).at(function.location());
            let made = py::GetIter::create(builder, iterator);
            // What `py-sink-iterables` unpacks isn't gone through.
            iterator.replace_uses_if(made.result(), |one| {
                one.user != *made && !one.user.isa::<py::Unpack>()
            });
            // The code may ask the iterator for its iterator: always in 3.15, and in late 3.13.
            for again in (made.result().users().into_iter()).filter_map(py::GetIter::of) {
                again.result().replace_all_uses(made.result());
                self.builder.erase_op(*again);
            }
            if made.is_unused() {
                self.builder.erase_op(*made);
            }
        }
        let old = entry.argument_values();
        let mut values = Vec::new();
        let variables = &captured.variables;
        for _ in variables {
            values.push(entry.push_argument(object, function.location()));
        }
        // The new ones come first.
        for argument in &old {
            let moved = entry.push_argument(object, argument.location());
            argument.replace_all_uses(moved);
        }
        for _ in &old {
            entry.remove_argument(0);
        }
        for (position, &(index, _)) in variables.iter().enumerate() {
            if let Some(index) = index {
                self.replace_cells(function, index, |_| entry.argument_value(position));
            }
        }
        for made in &captured.functions {
            let captured = made.captured.iter().map(|at| entry.argument_value(*at));
            let captured: Vec<_> = captured.collect();
            self.replace_cells(function, made.index, |builder| {
                self.make_function(builder, made.code, &captured)
            });
        }
        let names = variables.iter().map(|(_, name)| self.text(name));
        let names: Vec<_> = names.chain(function.arg_names()).collect();
        function.set_arg_names(&names);
        let positional = function.posonlyargcount();
        let count = variables.len() as i64;
        if count > 0 {
            let inputs = vec![object; names.len()];
            let ty = FunctionType::new(context, &inputs, &[object]);
            function.set_function_type(ty.into());
            function.set_posonlyargcount(positional + count);
            function.set_attr(marks::CAPTURES, self.integer(count));
        }
        defaults.enter(context, function);
        Ok(())
    }

    /// Passes what a generator expression goes through instead of its iterator.
    fn pass_iterables(&self, object: Value<'c, 'a>) {
        for call in object.users().into_iter().filter_map(py::Call::of) {
            let mut arguments = call.args();
            let iterator = arguments.first().copied();
            if let Some(made) = iterator.and_then(py::GetIter::defining) {
                arguments[0] = made.iterable();
                call.set_args(&arguments);
                if made.is_unused() {
                    self.builder.erase_op(*made);
                }
            }
        }
    }
}

/// Whether a function is the code of a generator expression, whose argument is an iterator.
pub(super) fn is_generator_expression(function: py::Func) -> bool {
    let names = function.arg_names();
    let last = names.last().and_then(|name| name.string_value());
    function.kind() == FunctionKind::Generator && last == Some(IMPLICIT)
}
