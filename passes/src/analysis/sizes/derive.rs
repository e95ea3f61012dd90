//! Derives sizes from the operations that define values and arrays.

use super::atoms::{Atom, Size, Sizes};
use crate::{
    analysis::{
        affine::is_word,
        effects::may_alias,
        shape::{given_size, rank, transposed},
    },
    infra::{
        AttributeExt, Identity, Key, OperationExt, ValueExt,
        ops::{AnyOp, arith, marks, typed},
    },
};
use melior::ir::{
    OperationRef, Type, Value,
    r#type::{IntegerType, TupleType},
};
use pyopt_dialects::{
    enums::{BinaryKind, LibraryRole},
    typed::{TypedType, array_type},
};
use std::collections::HashMap;

/// How many definitions to follow from an integer.
const DEPTH: usize = 32;

/// How many definitions of arrays to follow, one from the other.
const MAX_ARRAYS: usize = 64;

/// What an operation stores to.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Write<'c, 'a> {
    /// An array.
    To(Value<'c, 'a>),
    /// Anything.
    Anywhere,
}

/// The sizes of all arrays and the integers that they come from.
#[derive(Debug, Default)]
pub(crate) struct Derivation<'c, 'a> {
    /// All atoms, and what is known about them.
    pub sizes: Sizes,
    /// Dimensions of block arguments and results of structured operations.
    given: HashMap<(Key, usize), Size>,
    dimensions: HashMap<(Key, usize), Size>,
    values: HashMap<Key, Size>,
    /// The writes so far in the walk.
    writes: Vec<Write<'c, 'a>>,
    /// How many definitions of arrays are being followed.
    arrays: usize,
}

impl<'c: 'a, 'a> Derivation<'c, 'a> {
    /// Sets the size of a dimension of a block argument or result, for the rest of the walk.
    pub fn give(&mut self, array: Value<'c, 'a>, dimension: usize, size: Size) {
        self.given.insert((array.key(), dimension), size);
    }

    /// Sets the size that an integer stands for.
    pub fn set_value(&mut self, value: Value<'c, 'a>, size: Size) {
        self.values.insert(value.key(), size);
    }

    /// The atom of an unknown dimension.
    pub fn unknown(&mut self, array: Value<'c, 'a>, dimension: usize) -> Size {
        self.sizes.make(Atom::Dimension(array.key(), dimension))
    }

    /// Drops the cached results.
    pub fn forget(&mut self) {
        self.dimensions.clear();
        self.values.clear();
    }

    /// Records a write.
    pub fn write(&mut self, write: Write<'c, 'a>) {
        self.writes.push(write);
    }

    /// The size that an integer is.
    pub fn value(&mut self, value: Value<'c, 'a>) -> Size {
        let size = self.value_within(value, DEPTH);
        self.sizes.resolve(&size)
    }

    /// The size of a dimension of an array.
    pub fn dimension(&mut self, array: Value<'c, 'a>, dimension: usize) -> Size {
        let size = self.dimension_of(array, dimension);
        self.sizes.resolve(&size)
    }

    fn value_within(&mut self, value: Value<'c, 'a>, depth: usize) -> Size {
        let key = value.key();
        if let Some(size) = self.values.get(&key) {
            return size.clone();
        }
        let found = match value.defining_op() {
            Some(operation) if depth > 0 && is_word(value) => self.result(operation, depth - 1),
            _ => None,
        };
        let size = found.unwrap_or_else(|| self.sizes.make(Atom::Value(key)));
        self.values.insert(key, size.clone());
        size
    }

    fn result(&mut self, operation: OperationRef<'c, 'a>, depth: usize) -> Option<Size> {
        let (kind, lhs, rhs) = match AnyOp::of(operation) {
            AnyOp::Arith(operation) => match operation {
                arith::Op::Constant(constant) => {
                    return constant.value().integer_value().map(Size::number);
                }
                arith::Op::IndexCast(cast) => {
                    return is_word(cast.r#in()).then(|| self.value_within(cast.r#in(), depth));
                }
                arith::Op::AddI(sum) => (BinaryKind::Add, sum.lhs(), sum.rhs()),
                arith::Op::SubI(difference) => {
                    (BinaryKind::Sub, difference.lhs(), difference.rhs())
                }
                arith::Op::MulI(product) => (BinaryKind::Mul, product.lhs(), product.rhs()),
                arith::Op::MaxSI(most) => (BinaryKind::Max, most.lhs(), most.rhs()),
                _ => return None,
            },
            AnyOp::Typed(operation) => match operation {
                typed::Op::Constant(constant) => {
                    return constant.value().integer_value().map(Size::number);
                }
                typed::Op::Cast(cast) => {
                    return is_word(cast.operand())
                        .then(|| self.value_within(cast.operand(), depth));
                }
                typed::Op::Dim(dim) => {
                    return Some(self.dimension_of(dim.array(), dim.dimension() as usize));
                }
                typed::Op::Len(len) => {
                    array_type(len.operand().ty())?;
                    return Some(self.dimension_of(len.operand(), 0));
                }
                typed::Op::BroadcastSize(size) => {
                    let sizes = [size.lhs(), size.rhs()].map(|size| self.value_within(size, depth));
                    return Some(self.sizes.unchecked_broadcast(sizes.into()));
                }
                typed::Op::Binary(binary) => (binary.kind(), binary.lhs(), binary.rhs()),
                _ => return None,
            },
            _ => return None,
        };
        self.computed(kind, lhs, rhs, depth)
    }

    /// The size that an operator gives.
    fn computed(
        &mut self,
        kind: BinaryKind,
        lhs: Value<'c, 'a>,
        rhs: Value<'c, 'a>,
        depth: usize,
    ) -> Option<Size> {
        if !matches!(
            kind,
            BinaryKind::Add | BinaryKind::Sub | BinaryKind::Mul | BinaryKind::Max
        ) {
            return None;
        }
        let [a, b] = [lhs, rhs].map(|operand| self.value_within(operand, depth));
        match kind {
            BinaryKind::Add => Some(a.plus(&b, 1)),
            BinaryKind::Sub => Some(a.plus(&b, -1)),
            BinaryKind::Mul => Some(self.sizes.product(a, b)),
            _ if b == Size::number(0) => Some(self.sizes.positive(a)),
            _ if a == Size::number(0) => Some(self.sizes.positive(b)),
            _ => None,
        }
    }

    fn dimension_of(&mut self, array: Value<'c, 'a>, dimension: usize) -> Size {
        let key = (array.key(), dimension);
        let known = self.given.get(&key).or_else(|| self.dimensions.get(&key));
        if let Some(size) = known {
            return size.clone();
        }
        self.arrays += 1;
        let size = match self.arrays <= MAX_ARRAYS {
            true => self.made(array, dimension),
            false => None,
        };
        self.arrays -= 1;
        let size = size.unwrap_or_else(|| self.unknown(array, dimension));
        self.dimensions.insert(key, size.clone());
        size
    }

    /// The size of a dimension of an array, from its defining operation.
    fn made(&mut self, array: Value<'c, 'a>, dimension: usize) -> Option<Size> {
        if let Some(size) = given_size(array, dimension) {
            let size = self.value_within(size, DEPTH);
            self.sizes.is_of_array(&size);
            return Some(size);
        }
        match AnyOp::of(array.defining_op()?) {
            AnyOp::Typed(typed::Op::Transpose(transpose)) => {
                let from = transposed(transpose, dimension)?;
                Some(self.dimension_of(transpose.array(), from))
            }
            AnyOp::Typed(typed::Op::Apart(apart)) => {
                Some(self.dimension_of(apart.array(), dimension))
            }
            AnyOp::Typed(typed::Op::View(view)) => self.viewed(view, dimension),
            AnyOp::Typed(typed::Op::ArrayExpr(expression)) => {
                let result = rank(array);
                let operands = expression.inputs().into_iter();
                let sizes: Vec<_> = operands
                    .filter_map(|operand| {
                        let own = array_type(operand.ty())?.rank;
                        let dimension = (dimension + own).checked_sub(result)?;
                        Some(self.dimension(operand, dimension))
                    })
                    .collect();
                Some(self.sizes.broadcast(sizes))
            }
            AnyOp::Arith(arith::Op::Select(select)) => {
                let [one, other] = [select.true_value(), select.false_value()]
                    .map(|array| self.dimension(array, dimension));
                (one == other).then_some(one)
            }
            AnyOp::Typed(typed::Op::Call(call)) => self.returned(call, dimension),
            _ => None,
        }
    }

    /// The size of a dimension of a view made by basic indexing.
    fn viewed(&mut self, view: typed::View<'c, 'a>, dimension: usize) -> Option<Size> {
        let mut made = 0;
        let mut consumed = 0;
        for subscript in view.subscripts() {
            let kind = TypedType::from(subscript.ty());
            let keeps = matches!(kind, TypedType::None | TypedType::Slice(_));
            if keeps && made == dimension {
                return match kind {
                    TypedType::None => Some(Size::number(1)),
                    _ => self.sliced(view.array(), consumed, subscript),
                };
            }
            made += usize::from(keeps);
            consumed += usize::from(!matches!(kind, TypedType::None));
        }
        Some(self.dimension_of(view.array(), consumed + dimension - made))
    }

    /// The size of a slice of a dimension.
    fn sliced(
        &mut self,
        array: Value<'c, 'a>,
        dimension: usize,
        slice: Value<'c, 'a>,
    ) -> Option<Size> {
        let slice = typed::Slice::defining(slice)?;
        let size = self.dimension(array, dimension);
        let mut part = |value: Value<'c, 'a>| {
            let left_out = matches!(TypedType::from(value.ty()), TypedType::None);
            (!left_out).then(|| self.value(value))
        };
        let (start, stop) = (part(slice.start()), part(slice.stop()));
        let step = part(slice.step()).unwrap_or(Size::number(1));
        Some(self.sizes.slice(size, start, stop, step))
    }

    /// The size of a dimension of a library function's result.
    fn returned(&mut self, call: typed::Call<'c, 'a>, dimension: usize) -> Option<Size> {
        if library_role(call) != Some(LibraryRole::Reshape) {
            return None;
        }
        let mut sizes = call.inputs()[1];
        // The arguments of the method are a tuple, of which the shape may be the only item.
        if let Some(only) = only_item(sizes).filter(|only| is_tuple(only.ty())) {
            sizes = only;
        }
        let size = match is_tuple(sizes.ty()) {
            true => *typed::Tuple::defining(sizes)?.elements().get(dimension)?,
            false => sizes,
        };
        let size = self.value(size);
        // A negative size stands for the number of remaining elements.
        self.sizes.is_natural(&size).then_some(size)
    }

    /// The number of elements that a mask selects, at the current point of the walk.
    pub fn select(&mut self, call: typed::Call<'c, 'a>, mask: Value<'c, 'a>) {
        let version = self.version(mask);
        let (array, result) = (call.inputs()[0], call.results()[0]);
        let chosen = self.sizes.make(Atom::Chosen(mask.key(), version));
        self.give(result, 0, chosen);
        for dimension in 1..rank(result) {
            let size = self.dimension(array, dimension + rank(mask) - 1);
            self.give(result, dimension, size);
        }
    }

    /// The number of the last write that may have changed an array.
    fn version(&self, array: Value<'c, 'a>) -> usize {
        self.writes
            .iter()
            .rposition(|write| match write {
                Write::To(written) => may_alias(*written, array),
                Write::Anywhere => true,
            })
            .map_or(0, |at| at + 1)
    }
}

/// The only item of a tuple.
fn only_item<'c: 'a, 'a>(tuple: Value<'c, 'a>) -> Option<Value<'c, 'a>> {
    match typed::Tuple::defining(tuple)?.elements()[..] {
        [item] => Some(item),
        _ => None,
    }
}

fn is_tuple(r#type: Type) -> bool {
    TupleType::try_from(r#type).is_ok()
}

/// What a call's result is, where it is of a function of the library that passes know.
pub(crate) fn library_role(call: typed::Call) -> Option<LibraryRole> {
    call.attr(marks::ROLE).and_then(LibraryRole::from_attribute)
}

/// The call of the library's function that selects elements by a mask, and the mask.
pub(crate) fn selection<'c: 'a, 'a>(
    operation: OperationRef<'c, 'a>,
) -> Option<(typed::Call<'c, 'a>, Value<'c, 'a>)> {
    let call = typed::Call::of(operation)?;
    let [_, mask] = call.inputs()[..] else {
        return None;
    };
    let masks = is_bool(array_type(mask.ty())?.element);
    (masks && library_role(call) == Some(LibraryRole::Selection)).then_some((call, mask))
}

fn is_bool(r#type: Type) -> bool {
    IntegerType::try_from(r#type).is_ok_and(|integer| integer.width() == 1)
}
