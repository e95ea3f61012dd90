//! Makes equal sizes explicit in the IR.

use super::{hoist::Way, source::Source, walk::Visitor};
use crate::{
    analysis::{
        shape::{given_size, rank},
        sizes::{Derivation, Size},
    },
    infra::{
        BlockExt, Builder, Identity, Key, OperationExt, PassContext, ValueExt,
        emit::Emit,
        ops::{AnyOp, parfor, typed},
    },
};
use melior::ir::{BlockRef, OperationRef, Value, operation::OperationLike};
use pyopt_dialects::typed::array_type;
use std::collections::HashMap;

/// A change that is undone when a region is left.
#[derive(Debug)]
enum Change<'c, 'a> {
    Source(Size),
    Shaped(Key, Option<Shaped<'c, 'a>>),
}

/// An array and its `typed.with_shape`.
#[derive(Clone, Debug)]
struct Shaped<'c, 'a> {
    sizes: Vec<Size>,
    /// The array itself where no `typed.with_shape` is needed.
    array: Value<'c, 'a>,
}

/// Rewrites operations as the walk gets to them.
pub(super) struct Rewrite<'c, 'a, 'b> {
    cx: &'b PassContext<'c>,
    builder: &'b Builder<'c, 'a>,
    /// The representative of each class of equal sizes: its first value or array.
    sources: HashMap<Size, Source<'c, 'a>>,
    shaped: HashMap<Key, Shaped<'c, 'a>>,
    /// Sizes that were read already, after the definitions of their arrays.
    read: HashMap<(Key, usize), Value<'c, 'a>>,
    changes: Vec<Change<'c, 'a>>,
    regions: Vec<usize>,
}

impl<'c: 'a, 'a, 'b> Rewrite<'c, 'a, 'b> {
    /// Prepares for a function.
    pub fn new(cx: &'b PassContext<'c>, builder: &'b Builder<'c, 'a>) -> Self {
        Self {
            cx,
            builder,
            sources: HashMap::new(),
            shaped: HashMap::new(),
            read: HashMap::new(),
            changes: Vec::new(),
            regions: Vec::new(),
        }
    }

    /// Adds the representatives of new classes of sizes.
    fn register(&mut self, known: &mut Derivation<'c, 'a>, array: Value<'c, 'a>) {
        // An expression has the sizes of its operands, or new ones.
        if typed::ArrayExpr::defining(array).is_some() {
            return;
        }
        for dimension in 0..rank(array) {
            let size = known.dimension(array, dimension);
            let source = match given_size(array, dimension) {
                Some(value) => Source::Value(value),
                None => Source::Dimension(array, dimension),
            };
            self.add_source(size, source);
        }
    }

    fn add_source(&mut self, size: Size, source: Source<'c, 'a>) {
        if size.as_number().is_none() && !self.sources.contains_key(&size) {
            self.sources.insert(size.clone(), source);
            self.changes.push(Change::Source(size));
        }
    }

    fn source(&self, size: &Size) -> Option<Source<'c, 'a>> {
        match size.as_number() {
            Some(number) => Some(Source::Constant(number)),
            None => self.sources.get(size).copied(),
        }
    }

    /// A size as an `index`, read after the definition of its array or at its value; a constant is
    /// made at the insertion point.
    fn read(&mut self, source: Source<'c, 'a>) -> Value<'c, 'a> {
        let builder = self.builder;
        let (value, dimension) = match source {
            Source::Constant(number) => return builder.index(number),
            Source::Dimension(array, dimension) => (array, dimension),
            Source::Value(value) if value.ty() == builder.index_type() => return value,
            Source::Value(value) => (value, 0),
        };
        let key = (value.key(), dimension);
        if let Some(size) = self.read.get(&key) {
            return *size;
        }
        let block = value.defining_block();
        let root = value
            .defining_op()
            .or_else(|| block.parent())
            .expect("blocks of a function have a parent");
        let at = Builder::new(builder.context(), root);
        match value.defining_op() {
            Some(operation) => at.after(operation),
            None => at.at_start(block),
        };
        let size = match source {
            Source::Dimension(array, dimension) => at.dim(array, dimension),
            _ => at.cast(value, at.index_type()),
        };
        self.read.insert(key, size);
        size
    }

    /// An array with a `typed.with_shape` before an operation, if its sizes aren't obvious
    /// otherwise.
    fn shape(
        &mut self,
        known: &mut Derivation<'c, 'a>,
        array: Value<'c, 'a>,
        before: OperationRef<'c, 'a>,
    ) -> Value<'c, 'a> {
        let sizes: Vec<_> = (0..rank(array))
            .map(|dimension| known.dimension(array, dimension))
            .collect();
        let key = array.key();
        if let Some(shaped) = self.shaped.get(&key)
            && shaped.sizes == sizes
        {
            return shaped.array;
        }
        let sources: Vec<_> = sizes
            .iter()
            .enumerate()
            .map(|(dimension, size)| {
                self.source(size)
                    .unwrap_or(Source::Dimension(array, dimension))
            })
            .collect();
        let is_plain = sources
            .iter()
            .enumerate()
            .all(|(dimension, source)| Source::Dimension(array, dimension).is_written_as(*source));
        let result = if is_plain {
            array
        } else {
            self.builder.before(before);
            let sources = sources.into_iter();
            let sizes: Vec<_> = sources.map(|source| self.read(source)).collect();
            self.cx.bump("shaped", 1);
            typed::WithShape::create(self.builder, array, &sizes).result()
        };
        let shaped = Shaped {
            sizes,
            array: result,
        };
        let previous = self.shaped.insert(key, shaped);
        self.changes.push(Change::Shaped(key, previous));
        result
    }

    /// Replaces the array operands of an operation by ones with a `typed.with_shape`.
    fn shape_operands(&mut self, known: &mut Derivation<'c, 'a>, operation: OperationRef<'c, 'a>) {
        for (index, operand) in operation.operand_values().into_iter().enumerate() {
            let is_array = array_type(operand.ty()).is_some_and(|array| array.rank > 0);
            // An expression with an assignment as its only use is computed right into the target.
            let assigned = operation.isa::<typed::Assign>()
                && index == typed::Assign::VALUE_OPERAND
                && typed::ArrayExpr::defining(operand).is_some();
            if is_array && !assigned {
                let shaped = self.shape(known, operand, operation);
                if shaped != operand {
                    operation.set_operand_value(index, shaped);
                }
            }
        }
    }

    /// Replaces size operands of an operation by the representatives of their classes.
    fn share_sizes(
        &mut self,
        known: &mut Derivation<'c, 'a>,
        operation: OperationRef<'c, 'a>,
        operands: std::ops::Range<usize>,
    ) {
        for index in operands {
            let operand = operation.operand_value(index);
            let size = known.value(operand);
            let Some(source) = self.source(&size) else {
                continue;
            };
            if !Source::Value(operand).is_written_as(source) {
                self.builder.before(operation);
                let size = self.read(source);
                operation.set_operand_value(index, size);
            }
        }
    }

    /// Hoists the check that sizes are equal out of the loops that make it in every execution;
    /// returns whether that could be done.
    fn hoist(
        &mut self,
        known: &mut Derivation<'c, 'a>,
        check: typed::RequireEqual<'c, 'a>,
    ) -> bool {
        let sizes = [check.lhs(), check.rhs()].map(|size| known.value(size));
        let [Some(one), Some(other)] = [0, 1].map(|at| self.source(&sizes[at])) else {
            return false;
        };
        let Some(way) = Way::out(*check, &[one, other]) else {
            return false;
        };
        let builder = self.builder;
        builder.before(way.before).at(check.location());
        let (branch, runs, never) = builder.scf_if(way.runs(builder), &[]);
        builder.at_end(runs);
        let [one, other] = [one, other].map(|source| self.read(source));
        typed::RequireEqual::create(builder, one, other, check.message());
        builder.scf_yield(&[]);
        builder.at_end(never).scf_yield(&[]);
        builder.after(branch);
        self.equate(known, &sizes[0], &sizes[1]);
        self.cx.bump("hoisted", 1);
        check.erase();
        true
    }

    /// Replaces a dimension, the result of an operation, by the representative of its class.
    fn share_dimension(
        &mut self,
        known: &mut Derivation<'c, 'a>,
        (array, dimension): (Value<'c, 'a>, usize),
        operation: OperationRef<'c, 'a>,
        result: Value<'c, 'a>,
    ) {
        if array_type(array.ty()).is_none() {
            return;
        }
        let size = known.value(result);
        let is_first = |source: &Source<'c, 'a>| match source {
            Source::Constant(_) => false,
            Source::Dimension(first, number) => *first == array && *number == dimension,
            Source::Value(value) => *value == result,
        };
        if let Some(source) = self.source(&size).filter(|source| !is_first(source)) {
            self.builder.after(operation);
            let size = self.read(source);
            let size = self.builder.cast(size, result.ty());
            result.replace_all_uses(size);
        }
    }
}

impl<'c: 'a, 'a> Visitor<'c, 'a> for Rewrite<'c, 'a, '_> {
    fn enter(&mut self) {
        self.regions.push(self.changes.len());
    }

    fn leave(&mut self) {
        let mark = self.regions.pop().unwrap_or_default();
        for change in self.changes.drain(mark..).rev() {
            match change {
                Change::Source(size) => {
                    self.sources.remove(&size);
                }
                Change::Shaped(key, Some(before)) => {
                    self.shaped.insert(key, before);
                }
                Change::Shaped(key, None) => {
                    self.shaped.remove(&key);
                }
            }
        }
    }

    fn block(&mut self, known: &mut Derivation<'c, 'a>, block: BlockRef<'c, 'a>) {
        for argument in block.argument_values() {
            self.register(known, argument);
        }
    }

    fn before(&mut self, known: &mut Derivation<'c, 'a>, operation: OperationRef<'c, 'a>) -> bool {
        if is_proven(known, operation) {
            self.cx.bump("proven", 1);
            operation.erase();
            return false;
        }
        match AnyOp::of(operation) {
            AnyOp::Typed(typed::Op::RequireEqual(check)) => return !self.hoist(known, check),
            AnyOp::Typed(typed::Op::ArrayExpr(_) | typed::Op::Assign(_) | typed::Op::Reduce(_)) => {
                self.shape_operands(known, operation)
            }
            AnyOp::Typed(typed::Op::Empty(empty)) => {
                self.share_sizes(known, operation, empty.sizes_range());
            }
            AnyOp::Typed(typed::Op::Generate(generate)) => {
                self.share_sizes(known, operation, generate.sizes_range());
            }
            AnyOp::Parfor(parfor::Op::Loop(nest)) => {
                self.share_sizes(known, operation, nest.extents_range());
            }
            _ => {}
        }
        true
    }

    fn equate(&mut self, known: &mut Derivation<'c, 'a>, a: &Size, b: &Size) {
        let sides = [a, b].map(|side| known.sizes.resolve(side));
        if known.sizes.equate(a, b) {
            for side in sides {
                let source = self.source(&side);
                let now = known.sizes.resolve(&side);
                if let Some(source) = source {
                    self.add_source(now, source);
                }
            }
        }
    }

    fn after(&mut self, known: &mut Derivation<'c, 'a>, operation: OperationRef<'c, 'a>) {
        for result in operation.result_values() {
            self.register(known, result);
        }
        match typed::Op::of(operation) {
            Some(typed::Op::Dim(dim)) => {
                let dimension = (dim.array(), dim.dimension() as usize);
                self.share_dimension(known, dimension, operation, dim.result());
            }
            Some(typed::Op::Len(len)) => {
                self.share_dimension(known, (len.operand(), 0), operation, len.result());
            }
            _ => {}
        }
    }
}

/// Whether an operation is a check that is known to pass.
fn is_proven<'c: 'a, 'a>(known: &mut Derivation<'c, 'a>, operation: OperationRef<'c, 'a>) -> bool {
    match typed::Op::of(operation) {
        Some(typed::Op::RaiseIf(check)) => known.is_known(check.condition(), false),
        Some(typed::Op::RequireEqual(check)) => {
            known.value(check.lhs()) == known.value(check.rhs())
        }
        _ => false,
    }
}
