//! Short names for the upstream operations that lowerings make.

use super::externals::{Externals, Known};
use crate::infra::{
    Builder, OpBuilder, OperationExt, ValueExt,
    ops::{builtin, func, llvm, ub},
};
use melior::{
    Context,
    dialect::llvm::r#type as llvm_type,
    ir::{
        Location, Operation, OperationRef, Type, Value, attribute::FloatAttribute,
        r#type::FunctionType,
    },
};
use std::ops::Deref;

/// Makes upstream operations where a [`Builder`] stands.
pub(super) struct Emit<'b, 'c, 'a> {
    builder: &'b Builder<'c, 'a>,
    externals: &'b Externals<'c>,
}

impl<'c, 'a> Deref for Emit<'_, 'c, 'a> {
    type Target = Builder<'c, 'a>;

    fn deref(&self) -> &Self::Target {
        self.builder
    }
}

impl<'c: 'a, 'a> OpBuilder<'c, 'a> for Emit<'_, 'c, 'a> {
    fn context(&self) -> &'c Context {
        self.builder.context()
    }

    fn location(&self) -> Location<'c> {
        self.builder.location()
    }

    fn insert(&self, operation: Operation<'c>) -> OperationRef<'c, 'a> {
        self.builder.insert(operation)
    }
}

impl<'b, 'c: 'a, 'a> Emit<'b, 'c, 'a> {
    pub(super) fn new(builder: &'b Builder<'c, 'a>, externals: &'b Externals<'c>) -> Self {
        Self { builder, externals }
    }

    /// The type of pointers.
    pub(super) fn ptr(&self) -> Type<'c> {
        llvm_type::pointer(self.context(), 0)
    }

    /// A condition that nearly always is as expected. Where the code isn't vectorised LLVM makes a
    /// branch of a choice by it: that is predicted, and nothing waits for the comparison.
    pub(super) fn expect(&self, condition: Value<'c, 'a>, expected: bool) -> Value<'c, 'a> {
        const PROBABILITY: f64 = 0.999;
        let f64 = Type::float64(self.context());
        let probability = FloatAttribute::new(self.context(), f64, PROBABILITY);
        let made = self.op(
            llvm::ExpectWithProbability::NAME,
            &[condition, self.bool(expected)],
            &[condition.ty()],
            &[("prob", probability.into())],
        );
        made.result_value(0)
    }

    /// Casts between a type that LLVM has and a type that stands for it: a
    /// `builtin.unrealized_conversion_cast`.
    pub(super) fn reinterpret(&self, x: Value<'c, 'a>, result: Type<'c>) -> Value<'c, 'a> {
        if x.ty() == result {
            return x;
        }
        self.to(builtin::UnrealizedConversionCast::NAME, x, result)
    }

    /// The address `index` elements behind `base`. Without `inbounds` and `nuw`: the index may be
    /// negative.
    pub(super) fn offset(
        &self,
        base: Value<'c, 'a>,
        index: Value<'c, 'a>,
        element: Type<'c>,
    ) -> Value<'c, 'a> {
        self.gep(base, &[index], &[i32::MIN], element).res()
    }

    /// The address `index` elements behind `base`, within what `base` points to and not before it.
    pub(super) fn offset_within(
        &self,
        base: Value<'c, 'a>,
        index: Value<'c, 'a>,
        element: Type<'c>,
    ) -> Value<'c, 'a> {
        let address = self.gep(base, &[index], &[i32::MIN], element);
        address.set_within_bounds();
        address.res()
    }

    /// The address of the `index`th element behind `base`.
    pub(super) fn offset_by(
        &self,
        base: Value<'c, 'a>,
        index: i32,
        element: Type<'c>,
    ) -> Value<'c, 'a> {
        self.gep(base, &[], &[index], element).res()
    }

    /// The address of a field of a struct.
    pub(super) fn field_address(
        &self,
        base: Value<'c, 'a>,
        field: i32,
        r#struct: Type<'c>,
    ) -> Value<'c, 'a> {
        self.gep(base, &[], &[0, field], r#struct).res()
    }

    fn gep(
        &self,
        base: Value<'c, 'a>,
        dynamic: &[Value<'c, 'a>],
        indices: &[i32],
        element: Type<'c>,
    ) -> llvm::GEP<'c, 'a> {
        llvm::GEP::create(self, base, dynamic, indices, element, self.ptr())
    }

    /// Loads from an address that is aligned for the type, or to `alignment` bytes.
    pub(super) fn load(
        &self,
        address: Value<'c, 'a>,
        r#type: Type<'c>,
        alignment: Option<i64>,
    ) -> Value<'c, 'a> {
        let load = llvm::Load::create(self, address, r#type);
        load.set_alignment(alignment);
        load.res()
    }

    /// Stores to an address; see [`Self::load`].
    pub(super) fn store(
        &self,
        value: Value<'c, 'a>,
        address: Value<'c, 'a>,
        alignment: Option<i64>,
    ) {
        llvm::Store::create(self, value, address).set_alignment(alignment);
    }

    /// A field of a struct value.
    pub(super) fn extract(
        &self,
        container: Value<'c, 'a>,
        position: &[i64],
        r#type: Type<'c>,
    ) -> Value<'c, 'a> {
        llvm::ExtractValue::create(self, container, position, r#type).res()
    }

    /// A struct value with another field.
    pub(super) fn insert_field(
        &self,
        container: Value<'c, 'a>,
        position: &[i64],
        value: Value<'c, 'a>,
    ) -> Value<'c, 'a> {
        llvm::InsertValue::create(self, container, value, position).res()
    }

    /// The zero of a type that LLVM has: also the null pointer.
    pub(super) fn zero(&self, r#type: Type<'c>) -> Value<'c, 'a> {
        llvm::Zero::create(self, r#type).res()
    }

    /// The address of constant bytes, which become a global of the module.
    pub(super) fn data(&self, bytes: Vec<u8>) -> Value<'c, 'a> {
        let name = self.externals.data(bytes);
        llvm::AddressOf::create(self, &name, self.ptr()).res()
    }

    /// The address of a function.
    pub(super) fn function_address(&self, name: &str, r#type: FunctionType<'c>) -> Value<'c, 'a> {
        let function = func::Constant::create(self, name, r#type.into());
        self.reinterpret(function.part0(), self.ptr())
    }

    /// A poison value of any type.
    pub(super) fn poison(&self, r#type: Type<'c>) -> Value<'c, 'a> {
        ub::Poison::create(self, r#type).result()
    }

    /// Calls a function of the runtime or libm, which the module will declare.
    pub(super) fn call(
        &self,
        name: &str,
        arguments: &[Value<'c, 'a>],
        results: &[Type<'c>],
    ) -> func::Call<'c, 'a> {
        self.call_known(name, Known::of_runtime(name), arguments, results)
    }

    /// As [`Self::call`], of a function of which something is known that its name doesn't tell.
    pub(super) fn call_known(
        &self,
        name: &str,
        known: Known,
        arguments: &[Value<'c, 'a>],
        results: &[Type<'c>],
    ) -> func::Call<'c, 'a> {
        let types: Vec<_> = arguments.iter().map(|argument| argument.ty()).collect();
        let r#type = FunctionType::new(self.context(), &types, results);
        self.externals.function(name, r#type, known);
        self.call_symbol(name, arguments, results)
    }

    /// Notes that the module needs a declaration of a function of the runtime or the host.
    pub(super) fn declare(&self, name: &str, r#type: FunctionType<'c>) {
        self.externals
            .function(name, r#type, Known::of_runtime(name));
    }

    /// Calls a function that returns one value; see [`Self::call`].
    pub(super) fn call_value(
        &self,
        name: &str,
        arguments: &[Value<'c, 'a>],
        result: Type<'c>,
    ) -> Value<'c, 'a> {
        self.call(name, arguments, &[result]).part0()[0]
    }

    /// Calls a function of the module.
    pub(super) fn call_symbol(
        &self,
        name: &str,
        arguments: &[Value<'c, 'a>],
        results: &[Type<'c>],
    ) -> func::Call<'c, 'a> {
        func::Call::create(self, name, arguments, results)
    }

    /// Calls an LLVM intrinsic; its result, if it has one.
    pub(super) fn intrinsic(
        &self,
        name: &str,
        arguments: &[Value<'c, 'a>],
        result: Option<Type<'c>>,
    ) -> Option<Value<'c, 'a>> {
        llvm::CallIntrinsic::create(self, name, arguments, &[], &[], result).results()
    }

    /// Calls an LLVM intrinsic that returns a value.
    pub(super) fn intrinsic_value(
        &self,
        name: &str,
        arguments: &[Value<'c, 'a>],
        result: Type<'c>,
    ) -> Value<'c, 'a> {
        let value = self.intrinsic(name, arguments, Some(result));
        value.expect("it was made with a result")
    }

    /// Allocates on the stack of the function.
    pub(super) fn alloca(
        &self,
        count: Value<'c, 'a>,
        element: Type<'c>,
        alignment: i64,
    ) -> Value<'c, 'a> {
        let place = llvm::Alloca::create(self, count, element, self.ptr());
        place.set_alignment(Some(alignment));
        place.res()
    }
}
