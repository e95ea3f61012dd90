//! Short forms for the operations that the passes on parallel loops make.

use super::reduction::Combination;
use crate::infra::{BlockExt, Builder, OperationExt, ValueExt};
use melior::ir::{
    Attribute, BlockRef, OperationRef, Region, Type, Value,
    attribute::{
        ArrayAttribute, DenseI32ArrayAttribute, FlatSymbolRefAttribute, IntegerAttribute,
        StringAttribute,
    },
    operation::OperationBuilder,
};
use pyopt_dialects::{enums::BinaryKind, typed::array_type};

/// Makes operations of `typed` and `scf` where the builder stands.
pub(crate) trait Emit<'c: 'a, 'a> {
    /// The builder itself.
    fn builder(&self) -> &Builder<'c, 'a>;

    /// A string attribute.
    fn text(&self, text: &str) -> Attribute<'c> {
        StringAttribute::new(self.builder().context(), text).into()
    }

    /// An array of strings.
    fn texts<S: AsRef<str>>(&self, texts: &[S]) -> Attribute<'c> {
        let texts: Vec<_> = texts.iter().map(|text| self.text(text.as_ref())).collect();
        ArrayAttribute::new(self.builder().context(), &texts).into()
    }

    /// How the reductions of a loop are combined.
    fn combinations(&self, kinds: &[&Combination]) -> Attribute<'c> {
        let context = self.builder().context();
        let kinds: Vec<_> = kinds
            .iter()
            .map(|kind| kind.to_attribute(context))
            .collect();
        ArrayAttribute::new(context, &kinds).into()
    }

    /// How many operands each group of an operation has.
    fn segments(&self, sizes: &[usize]) -> Attribute<'c> {
        let sizes: Vec<_> = sizes.iter().map(|size| *size as i32).collect();
        DenseI32ArrayAttribute::new(self.builder().context(), &sizes).into()
    }

    /// A `typed.constant` with a value in MLIR's syntax, such as `1 : si64`.
    fn typed_constant(&self, r#type: Type<'c>, value: Attribute<'c>) -> Value<'c, 'a> {
        self.builder()
            .value("typed.constant", &[], r#type, &[("value", value)])
    }

    /// `typed.call` of a function that releases nothing when it raises.
    fn typed_call(
        &self,
        callee: &str,
        arguments: &[Value<'c, 'a>],
        results: &[Type<'c>],
    ) -> OperationRef<'c, 'a> {
        let builder = self.builder();
        let callee = FlatSymbolRefAttribute::new(builder.context(), callee).into();
        let segments = self.segments(&[arguments.len(), 0]);
        let attributes = [("callee", callee), ("operandSegmentSizes", segments)];
        builder.op("typed.call", arguments, results, &attributes)
    }

    /// `typed.binary`.
    fn binary(&self, kind: BinaryKind, lhs: Value<'c, 'a>, rhs: Value<'c, 'a>) -> Value<'c, 'a> {
        let builder = self.builder();
        let kind = kind.to_attribute(builder.context());
        let r#type = lhs.ty();
        builder.value("typed.binary", &[lhs, rhs], r#type, &[("kind", kind)])
    }

    /// `typed.cast`, or the value itself when it has the type.
    fn cast(&self, value: Value<'c, 'a>, to: Type<'c>) -> Value<'c, 'a> {
        if value.ty() == to {
            return value;
        }
        self.builder().value("typed.cast", &[value], to, &[])
    }

    /// `typed.dim` as an `index`.
    fn dim(&self, array: Value<'c, 'a>, dimension: usize) -> Value<'c, 'a> {
        let builder = self.builder();
        let dimension = IntegerAttribute::new(builder.i(64), dimension as i64).into();
        builder.value(
            "typed.dim",
            &[array],
            self.builder().index_type(),
            &[("dimension", dimension)],
        )
    }

    /// `typed.load` at indices known not to be negative.
    fn load(&self, array: Value<'c, 'a>, indices: &[Value<'c, 'a>]) -> Value<'c, 'a> {
        let mut operands = vec![array];
        operands.extend(indices);
        let element = element_type(array);
        self.builder().value("typed.load", &operands, element, &[])
    }

    /// `typed.store` at indices known not to be negative.
    fn store(&self, value: Value<'c, 'a>, array: Value<'c, 'a>, indices: &[Value<'c, 'a>]) {
        let mut operands = vec![value, array];
        operands.extend(indices);
        self.builder().op("typed.store", &operands, &[], &[]);
    }

    /// `typed.empty`.
    fn empty(&self, sizes: &[Value<'c, 'a>], r#type: Type<'c>) -> Value<'c, 'a> {
        let segments = self.segments(&[sizes.len(), 0]);
        self.builder().value(
            "typed.empty",
            sizes,
            r#type,
            &[("operandSegmentSizes", segments)],
        )
    }

    /// `typed.broadcast`, keeping the array's type.
    fn broadcast(&self, array: Value<'c, 'a>, sizes: &[Value<'c, 'a>]) -> Value<'c, 'a> {
        let mut operands = vec![array];
        operands.extend(sizes);
        let segments = self.segments(&[1, sizes.len(), 0]);
        self.builder().value(
            "typed.broadcast",
            &operands,
            array.ty(),
            &[("operandSegmentSizes", segments)],
        )
    }

    /// The same array under another type of its rank and elements, a more general layout.
    fn as_array_type(&self, array: Value<'c, 'a>, r#type: Type<'c>) -> Value<'c, 'a> {
        if array.ty() == r#type {
            return array;
        }
        self.builder().value("typed.view", &[array], r#type, &[])
    }

    /// `typed.raise_if`.
    fn raise_if(&self, condition: Value<'c, 'a>, exception: &str, message: &str) {
        let attributes = [
            ("exception", self.text(exception)),
            ("message", self.text(message)),
        ];
        self.builder()
            .op("typed.raise_if", &[condition], &[], &attributes);
    }

    /// An operation with one region, which gets a block; the builder ends up in that block.
    fn op_with_body(
        &self,
        name: &str,
        operands: &[Value<'c, 'a>],
        results: &[Type<'c>],
        attributes: &[(&str, Attribute<'c>)],
        arguments: &[Type<'c>],
    ) -> (OperationRef<'c, 'a>, BlockRef<'c, 'a>) {
        let builder = self.builder();
        let operation = builder.op_with(
            name,
            operands,
            results,
            attributes,
            |operation: OperationBuilder<'c>| operation.add_regions([Region::new()]),
        );
        let block = builder.append_block(operation.region_at(0), arguments);
        (operation, block)
    }

    /// `scf.for` from `lower` to `upper` by one; the builder ends up in its block, which takes the
    /// index and the carried values and has no terminator yet.
    fn scf_for(
        &self,
        lower: Value<'c, 'a>,
        upper: Value<'c, 'a>,
        carried: &[Value<'c, 'a>],
    ) -> (OperationRef<'c, 'a>, BlockRef<'c, 'a>) {
        let mut operands = vec![lower, upper, self.builder().index(1)];
        operands.extend(carried);
        let types: Vec<_> = carried.iter().map(|value| value.ty()).collect();
        let mut arguments = vec![self.builder().index_type()];
        arguments.extend(&types);
        self.op_with_body("scf.for", &operands, &types, &[], &arguments)
    }

    /// `scf.if` with two blocks, which are returned without terminators.
    fn scf_if(
        &self,
        condition: Value<'c, 'a>,
        results: &[Type<'c>],
    ) -> (OperationRef<'c, 'a>, BlockRef<'c, 'a>, BlockRef<'c, 'a>) {
        let builder = self.builder();
        let operation = builder.op_with("scf.if", &[condition], results, &[], |operation| {
            operation.add_regions([Region::new(), Region::new()])
        });
        let yes = builder.append_block(operation.region_at(0), &[]);
        let no = builder.append_block(operation.region_at(1), &[]);
        (operation, yes, no)
    }

    /// `scf.yield`.
    fn scf_yield(&self, values: &[Value<'c, 'a>]) {
        self.builder().op("scf.yield", values, &[], &[]);
    }

    /// Copies the operations of a block, all but the terminator, to where the builder stands.
    /// `mapping` says what its arguments become, and grows by what is copied.
    fn copy_block(
        &self,
        block: BlockRef<'c, 'a>,
        mapping: &mut Vec<(Value<'c, 'a>, Value<'c, 'a>)>,
    ) {
        for operation in block.operation_list() {
            if operation.is_terminator() {
                break;
            }
            let copy = self.builder().clone_op(operation, mapping);
            mapping.extend(
                operation
                    .result_values()
                    .into_iter()
                    .zip(copy.result_values()),
            );
        }
    }
}

impl<'c: 'a, 'a> Emit<'c, 'a> for Builder<'c, 'a> {
    fn builder(&self) -> &Builder<'c, 'a> {
        self
    }
}

/// What a value became.
pub(crate) fn mapped<'c, 'a>(
    mapping: &[(Value<'c, 'a>, Value<'c, 'a>)],
    value: Value<'c, 'a>,
) -> Value<'c, 'a> {
    // What came last wins: one body may be copied more than once.
    mapping
        .iter()
        .rev()
        .find(|(from, _)| *from == value)
        .map_or(value, |(_, to)| *to)
}

/// The element type of an array value.
///
/// # Panics
///
/// When it isn't an array.
pub(crate) fn element_type<'c: 'a, 'a>(array: Value<'c, 'a>) -> Type<'c> {
    array_type(array.ty())
        .expect("only arrays are asked for their elements")
        .element
}
