//! Constructors of generators, as `typed-expand-generators` makes them.

use crate::{
    analysis::ownership::BORROWED,
    infra::{
        BlockExt, OperationAttributes, OperationExt, RegionExt, ValueExt,
        ops::{func, typed},
    },
};
use melior::ir::OperationRef;
use pyopt_dialects::typed::TypedType;

/// A function that makes a generator.
pub(super) struct Maker<'c, 'a> {
    pub(super) function: func::Func<'c, 'a>,
    pub(super) new: typed::NewGenerator<'c, 'a>,
    pub(super) stores: Vec<typed::GeneratorStore<'c, 'a>>,
}

impl<'c: 'a, 'a> Maker<'c, 'a> {
    /// Matches the constructors that `typed-expand-generators` makes.
    pub(super) fn of(function: func::Func<'c, 'a>) -> Option<Self> {
        let blocks = function.body().block_list();
        let [block] = blocks.as_slice() else {
            return None;
        };
        let operations = block.operation_list();
        let (new, rest) = operations.split_first()?;
        let (end, stores) = rest.split_last()?;
        let new = typed::NewGenerator::of(*new)?;
        let end = func::Return::of(*end)?;
        let stores: Option<Vec<_>> = stores
            .iter()
            .map(|store| {
                typed::GeneratorStore::of(*store).filter(|store| !store.flag_attr(BORROWED))
            })
            .collect();
        (end.operands() == [new.result()]).then_some(Self {
            function,
            new,
            stores: stores?,
        })
    }

    /// The resume function of the generator.
    pub(super) fn resume(&self, module: OperationRef<'c, 'a>) -> Option<OperationRef<'c, 'a>> {
        match TypedType::from(self.new.result().ty()) {
            TypedType::Generator(symbol, _) => module.lookup_symbol(symbol),
            _ => None,
        }
    }
}
