//! Loops that reduce more than numbers, by chunks of iterations with private variables.

use super::{
    arrays::InPlace,
    body::{body, init},
    carried::Carried,
    cells::Cells,
    induction::iterations,
    is_number,
    slots::{Slots, compare, dims},
};
use crate::{
    analysis::{
        effects::{Footprint, any_alias},
        nest::{NestBuilder, Reduction},
        reduction::{Combination, identity, neutral},
        work,
    },
    infra::{
        BlockExt, Builder, OperationExt, ValueExt,
        emit::Emit,
        ops::{arith, marks, parfor, scf, typed},
    },
    types::number::Number,
};
use melior::ir::{Type, Value, operation::OperationLike};
use pyopt_dialects::{
    enums::{CombineKind, CompareKind, PatternKind},
    typed::{ArrayType, Layout, array_type},
};

/// Whether values of a type can be reduced: numbers, and arrays of such that lie in a row.
pub(super) fn is_reducible(kind: CombineKind, r#type: Type) -> bool {
    match array_type(r#type) {
        Some(array) => {
            array.rank > 0
                && !array.readonly
                && matches!(array.layout, Layout::C | Layout::F)
                && has_identity(kind, array.element)
        }
        None => is_number(r#type) && kind != CombineKind::NpMin && kind != CombineKind::NpMax,
    }
}

/// Whether the reduction has an identity for this element type.
fn has_identity(kind: CombineKind, element: Type) -> bool {
    let Some(number) = Number::of(element) else {
        return false;
    };
    match kind {
        CombineKind::Add | CombineKind::Mul => true,
        CombineKind::And | CombineKind::Or | CombineKind::Xor => {
            matches!(number, Number::Int { .. } | Number::Bool)
        }
        _ => matches!(number, Number::Int { .. } | Number::Float(_)),
    }
}

/// Says why the arrays of a loop can't be reduced.
pub(super) fn check<'c: 'a, 'a>(
    operation: scf::For<'c, 'a>,
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
    let footprint = Footprint::of(*operation);
    for (position, one) in carried.iter().enumerate() {
        let init = init(operation, position);
        if matches!(one, Carried::Reduction(_))
            && array_type(init.ty()).is_some()
            && (footprint.unknown || any_alias(&footprint.writes, &[init]))
        {
            return Err("iterations may write to the array that they add to".to_owned());
        }
    }
    Ok(())
}

/// Replaces a loop by one over chunks and by what combines their results.
pub(super) fn convert<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    operation: scf::For<'c, 'a>,
    pattern: PatternKind,
    carried: &[Carried<'c>],
    arrays: &[InPlace<'c, 'a>],
) {
    builder.before(*operation).at(operation.location());
    let inits = operation.init_args();
    let count = iterations(builder, operation);
    let work = work::estimate_body(builder, None, *operation, body(operation));
    let chunks = parfor::Chunks::create(builder, count, work).result();

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
    let cells: Vec<_> = carried
        .iter()
        .zip(&inits)
        .map(|(one, init)| match one {
            Carried::Combined(combined) => {
                Some(Cells::new(builder, chunks, *init, *combined, *operation))
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
                kind: Combination::Operator(*kind),
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
            .zip(inits.iter().zip(&cells))
            .map(|(one, (init, cells))| match cells {
                Some(cells) => cells.start(builder, chunk),
                None => start(builder, one, *init),
            })
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
        for (cells, result) in cells.iter().zip(&results) {
            if let Some(cells) = cells {
                cells.put(builder, chunk, *result);
            }
        }
        for (slots, own) in array_slots.iter().zip(&own) {
            slots.put(builder, chunk, *own);
        }
        reduced.iter().map(|position| results[*position]).collect()
    });

    nest.operation.set_attr(
        marks::REDUCES,
        builder.texts(&described(operation, carried, arrays)),
    );

    let mut results = inits.clone();
    for (cells, result) in cells.iter().zip(&mut results) {
        if let Some(cells) = cells {
            *result = cells.combine(builder, chunks);
        }
    }
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
                    slots.combine_fresh(builder, *kind, (chunks, count), inits[position]);
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

/// The reductions of a loop over chunks, as text for diagnostics.
fn described<'c: 'a, 'a>(
    operation: scf::For<'c, 'a>,
    carried: &[Carried],
    arrays: &[InPlace<'c, 'a>],
) -> Vec<String> {
    let mut texts = Vec::new();
    for (position, one) in carried.iter().enumerate() {
        match one {
            Carried::Extreme { largest } => {
                let kind = if *largest { "max" } else { "min" };
                texts.push(format!("{kind} with its place"));
            }
            Carried::Combined(combined) => {
                let combiner = Combination::Combiner(combined.name.to_owned());
                texts.push(combiner.describe(*operation));
            }
            Carried::Reduction(kind)
                if array_type(operation.result_value(position).ty()).is_some() =>
            {
                texts.push(format!("{} of arrays", kind.name()));
            }
            _ => {}
        }
    }
    texts.extend(
        arrays
            .iter()
            .map(|one| format!("{} of arrays", one.kind.name())),
    );
    texts
}

/// The start value of a chunk.
fn start<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    carried: &Carried,
    init: Value<'c, 'a>,
) -> Value<'c, 'a> {
    let kind = match carried {
        Carried::Reduction(kind) => *kind,
        Carried::Extreme { largest: true } => CombineKind::Max,
        Carried::Extreme { largest: false } => CombineKind::Min,
        _ => return init,
    };
    match array_type(init.ty()) {
        Some(_) => filled(builder, kind, init),
        None => neutral(builder, kind, init.ty()).unwrap_or(init),
    }
}

/// Moves the body of a loop into a loop over the iterations of one chunk, whose loop-carried values
/// start with the identity and whose reduced arrays are private.
fn run_chunk<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    operation: scf::For<'c, 'a>,
    (chunk, chunks, count): (Value<'c, 'a>, Value<'c, 'a>, Value<'c, 'a>),
    starts: &[Value<'c, 'a>],
    arrays: &[InPlace<'c, 'a>],
    own: &[Value<'c, 'a>],
) -> Vec<Value<'c, 'a>> {
    // The first iterations of so many more than an even share go to the first chunks.
    let bound = |chunk: Value<'c, 'a>| {
        let share = builder.bin(arith::DivUI::NAME, count, chunks);
        let rest = builder.bin(arith::RemUI::NAME, count, chunks);
        let first = builder.bin(arith::MulI::NAME, share, chunk);
        let more = builder.bin(arith::MinUI::NAME, rest, chunk);
        builder.bin(arith::AddI::NAME, first, more)
    };
    let lower = bound(chunk);
    let upper = bound(builder.bin(arith::AddI::NAME, chunk, builder.index(1)));
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

/// An array of the shape of another one, filled with the identity.
fn filled<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    kind: CombineKind,
    like: Value<'c, 'a>,
) -> Value<'c, 'a> {
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
    let made = typed::Generate::create(builder, &sizes, r#type);
    let block = builder.append_block(made.body(), &indices);
    builder.at_end(block);
    let element = identity(builder, kind, array.element).expect("checked to have an identity");
    typed::Yield::create(builder, &[element]);
    builder.after(*made);
    made.result()
}

/// Combines the chunks' extremes to the first best one, with its companions. `group` holds the
/// numbers of the extreme and of its companions.
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
