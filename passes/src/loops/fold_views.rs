//! Folds accesses to views of whole dimensions (rows, columns) into accesses to the base array.
//!
//! `a[:, j][k]` is `a[k, j]`. In this form passes on loops see which index has unit stride, and the
//! view is dead if nothing else uses it.

use crate::{
    analysis::{
        element_access::ElementAccess,
        interval::Intervals,
        shape::{Viewed, is_index, viewed},
    },
    infra::{
        Builder, OperationExt, PassContext, PassResult, PassSpec, StatisticSpec, ValueExt,
        ops::{func, typed},
    },
};
use melior::ir::{OperationRef, Value};
use pyopt_dialects::typed::{Layout, array_type};

/// The `typed-fold-views` pass.
pub static PASS: PassSpec = PassSpec {
    description: "A load or store through a `typed.view` whose subscripts are integers, whole slices \
        and None becomes one of the array that is viewed, if that is C- or F-contiguous. It wraps \
        around if it did before, or an integer of the view may be negative. The size of a whole dimension \
        is that of the array that is viewed: loops around the view see that it stays the same.",
    anchor: func::Func::NAME,
    dialects: &["typed"],
    statistics: &[StatisticSpec::new(
        "folded",
        "accesses that go to what was viewed",
    )],
    ..PassSpec::new(
        "typed-fold-views",
        "access arrays instead of views of their dimensions",
        run,
    )
};

fn run<'c>(cx: &PassContext<'c>, function: OperationRef<'c, '_>) -> PassResult {
    let builder = Builder::new(cx.context(), function);
    let mut intervals = Intervals::default();
    let mut folded = Vec::new();
    let accesses = function.pre_order().into_iter();
    for access in accesses.filter_map(ElementAccess::of) {
        let mut element = Element::of(access);
        while let Some(outer) = element.of_viewed(&mut intervals) {
            element = outer;
        }
        if element.array != access.array() {
            folded.push((access, element));
        }
    }
    for dim in function.nested_ops::<typed::Dim>() {
        if let Some((array, dimension)) = of_whole(dim) {
            builder.before(*dim);
            let outer = typed::Dim::create(&builder, array, dimension as i64, dim.result().ty());
            builder.replace_op(*dim, &[outer.result()]);
        }
    }
    for (access, element) in folded {
        access.set_element(element.array, &element.indices);
        access.set_wraparound(element.wraps);
        cx.bump("folded", 1);
    }
    Ok(())
}

/// The array that isn't a view, and its dimension, whose size a dimension of a view has.
fn of_whole<'c: 'a, 'a>(dim: typed::Dim<'c, 'a>) -> Option<(Value<'c, 'a>, usize)> {
    let (mut array, mut dimension) = (dim.array(), usize::try_from(dim.dimension()).ok()?);
    while let Some(view) = typed::View::defining(array)
        && let Some(Viewed::Whole(whole)) = viewed(*view).get(dimension)
    {
        (array, dimension) = (view.array(), *whole);
    }
    (array != dim.array()).then_some((array, dimension))
}

/// An array and the indices of an element.
struct Element<'c, 'a> {
    array: Value<'c, 'a>,
    indices: Vec<Value<'c, 'a>>,
    wraps: bool,
}

impl<'c: 'a, 'a> Element<'c, 'a> {
    /// The element that a load or store accesses.
    fn of(access: ElementAccess<'c, 'a>) -> Self {
        Self {
            array: access.array(),
            indices: access.indices(),
            wraps: access.wraparound(),
        }
    }

    /// The same element in terms of the array that this one is a view of.
    fn of_viewed(&self, intervals: &mut Intervals) -> Option<Self> {
        let view = typed::View::defining(self.array)?;
        let source = view.array();
        if !matches!(array_type(source.ty())?.layout, Layout::C | Layout::F) {
            return None;
        }
        let dimensions = viewed(*view);
        let mut own = self.indices.iter().zip(&dimensions);
        let mut indices = Vec::new();
        let mut wraps = self.wraps;
        for subscript in view.subscripts() {
            if is_index(subscript) {
                wraps |= !intervals.of_index(subscript).is_index();
                indices.push(subscript);
                continue;
            }
            match own.next()? {
                (index, Viewed::Whole(_)) => indices.push(*index),
                // A new dimension has size 1, so its index is 0, or -1 before wrap-around.
                (_, Viewed::Fresh) => {}
                (_, Viewed::Part) => return None,
            }
        }
        indices.extend(own.map(|(index, _)| *index));
        Some(Self {
            array: source,
            indices,
            wraps,
        })
    }
}
