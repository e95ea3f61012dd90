//! Short names for the upstream operations that lowerings make.

use super::externals::Externals;
use crate::infra::{Builder, OperationExt, ValueExt};
use melior::{
    dialect::llvm,
    ir::{
        Attribute, OperationRef, Type, Value,
        attribute::{
            DenseI32ArrayAttribute, DenseI64ArrayAttribute, FlatSymbolRefAttribute,
            IntegerAttribute, StringAttribute, TypeAttribute,
        },
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

impl<'b, 'c: 'a, 'a> Emit<'b, 'c, 'a> {
    pub(super) fn new(builder: &'b Builder<'c, 'a>, externals: &'b Externals<'c>) -> Self {
        Self { builder, externals }
    }

    /// The type of pointers.
    pub(super) fn ptr(&self) -> Type<'c> {
        llvm::r#type::pointer(self.context(), 0)
    }

    /// Casts between a type that LLVM has and a type that stands for it: a
    /// `builtin.unrealized_conversion_cast`.
    pub(super) fn reinterpret(&self, x: Value<'c, 'a>, result: Type<'c>) -> Value<'c, 'a> {
        if x.ty() == result {
            return x;
        }
        self.to("builtin.unrealized_conversion_cast", x, result)
    }

    /// The address `index` elements behind `base`. Without `inbounds` and `nuw`: the index may be
    /// negative.
    pub(super) fn offset(
        &self,
        base: Value<'c, 'a>,
        index: Value<'c, 'a>,
        element: Type<'c>,
    ) -> Value<'c, 'a> {
        self.gep(&[base, index], &[i32::MIN], element)
    }

    /// The address `index` elements behind `base`, within what `base` points to and not before it.
    pub(super) fn offset_within(
        &self,
        base: Value<'c, 'a>,
        index: Value<'c, 'a>,
        element: Type<'c>,
    ) -> Value<'c, 'a> {
        let address = self.offset(base, index, element);
        let operation = address.defining_op().expect("it was just made");
        operation.set_within_bounds();
        address
    }

    /// The address of the `index`th element behind `base`.
    pub(super) fn offset_by(
        &self,
        base: Value<'c, 'a>,
        index: i32,
        element: Type<'c>,
    ) -> Value<'c, 'a> {
        self.gep(&[base], &[index], element)
    }

    /// The address of a field of a struct.
    pub(super) fn field_address(
        &self,
        base: Value<'c, 'a>,
        field: i32,
        r#struct: Type<'c>,
    ) -> Value<'c, 'a> {
        self.gep(&[base], &[0, field], r#struct)
    }

    fn gep(&self, operands: &[Value<'c, 'a>], indices: &[i32], element: Type<'c>) -> Value<'c, 'a> {
        let indices = DenseI32ArrayAttribute::new(self.context(), indices).into();
        let element = TypeAttribute::new(element).into();
        self.value(
            "llvm.getelementptr",
            operands,
            self.ptr(),
            &[("rawConstantIndices", indices), ("elem_type", element)],
        )
    }

    /// Loads from an address that is aligned for the type, or to `alignment` bytes.
    pub(super) fn load(
        &self,
        address: Value<'c, 'a>,
        r#type: Type<'c>,
        alignment: Option<i64>,
    ) -> Value<'c, 'a> {
        let alignment = self.alignment(alignment);
        self.value("llvm.load", &[address], r#type, &alignment)
    }

    /// Stores to an address; see [`Self::load`].
    pub(super) fn store(
        &self,
        value: Value<'c, 'a>,
        address: Value<'c, 'a>,
        alignment: Option<i64>,
    ) {
        let alignment = self.alignment(alignment);
        self.op("llvm.store", &[value, address], &[], &alignment);
    }

    fn alignment(&self, bytes: Option<i64>) -> Vec<(&'static str, Attribute<'c>)> {
        bytes
            .map(|bytes| ("alignment", IntegerAttribute::new(self.i(64), bytes).into()))
            .into_iter()
            .collect()
    }

    /// A field of a struct value.
    pub(super) fn extract(
        &self,
        container: Value<'c, 'a>,
        position: &[i64],
        r#type: Type<'c>,
    ) -> Value<'c, 'a> {
        let position = DenseI64ArrayAttribute::new(self.context(), position).into();
        self.value(
            "llvm.extractvalue",
            &[container],
            r#type,
            &[("position", position)],
        )
    }

    /// A struct value with another field.
    pub(super) fn insert_field(
        &self,
        container: Value<'c, 'a>,
        position: &[i64],
        value: Value<'c, 'a>,
    ) -> Value<'c, 'a> {
        let position = DenseI64ArrayAttribute::new(self.context(), position).into();
        self.value(
            "llvm.insertvalue",
            &[container, value],
            container.ty(),
            &[("position", position)],
        )
    }

    /// The zero of a type that LLVM has: also the null pointer.
    pub(super) fn zero(&self, r#type: Type<'c>) -> Value<'c, 'a> {
        self.value("llvm.mlir.zero", &[], r#type, &[])
    }

    /// The address of constant bytes, which become a global of the module.
    pub(super) fn data(&self, bytes: Vec<u8>) -> Value<'c, 'a> {
        let name = self.externals.data(bytes);
        let global = FlatSymbolRefAttribute::new(self.context(), &name).into();
        self.value(
            "llvm.mlir.addressof",
            &[],
            self.ptr(),
            &[("global_name", global)],
        )
    }

    /// A poison value of any type.
    pub(super) fn poison(&self, r#type: Type<'c>) -> Value<'c, 'a> {
        let value = Attribute::parse(self.context(), "#ub.poison").expect("it is well-formed");
        self.value("ub.poison", &[], r#type, &[("value", value)])
    }

    /// Calls a function of the runtime or libm, which the module will declare.
    pub(super) fn call(
        &self,
        name: &str,
        arguments: &[Value<'c, 'a>],
        results: &[Type<'c>],
    ) -> OperationRef<'c, 'a> {
        let types: Vec<_> = arguments.iter().map(|argument| argument.ty()).collect();
        let r#type = FunctionType::new(self.context(), &types, results);
        self.declare(name, r#type);
        self.call_symbol(name, arguments, results)
    }

    /// Notes that the module needs a declaration of a function of the runtime or the host.
    pub(super) fn declare(&self, name: &str, r#type: FunctionType<'c>) {
        self.externals.function(name, r#type);
    }

    /// Calls a function that returns one value; see [`Self::call`].
    pub(super) fn call_value(
        &self,
        name: &str,
        arguments: &[Value<'c, 'a>],
        result: Type<'c>,
    ) -> Value<'c, 'a> {
        self.call(name, arguments, &[result]).result_value(0)
    }

    /// Calls a function of the module.
    pub(super) fn call_symbol(
        &self,
        name: &str,
        arguments: &[Value<'c, 'a>],
        results: &[Type<'c>],
    ) -> OperationRef<'c, 'a> {
        let callee = FlatSymbolRefAttribute::new(self.context(), name).into();
        self.op("func.call", arguments, results, &[("callee", callee)])
    }

    /// Calls an LLVM intrinsic.
    pub(super) fn intrinsic(
        &self,
        name: &str,
        arguments: &[Value<'c, 'a>],
        results: &[Type<'c>],
    ) -> OperationRef<'c, 'a> {
        let context = self.context();
        let segments = [arguments.len() as i32, 0];
        self.op(
            "llvm.call_intrinsic",
            arguments,
            results,
            &[
                ("intrin", StringAttribute::new(context, name).into()),
                (
                    "operandSegmentSizes",
                    DenseI32ArrayAttribute::new(context, &segments).into(),
                ),
                (
                    "op_bundle_sizes",
                    DenseI32ArrayAttribute::new(context, &[]).into(),
                ),
            ],
        )
    }

    /// Allocates on the stack of the function.
    pub(super) fn alloca(
        &self,
        count: Value<'c, 'a>,
        element: Type<'c>,
        alignment: i64,
    ) -> Value<'c, 'a> {
        let mut attributes = self.alignment(Some(alignment));
        attributes.push(("elem_type", TypeAttribute::new(element).into()));
        self.value("llvm.alloca", &[count], self.ptr(), &attributes)
    }
}
