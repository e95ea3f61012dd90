//! `py-convert-assignments`: boxes variables that are assigned while an inner function has them.
//!
//! Assignment conversion, as compilers of Scheme do it before closure conversion. A variable that an inner
//! function writes (`nonlocal`), or that is written while an inner function may still read it, is one storage
//! for all of them. Its cell gets a list of one item, which is never replaced, so that `py-convert-closures`
//! finds a cell that keeps its value: reads are reads of the item, writes set it.

use super::{
    capture::{Capture, reaches},
    escapes::Escapes,
    function_object::FunctionObject,
};
use crate::infra::{
    BlockExt, Builder, Identity, Key, OperationAttributes, OperationExt, PassContext, PassResult,
    PassSpec, RegionExt, StatisticSpec, ValueExt, ops::py,
};
use melior::ir::{
    OperationRef, Value, attribute::IntegerAttribute, operation::OperationLike, r#type::IntegerType,
};
use std::collections::{HashMap, HashSet};

/// Cells to lists of one item.
pub static PASS: PassSpec = PassSpec {
    description: "The cell of a variable that functions share, and that one of them assigns while another may \
                  use it, holds a list of one item: `py.load_cell` reads the item, `py.store_cell` sets it. A \
                  variable stays as it is where an assignment may be its first or not, and functions of before \
                  may be called behind it; or where it is deleted.",
    dialects: &["py"],
    statistics: &[StatisticSpec::new("boxed", "variables that became items")],
    ..PassSpec::new(
        "py-convert-assignments",
        "box variables that are assigned while an inner function uses them",
        run,
    )
};

fn run<'c>(cx: &PassContext<'c>, root: OperationRef<'c, '_>) -> PassResult {
    let makers = root.nested_ops::<py::MakeFunction>();
    if makers.is_empty() {
        return Ok(());
    }
    let builder = Builder::new(cx.context(), root);
    let escapes = Escapes::new(cx.context(), root);
    for variable in variables(root, makers) {
        if variable.is_shared(&escapes)
            && let Some(first) = variable.first_assignments(&escapes)
        {
            variable.convert(&builder, &first);
            cx.bump("boxed", variable.cells.len() as u64);
        }
    }
    Ok(())
}

/// Where a variable stands: a cell that a function makes, or a place in the closures of a function.
#[derive(Clone, Copy, Debug, Eq, Hash, PartialEq)]
enum Place<'c> {
    Cell(Key),
    Closure(&'c str, usize),
}

/// The cells that functions share: all that may be in one place of a closure, and so on.
#[derive(Default)]
struct Variable<'c, 'a> {
    cells: Vec<py::MakeCell<'c, 'a>>,
    /// The cells in the functions that have it in their closures.
    free: Vec<py::FreeCell<'c, 'a>>,
    /// The function objects that are made where the cells are.
    captures: Vec<(py::MakeFunction<'c, 'a>, py::MakeCell<'c, 'a>)>,
    /// Whether something else than code of this module may have it.
    escapes: bool,
}

/// The variables that functions share, in the order in which they are met.
fn variables<'c: 'a, 'a>(
    root: OperationRef<'c, 'a>,
    makers: Vec<py::MakeFunction<'c, 'a>>,
) -> Vec<Variable<'c, 'a>> {
    let operations = root.region_at(0).entry();
    let operations = operations.into_iter().flat_map(BlockExt::operation_list);
    let mut bound = HashSet::new();
    let mut frees: Vec<(py::FreeCell<'c, 'a>, Place<'c>)> = Vec::new();
    for operation in operations {
        match py::Func::of(operation) {
            Some(function) => frees.extend(
                (function.nested_ops::<py::FreeCell>().into_iter()).map(|cell| {
                    (
                        cell,
                        Place::Closure(function.sym_name(), cell.index() as usize),
                    )
                }),
            ),
            None => bound.extend(operation.symbol_name()),
        }
    }
    let by_value: HashMap<Key, Place> = (frees.iter())
        .map(|(cell, place)| (cell.result().key(), *place))
        .collect();
    let mut groups = Groups::default();
    let mut opaque = HashSet::new();
    for maker in makers {
        let Some(object) = FunctionObject::of(maker) else {
            opaque.insert(maker.code());
            continue;
        };
        for (index, cell) in object.cells.into_iter().enumerate() {
            let place = groups.of(Place::Closure(maker.code(), index));
            match (py::MakeCell::defining(cell), by_value.get(&cell.key())) {
                (Some(made), _) => {
                    let other = groups.of(Place::Cell(made.key()));
                    let own = groups.merge(place, other);
                    let variable = &mut groups.variables[own];
                    if variable.cells.iter().all(|known| known.key() != made.key()) {
                        variable.cells.push(made);
                    }
                    variable.captures.push((maker, made));
                }
                (None, Some(outer)) => {
                    let other = groups.of(*outer);
                    groups.merge(place, other);
                }
                (None, None) => groups.variables[place].escapes = true,
            }
        }
    }
    for (cell, place) in frees {
        let group = groups.of(place);
        let variable = &mut groups.variables[group];
        variable.escapes |= bound.contains(cell.binding())
            || matches!(place, Place::Closure(code, _) if opaque.contains(code));
        variable.free.push(cell);
    }
    groups.variables
}

/// Variables, and the places that are known to be the same one.
#[derive(Default)]
struct Groups<'c, 'a> {
    by_place: HashMap<Place<'c>, usize>,
    variables: Vec<Variable<'c, 'a>>,
}

impl<'c, 'a> Groups<'c, 'a> {
    fn of(&mut self, place: Place<'c>) -> usize {
        *self.by_place.entry(place).or_insert_with(|| {
            self.variables.push(Variable::default());
            self.variables.len() - 1
        })
    }

    /// Makes one variable of two, and gives its number.
    fn merge(&mut self, kept: usize, other: usize) -> usize {
        if kept == other {
            return kept;
        }
        let moved = std::mem::take(&mut self.variables[other]);
        let variable = &mut self.variables[kept];
        variable.cells.extend(moved.cells);
        variable.free.extend(moved.free);
        variable.captures.extend(moved.captures);
        variable.escapes |= moved.escapes;
        for number in self.by_place.values_mut().filter(|one| **one == other) {
            *number = kept;
        }
        kept
    }
}

impl<'c: 'a, 'a> Variable<'c, 'a> {
    /// The values of its cells, in all functions.
    fn values(&self) -> impl Iterator<Item = Value<'c, 'a>> {
        let made = self.cells.iter().map(|cell| cell.result());
        made.chain(self.free.iter().map(|cell| cell.result()))
    }

    /// Whether it must be one storage for several functions, and can be.
    fn is_shared(&self, escapes: &Escapes<'c, 'a>) -> bool {
        let is_known = |user: OperationRef| {
            let kind = py::Op::of(user);
            matches!(
                kind,
                Some(py::Op::LoadCell(_) | py::Op::StoreCell(_) | py::Op::BuildTuple(_))
            )
        };
        let free = self.free.iter().flat_map(|cell| cell.result().users());
        let is_written_within = free.into_iter().any(|user| user.isa::<py::StoreCell>());
        let is_changed_in_use = |(maker, cell): &(_, py::MakeCell<'c, 'a>)| {
            let capture = Capture::new(*maker, *cell);
            let stores = Stores::of(*cell);
            let later: Vec<_> = (stores.all.iter().copied())
                .filter(|store| !stores.is_first(*store))
                .collect();
            capture.changes_in_use(&later, escapes)
        };
        !self.escapes
            && !self.cells.is_empty()
            && self
                .values()
                .all(|cell| cell.users().into_iter().all(is_known))
            && (is_written_within || self.captures.iter().any(is_changed_in_use))
    }

    /// The assignments behind which there is a new list: no function of before is used behind them. `None`
    /// where another may be the first.
    fn first_assignments(&self, escapes: &Escapes<'c, 'a>) -> Option<HashSet<Key>> {
        let mut first = HashSet::new();
        for cell in self.cells.iter().filter(|cell| cell.initial().is_none()) {
            let stores = Stores::of(*cell);
            for &store in stores
                .all
                .iter()
                .filter(|store| stores.may_be_first(**store))
            {
                let mut captures = (self.captures.iter()).filter(|(_, captured)| captured == cell);
                if !stores.is_first(store)
                    && captures.any(|(maker, cell)| {
                        Capture::new(*maker, *cell).changes_in_use(&[store], escapes)
                    })
                {
                    return None;
                }
                first.insert(store.key());
            }
        }
        Some(first)
    }

    /// Makes lists of its cells; each of the `first` assignments makes a new one.
    fn convert(&self, builder: &Builder<'c, 'a>, first: &HashSet<Key>) {
        let zero = || {
            let zero = IntegerAttribute::new(IntegerType::new(builder.context(), 64).into(), 0);
            py::Constant::create(builder, zero.into()).result()
        };
        for user in self
            .values()
            .flat_map(|cell| cell.users())
            .collect::<Vec<_>>()
        {
            match py::Op::of(user) {
                Some(py::Op::LoadCell(load)) => {
                    builder.after(*load).at(load.location());
                    let item = py::GetItem::create(builder, load.result(), zero());
                    load.result()
                        .replace_uses_if(item.result(), |one| one.user != *item);
                }
                Some(py::Op::StoreCell(store)) if first.contains(&store.key()) => {
                    builder.before(*store).at(store.location());
                    let list = py::BuildList::create(builder, &[store.value()]).result();
                    store.set_operand_value(py::StoreCell::VALUE_OPERAND, list);
                }
                Some(py::Op::StoreCell(store)) => {
                    builder.before(*store).at(store.location());
                    let list = py::LoadCell::create(builder, store.cell(), self.name()).result();
                    py::SetItem::create(builder, list, zero(), store.value());
                    builder.erase_op(*store);
                }
                _ => {}
            }
        }
        for cell in &self.cells {
            if let Some(initial) = cell.initial() {
                builder.before(**cell).at(cell.location());
                let list = py::BuildList::create(builder, &[initial]).result();
                cell.set_operand_value(0, list);
            }
        }
    }

    /// What the program calls it.
    fn name(&self) -> &'c str {
        let binding = self.free.first().map(|cell| cell.binding());
        binding
            .and_then(|name| name.rsplit('.').next())
            .unwrap_or_default()
    }
}

/// The assignments of a variable in the function that it belongs to.
struct Stores<'c, 'a> {
    cell: py::MakeCell<'c, 'a>,
    all: Vec<OperationRef<'c, 'a>>,
}

impl<'c: 'a, 'a> Stores<'c, 'a> {
    fn of(cell: py::MakeCell<'c, 'a>) -> Self {
        let stores = cell.result().users().into_iter();
        Self {
            cell,
            all: stores.filter(|user| user.isa::<py::StoreCell>()).collect(),
        }
    }

    /// Whether the variable may have no value at an assignment.
    fn may_be_first(&self, store: OperationRef<'c, 'a>) -> bool {
        let fills = |operation: OperationRef<'c, 'a>| self.all.contains(&operation);
        let is_empty = self.cell.initial().is_none();
        is_empty && reaches(*self.cell, &fills, &|operation| operation == store)
    }

    /// Whether the variable never has a value at an assignment.
    fn is_first(&self, store: OperationRef<'c, 'a>) -> bool {
        let empties = |operation: OperationRef<'c, 'a>| operation == *self.cell;
        let mut others = self.all.iter();
        let has_value =
            others.any(|before| reaches(*before, &empties, &|operation| operation == store));
        self.cell.initial().is_none() && !has_value
    }
}
