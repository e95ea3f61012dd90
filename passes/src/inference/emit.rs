//! The emission API: what typing functions build their results with.
//!
//! Each typing function is written once and runs in both phases. In the analysis no IR is made:
//! an [`Val`] carries a type, and maybe the value known at compile time. In the emission the same
//! calls make operations too. So what was inferred is what is emitted.

use super::{
    choices, closures, exceptions,
    issue::{Stop, Typing},
    lists, optional,
    program::Program,
    sequences,
    specialization::SpecId,
    times, tuples,
};
use crate::{
    infra::{
        AttributeExt, BlockExt, Builder, OpView, OperationExt,
        ops::{arith, typed},
    },
    types::{display::display, number::Number, sequences::class_of, tuples::elements},
};
use melior::{
    Context,
    ir::{
        Attribute, Location, Type, Value,
        attribute::{
            ArrayAttribute, BoolAttribute, FloatAttribute, IntegerAttribute, StringAttribute,
        },
        r#type::TupleType,
    },
};
use pyopt_dialects::{
    enums::{BinaryKind, CompareKind, UnaryKind},
    times::Time,
    typed::{TypedType, array_type},
};

/// A value: its type, what it is if that is known, and in the emission the IR's value.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Val<'c, 'a> {
    /// The type.
    pub ty: Type<'c>,
    /// The value itself, when it is known at compile time: a number, a bool, a string, or an
    /// array of them for a tuple.
    pub literal: Option<Attribute<'c>>,
    /// The IR's value; that of the receiver for a bound method.
    pub(super) value: Option<Value<'c, 'a>>,
    /// The value of the `py` function that it is, if it is one.
    pub(super) origin: Option<Value<'c, 'a>>,
}

impl<'c, 'a> Val<'c, 'a> {
    /// A value of a type of which nothing else is known.
    pub(super) const fn new(ty: Type<'c>, value: Option<Value<'c, 'a>>) -> Self {
        Self {
            ty,
            literal: None,
            value,
            origin: None,
        }
    }

    /// The IR's value, which there is in the emission only.
    pub(super) fn ir(&self) -> Value<'c, 'a> {
        self.value.expect("values are emitted before they are used")
    }

    /// The number of an integer or bool that is known at compile time.
    pub fn literal_int(&self) -> Option<i64> {
        self.literal?.integer_value()
    }

    /// The bool that is known at compile time.
    pub fn literal_bool(&self) -> Option<bool> {
        self.literal?.bool_value()
    }

    /// The float that is known at compile time.
    pub fn literal_float(&self) -> Option<f64> {
        self.literal?.float_value()
    }

    /// The number that is known at compile time, of a complex one without an imaginary part.
    pub fn literal_real(&self) -> Option<f64> {
        match self.literal?.elements()?.as_slice() {
            [real, imag] if imag.float_value()? == 0.0 => real.float_value(),
            _ => None,
        }
    }

    /// The text that is known at compile time.
    pub fn literal_str(&self) -> Option<&'c str> {
        self.literal?.string_value()
    }

    /// Whether it is None.
    pub fn is_none(&self) -> bool {
        TypedType::from(self.ty) == TypedType::None
    }

    /// What kind of number it is, if it is one.
    pub fn number(&self) -> Option<Number> {
        Number::of(self.ty)
    }
}

/// Makes typed values, and operations for them when there is something to emit to.
pub(crate) struct Emit<'p, 'c, 'a> {
    pub(super) program: &'p mut Program<'c, 'a>,
    pub(super) builder: Option<&'p Builder<'c, 'a>>,
    pub(super) location: Location<'c>,
    pub(super) specialization: SpecId,
    /// Values of the `py` function that should have another type of list: see `refinement`.
    pub(super) wishes: Vec<(Value<'c, 'a>, Type<'c>)>,
}

impl<'c, 'a> Emit<'_, 'c, 'a> {
    /// The MLIR context.
    pub fn context(&self) -> &'c Context {
        self.program.context
    }

    // Types

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

    // Constants

    /// A constant number, bool or string.
    pub fn constant(&mut self, literal: Attribute<'c>, ty: Type<'c>) -> Val<'c, 'a> {
        let mut constant = self.op(ty, |b| typed::Constant::create(b, literal, ty));
        constant.literal = Some(literal);
        constant
    }

    /// A constant int.
    pub fn int(&mut self, value: i64) -> Val<'c, 'a> {
        self.int_of(value, self.si64())
    }

    /// A constant of an integer type or `index`.
    pub fn int_of(&mut self, value: i64, ty: Type<'c>) -> Val<'c, 'a> {
        self.constant(IntegerAttribute::new(ty, value).into(), ty)
    }

    /// A constant float.
    pub fn float(&mut self, value: f64) -> Val<'c, 'a> {
        self.float_of(value, self.f64())
    }

    /// A constant of a float type.
    pub fn float_of(&mut self, value: f64, ty: Type<'c>) -> Val<'c, 'a> {
        self.constant(FloatAttribute::new(self.context(), ty, value).into(), ty)
    }

    /// A constant of any type of numbers, or so many units of a type of times.
    pub fn number(&mut self, value: i64, ty: Type<'c>) -> Val<'c, 'a> {
        match Number::of(ty) {
            Some(Number::Bool) => self.bool(value != 0),
            Some(Number::Float(_)) => self.float_of(value as f64, ty),
            Some(Number::Complex(width)) => {
                let part = Number::Float(width);
                self.complex(value as f64, 0.0, part)
            }
            None if let Some(time) = Time::of(ty) => {
                let ticks = self.int(value);
                times::from_ticks(self, ticks, time)
            }
            _ => self.int_of(value, ty),
        }
    }

    /// A constant complex number whose parts are of a kind of float.
    pub fn complex(&mut self, real: f64, imag: f64, part: Number) -> Val<'c, 'a> {
        let context = self.context();
        let part_type = part.to_type(context);
        let parts = [real, imag].map(|part| FloatAttribute::new(context, part_type, part).into());
        let Number::Float(width) = part else {
            unreachable!("the parts of a complex number are floats")
        };
        let literal = ArrayAttribute::new(context, &parts).into();
        self.constant(literal, Number::Complex(width).to_type(context))
    }

    /// A constant bool.
    pub fn bool(&mut self, value: bool) -> Val<'c, 'a> {
        let literal = BoolAttribute::new(self.context(), value).into();
        self.constant(literal, self.i1())
    }

    /// A constant string.
    pub fn string(&mut self, value: &str) -> Val<'c, 'a> {
        let literal = StringAttribute::new(self.context(), value).into();
        self.constant(literal, self.type_of(TypedType::Str))
    }

    /// None.
    pub fn none(&mut self) -> Val<'c, 'a> {
        self.singleton(TypedType::None)
    }

    /// The value of a type that has only one.
    pub fn singleton(&mut self, r#type: TypedType<'c>) -> Val<'c, 'a> {
        let ty = self.type_of(r#type);
        self.op(ty, |b| typed::Singleton::create(b, ty))
    }

    // Operations

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

    /// `typed.binary` on two values of one type.
    pub fn binary(&mut self, kind: BinaryKind, lhs: Val<'c, 'a>, rhs: Val<'c, 'a>) -> Val<'c, 'a> {
        debug_assert_eq!(lhs.ty, rhs.ty, "the operands of {kind:?} have one type");
        self.op(lhs.ty, |b| {
            typed::Binary::create(b, kind, lhs.ir(), rhs.ir())
        })
    }

    /// `typed.unary`, whose result has the operand's type but for predicates and parts of complex
    /// numbers.
    pub fn unary(&mut self, kind: UnaryKind, operand: Val<'c, 'a>) -> Val<'c, 'a> {
        let ty = match (kind, operand.number()) {
            (UnaryKind::IsNan | UnaryKind::IsInf | UnaryKind::IsFinite, _) => self.i1(),
            (UnaryKind::Abs | UnaryKind::Real | UnaryKind::Imag, Some(Number::Complex(width))) => {
                Number::Float(width).to_type(self.context())
            }
            _ => operand.ty,
        };
        self.op(ty, |b| typed::Unary::create(b, kind, operand.ir(), ty))
    }

    /// `typed.compare` of two values of one type.
    pub fn compare(
        &mut self,
        kind: CompareKind,
        lhs: Val<'c, 'a>,
        rhs: Val<'c, 'a>,
    ) -> Val<'c, 'a> {
        debug_assert_eq!(lhs.ty, rhs.ty, "the operands of {kind:?} have one type");
        self.op(self.i1(), |b| {
            typed::Compare::create(b, kind, lhs.ir(), rhs.ir())
        })
    }

    /// One of two values of one type.
    pub fn select(
        &mut self,
        condition: Val<'c, 'a>,
        yes: Val<'c, 'a>,
        no: Val<'c, 'a>,
    ) -> Val<'c, 'a> {
        match condition.literal_bool() {
            Some(true) => yes,
            Some(false) => no,
            // Upstream would make a zero extension of it, which isn't defined on signed integers.
            None if self.is_int(yes.ty)
                && (yes.literal_int(), no.literal_int()) == (Some(1), Some(0)) =>
            {
                self.cast(condition, yes.ty)
            }
            None => self.op(yes.ty, |b| {
                arith::Select::create(b, condition.ir(), yes.ir(), no.ir())
            }),
        }
    }

    /// Whether both bools hold.
    pub fn and(&mut self, lhs: Val<'c, 'a>, rhs: Val<'c, 'a>) -> Val<'c, 'a> {
        match (lhs.literal_bool(), rhs.literal_bool()) {
            (Some(true), _) | (_, Some(false)) => rhs,
            (_, Some(true)) | (Some(false), _) => lhs,
            (None, None) => self.binary(BinaryKind::And, lhs, rhs),
        }
    }

    /// Whether one of two bools holds.
    pub fn or(&mut self, lhs: Val<'c, 'a>, rhs: Val<'c, 'a>) -> Val<'c, 'a> {
        match (lhs.literal_bool(), rhs.literal_bool()) {
            (Some(false), _) | (_, Some(true)) => rhs,
            (_, Some(false)) | (Some(true), _) => lhs,
            (None, None) => self.binary(BinaryKind::Or, lhs, rhs),
        }
    }

    /// Whether a bool does not hold.
    pub fn not(&mut self, operand: Val<'c, 'a>) -> Val<'c, 'a> {
        if let Some(value) = operand.literal_bool() {
            return self.bool(!value);
        }
        let yes = self.bool(true);
        self.binary(BinaryKind::Xor, operand, yes)
    }

    /// Converts a number to another type of number, as NumPy's `astype` does. Constants stay
    /// known where their value is exact.
    pub fn cast(&mut self, operand: Val<'c, 'a>, ty: Type<'c>) -> Val<'c, 'a> {
        if operand.ty == ty {
            return operand;
        }
        let literal = match (Number::of(ty), operand.literal_int()) {
            (Some(Number::Int { width: 64, .. }), Some(value)) => {
                Some(IntegerAttribute::new(ty, value).into())
            }
            _ => None,
        };
        let mut result = self.op(ty, |b| typed::Cast::create(b, operand.ir(), ty));
        result.literal = literal;
        result
    }

    /// Converts a value to a type that holds it: a wider number, an array with a looser layout, a
    /// tuple of such, None or a value.
    pub fn coerce(&mut self, operand: Val<'c, 'a>, ty: Type<'c>) -> Typing<Val<'c, 'a>> {
        if operand.ty == ty {
            return Ok(operand);
        }
        if let Some(converted) = optional::coerce(self, operand, ty) {
            return converted;
        }
        if let (Some(from), Some(to)) = (operand.number(), Number::of(ty)) {
            let loses_imaginary_part = matches!(from, Number::Complex(_))
                && !matches!(to, Number::Complex(_) | Number::Bool);
            if !loses_imaginary_part {
                return Ok(self.cast(operand, ty));
            }
        }
        if let Some(converted) = times::assigned(self, operand, ty) {
            return converted;
        }
        if let (Some(from), Some(to)) = (array_type(operand.ty), array_type(ty))
            && from.rank == to.rank
            && from.element == to.element
            && (to.readonly || !from.readonly)
            && (from.layout == to.layout || !to.layout.is_contiguous())
        {
            return Ok(self.op(ty, |b| typed::View::create(b, operand.ir(), &[], ty)));
        }
        if let Some(converted) = lists::coerce(self, operand, ty) {
            return converted;
        }
        if let Some(converted) = choices::coerce(self, operand, ty) {
            return Ok(converted);
        }
        if let Some(converted) = closures::coerce(self, operand, ty) {
            return converted;
        }
        if let (Some(items), Some(types)) = (tuples::unpack(self, operand), elements(ty))
            && items.len() == types.len()
            && class_of(operand.ty) == class_of(ty)
        {
            let items = items
                .into_iter()
                .zip(types)
                .map(|(item, ty)| self.coerce(item, ty))
                .collect::<Typing<Vec<_>>>()?;
            let tuple = self.tuple(&items);
            return Ok(match TypedType::from(ty) {
                TypedType::Sequence(_, class) => sequences::of_class(self, tuple, class),
                _ => tuple,
            });
        }
        if TypedType::from(ty) == TypedType::Exception
            && let Some(exception) = exceptions::make(self, operand)
        {
            return Ok(exception);
        }
        Err(Stop::issue(format!(
            "can't convert {} to {}",
            display(operand.ty),
            display(ty)
        )))
    }

    /// Makes a tuple.
    pub fn tuple(&mut self, items: &[Val<'c, 'a>]) -> Val<'c, 'a> {
        let context = self.context();
        let types: Vec<_> = items.iter().map(|item| item.ty).collect();
        let literals: Option<Vec<_>> = items.iter().map(|item| item.literal).collect();
        let ty = TupleType::new(context, &types).into();
        let mut tuple = self.op(ty, |b| typed::Tuple::create(b, &values(items), ty));
        tuple.literal = literals.map(|items| ArrayAttribute::new(context, &items).into());
        tuple
    }

    /// The element of a tuple at a position it has.
    pub fn tuple_get(&mut self, tuple: Val<'c, 'a>, position: usize) -> Val<'c, 'a> {
        let tuple = sequences::as_tuple(self, tuple);
        let ty = elements(tuple.ty).expect("the operand is a tuple")[position];
        let literal = tuple
            .literal
            .and_then(AttributeExt::elements)
            .and_then(|items| items.get(position).copied());
        let mut item = self.op(ty, |b| {
            typed::TupleGet::create(b, tuple.ir(), position as i64, ty)
        });
        item.literal = literal;
        item
    }

    /// Raises an exception when a condition holds.
    pub fn raise_if(&mut self, condition: Val<'c, 'a>, exception: &str, message: Option<&str>) {
        if condition.literal_bool() == Some(false) {
            return;
        }
        let class = StringAttribute::new(self.context(), exception).into();
        self.effect(|b| {
            typed::RaiseIf::create(b, condition.ir(), class, &[]).set_message(message);
        });
    }

    /// A text that lives as long as the context.
    pub fn intern(&self, text: &str) -> &'c str {
        let attribute: Attribute = StringAttribute::new(self.context(), text).into();
        attribute.string_value().expect("the attribute is a string")
    }

    /// Whether integer and float division by zero raise, as they do in Python. A function that was
    /// decorated says so itself.
    pub fn checks_division(&self) -> bool {
        let function = &self.program.specializations[self.specialization].function;
        let raises = match function.error_model() {
            Some(model) => model == "python",
            None => self.program.python_errors,
        };
        raises && !self.is_library()
    }

    /// Whether indices are checked.
    pub fn checks_bounds(&self) -> bool {
        self.program.bounds_checks && !self.is_library()
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
}

/// The IR's values of operands.
pub(super) fn values<'c, 'a>(operands: &[Val<'c, 'a>]) -> Vec<Value<'c, 'a>> {
    operands.iter().map(Val::ir).collect()
}
