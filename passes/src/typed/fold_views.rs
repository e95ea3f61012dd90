//! Folds accesses to views of whole dimensions (rows, columns) into accesses to the base array.
//!
//! `a[:, j][k]` is `a[k, j]`. In this form passes on loops see which index has unit stride, and the
//! view is dead if nothing else uses it.

use super::interval::Intervals;
use crate::{
    infra::{
        OperationAttributes, OperationExt, PassContext, PassResult, PassSpec, StatisticSpec,
        ValueExt,
    },
    parfor::shape::{Viewed, viewed},
};
use melior::ir::{Attribute, OperationRef, TypeLike, Value, r#type::IntegerType};
use pyopt_dialects::typed::{Layout, array_type};

/// The `typed-fold-views` pass.
pub static PASS: PassSpec = PassSpec {
    description: "A load or store through a `typed.view` whose subscripts are integers, whole slices \
        and None becomes one of the array that is viewed, if that is C- or F-contiguous. It wraps \
        around if it did before, or an integer of the view may be negative.",
    anchor: "func.func",
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
    let mut intervals = Intervals::default();
    let mut folded = Vec::new();
    for access in function.pre_order() {
        let at = match access.full_name() {
            "typed.load" => 0,
            "typed.store" => 1,
            _ => continue,
        };
        let mut element = Element::of(access, at);
        while let Some(outer) = element.of_viewed(&mut intervals) {
            element = outer;
        }
        if element.array != access.operand_value(at) {
            folded.push((access, at, element));
        }
    }
    for (access, at, element) in folded {
        let mut operands = access.operand_values();
        operands.truncate(at);
        operands.push(element.array);
        operands.extend(element.indices);
        access.set_operand_values(&operands);
        match element.wraps {
            true => access.set_attr("wraparound", Attribute::unit(cx.context())),
            false => {
                access.remove_attr("wraparound");
            }
        }
        cx.bump("folded", 1);
    }
    Ok(())
}

/// An array and the indices of an element.
struct Element<'c, 'a> {
    array: Value<'c, 'a>,
    indices: Vec<Value<'c, 'a>>,
    wraps: bool,
}

impl<'c: 'a, 'a> Element<'c, 'a> {
    /// The element that a load or store accesses; `at` is the operand number of the array.
    fn of(access: OperationRef<'c, 'a>, at: usize) -> Self {
        Self {
            array: access.operand_value(at),
            indices: access.operand_values().split_off(at + 1),
            wraps: access.flag_attr("wraparound"),
        }
    }

    /// The same element in terms of the array that this one is a view of.
    fn of_viewed(&self, intervals: &mut Intervals) -> Option<Self> {
        let view = self.array.defined_by("typed.view")?;
        let source = view.operand_value(0);
        if !matches!(array_type(source.ty())?.layout, Layout::C | Layout::F) {
            return None;
        }
        let dimensions = viewed(view);
        let mut own = self.indices.iter().zip(&dimensions);
        let mut indices = Vec::new();
        let mut wraps = self.wraps;
        for subscript in &view.operand_values()[1..] {
            if is_index(*subscript) {
                wraps |= !intervals.of_index(*subscript).is_index();
                indices.push(*subscript);
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

fn is_index(value: Value) -> bool {
    value.ty().is_index() || IntegerType::try_from(value.ty()).is_ok()
}
