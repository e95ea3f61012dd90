//! `py-convert-closures`: gives inner functions their free variables as parameters.
//!
//! Closure conversion. What `py-inline-closures` leaves is a function object that is passed on, or
//! the call of a generator expression. Its free variables become leading parameters, and the object
//! holds their values. That means the same as Python's cells where no variable is assigned while
//! the object is in use; else the operation says which one is.

use super::{
    capture::{Assignments, Capture},
    function_object::{CLOSURE, FunctionObject, constant},
    inlining::Default,
};
use crate::{
    inference::function::{CAPTURES, PyFunction},
    infra::{
        AttributeExt, BlockExt, Builder, OperationAttributes, OperationExt, PassContext,
        PassResult, PassSpec, RegionExt, StatisticSpec, ValueExt, erase_unused,
    },
};
use melior::ir::{
    Attribute, Identifier, OperationRef, Value,
    attribute::{
        ArrayAttribute, DictionaryAttribute, IntegerAttribute, StringAttribute, TypeAttribute,
    },
    operation::OperationLike,
    r#type::{FunctionType, IntegerType},
};
use pyopt_dialects::{enums::FunctionKind, py::object_type};
use std::collections::{BTreeMap, HashMap, HashSet};

/// The parameter of a generator expression.
const IMPLICIT: &str = ".0";

/// On a `py.make_function` that stays: why no values can take the place of its cells.
pub(crate) const REASON: &str = "pyopt.reason";

/// Function objects with values.
pub static PASS: PassSpec = PassSpec {
    description: "The function of a `py.make_function` gets its free variables as its first \
                  parameters, and the operation marked `pyopt.captures` a tuple of their values. \
                  Constant defaults become attributes of the function. A generator expression \
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
    let makers = root.nested("py.make_function");
    if makers.is_empty() {
        return Ok(());
    }
    let mut conversion = Conversion {
        cx,
        builder: Builder::new(cx.context(), root),
        functions: HashMap::new(),
        bound: HashSet::new(),
        captured: BTreeMap::new(),
        assignments: Assignments::default(),
    };
    for operation in root
        .region_at(0)
        .entry()
        .into_iter()
        .flat_map(BlockExt::operation_list)
    {
        let Some(symbol) = operation.symbol_name() else {
            continue;
        };
        match operation.full_name() {
            "py.func" => {
                conversion.functions.insert(symbol, operation);
            }
            _ => {
                conversion.bound.insert(symbol);
            }
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
    functions: HashMap<&'c str, OperationRef<'c, 'a>>,
    /// Symbols with a binding.
    bound: HashSet<&'c str>,
    /// Which free variables of a converted function are its parameters, and their names.
    captured: BTreeMap<&'c str, Vec<(usize, &'c str)>>,
    assignments: Assignments,
}

/// What a `py.make_function` is made of.
#[derive(std::default::Default)]
struct Parts<'c, 'a> {
    defaults: Option<Attribute<'c>>,
    keyword_defaults: Option<Attribute<'c>>,
    cells: Vec<Value<'c, 'a>>,
}

impl<'c: 'a, 'a> Conversion<'_, 'c, 'a> {
    /// Converts a function object; false where its cells aren't known.
    fn convert(&mut self, maker: OperationRef<'c, 'a>) -> PassResult<bool> {
        let code = maker.symbol_attr("code").unwrap_or_default();
        let Some(&function) = self.functions.get(code) else {
            return Ok(false);
        };
        if PyFunction::read(function)?.varkeywords {
            return Ok(self.refuse(maker, "a function with **kwargs"));
        }
        let Some(parts) = self.parts(maker) else {
            return Ok(self.refuse(maker, "a default that isn't a constant"));
        };
        let captured = match self.captured.get(code) {
            Some(known) => known.clone(),
            None => self.free_variables(function),
        };
        let mut cells = Vec::new();
        for &(index, name) in &captured {
            let Some(cell) = parts.cells.get(index).copied() else {
                return Ok(false);
            };
            let Some(made) = cell.defined_by("py.make_cell") else {
                return Ok(false);
            };
            if self.assignments.include(function, index, &self.functions) {
                return Ok(self.refuse(maker, &format!("the assignment to '{name}' in it")));
            }
            let capture = Capture::new(maker, made);
            if capture.may_be_empty() {
                return Ok(self.refuse(maker, &format!("'{name}', which may have no value yet")));
            }
            if capture.is_changed_in_use() {
                let what = format!("'{name}', which is assigned while the function is in use");
                return Ok(self.refuse(maker, &what));
            }
            cells.push((cell, name));
        }
        if !self.captured.contains_key(code) {
            self.add_parameters(function, &captured, &parts)?;
            self.captured.insert(code, captured);
        }
        let object = object_type(self.cx.context());
        self.builder.before(maker).at(maker.location());
        let values: Vec<_> = cells
            .into_iter()
            .map(|(cell, name)| {
                let name = ("name", self.text(name));
                self.builder.value("py.load_cell", &[cell], object, &[name])
            })
            .collect();
        let closure = self.builder.value("py.build_tuple", &values, object, &[]);
        let made = self.builder.value(
            "py.make_function",
            &[closure],
            object,
            &[
                ("code", maker.attr("code").expect("a function has code")),
                ("flags", self.integer(CLOSURE)),
                (CAPTURES, self.integer(values.len() as i64)),
            ],
        );
        let parts = maker.operand_values();
        self.builder.replace_op(maker, &[made]);
        erase_unused(parts, |part| {
            matches!(
                part.full_name(),
                "py.build_tuple" | "py.build_map" | "py.constant"
            )
        });
        if is_generator_expression(function) {
            self.pass_iterables(made);
        }
        self.cx.bump("converted", 1);
        Ok(true)
    }

    /// Says why a function object can't be converted; it isn't looked at again.
    fn refuse(&self, maker: OperationRef<'c, 'a>, reason: &str) -> bool {
        maker.set_attr(REASON, StringAttribute::new(self.cx.context(), reason));
        true
    }

    fn text(&self, text: &str) -> Attribute<'c> {
        StringAttribute::new(self.cx.context(), text).into()
    }

    fn integer(&self, value: i64) -> Attribute<'c> {
        IntegerAttribute::new(IntegerType::new(self.cx.context(), 64).into(), value).into()
    }

    /// The defaults of a function object as attributes; `None` where one is no constant.
    fn parts(&self, maker: OperationRef<'c, 'a>) -> Option<Parts<'c, 'a>> {
        let context = self.cx.context();
        let object = FunctionObject::of(maker)?;
        let mut parts = Parts {
            cells: object.cells,
            ..std::default::Default::default()
        };
        if let Some(defaults) = object.defaults {
            let items = defaults.into_iter().map(|default| match default {
                Default::Constant(value) => Some(value),
                Default::Value(value) => constant(value),
            });
            let items: Option<Vec<_>> = items.collect();
            parts.defaults = Some(ArrayAttribute::new(context, &items?).into());
        }
        if let Some(defaults) = object.keyword_defaults {
            let entries = defaults.into_iter().map(|(name, value)| {
                let name = Identifier::new(context, name);
                Some((name, constant(value)?))
            });
            let entries: Option<Vec<_>> = entries.collect();
            parts.keyword_defaults = Some(DictionaryAttribute::new(context, &entries?).into());
        }
        Some(parts)
    }

    /// The free variables that no binding gives a meaning, by their position in the closure.
    fn free_variables(&self, function: OperationRef<'c, 'a>) -> Vec<(usize, &'c str)> {
        let names = function.array_attr("freevars").unwrap_or_default();
        let free = function.nested("py.free_cell").into_iter();
        let mut captured: BTreeMap<usize, &'c str> = BTreeMap::new();
        for cell in free {
            let is_bound = cell
                .symbol_attr("binding")
                .is_some_and(|symbol| self.bound.contains(symbol));
            let index = cell.int_attr("index").unwrap_or_default() as usize;
            let name = names.get(index).and_then(|name| name.string_value());
            if !is_bound {
                captured.insert(index, name.unwrap_or_default());
            }
        }
        captured.into_iter().collect()
    }

    /// Makes free variables the first parameters of a function.
    fn add_parameters(
        &self,
        function: OperationRef<'c, 'a>,
        captured: &[(usize, &'c str)],
        parts: &Parts<'c, 'a>,
    ) -> PassResult {
        let context = self.cx.context();
        let object = object_type(context);
        let entry = function.required("body", function.region_at(0).entry())?;
        if is_generator_expression(function) {
            let iterator = entry.argument_value(0);
            let first = function.required("body", entry.first())?;
            self.builder.before(first).at(function.location());
            let made = self.builder.value("py.get_iter", &[iterator], object, &[]);
            // What `py-sink-iterables` unpacks isn't gone through.
            iterator.replace_uses_if(made, |one| {
                one.user.result_values().first() != Some(&made) && !one.user.is("py.unpack")
            });
            if let Some(unused) = made.defining_op().filter(|_| !made.has_uses()) {
                self.builder.erase_op(unused);
            }
        }
        let old = entry.argument_values();
        let mut values = Vec::new();
        for _ in captured {
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
        for (position, &(index, _)) in captured.iter().enumerate() {
            let cells = function.nested("py.free_cell").into_iter();
            for cell in cells.filter(|cell| cell.int_attr("index") == Some(index as i64)) {
                self.builder.before(cell).at(cell.location());
                let value = entry.argument_value(position);
                let made = self.builder.value("py.make_cell", &[value], object, &[]);
                self.builder.replace_op(cell, &[made]);
            }
        }
        let names = captured.iter().map(|(_, name)| self.text(name));
        let names = names.chain(function.array_attr("arg_names").unwrap_or_default());
        let names: Vec<_> = names.collect();
        function.set_attr("arg_names", ArrayAttribute::new(context, &names));
        let positional = function.int_attr("posonlyargcount").unwrap_or_default();
        let count = captured.len() as i64;
        if count > 0 {
            let inputs = vec![object; names.len()];
            let ty = FunctionType::new(context, &inputs, &[object]);
            function.set_attr("function_type", TypeAttribute::new(ty.into()));
            function.set_attr("posonlyargcount", self.integer(positional + count));
            function.set_attr(CAPTURES, self.integer(count));
        }
        if let Some(defaults) = parts.defaults {
            function.set_attr("defaults", defaults);
        }
        if let Some(defaults) = parts.keyword_defaults {
            function.set_attr("kwdefaults", defaults);
        }
        Ok(())
    }

    /// Passes what a generator expression goes through instead of its iterator.
    fn pass_iterables(&self, object: Value<'c, 'a>) {
        for call in object.users() {
            let iterator = call.operand_values().get(1).copied();
            let made = iterator.and_then(|iterator| iterator.defined_by("py.get_iter"));
            if let Some(made) = made.filter(|_| call.is("py.call")) {
                call.set_operand_value(1, made.operand_value(0));
                if made.is_unused() {
                    self.builder.erase_op(made);
                }
            }
        }
    }
}

/// Whether a function is the code of a generator expression, whose argument is an iterator.
pub(super) fn is_generator_expression(function: OperationRef) -> bool {
    let kind = function.attr("kind").and_then(FunctionKind::from_attribute);
    kind == Some(FunctionKind::Generator)
        && function.array_attr("arg_names").is_some_and(|names| {
            let name = names.last().and_then(|name| name.string_value());
            name == Some(IMPLICIT)
        })
}
