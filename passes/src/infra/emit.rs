//! Short forms for the operations that the passes on parallel loops make.

use super::{
    BlockExt, Builder, OperationExt, ValueExt,
    messages::shapes_differ,
    ops::{scf, typed},
};
use melior::ir::{
    Attribute, BlockRef, OperationRef, Type, Value,
    attribute::{ArrayAttribute, StringAttribute},
    r#type::IntegerType,
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

    /// A `typed.constant` with a value in MLIR's syntax, such as `1 : si64`.
    fn typed_constant(&self, r#type: Type<'c>, value: Attribute<'c>) -> Value<'c, 'a> {
        typed::Constant::create(self.builder(), value, r#type).result()
    }

    /// `typed.call` of a function that releases nothing when it raises.
    fn typed_call(
        &self,
        callee: &str,
        arguments: &[Value<'c, 'a>],
        results: &[Type<'c>],
    ) -> OperationRef<'c, 'a> {
        typed::Call::create(self.builder(), callee, arguments, &[], results).operation()
    }

    /// `typed.binary`.
    fn binary(&self, kind: BinaryKind, lhs: Value<'c, 'a>, rhs: Value<'c, 'a>) -> Value<'c, 'a> {
        typed::Binary::create(self.builder(), kind, lhs, rhs).result()
    }

    /// `typed.cast`, or the value itself when it has the type.
    fn cast(&self, value: Value<'c, 'a>, to: Type<'c>) -> Value<'c, 'a> {
        if value.ty() == to {
            return value;
        }
        typed::Cast::create(self.builder(), value, to).result()
    }

    /// `typed.dim` as an `index`.
    fn dim(&self, array: Value<'c, 'a>, dimension: usize) -> Value<'c, 'a> {
        let builder = self.builder();
        typed::Dim::create(builder, array, dimension as i64, builder.index_type()).result()
    }

    /// `typed.load` at indices known not to be negative.
    fn load(&self, array: Value<'c, 'a>, indices: &[Value<'c, 'a>]) -> Value<'c, 'a> {
        typed::Load::create(self.builder(), array, indices, element_type(array)).result()
    }

    /// `typed.store` at indices known not to be negative.
    fn store(&self, value: Value<'c, 'a>, array: Value<'c, 'a>, indices: &[Value<'c, 'a>]) {
        typed::Store::create(self.builder(), value, array, indices);
    }

    /// `typed.empty`.
    fn empty(&self, sizes: &[Value<'c, 'a>], r#type: Type<'c>) -> Value<'c, 'a> {
        typed::Empty::create(self.builder(), sizes, &[], r#type).result()
    }

    /// `typed.broadcast`, keeping the array's type.
    fn broadcast(&self, array: Value<'c, 'a>, sizes: &[Value<'c, 'a>]) -> Value<'c, 'a> {
        typed::Broadcast::create(self.builder(), array, sizes, &[], array.ty()).result()
    }

    /// The same array under another type of its rank and elements, a more general layout.
    fn as_array_type(&self, array: Value<'c, 'a>, r#type: Type<'c>) -> Value<'c, 'a> {
        if array.ty() == r#type {
            return array;
        }
        typed::View::create(self.builder(), array, &[], r#type).result()
    }

    /// `typed.raise_if`.
    fn raise_if(&self, condition: Value<'c, 'a>, exception: &str, message: &str) {
        let exception = self.text(exception);
        typed::RaiseIf::create(self.builder(), condition, exception, &[], &[])
            .set_message(Some(message));
    }

    /// Raises the error of two shapes that don't broadcast together.
    fn raise_for_shapes(
        &self,
        condition: Value<'c, 'a>,
        one: &[Value<'c, 'a>],
        other: &[Value<'c, 'a>],
    ) {
        let word = IntegerType::signed(self.builder().context(), 64).into();
        let sizes = one.iter().chain(other);
        let sizes: Vec<_> = sizes.map(|size| self.cast(*size, word)).collect();
        let exception = self.text("ValueError");
        let raise = typed::RaiseIf::create(self.builder(), condition, exception, &sizes, &[]);
        raise.set_message(Some(&shapes_differ([one.len(), other.len()])));
        raise.set_shape_error(true);
    }

    /// `scf.for` from `lower` to `upper` by one; the builder ends up in its block, which takes the
    /// index and the carried values and has no terminator yet.
    fn scf_for(
        &self,
        lower: Value<'c, 'a>,
        upper: Value<'c, 'a>,
        carried: &[Value<'c, 'a>],
    ) -> (OperationRef<'c, 'a>, BlockRef<'c, 'a>) {
        let builder = self.builder();
        let types: Vec<_> = carried.iter().map(|value| value.ty()).collect();
        let each = scf::For::create(builder, lower, upper, builder.index(1), carried, &types);
        let mut arguments = vec![builder.index_type()];
        arguments.extend(&types);
        let block = builder.append_block(each.region(), &arguments);
        (each.operation(), block)
    }

    /// `scf.if` with two blocks, which are returned without terminators.
    fn scf_if(
        &self,
        condition: Value<'c, 'a>,
        results: &[Type<'c>],
    ) -> (OperationRef<'c, 'a>, BlockRef<'c, 'a>, BlockRef<'c, 'a>) {
        let builder = self.builder();
        let branch = scf::If::create(builder, condition, results);
        let yes = builder.append_block(branch.then_region(), &[]);
        let no = builder.append_block(branch.else_region(), &[]);
        (branch.operation(), yes, no)
    }

    /// `scf.yield`.
    fn scf_yield(&self, values: &[Value<'c, 'a>]) {
        scf::Yield::create(self.builder(), values);
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
