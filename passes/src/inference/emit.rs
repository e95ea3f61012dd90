//! The emission API: what typing functions build their results with.
//!
//! Each typing function is written once and runs in both phases. In the analysis no IR is made:
//! a [`Val`] carries a type, and maybe the value known at compile time. In the emission the same
//! calls make operations too. So what was inferred is what is emitted.
//!
//! The emitter knows no family of operations. What one family needs of others, such as the equality
//! of a tuple's items, it asks of the emitter's [`Rules`], through [`rules`](super::rules).

mod constants;
mod operations;
mod sequences;

use crate::{
    inference::{
        arguments::Arguments,
        issue::Typing,
        program::{
            Program,
            specialization::SpecId,
            uses::{Demand, Use},
        },
        val::Val,
    },
    infra::{
        AttributeExt, BlockExt, Builder, Identity, Key, OpView, OperationExt, ValueExt,
        ops::{py, typed},
    },
    types::{number::Number, tuples::elements},
};
use melior::{
    Context,
    ir::{Attribute, Location, Type, Value, attribute::StringAttribute},
};
use pyopt_dialects::{
    enums::{PyBinaryKind, PyCompareKind, PyUnaryKind},
    typed::TypedType,
};
use std::collections::HashSet;

/// Makes typed values, and operations for them when there is something to emit to.
pub(crate) struct Emit<'p, 'c, 'a> {
    /// The module under inference.
    pub(super) program: &'p mut Program<'c, 'a>,
    /// What to emit with; nothing in the analysis.
    pub(super) builder: Option<&'p Builder<'c, 'a>>,
    /// The location of what is typed.
    pub(super) location: Location<'c>,
    /// The specialisation that it is in.
    pub(super) specialization: SpecId,
    /// The typing rules of Python's operations.
    pub(super) rules: &'static Rules,
    /// Values of the `py` function that should have another type of list: see `refinement`.
    pub(super) wishes: Vec<Wish<'c, 'a>>,
    /// The specialisation that was called last, but those of the library.
    pub(super) callee: Option<SpecId>,
    /// The items of tuples that were made for the operation that is typed, such as further arguments: wishes for
    /// those are wishes for these.
    pub(super) parts: Vec<Vec<Val<'c, 'a>>>,
    /// Values for which there will be a wish, once it is known what for: later ones come behind it.
    pub(super) awaited: HashSet<Key>,
}

/// A value of the `py` function that should have another type of list.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wish<'c, 'a> {
    /// The value.
    pub value: Value<'c, 'a>,
    /// The type.
    pub ty: Type<'c>,
    /// The use that asks for it.
    pub cause: Use<'c>,
    /// Whether the value can't have the type.
    pub clashes: bool,
}

impl<'c, 'a> Wish<'c, 'a> {
    /// A wish for a value that is used as a type at a place.
    pub fn new(value: Value<'c, 'a>, ty: Type<'c>, place: Location<'c>) -> Self {
        Self {
            value,
            ty,
            cause: Use {
                place,
                at: place,
                ty,
            },
            clashes: false,
        }
    }
}

/// The value that another one is a name or a method of.
fn root<'c: 'a, 'a>(mut value: Value<'c, 'a>) -> Value<'c, 'a> {
    loop {
        value = match value.defining_op().and_then(py::Op::of) {
            Some(py::Op::GetAttr(get)) => get.object(),
            Some(py::Op::NewReference(same)) => same.value(),
            Some(py::Op::CheckBound(check)) => check.value(),
            Some(py::Op::Inplace(inplace)) => inplace.lhs(),
            _ => return value,
        };
    }
}

/// A typing rule: the result of an operation of Python's on a value of any type.
type UnaryRule = for<'c, 'a> fn(&mut Emit<'_, 'c, 'a>, Val<'c, 'a>) -> Typing<Val<'c, 'a>>;

/// A typing rule for two values.
type BinaryRule =
    for<'c, 'a> fn(&mut Emit<'_, 'c, 'a>, Val<'c, 'a>, Val<'c, 'a>) -> Typing<Val<'c, 'a>>;

/// A typing rule for the two operands of an operator of some kind.
type OperatorRule<Kind> =
    for<'c, 'a> fn(&mut Emit<'_, 'c, 'a>, Kind, Val<'c, 'a>, Val<'c, 'a>) -> Typing<Val<'c, 'a>>;

/// The typing rules of Python's operations, each of which chooses among the families by the types
/// of the operands: what a family of operations may ask of all others, without knowing them.
///
/// There is one table, which [`dispatch`](super::dispatch) fills; [`rules`](super::rules) asks it.
pub(crate) struct Rules {
    /// `op operand`.
    pub unary:
        for<'c, 'a> fn(&mut Emit<'_, 'c, 'a>, PyUnaryKind, Val<'c, 'a>) -> Typing<Val<'c, 'a>>,
    /// `lhs op rhs`.
    pub binary: OperatorRule<PyBinaryKind>,
    /// `lhs op= rhs`.
    pub inplace: OperatorRule<PyBinaryKind>,
    /// `lhs op rhs` for a comparison.
    pub compare: OperatorRule<PyCompareKind>,
    /// `lhs is rhs`.
    pub identity: BinaryRule,
    /// `item in container`.
    pub contains: BinaryRule,
    /// `bool(operand)`.
    pub truth: UnaryRule,
    /// `iter(operand)`.
    pub iterate: UnaryRule,
    /// A value as one of a type that holds it.
    pub coerce: for<'c, 'a> fn(&mut Emit<'_, 'c, 'a>, Val<'c, 'a>, Type<'c>) -> Typing<Val<'c, 'a>>,
    /// `object.name`.
    pub attribute: for<'c, 'a> fn(&mut Emit<'_, 'c, 'a>, Val<'c, 'a>, &str) -> Typing<Val<'c, 'a>>,
    /// `object[index]`.
    pub item: BinaryRule,
    /// `object[index] = value`.
    pub set_item:
        for<'c, 'a> fn(&mut Emit<'_, 'c, 'a>, Val<'c, 'a>, Val<'c, 'a>, Val<'c, 'a>) -> Typing<()>,
    /// `callee(arguments)`.
    pub call: for<'c, 'a> fn(
        &mut Emit<'_, 'c, 'a>,
        Val<'c, 'a>,
        Arguments<'c, 'a>,
    ) -> Typing<Val<'c, 'a>>,
    /// A call of what a qualified name stands for.
    pub call_named:
        for<'c, 'a> fn(&mut Emit<'_, 'c, 'a>, &'c str, &Arguments<'c, 'a>) -> Typing<Val<'c, 'a>>,
    /// A call of the Python function of a symbol, specialised for the arguments' types.
    pub call_function:
        for<'c, 'a> fn(&mut Emit<'_, 'c, 'a>, &str, &Arguments<'c, 'a>) -> Typing<Val<'c, 'a>>,
    /// A constant of the code, a default, or what a global name is bound to.
    pub constant: for<'c, 'a> fn(&mut Emit<'_, 'c, 'a>, Attribute<'c>) -> Typing<Val<'c, 'a>>,
}

impl<'p, 'c, 'a> Emit<'p, 'c, 'a> {
    /// An emitter for a specialisation, at a location; without a builder it only finds types.
    pub fn new(
        program: &'p mut Program<'c, 'a>,
        builder: Option<&'p Builder<'c, 'a>>,
        location: Location<'c>,
        specialization: SpecId,
        rules: &'static Rules,
    ) -> Self {
        Self {
            program,
            builder,
            location,
            specialization,
            rules,
            wishes: Vec::new(),
            callee: None,
            parts: Vec::new(),
            awaited: HashSet::new(),
        }
    }
}

impl<'c, 'a> Emit<'_, 'c, 'a> {
    /// The MLIR context.
    pub fn context(&self) -> &'c Context {
        self.program.context
    }

    /// Python's int.
    pub fn si64(&self) -> Type<'c> {
        Number::INT64.to_type(self.context())
    }

    /// Python's float.
    pub fn f64(&self) -> Type<'c> {
        Number::FLOAT64.to_type(self.context())
    }

    /// Python's bool.
    pub fn i1(&self) -> Type<'c> {
        Number::Bool.to_type(self.context())
    }

    /// A type of the `typed` dialect.
    pub fn type_of(&self, r#type: TypedType<'c>) -> Type<'c> {
        r#type.to_type(self.context())
    }

    /// Whether a type is an integer or a bool.
    pub fn is_int(&self, r#type: Type<'c>) -> bool {
        Number::of(r#type).is_some_and(Number::is_integral)
    }

    /// The result, of a type, of the operation that `make` makes in the emission.
    pub fn op<V: OpView<'c, 'a>>(
        &self,
        ty: Type<'c>,
        make: impl FnOnce(&Builder<'c, 'a>) -> V,
    ) -> Val<'c, 'a> {
        let value = self
            .builder
            .map(|builder| make(builder).operation().result_value(0));
        Val::new(ty, value)
    }

    /// What `make` makes in the emission: an operation without results.
    pub fn effect<V>(&self, make: impl FnOnce(&Builder<'c, 'a>) -> V) {
        if let Some(builder) = self.builder {
            make(builder);
        }
    }

    /// An operation with one result and one region of one block, which ends with `typed.yield`.
    /// `body` computes what is yielded of the block's arguments, `result` the operation's type of
    /// what is yielded, and `make` makes the operation of that type.
    pub fn region_op<V: OpView<'c, 'a>>(
        &mut self,
        arguments: &[Type<'c>],
        make: impl FnOnce(&Builder<'c, 'a>, Type<'c>) -> V,
        body: impl Fn(&mut Self, &[Val<'c, 'a>]) -> Typing<Val<'c, 'a>>,
        result: impl FnOnce(&Self, Type<'c>) -> Type<'c>,
    ) -> Typing<Val<'c, 'a>> {
        // The operation's type depends on what the body yields, so that is typed first.
        let builder = self.builder.take();
        let typed_arguments: Vec<_> = arguments.iter().map(|&ty| Val::new(ty, None)).collect();
        let typed = body(self, &typed_arguments);
        self.builder = builder;
        let ty = result(self, typed?.ty);

        let Some(builder) = builder else {
            return Ok(Val::new(ty, None));
        };
        let operation = make(builder, ty).operation();
        let block = builder.append_block(operation.region_at(0), arguments);
        let arguments: Vec<_> = block
            .argument_values()
            .into_iter()
            .zip(arguments)
            .map(|(value, &ty)| Val::new(ty, Some(value)))
            .collect();
        builder.at_start(block);
        let yielded = body(self, &arguments)?;
        self.effect(|b| typed::Yield::create(b, &[yielded.ir()]));
        builder.after(operation);
        Ok(Val::new(ty, Some(operation.result_value(0))))
    }

    /// Whether integer and float division by zero raise, as they do in Python.
    pub fn checks_division(&self) -> bool {
        self.program.specializations[self.specialization].python_errors && !self.is_library()
    }

    /// Whether indices are checked: those of all functions where the program is checked, and those of a function whose
    /// decorator asks for it.
    pub fn checks_bounds(&self) -> bool {
        let function = &self.program.specializations[self.specialization].function;
        (self.program.bounds_checks || function.boundscheck()) && !self.is_library()
    }

    /// Whether the function is of the overload library.
    pub fn is_library(&self) -> bool {
        let specialization = &self.program.specializations[self.specialization];
        specialization.function.library.is_some()
    }

    /// Whether operations are made.
    pub fn is_emitting(&self) -> bool {
        self.builder.is_some()
    }

    /// A text that lives as long as the context.
    pub fn intern(&self, text: &str) -> &'c str {
        let attribute: Attribute = StringAttribute::new(self.context(), text).into();
        attribute.string_value().expect("the attribute is a string")
    }

    /// A method that is bound to its receiver. It must be called before any branch.
    pub fn method(&self, receiver: Val<'c, 'a>, name: &str) -> Val<'c, 'a> {
        let ty = self.type_of(TypedType::Method(receiver.ty, self.intern(name)));
        Val {
            literal: receiver.order_mark().map(Into::into),
            ..Val::new(ty, receiver.value)
        }
    }

    /// Wishes that a value is another type of list, where it is made.
    pub fn wish(&mut self, value: Val<'c, 'a>, ty: Type<'c>) {
        let location = self.location;
        self.add_wish(value, |origin, ty| Wish::new(origin, ty, location), ty);
    }

    /// Says that a value would have to be of a type that nothing is which has its own: the error shows what gave
    /// it that.
    pub fn clash(&mut self, value: Val<'c, 'a>, ty: Type<'c>) {
        let location = self.location;
        let make = |origin, ty| Wish {
            clashes: true,
            ..Wish::new(origin, ty, location)
        };
        self.add_wish(value, make, ty);
    }

    /// Passes a callee's demand on to what is passed. Uses in the library are where it is called.
    pub fn pass_demand(&mut self, value: Val<'c, 'a>, demand: Demand<'c>, is_library: bool) {
        let Demand {
            ty,
            mut cause,
            clashes,
            ..
        } = demand;
        if is_library {
            cause.place = self.location;
        }
        let make = |value, ty| Wish {
            value,
            ty,
            cause,
            clashes,
        };
        self.add_wish(value, make, ty);
    }

    fn add_wish(
        &mut self,
        value: Val<'c, 'a>,
        make: impl Fn(Value<'c, 'a>, Type<'c>) -> Wish<'c, 'a> + Copy,
        ty: Type<'c>,
    ) {
        if self.is_emitting() {
            return;
        }
        if let Some(origin) = value.origin {
            self.wishes.push(make(origin, ty));
            return;
        }
        let items = value.parts.and_then(|parts| self.parts.get(parts)).cloned();
        for (item, ty) in items
            .into_iter()
            .flatten()
            .zip(elements(ty).unwrap_or_default())
        {
            if item.ty != ty {
                self.add_wish(item, make, ty);
            }
        }
    }

    /// Says that a value will get a wish, for which something isn't known yet.
    pub fn await_wish(&mut self, value: Val<'c, 'a>) {
        if let Some(origin) = value.origin {
            self.awaited.insert(root(origin).key());
        }
    }

    /// Whether a wish is awaited for a value.
    pub fn awaits_wish(&self, value: Val<'c, 'a>) -> bool {
        let origin = value.origin;
        origin.is_some_and(|origin| self.awaited.contains(&root(origin).key()))
    }

    /// Converts a value to a type that holds it: a wider number, an array with a looser layout, a
    /// tuple of such, None or a value.
    pub fn coerce(&mut self, operand: Val<'c, 'a>, ty: Type<'c>) -> Typing<Val<'c, 'a>> {
        (self.rules.coerce)(self, operand, ty)
    }
}
