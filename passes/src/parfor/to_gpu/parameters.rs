//! What kernels get from the host, and what they make of it.

use super::undefined::is_undefined;
use crate::{
    analysis::{
        effects::Footprint,
        nest::{Nest, is_constant},
    },
    infra::{
        BlockExt, Builder, OperationExt, ValueExt,
        emit::Emit,
        ops::{arith, parfor, typed},
        view_root,
    },
    types::{
        layout::{element_size, tuple_elements},
        number::Number,
    },
};
use melior::ir::{
    Attribute, BlockRef, Identifier, Type, Value,
    attribute::{DictionaryAttribute, IntegerAttribute},
    operation::OperationLike,
    r#type::IntegerType,
};
use mlir_sys::mlirLocationGetAttribute;
use pyopt_dialects::typed::{ArrayType, Layout, TypedType, array_type};

/// A kernel reads elements.
const READ: i64 = 1;
/// A kernel writes elements.
const WRITE: i64 = 2;
/// A kernel writes all elements.
const OVERWRITE: i64 = 4;
/// The elements are undefined before.
const UNDEFINED: i64 = 8;

/// The arguments of a kernel under construction, and its parameters.
pub(super) struct Parameters<'x, 'c, 'a> {
    builder: &'x Builder<'c, 'a>,
    nest: &'x Nest<'c, 'a>,
    entry: BlockRef<'c, 'a>,
    footprint: Footprint<'c, 'a>,
    /// The arguments.
    pub arguments: Vec<Value<'c, 'a>>,
    /// For each argument 0, or how its elements are used.
    pub access: Vec<i64>,
    /// The numbers among the arguments, with their parameters.
    numbers: Vec<(Value<'c, 'a>, Value<'c, 'a>)>,
}

impl<'x, 'c: 'a, 'a> Parameters<'x, 'c, 'a> {
    /// Those of the kernel of a loop, with its entry block.
    pub fn new(
        builder: &'x Builder<'c, 'a>,
        nest: &'x Nest<'c, 'a>,
        entry: BlockRef<'c, 'a>,
    ) -> Self {
        Self {
            builder,
            nest,
            entry,
            footprint: Footprint::of(nest.operation),
            arguments: Vec::new(),
            access: Vec::new(),
            numbers: Vec::new(),
        }
    }

    /// Makes a constant again in the kernel.
    pub fn copy(&self, value: Value<'c, 'a>) -> Value<'c, 'a> {
        let original = value.defining_op().expect("constants are results");
        self.inside()
            .clone_op(original, &[])
            .result_value(value.position())
    }

    /// Passes a value; gives what it is in the kernel.
    pub fn pass(&mut self, value: Value<'c, 'a>) -> Value<'c, 'a> {
        let r#type = value.ty();
        if let Some(array) = array_type(r#type) {
            return self.array(value, array, self.access(value));
        }
        if let TypedType::Sequence(..) = TypedType::from(r#type) {
            let items = typed::AsTuple::create(self.outside(), value).result();
            let inside = self.pass(items);
            return typed::AsSequence::create(self.inside(), inside, r#type).result();
        }
        if let Some(elements) = tuple_elements(r#type) {
            let parts: Vec<_> = (elements.into_iter().enumerate())
                .map(|(at, element)| {
                    let get = typed::TupleGet::create(self.outside(), value, at as i64, element);
                    self.pass(get.result())
                })
                .collect();
            return typed::Tuple::create(self.inside(), &parts, r#type).result();
        }
        match Number::of(r#type) {
            // One byte on all devices.
            Some(Number::Bool) => {
                let byte = IntegerType::unsigned(self.builder.context(), 8).into();
                let argument = self.outside().cast(value, byte);
                let parameter = self.number(argument);
                self.inside().cast(parameter, r#type)
            }
            // Two numbers, which devices don't agree how to pass.
            Some(Number::Complex(_)) => {
                let array = ArrayType::contiguous(1, r#type);
                let outside = self.outside();
                let (zero, one) = (outside.index(0), outside.index(1));
                let memory = outside.empty(&[one], array.to_type(outside.context()));
                outside.store(value, memory, &[zero]);
                let memory = self.array(memory, array, READ);
                let inside = self.inside();
                inside.load(memory, &[inside.index(0)])
            }
            _ => self.number(value),
        }
    }

    /// Passes an array that the kernel fills.
    pub fn pass_fresh(&mut self, value: Value<'c, 'a>) -> Value<'c, 'a> {
        let array = array_type(value.ty()).expect("what is filled is an array");
        self.array(value, array, WRITE | UNDEFINED)
    }

    /// Passes the statuses of the exceptions that the loop raises, and the word for the one that it does;
    /// what raises becomes traps. Gives the sites.
    pub fn pass_sites(&mut self) -> Vec<Attribute<'c>> {
        let raises = self.nest.operation.nested_ops::<typed::RaiseIf>();
        if raises.is_empty() {
            return Vec::new();
        }
        let status = IntegerType::signed(self.builder.context(), 32).into();
        let statuses: Vec<_> = raises.iter().map(|_| self.parameter(status)).collect();
        let word = self.parameter(TypedType::Pointer(status).to_type(self.builder.context()));
        for (raise, status) in raises.iter().zip(statuses) {
            let e = self.builder.before(**raise);
            parfor::TrapIf::create(e, raise.condition(), status, word, &raise.values());
        }
        let sites = raises
            .iter()
            .map(|raise| site(self.builder, *raise))
            .collect();
        for raise in raises {
            self.builder.erase_op(*raise);
        }
        sites
    }

    /// Parameters for the numbers of the first block along y and z of a part of the grid.
    pub fn pass_firsts(&mut self) -> [Value<'c, 'a>; 2] {
        [(); 2].map(|()| self.parameter(self.builder.index_type()))
    }

    fn outside(&self) -> &'x Builder<'c, 'a> {
        self.builder.before(self.nest.operation)
    }

    /// The builder, where the kernel has come to.
    pub fn inside(&self) -> &'x Builder<'c, 'a> {
        self.builder
            .at_end(self.entry)
            .at(self.nest.operation.location())
    }

    fn parameter(&self, r#type: Type<'c>) -> Value<'c, 'a> {
        self.entry
            .push_argument(r#type, self.nest.operation.location())
    }

    /// Passes a number, once, or makes a constant again.
    fn number(&mut self, value: Value<'c, 'a>) -> Value<'c, 'a> {
        if is_constant(value) {
            return self.copy(value);
        }
        if let Some((_, parameter)) = self.numbers.iter().find(|pair| pair.0 == value) {
            return *parameter;
        }
        self.arguments.push(value);
        self.access.push(0);
        let parameter = self.parameter(value.ty());
        self.numbers.push((value, parameter));
        parameter
    }

    /// The device's copy is somewhere in memory that was allocated there: so many bytes behind an
    /// address, by which an array of bytes finds it.
    fn array(&mut self, value: Value<'c, 'a>, array: ArrayType<'c>, access: i64) -> Value<'c, 'a> {
        let context = self.builder.context();
        let byte: Type = IntegerType::unsigned(context, 8).into();
        let word: Type = IntegerType::signed(context, 64).into();
        let pointer = |to| TypedType::Pointer(to).to_type(context);
        self.arguments.push(value);
        self.access.push(access);
        let memory = self.parameter(pointer(byte));
        let bytes = self.parameter(word);
        let dimensions = 0..array.rank;
        let sizes: Vec<_> = dimensions
            .map(|at| {
                let size = self.outside().dim(value, at);
                self.number(size)
            })
            .collect();
        let strides = match array.layout {
            Layout::A => strides_of(self.outside(), value, array),
            _ => Vec::new(),
        };
        let strides: Vec<_> = strides.into_iter().map(|one| self.number(one)).collect();

        let e = self.inside();
        let zero = e.typed_constant(word, IntegerAttribute::new(word, 0).into());
        let raw = ArrayType::contiguous(1, byte).to_type(context);
        let raw = typed::PointerArray::create(e, memory, bytes, &[e.index(0)], raw).result();
        let address = typed::Address::create(e, raw, pointer(byte)).result();
        let elements = pointer(array.element);
        let address = typed::AddressCast::create(e, address, elements).result();
        let contiguous = ArrayType {
            layout: if array.layout == Layout::A {
                Layout::C
            } else {
                array.layout
            },
            ..array
        };
        let contiguous = contiguous.to_type(context);
        let made = typed::PointerArray::create(e, address, zero, &sizes, contiguous).result();
        match array.layout {
            Layout::A => {
                typed::Strided::create(e, made, &sizes, &strides, array.to_type(context)).result()
            }
            _ => made,
        }
    }

    /// How the elements of an array outside of the loop are used in it.
    fn access(&self, array: Value<'c, 'a>) -> i64 {
        let of = |accessed: &[Value<'c, 'a>]| {
            accessed.iter().any(|value| {
                let root = view_root(*value);
                // What isn't a view of one array that is known may be one of any.
                root == view_root(array) || root.is_inside(self.nest.operation)
            })
        };
        let mut access = 0;
        if of(&self.footprint.reads) {
            access |= READ;
        }
        if of(&self.footprint.writes) {
            access |= WRITE;
        }
        if access == WRITE && self.is_overwritten(array) {
            access |= OVERWRITE;
        }
        if is_undefined(array, self.nest.operation) {
            access |= UNDEFINED;
        }
        // Its sizes alone may be used.
        if access == 0 { READ } else { access }
    }

    /// Whether every iteration stores an element of an array of the loop's extents.
    fn is_overwritten(&self, array: Value<'c, 'a>) -> bool {
        let sizes = array
            .defining_op()
            .and_then(typed::Empty::of)
            .map(typed::Empty::sizes);
        let operations = self.nest.body().operation_list();
        sizes.is_some_and(|sizes| sizes == self.nest.extents)
            && operations
                .into_iter()
                .filter_map(typed::Store::of)
                .any(|store| store.array() == array && store.indices() == self.nest.indices())
    }
}

/// The strides of an array of any layout, in elements.
fn strides_of<'c: 'a, 'a>(
    e: &Builder<'c, 'a>,
    value: Value<'c, 'a>,
    array: ArrayType<'c>,
) -> Vec<Value<'c, 'a>> {
    if let Some(strided) = typed::Strided::defining(value) {
        return strided.strides();
    }
    let stride = |at| {
        let bytes = typed::Stride::create(e, value, at as i64, e.index_type()).result();
        let element = e.index(element_size(array.element));
        e.bin(arith::DivSI::NAME, bytes, element)
    };
    (0..array.rank).map(stride).collect()
}

/// What `parfor.offload` says of an exception.
fn site<'c: 'a, 'a>(builder: &Builder<'c, 'a>, raise: typed::RaiseIf<'c, 'a>) -> Attribute<'c> {
    let context = builder.context();
    // SAFETY: the location is of the context, as the attribute that it is.
    let location =
        unsafe { Attribute::from_raw(mlirLocationGetAttribute(raise.location().to_raw())) };
    let mut fields = vec![("exception", raise.exception()), ("location", location)];
    let message = raise.message().map(|message| builder.text(message));
    fields.extend(message.map(|message| ("message", message)));
    let count = raise.values().len() as i64;
    if count != 0 {
        let word = IntegerType::new(context, 64).into();
        fields.push(("values", IntegerAttribute::new(word, count).into()));
    }
    let fields: Vec<_> = (fields.into_iter())
        .map(|(name, value)| (Identifier::new(context, name), value))
        .collect();
    DictionaryAttribute::new(context, &fields).into()
}
