//! Reports how the parallel loops of a program were transformed.

use crate::{
    analysis::nest::Nest,
    infra::{
        AttributeExt, OperationAttributes, OperationExt, OptionSpec, PassContext, PassFailure,
        PassResult, PassSpec,
        ops::{func, marks, parfor},
    },
};
use melior::ir::{Location, OperationRef, operation::OperationLike};
use pyopt_dialects::{enums::PatternKind, parfor::Pattern};

/// The `parfor-diagnostics` pass.
pub static PASS: PassSpec = PassSpec {
    description: "Remarks on every `parfor.loop`. Level 1: what it came from, its number of \
                  dimensions and where it stands. Level 2: also what was merged into it, and \
                  where that stood. Level 3: also which arrays it makes and what it reduces. \
                  Level 4: also the loops inside of others, which run one after another, those \
                  that were written as `prange` too. Run it \
                  behind `parfor-fuse`.",
    anchor: func::Func::NAME,
    options: &[
        OptionSpec::int("level", "how much to tell, from 1 to 4", 1),
        OptionSpec::bool(
            "before-fusion",
            "say that the loops are those that there were before any were merged",
            false,
        ),
    ],
    ..PassSpec::new("parfor-diagnostics", "report on parallel loops", run)
};

fn run<'c, 'a>(cx: &PassContext<'c>, function: OperationRef<'c, 'a>) -> PassResult {
    let level = cx.options().int("level");
    if !(1..=4).contains(&level) {
        return Err(PassFailure::Message(format!(
            "the level of diagnostics is between 1 and 4, not {level}"
        )));
    }
    let name = function
        .str_attr(marks::FUNCTION)
        .or(function.symbol_name())
        .unwrap_or("?");
    let prefix = match cx.options().bool("before-fusion") {
        true => "before fusion, ",
        false => "",
    };
    let is_loop = |operation: &OperationRef| {
        operation.isa::<parfor::Loop>() || operation.attr(marks::SERIAL_PRANGE).is_some()
    };
    let loops: Vec<_> = function.pre_order().into_iter().filter(is_loop).collect();
    for (number, operation) in loops.iter().enumerate() {
        // The innermost loop around it.
        let outer = loops[..number]
            .iter()
            .rposition(|other| operation.is_within(*other));
        if outer.is_some() && level < 4 {
            continue;
        }
        let text = match Nest::of(*operation) {
            Some(nest) => describe(&nest, name, number, outer, level),
            None => {
                heading(
                    name,
                    number,
                    PatternKind::Prange.into(),
                    1,
                    operation.location(),
                ) + &inside(outer)
            }
        };
        cx.remark(operation.location(), prefix.to_owned() + &text);
    }
    Ok(())
}

/// Which loop it is, what it came from and where it stands.
fn heading(
    function: &str,
    number: usize,
    pattern: Pattern,
    rank: usize,
    location: Location,
) -> String {
    let mut text = format!(
        "loop #{number} of {function}: {pattern} over {rank} dimension{}",
        if rank == 1 { "" } else { "s" },
    );
    if let Some(place) = places(location).first() {
        text += &format!(" at {place}");
    }
    text
}

/// Of a loop inside of another one.
fn inside(outer: Option<usize>) -> String {
    outer.map_or(String::new(), |outer| {
        format!(", on one thread, inside of loop #{outer}")
    })
}

fn describe<'c: 'a, 'a>(
    nest: &Nest<'c, 'a>,
    function: &str,
    number: usize,
    outer: Option<usize>,
    level: i64,
) -> String {
    let location = nest.operation.location();
    let mut text = heading(function, number, nest.pattern, nest.extents.len(), location);
    text += &inside(outer);
    if nest.serial && outer.is_none() {
        text += ", on one thread";
    }
    if level >= 2 && !nest.fused.is_empty() {
        let merged: Vec<_> = nest.fused.iter().map(Pattern::to_string).collect();
        text += &format!("; merged with {}", merged.join(", "));
        if let Some((_, others)) = places(location).split_first()
            && !others.is_empty()
        {
            text += &format!(" at {}", others.join(", "));
        }
    }
    if level >= 3 {
        let arrays: Vec<_> = nest
            .operation
            .result_types()
            .into_iter()
            .take(nest.fresh().len())
            .map(|array| array.to_string())
            .collect();
        if !arrays.is_empty() {
            text += &format!("; makes {}", arrays.join(", "));
        }
        let more = nest
            .operation
            .array_attr(marks::REDUCES)
            .unwrap_or_default();
        let more = more.into_iter().filter_map(AttributeExt::string_value);
        let kinds: Vec<_> = nest
            .reductions
            .iter()
            .map(|one| one.kind.describe(nest.operation))
            .chain(more.map(str::to_owned))
            .collect();
        if !kinds.is_empty() {
            text += &format!("; reduces by {}", kinds.join(", "));
        }
    }
    text
}

/// A loop in words.
pub(super) fn described(nest: &Nest) -> String {
    let places = places(nest.operation.location());
    let place = places.first().map(|place| format!(" at {place}"));
    format!("the loop of {}{}", nest.pattern, place.unwrap_or_default())
}

/// The places in the source that a location stands for, as `FILE:LINE`, each once.
pub(crate) fn places(location: Location) -> Vec<String> {
    let mut found = Vec::new();
    collect(location, &mut found);
    found
}

fn collect(location: Location, found: &mut Vec<String>) {
    if location.is_fused() {
        for index in 0..location.fused_num_locations() {
            collect(location.fused_location(index), found);
        }
    } else if location.is_name() {
        collect(location.name_child_location(), found);
    } else if location.is_file_line_col_range() {
        let file = location.file_line_col_range_filename();
        let place = format!(
            "{}:{}",
            file.as_string_ref().as_str().unwrap_or("?"),
            location.file_line_col_range_start_line()
        );
        if !found.contains(&place) {
            found.push(place);
        }
    }
}
