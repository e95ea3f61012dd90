//! NumPy's functions that give views with the dimensions in another order.

use super::{numpy_creation::array_argument, table::Table};
use crate::{
    inference::{
        arguments::Arguments,
        emit::Emit,
        families::arrays,
        issue::{Stop, Typing},
        val::Val,
    },
    types::names::last_part,
};
use pyopt_dialects::typed::array_type;

/// The functions.
pub(super) const FUNCTIONS: Table = &[
    ("numpy.transpose", transpose),
    ("numpy.swapaxes", swapaxes),
    ("numpy.moveaxis", moveaxis),
];

/// `transpose(a, axes)`; as a method it takes the axes one by one, too.
fn transpose<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    arguments: &Arguments<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    if let [array, axes @ ..] = arguments.positional.as_slice()
        && axes.len() > 1
    {
        let array = array_argument(arguments, *array)?;
        return permuted(e, array, axes, arguments);
    }
    let [Some(array), axes] = arguments.bind(["a", "axes"], 1)? else {
        return Err(arguments.wrong_count("one or two arguments"));
    };
    let array = array_argument(arguments, array)?;
    let Some(axes) = axes.filter(|axes| !axes.is_none()) else {
        return Ok(arrays::transpose(e, array));
    };
    let axes = e.unpack(axes).unwrap_or_else(|| vec![axes]);
    permuted(e, array, &axes, arguments)
}

/// `swapaxes(a, axis1, axis2)`.
fn swapaxes<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    arguments: &Arguments<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let [Some(array), Some(first), Some(second)] = arguments.bind(["a", "axis1", "axis2"], 3)?
    else {
        return Err(arguments.wrong_count("three arguments"));
    };
    let array = array_argument(arguments, array)?;
    let axes = axes_of(array, &[first, second], arguments)?;
    let mut order: Vec<_> = (0..rank(array)).collect();
    order.swap(axes[0], axes[1]);
    Ok(arrays::permute(e, array, &order))
}

/// `moveaxis(a, source, destination)`, for one axis.
fn moveaxis<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    arguments: &Arguments<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let [Some(array), Some(source), Some(destination)] =
        arguments.bind(["a", "source", "destination"], 3)?
    else {
        return Err(arguments.wrong_count("three arguments"));
    };
    let array = array_argument(arguments, array)?;
    let axes = axes_of(array, &[source, destination], arguments)?;
    let mut order: Vec<_> = (0..rank(array)).collect();
    let moved = order.remove(axes[0]);
    order.insert(axes[1], moved);
    Ok(arrays::permute(e, array, &order))
}

fn rank(array: Val) -> usize {
    array_type(array.ty).map_or(0, |array| array.rank)
}

/// Axes counted from the front. They decide on the type of the view, so they must be known.
fn axes_of<'c, 'a>(
    array: Val<'c, 'a>,
    axes: &[Val<'c, 'a>],
    arguments: &Arguments<'c, 'a>,
) -> Typing<Vec<usize>> {
    let rank = rank(array);
    let mut found = Vec::new();
    for axis in axes {
        let Some(number) = axis.literal.and_then(|_| axis.literal_int()) else {
            let function = last_part(arguments.function);
            return Err(
                Stop::issue(format!("the axes of {function}() must be constant ints"))
                    .hint("write them out, or pass literally(axis)"),
            );
        };
        let from_front = if number < 0 {
            number + rank as i64
        } else {
            number
        };
        match usize::try_from(from_front) {
            Ok(axis) if axis < rank => found.push(axis),
            _ => {
                return Err(Stop::Raises(
                    "ValueError",
                    format!("axis {number} is out of bounds for array of dimension {rank}"),
                ));
            }
        }
    }
    Ok(found)
}

/// The view with these axes, if they are all of the array's.
fn permuted<'c, 'a>(
    e: &mut Emit<'_, 'c, 'a>,
    array: Val<'c, 'a>,
    axes: &[Val<'c, 'a>],
    arguments: &Arguments<'c, 'a>,
) -> Typing<Val<'c, 'a>> {
    let raise = |message: &str| Err(Stop::Raises("ValueError", message.into()));
    if axes.len() != rank(array) {
        return raise("axes don't match array");
    }
    let order = axes_of(array, axes, arguments)?;
    if (0..order.len()).any(|axis| !order.contains(&axis)) {
        return raise("repeated axis in transpose");
    }
    Ok(arrays::permute(e, array, &order))
}
