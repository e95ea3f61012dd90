//! Unroll-and-jam: unrolls an outer loop and merges the copies of the loop inside of it.
//!
//! `for j: s = 0; for k: s += a[i, k] * b[k, j]; out[i, j] = s` is bound by the latency of one sum,
//! and walks down columns. Sixteen `j` jammed are sixteen independent sums along rows, which LLVM
//! vectorises. Each sum keeps the order of its terms, so the results are the same to the bit.

use crate::{
    analysis::{
        affine::{constant_of, counts_with},
        effects::{Footprint, Raises, any_alias},
    },
    infra::{
        BlockExt, Builder, OperationExt, PassContext, PassResult, PassSpec, REMARKS, RegionExt,
        StatisticSpec, ValueExt,
        copies::{Mapping, copy},
        emit::{Emit, mapped},
        ops::{arith, func, scf, typed},
    },
};
use melior::ir::{BlockRef, OperationRef, TypeLike, Value, operation::OperationLike};
use pyopt_dialects::typed::{Layout, array_type};

/// The `typed-unroll-and-jam` pass.
pub static PASS: PassSpec = PassSpec {
    description: "Takes a loop without carried values, with a step of one and one loop in it that \
        carries floats, whose bounds don't depend on the outer position. Nothing else may be in it \
        but what is pure, loads, and behind the inner loop stores to arrays that share no memory \
        with those that are loaded from. Where elements next to each other are loaded for positions \
        next to each other, eight or sixteen iterations are done at once, depending on the size of \
        the inner loop. What is left is done one by one.",
    anchor: func::Func::NAME,
    dialects: &["arith", "scf"],
    options: &[REMARKS],
    statistics: &[StatisticSpec::new(
        "jammed",
        "loops whose iterations are done several at once",
    )],
    ..PassSpec::new(
        "typed-unroll-and-jam",
        "unroll loops and jam the loops that are in them",
        run,
    )
};

/// Operations in the inner loop up to which it gets the most copies.
const SMALL: usize = 8;
/// Operations beyond which it isn't unrolled.
const LARGE: usize = 24;

fn run<'c>(cx: &PassContext<'c>, function: OperationRef<'c, '_>) -> PassResult {
    let builder = Builder::new(cx.context(), function);
    for outer in function.nested_ops::<scf::For>() {
        if let Some(nest) = Nest::of(outer) {
            let location = outer.location();
            nest.jam(&builder);
            let message = format!(
                "does {} iterations at once, so that the loop in it vectorises",
                nest.copies
            );
            cx.transformed("jammed", location, message);
        }
    }
    Ok(())
}

/// The loop to unroll, and the one in it to jam.
pub(crate) struct Nest<'c, 'a> {
    pub(crate) outer: scf::For<'c, 'a>,
    pub(crate) body: BlockRef<'c, 'a>,
    pub(crate) before: Vec<OperationRef<'c, 'a>>,
    pub(crate) inner: scf::For<'c, 'a>,
    pub(crate) inner_body: BlockRef<'c, 'a>,
    pub(crate) after: Vec<OperationRef<'c, 'a>>,
    /// The values that vary with the outer loop.
    pub(crate) varying: Vec<Value<'c, 'a>>,
    copies: usize,
}

impl<'c: 'a, 'a> Nest<'c, 'a> {
    /// The nest that starts with a loop, if jamming it is legal and profitable.
    pub(crate) fn of(outer: scf::For<'c, 'a>) -> Option<Self> {
        let body = outer.region().entry()?;
        let inner = only_loop(body)?;
        let inner_body = inner.region().entry()?;
        if !outer.results().is_empty()
            || !is_one(outer.step())
            || !body.argument_value(0).ty().is_index()
            || !carries_floats(*inner)
        {
            return None;
        }
        let mut before = body.operation_list();
        before.pop();
        let at = before.iter().position(|operation| *operation == *inner)?;
        let after = before.split_off(at + 1);
        before.pop();
        let inside = inner_body.operation_list();
        if inside
            .iter()
            .any(|operation| !operation.region_list().is_empty())
            || !is_independent(&before, *inner, &after)
        {
            return None;
        }
        let varying = varying(body, inner_body);
        let bounds = [inner.lower_bound(), inner.upper_bound(), inner.step()];
        if bounds.iter().any(|bound| varying.contains(bound)) {
            return None;
        }
        let position = body.argument_value(0);
        if !inside
            .iter()
            .any(|load| runs_along_a_row(*load, position, &varying))
        {
            return None;
        }
        let copies = match inside.len() {
            ..=SMALL => 16,
            size if size <= LARGE => 8,
            _ => return None,
        };
        Some(Self {
            outer,
            body,
            before,
            inner,
            inner_body,
            after,
            varying,
            copies,
        })
    }

    /// Inserts the unrolled loop before the original one, which does the remaining iterations.
    fn jam(&self, builder: &Builder<'c, 'a>) {
        builder.before(*self.outer);
        let (lower, upper) = (self.outer.lower_bound(), self.outer.upper_bound());
        let count = builder.bin(arith::SubI::NAME, upper, lower);
        let count = builder.bin(arith::MaxSI::NAME, count, builder.index(0));
        let group = builder.index(self.copies as i64);
        let rest = builder.bin(arith::RemUI::NAME, count, group);
        let done = builder.bin(arith::SubI::NAME, count, rest);
        let middle = builder.bin(arith::AddI::NAME, lower, done);

        let groups = scf::For::create(builder, lower, middle, group, &[], &[]);
        let block = builder.append_block(groups.region(), &[builder.index_type()]);
        self.fill(builder, block.argument_value(0));
        builder.scf_yield(&[]);
        self.outer.set_lower_bound(middle);
    }

    /// Emits the body for consecutive values of the induction variable, from one on.
    fn fill(&self, builder: &Builder<'c, 'a>, first: Value<'c, 'a>) {
        let mut mappings: Vec<Mapping> = Vec::new();
        for copy in 0..self.copies {
            let offset = builder.index(copy as i64);
            let position = builder.bin(arith::AddI::NAME, first, offset);
            mappings.push(vec![(self.body.argument_value(0), position)]);
        }
        self.copy_all(builder, &self.before, &mut mappings);
        self.jam_inner(builder, &mut mappings);
        // In the order of the iterations, as their stores may be to the same element.
        for mapping in &mut mappings {
            for operation in &self.after {
                copy(builder, *operation, mapping);
            }
        }
    }

    /// Emits the jammed loop, with the loop-carried values of all copies.
    fn jam_inner(&self, builder: &Builder<'c, 'a>, mappings: &mut [Mapping<'c, 'a>]) {
        let inner = self.inner;
        let [lower, upper, step] = [inner.lower_bound(), inner.upper_bound(), inner.step()]
            .map(|bound| mapped(&mappings[0], bound));
        let mut inits = Vec::new();
        for mapping in &*mappings {
            let own = inner.init_args().into_iter();
            inits.extend(own.map(|init| mapped(mapping, init)));
        }
        let types: Vec<_> = inits.iter().map(|init| init.ty()).collect();
        let jammed = scf::For::create(builder, lower, upper, step, &inits, &types);
        let arguments: Vec<_> = [builder.index_type()].into_iter().chain(types).collect();
        let block = builder.append_block(jammed.region(), &arguments);
        let arguments = block.argument_values();
        let old = self.inner_body.argument_values();
        let carried = old.len() - 1;
        for (copy, mapping) in mappings.iter_mut().enumerate() {
            mapping.push((old[0], arguments[0]));
            let start = 1 + copy * carried;
            let new = &arguments[start..start + carried];
            mapping.extend(old[1..].iter().copied().zip(new.iter().copied()));
        }

        let operations = self.inner_body.operation_list();
        let (end, operations) = operations.split_last().expect("a loop has a terminator");
        self.copy_all(builder, operations, mappings);
        let mut yielded = Vec::new();
        for mapping in &*mappings {
            yielded.extend(
                end.operand_values()
                    .iter()
                    .map(|value| mapped(mapping, *value)),
            );
        }
        builder.scf_yield(&yielded);
        builder.after(*jammed);

        let results = jammed.results();
        for (copy, mapping) in mappings.iter_mut().enumerate() {
            let new = &results[copy * carried..(copy + 1) * carried];
            mapping.extend(inner.results().into_iter().zip(new.iter().copied()));
        }
    }

    /// Clones operations: once if they are invariant in the outer loop, otherwise once for each
    /// copy.
    fn copy_all(
        &self,
        builder: &Builder<'c, 'a>,
        operations: &[OperationRef<'c, 'a>],
        mappings: &mut [Mapping<'c, 'a>],
    ) {
        for operation in operations {
            let results = operation.result_values();
            if results.iter().any(|result| self.varying.contains(result)) {
                for mapping in &mut *mappings {
                    copy(builder, *operation, mapping);
                }
            } else {
                let (first, others) = mappings.split_first_mut().expect("there are copies");
                let before = first.len();
                copy(builder, *operation, first);
                for mapping in others {
                    mapping.extend_from_slice(&first[before..]);
                }
            }
        }
    }
}

/// The only loop of a block, if no other operation in it has regions.
fn only_loop<'c: 'a, 'a>(block: BlockRef<'c, 'a>) -> Option<scf::For<'c, 'a>> {
    let operations = block.operation_list().into_iter();
    let mut nested = operations.filter(|operation| !operation.region_list().is_empty());
    let inner = scf::For::of(nested.next()?)?;
    nested.next().is_none().then_some(inner)
}

fn is_one(value: Value) -> bool {
    constant_of(value) == Some(1)
}

fn carries_floats(inner: OperationRef) -> bool {
    let types = inner.result_types();
    !types.is_empty()
        && types
            .iter()
            .all(|r#type| r#type.is_f64() || r#type.is_f32())
}

/// Whether the outer iterations can be jammed: the operations before the inner loop and in it write
/// nothing, those after it may alias none of the reads, and nothing raises.
fn is_independent<'c: 'a, 'a>(
    before: &[OperationRef<'c, 'a>],
    inner: OperationRef<'c, 'a>,
    after: &[OperationRef<'c, 'a>],
) -> bool {
    let mut early = Footprint::of(inner);
    before.iter().for_each(|operation| early.add(*operation));
    let mut late = Footprint::default();
    after.iter().for_each(|operation| late.add(*operation));
    early.raises.max(late.raises) == Raises::Nothing
        && !early.writes_anything()
        && !late.unknown
        && !any_alias(&late.writes, &early.reads)
        && !any_alias(&late.writes, &late.reads)
}

/// The values that depend on the outer induction variable or on loop-carried values.
fn varying<'c: 'a, 'a>(body: BlockRef<'c, 'a>, inner: BlockRef<'c, 'a>) -> Vec<Value<'c, 'a>> {
    let mut varying = vec![body.argument_value(0)];
    varying.extend(inner.argument_values().into_iter().skip(1));
    for block in [body, inner] {
        for operation in block.operation_list() {
            let operands = operation.operand_values();
            if operands.iter().any(|operand| varying.contains(operand)) {
                varying.extend(operation.result_values());
            }
        }
    }
    varying
}

/// Whether a load has unit stride in the outer loop.
fn runs_along_a_row<'c: 'a, 'a>(
    load: OperationRef<'c, 'a>,
    position: Value<'c, 'a>,
    varying: &[Value<'c, 'a>],
) -> bool {
    let Some(load) = typed::Load::of(load) else {
        return false;
    };
    let indices = load.indices();
    let Some((last, others)) = indices.split_last() else {
        return false;
    };
    array_type(load.array().ty()).is_some_and(|array| array.layout == Layout::C)
        && counts_with(*last, position, &|value| !varying.contains(&value))
        && !others.iter().any(|index| varying.contains(index))
}
