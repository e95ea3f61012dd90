//! Loops that reduce more than numbers: chunks of iterations with variables of their own.

use super::{arrays::InPlace, body::body, carried::Carried, induction::iterations, is_number};
use crate::{
    infra::{BlockExt, Builder, CmpInt, OperationExt, ValueExt},
    parfor::{
        effects::{Footprint, any_alias},
        emit::Emit,
        nest::{NestBuilder, Reduction},
        reduction::{combine, identity, neutral},
        work,
    },
};
use melior::ir::{Attribute, OperationRef, Type, Value, operation::OperationLike};
use pyopt_dialects::{
    enums::{BinaryKind, CompareKind, UnaryKind},
    typed::{ArrayType, Layout, array_type},
};

/// Whether values of a type can be reduced: numbers, and arrays of such that lie in a row.
pub(super) fn is_reducible(kind: &str, r#type: Type) -> bool {
    match array_type(r#type) {
        Some(array) => {
            array.rank > 0
                && !array.readonly
                && matches!(array.layout, Layout::C | Layout::F)
                && has_identity(kind, array.element)
        }
        None => is_number(r#type) && kind != "npmin" && kind != "npmax",
    }
}

/// Whether there is an element that changes nothing.
fn has_identity(kind: &str, element: Type) -> bool {
    let name = element.to_string();
    match kind {
        "add" | "mul" => is_number(element),
        "and" | "or" | "xor" => name.starts_with(['s', 'u', 'i']),
        _ => name.starts_with(['s', 'u', 'f']),
    }
}

/// Says why the arrays of a loop can't be reduced.
pub(super) fn check<'c: 'a, 'a>(
    operation: OperationRef<'c, 'a>,
    carried: &[Carried],
    arrays: &[InPlace<'c, 'a>],
) -> Result<(), String> {
    for one in arrays {
        let array = array_type(one.array.ty());
        if !array.is_some_and(|array| has_identity(one.kind, array.element)) {
            return Err(format!(
                "arrays of type {} can't be reduced",
                one.array.ty()
            ));
        }
    }
    let footprint = Footprint::of(operation);
    for (position, one) in carried.iter().enumerate() {
        let init = operation.operand_value(3 + position);
        if matches!(one, Carried::Reduction(_))
            && array_type(init.ty()).is_some()
            && (footprint.unknown || any_alias(&footprint.writes, &[init]))
        {
            return Err("iterations may write to the array that they add to".to_owned());
        }
    }
    Ok(())
}

/// Where the chunks leave what becomes of a carried value or an array.
struct Slots<'c, 'a> {
    /// One for each chunk: the first dimension.
    array: Value<'c, 'a>,
}

/// Replaces a loop by one over chunks and by what combines their results.
pub(super) fn convert<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    operation: OperationRef<'c, 'a>,
    pattern: &str,
    carried: &[Carried],
    arrays: &[InPlace<'c, 'a>],
) {
    builder.before(operation).at(operation.location());
    let inits = operation.operand_values()[3..].to_vec();
    let count = iterations(builder, operation);
    let mut operands = vec![count];
    operands.extend(work::estimate_body(
        builder,
        None,
        operation,
        body(operation),
    ));
    let chunks = builder.value("parfor.chunks", &operands, builder.index_type(), &[]);

    let slots: Vec<_> = carried
        .iter()
        .zip(&inits)
        .map(|(one, init)| match one {
            Carried::Extreme { .. } | Carried::Companion(_) => {
                Some(Slots::new(builder, chunks, *init))
            }
            Carried::Reduction(_) if array_type(init.ty()).is_some() => {
                Some(Slots::new(builder, chunks, *init))
            }
            _ => None,
        })
        .collect();
    let array_slots: Vec<_> = arrays
        .iter()
        .map(|one| Slots::new(builder, chunks, one.array))
        .collect();

    let mut nest = NestBuilder::new(&[chunks], pattern);
    let mut reduced = Vec::new();
    for (position, one) in carried.iter().enumerate() {
        if let Carried::Reduction(kind) = one
            && slots[position].is_none()
        {
            reduced.push(position);
            nest.reductions.push(Reduction {
                kind: (*kind).to_owned(),
                init: inits[position],
                reassociate: false,
            });
        }
    }
    let nest = nest.build(builder, |indices| {
        let chunk = indices[0];
        let own: Vec<_> = arrays
            .iter()
            .map(|one| {
                let own = filled(builder, one.kind, one.array);
                builder.as_array_type(own, one.array.ty())
            })
            .collect();
        let starts: Vec<_> = carried
            .iter()
            .zip(&inits)
            .map(|(one, init)| start(builder, one, *init))
            .collect();
        let results = run_chunk(
            builder,
            operation,
            (chunk, chunks, count),
            &starts,
            arrays,
            &own,
        );
        for (slots, result) in slots.iter().zip(&results) {
            if let Some(slots) = slots {
                slots.put(builder, chunk, *result);
            }
        }
        for (slots, own) in array_slots.iter().zip(&own) {
            slots.put(builder, chunk, *own);
        }
        reduced.iter().map(|position| results[*position]).collect()
    });

    let mut results = inits.clone();
    for (position, value) in reduced.iter().zip(nest.reduced()) {
        results[*position] = value;
    }
    for (position, one) in carried.iter().enumerate() {
        match (one, &slots[position]) {
            (Carried::Extreme { largest }, Some(_)) => {
                let of_this = |at: &usize| carried[*at] == Carried::Companion(position);
                let mut group = vec![position];
                group.extend((0..carried.len()).filter(of_this));
                combine_extremes(builder, chunks, *largest, &group, &slots, &mut results);
            }
            (Carried::Reduction(kind), Some(slots)) => {
                results[position] =
                    slots.combine_fresh(builder, kind, (chunks, count), inits[position]);
            }
            _ => {}
        }
    }
    for (slots, one) in array_slots.iter().zip(arrays) {
        slots.combine_into(builder, one.kind, chunks, one.array);
    }
    operation.replace_results(&results);
    operation.erase();
}

/// What a chunk starts with.
fn start<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    carried: &Carried,
    init: Value<'c, 'a>,
) -> Value<'c, 'a> {
    let kind = match carried {
        Carried::Reduction(kind) => kind,
        Carried::Extreme { largest: true } => "max",
        Carried::Extreme { largest: false } => "min",
        _ => return init,
    };
    match array_type(init.ty()) {
        Some(_) => filled(builder, kind, init),
        None => neutral(builder, kind, init.ty()).unwrap_or(init),
    }
}

/// Moves the iterations of a loop into a loop over those of one chunk; what it carries starts
/// anew, and arrays are the chunk's own.
fn run_chunk<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    operation: OperationRef<'c, 'a>,
    (chunk, chunks, count): (Value<'c, 'a>, Value<'c, 'a>, Value<'c, 'a>),
    starts: &[Value<'c, 'a>],
    arrays: &[InPlace<'c, 'a>],
    own: &[Value<'c, 'a>],
) -> Vec<Value<'c, 'a>> {
    // The first iterations of so many more than an even share go to the first chunks.
    let bound = |chunk: Value<'c, 'a>| {
        let share = builder.bin("arith.divui", count, chunks);
        let rest = builder.bin("arith.remui", count, chunks);
        let first = builder.bin("arith.muli", share, chunk);
        let more = builder.bin("arith.minui", rest, chunk);
        builder.bin("arith.addi", first, more)
    };
    let lower = bound(chunk);
    let upper = bound(builder.bin("arith.addi", chunk, builder.index(1)));
    let (inner, block) = builder.scf_for(lower, upper, starts);
    let arguments = block.argument_values();
    builder.merge_blocks(body(operation), block, &arguments);
    for (one, own) in arrays.iter().zip(own) {
        one.array
            .replace_uses_if(*own, |r#use| r#use.user.is_within(inner));
    }
    builder.after(inner);
    inner.result_values()
}

/// An array of the shape of another, of elements that change nothing.
fn filled<'c: 'a, 'a>(builder: &Builder<'c, 'a>, kind: &str, like: Value<'c, 'a>) -> Value<'c, 'a> {
    let array = array_type(like.ty()).expect("only arrays are filled");
    let layout = match array.layout {
        Layout::F => Layout::F,
        _ => Layout::C,
    };
    let r#type = ArrayType {
        layout,
        readonly: false,
        ..array
    }
    .to_type(builder.context());
    let sizes = dims(builder, like);
    let indices = vec![builder.index_type(); array.rank];
    let (made, block) = builder.op_with_body("typed.generate", &sizes, &[r#type], &[], &indices);
    builder.at_end(block);
    let element = identity(builder, kind, array.element).expect("checked to have an identity");
    builder.op("typed.yield", &[element], &[], &[]);
    builder.after(made);
    made.result_value(0)
}

fn dims<'c: 'a, 'a>(builder: &Builder<'c, 'a>, array: Value<'c, 'a>) -> Vec<Value<'c, 'a>> {
    let rank = array_type(array.ty()).map_or(0, |array| array.rank);
    (0..rank).map(|at| builder.dim(array, at)).collect()
}

impl<'c: 'a, 'a> Slots<'c, 'a> {
    /// Room for what every chunk makes of a value.
    fn new(builder: &Builder<'c, 'a>, chunks: Value<'c, 'a>, like: Value<'c, 'a>) -> Self {
        let (rank, element) = match array_type(like.ty()) {
            Some(array) => (array.rank, array.element),
            None => (0, like.ty()),
        };
        let r#type = ArrayType::contiguous(rank + 1, element);
        let mut sizes = vec![chunks];
        sizes.extend(dims(builder, like));
        Self {
            array: builder.empty(&sizes, r#type.to_type(builder.context())),
        }
    }

    /// The size of an array that the chunks reduce.
    fn sizes(&self, builder: &Builder<'c, 'a>) -> Vec<Value<'c, 'a>> {
        dims(builder, self.array).split_off(1)
    }

    /// Stores what a chunk has made.
    fn put(&self, builder: &Builder<'c, 'a>, chunk: Value<'c, 'a>, value: Value<'c, 'a>) {
        let sizes = self.sizes(builder);
        if sizes.is_empty() {
            return builder.store(value, self.array, &[chunk]);
        }
        for (size, own) in sizes.iter().zip(dims(builder, value)) {
            let other = builder.cmpi(CmpInt::Ne, *size, own);
            builder.raise_if(
                other,
                "ValueError",
                "an array that prange reduces changes its shape",
            );
        }
        let mut copy = NestBuilder::new(&sizes, "reduction");
        copy.serial = true;
        copy.build(builder, |indices| {
            let element = builder.load(value, indices);
            builder.store(element, self.array, &[&[chunk], indices].concat());
            Vec::new()
        });
    }

    /// An element of an array with those of all chunks.
    fn combine_element(
        &self,
        builder: &Builder<'c, 'a>,
        kind: &str,
        chunks: Value<'c, 'a>,
        init: Value<'c, 'a>,
        indices: &[Value<'c, 'a>],
    ) -> Value<'c, 'a> {
        let start = builder.load(init, indices);
        let (each, block) = builder.scf_for(builder.index(0), chunks, &[start]);
        let (chunk, before) = (block.argument_value(0), block.argument_value(1));
        builder.at_end(block);
        let value = builder.load(self.array, &[&[chunk], indices].concat());
        let after = match kind {
            "npmin" | "npmax" => combine_extreme(builder, kind == "npmax", before, value),
            _ => combine(builder, kind, false, before, value),
        };
        builder.scf_yield(&[after]);
        builder.after(each);
        each.result_value(0)
    }

    /// Combines what the chunks have made into an array.
    fn combine_into(
        &self,
        builder: &Builder<'c, 'a>,
        kind: &str,
        chunks: Value<'c, 'a>,
        array: Value<'c, 'a>,
    ) {
        NestBuilder::new(&self.sizes(builder), "reduction").build(builder, |indices| {
            let element = self.combine_element(builder, kind, chunks, array, indices);
            builder.store(element, array, indices);
            Vec::new()
        });
    }

    /// Combines what the chunks have made with an array to a fresh one; without iterations it is
    /// the array itself.
    fn combine_fresh(
        &self,
        builder: &Builder<'c, 'a>,
        kind: &str,
        (chunks, count): (Value<'c, 'a>, Value<'c, 'a>),
        init: Value<'c, 'a>,
    ) -> Value<'c, 'a> {
        let any = builder.cmpi(CmpInt::Ne, count, builder.index(0));
        let (made, yes, no) = builder.scf_if(any, &[init.ty()]);
        builder.at_end(yes);
        let nest = NestBuilder::new(&self.sizes(builder), "reduction")
            .fresh(init.ty())
            .build(builder, |indices| {
                vec![self.combine_element(builder, kind, chunks, init, indices)]
            });
        builder.scf_yield(&nest.fresh());
        builder.at_end(no);
        builder.scf_yield(&[init]);
        builder.after(made);
        made.result_value(0)
    }
}

/// The better of two elements as `np.minimum` and `np.maximum` see it: the first of equal ones, and
/// NaN.
fn combine_extreme<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    largest: bool,
    before: Value<'c, 'a>,
    value: Value<'c, 'a>,
) -> Value<'c, 'a> {
    let kind = if largest {
        CompareKind::Ge
    } else {
        CompareKind::Le
    };
    let better = compare(builder, kind, before, value);
    let kind = UnaryKind::IsNan.to_attribute(builder.context());
    let nan = builder.value("typed.unary", &[before], builder.i(1), &[("kind", kind)]);
    let keeps = builder.binary(BinaryKind::Or, better, nan);
    builder.select(keeps, before, value)
}

fn compare<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    kind: CompareKind,
    left: Value<'c, 'a>,
    right: Value<'c, 'a>,
) -> Value<'c, 'a> {
    let kind: Attribute = kind.to_attribute(builder.context());
    builder.value(
        "typed.compare",
        &[left, right],
        builder.i(1),
        &[("kind", kind)],
    )
}

/// Finds the first best of the chunks' extremes, with what was noted there. `group` are the
/// positions of the extreme and of its companions.
fn combine_extremes<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    chunks: Value<'c, 'a>,
    largest: bool,
    group: &[usize],
    slots: &[Option<Slots<'c, 'a>>],
    results: &mut [Value<'c, 'a>],
) {
    let starts: Vec<_> = group.iter().map(|at| results[*at]).collect();
    let (each, block) = builder.scf_for(builder.index(0), chunks, &starts);
    let mut before = block.argument_values();
    let chunk = before.remove(0);
    builder.at_end(block);
    let found: Vec<_> = group
        .iter()
        .filter_map(|at| slots[*at].as_ref())
        .map(|slots| builder.load(slots.array, &[chunk]))
        .collect();
    let kind = if largest {
        CompareKind::Gt
    } else {
        CompareKind::Lt
    };
    let better = compare(builder, kind, found[0], before[0]);
    let after: Vec<_> = found
        .iter()
        .zip(&before)
        .map(|(found, before)| builder.select(better, *found, *before))
        .collect();
    builder.scf_yield(&after);
    builder.after(each);
    for (at, result) in group.iter().zip(each.result_values()) {
        results[*at] = result;
    }
}
