//! Loop tiling of nests that have a large stride in either order.
//!
//! `b[j, i] = a[i, j]` touches another cache line in each iteration for one of the arrays,
//! whichever loop is the inner one. In a tile as wide as a cache line, the elements of a line are
//! accessed soon after each other, before the line is evicted. It matters most where the lines of a
//! column map to few cache sets, as in matrices whose rows are a power of two long.

use super::permutable::{Access, Nest, Pair};
use crate::{
    infra::{
        BlockExt, Builder, CmpInt, OperationExt, PassContext, PassResult, PassSpec, REMARKS,
        StatisticSpec, ValueExt,
        copies::{Mapping, copy},
        emit::{Emit, mapped},
        ops::{arith, func, marks, scf, typed},
    },
    types::layout::element_size,
};
use melior::ir::{Attribute, OperationRef, Value, operation::OperationLike};
use pyopt_dialects::typed::{Layout, array_type};

/// Bytes of a cache line.
const LINE: i64 = 64;
/// Trip count up to which all lines of the arrays stay in the cache anyway.
const SMALL: i64 = 100;
/// The lines of a column map to few cache sets where the length of a row is a multiple of this many
/// bytes: to 4 of 64 sets, if the set is selected by the 6 address bits above those of the offset
/// in a line.
const CROWDED: i64 = 1024;

/// The `typed-tile-loops` pass.
pub static PASS: PassSpec = PassSpec {
    description: "Takes pairs of loops that `typed-interchange-loops` could interchange, but where \
        some accesses go down columns in either order. They become loops over tiles and loops in a \
        tile, as wide and as long as a cache line, of which the inner one writes along rows. That is \
        done where the rows of an array are a multiple of 1024 bytes and both loops have more than 100 \
        iterations, which is tested at run time; otherwise the loops stay as they are: caches keep \
        the lines of other columns. Runs before `typed-interchange-loops`, which leaves both forms alone.",
    anchor: func::Func::NAME,
    dialects: &["arith", "pyopt", "scf"],
    options: &[REMARKS],
    statistics: &[StatisticSpec::new("tiled", "pairs of loops")],
    ..PassSpec::new(
        "typed-tile-loops",
        "let loops over rows and columns go tile by tile",
        run,
    )
};

fn run<'c>(cx: &PassContext<'c>, function: OperationRef<'c, '_>) -> PassResult {
    let builder = Builder::new(cx.context(), function);
    let loops = function.nested_ops::<scf::For>().into_iter();
    let pays = |nest: &Nest<'_, 'c, '_>, accesses: &[Access<'c, '_>]| {
        nest.jumps(accesses).into_iter().all(|count| count > 0)
    };
    let pairs: Vec<_> = loops.filter_map(|outer| Pair::of(outer, pays)).collect();
    for pair in pairs {
        let location = pair.outer.location();
        tile(&builder, &pair);
        let message = format!(
            "goes tile by tile with the loop in it where both have more than {SMALL} iterations and \
             rows are a multiple of {CROWDED} bytes long"
        );
        cx.transformed("tiled", location, message);
    }
    Ok(())
}

/// The bounds of a loop, and how it is tiled.
struct Side<'c, 'a> {
    lower: Value<'c, 'a>,
    upper: Value<'c, 'a>,
    step: Value<'c, 'a>,
    /// The step from one tile to the next.
    stride: Value<'c, 'a>,
}

fn tile<'c: 'a, 'a>(builder: &Builder<'c, 'a>, pair: &Pair<'c, 'a>) {
    builder.before(*pair.outer);
    let mut mapping = Mapping::new();
    for operation in &pair.invariant {
        copy(builder, *operation, &mut mapping);
    }
    // In a tile the loop whose stores have unit stride is the inner one.
    let order = if pair.far_stores == 0 { [0, 1] } else { [1, 0] };
    let sides = [pair.outer, pair.inner].map(|r#loop| {
        let [lower, upper, step] = [r#loop.lower_bound(), r#loop.upper_bound(), r#loop.step()]
            .map(|bound| mapped(&mapping, bound));
        let stride = builder.bin(arith::MulI::NAME, step, builder.index(width(pair)));
        Side {
            lower,
            upper,
            step,
            stride,
        }
    });
    let large = sides.each_ref().map(|side| {
        let distance = builder.bin(arith::SubI::NAME, side.upper, side.lower);
        let small = builder.bin(arith::MulI::NAME, side.step, builder.index(SMALL));
        builder.cmpi(CmpInt::Sgt, distance, small)
    });
    let large = builder.and(large[0], large[1]);
    let Some(crowded) = crowded(builder, pair) else {
        return;
    };
    let pays = builder.and(large, crowded);
    pair.replace(builder, Some(pays), || {
        let tiles = sides
            .each_ref()
            .map(|side| open(builder, side.lower, side.upper, side.stride));
        let ends = [0, 1].map(|at| {
            let end = builder.bin(arith::AddI::NAME, tiles[at].1, sides[at].stride);
            builder.bin(arith::MinSI::NAME, end, sides[at].upper)
        });
        let elements = order.map(|at| (at, open(builder, tiles[at].1, ends[at], sides[at].step)));
        let position = |wanted| {
            let found = elements.iter().find(|(at, _)| *at == wanted);
            found.expect("both loops are there").1.1
        };
        pair.copy_body(builder, &mut mapping, [position(0), position(1)]);
        for (operation, _) in elements
            .iter()
            .rev()
            .map(|(_, made)| made)
            .chain(tiles.iter().rev())
        {
            builder.scf_yield(&[]);
            builder.after(**operation);
        }
    });
}

/// Emits whether the row length of an array makes the lines of a column conflict in the cache.
fn crowded<'c: 'a, 'a>(builder: &Builder<'c, 'a>, pair: &Pair<'c, 'a>) -> Option<Value<'c, 'a>> {
    let rows = pair.arrays.iter().filter_map(|array| {
        let r#type = array_type(array.ty()).filter(|r#type| r#type.rank > 1)?;
        let near = match r#type.layout {
            Layout::C => r#type.rank - 1,
            Layout::F => 0,
            _ => return None,
        };
        let length = builder.dim(*array, near);
        let bytes = builder.bin(
            arith::MulI::NAME,
            length,
            builder.index(element_size(r#type.element)),
        );
        let rest = builder.bin(arith::RemUI::NAME, bytes, builder.index(CROWDED));
        Some(builder.cmpi(CmpInt::Eq, rest, builder.index(0)))
    });
    rows.reduce(|one, other| builder.or(one, other))
}

/// The tile width: the elements of a cache line of the narrowest array that is stored to.
fn width(pair: &Pair) -> i64 {
    let stores = pair.inner.nested_ops::<typed::Store>().into_iter();
    let bytes =
        stores.filter_map(|store| Some(element_size(array_type(store.array().ty())?.element)));
    LINE / bytes.min().unwrap_or(8).clamp(1, 16)
}

fn open<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    lower: Value<'c, 'a>,
    upper: Value<'c, 'a>,
    step: Value<'c, 'a>,
) -> (scf::For<'c, 'a>, Value<'c, 'a>) {
    let made = scf::For::create(builder, lower, upper, step, &[], &[]);
    made.set_attr(marks::SETTLED, Attribute::unit(builder.context()));
    let block = builder.append_block(made.region(), &[lower.ty()]);
    (made, block.argument_value(0))
}
