//! Parallel loops taken apart: a view of a `parfor.loop` with its iteration space, reductions and
//! results, and its builder.

use super::reduction::Combination;
use crate::infra::{
    BlockExt, Builder, OperationAttributes, OperationExt, RegionExt, ValueExt,
    ops::{marks, parfor},
};
use melior::ir::{
    Attribute, BlockRef, OperationRef, Type, Value, attribute::DenseI64ArrayAttribute,
};
use pyopt_dialects::{
    parfor::Pattern,
    view::{FromAttribute, ToAttribute},
};

/// A reduction of a loop.
#[derive(Clone, Debug)]
pub struct Reduction<'c, 'a> {
    /// How contributions are combined.
    pub kind: Combination,
    /// The value to start with.
    pub init: Value<'c, 'a>,
    /// Whether contributions may be added in any order, as NumPy's reductions do.
    pub reassociate: bool,
}

/// A `parfor.loop`, taken apart.
#[derive(Clone, Debug)]
pub struct Nest<'c, 'a> {
    /// The operation.
    pub operation: OperationRef<'c, 'a>,
    /// The extents of the iteration space.
    pub extents: Vec<Value<'c, 'a>>,
    /// The reductions.
    pub reductions: Vec<Reduction<'c, 'a>>,
    /// What the loop came from.
    pub pattern: Pattern<'c>,
    /// What was merged into it.
    pub fused: Vec<Pattern<'c>>,
    /// Whether it stays on the calling thread.
    pub serial: bool,
    /// Whether it isn't worth more code than a plain loop nest: it is small or rarely executed.
    pub rare: bool,
}

impl<'c: 'a, 'a> Nest<'c, 'a> {
    /// Takes a loop apart.
    pub fn of(operation: OperationRef<'c, 'a>) -> Option<Self> {
        let r#loop = parfor::Loop::of(operation)?;
        let fused = r#loop.fused().unwrap_or_default().into_iter();
        let kinds = r#loop.reductions().into_iter();
        let free = operation.i64_array_attr(marks::REASSOC).unwrap_or_default();
        Some(Self {
            operation,
            extents: r#loop.extents(),
            reductions: kinds
                .filter_map(Combination::read)
                .zip(r#loop.init_vals())
                .enumerate()
                .map(|(index, (kind, init))| Reduction {
                    kind,
                    init,
                    reassociate: free.get(index) == Some(&1),
                })
                .collect(),
            pattern: r#loop.pattern(),
            fused: fused.filter_map(Pattern::from_attribute).collect(),
            serial: r#loop.serial(),
            rare: operation.flag_attr(marks::RARE),
        })
    }

    /// The live-ins of the body, in the order of use.
    pub fn live_ins(&self) -> Vec<Value<'c, 'a>> {
        let mut found = Vec::new();
        let operations = self.body().operation_list().into_iter();
        for operation in operations.flat_map(OperationExt::pre_order) {
            for value in operation.operand_values() {
                let inside = value.is_inside(self.operation);
                if !inside && !found.contains(&value) {
                    found.push(value);
                }
            }
        }
        found
    }

    /// The block of the body.
    pub fn body(&self) -> BlockRef<'c, 'a> {
        let r#loop = parfor::Loop::of(self.operation);
        r#loop
            .and_then(|r#loop| r#loop.body().entry())
            .expect("a verified loop has a body")
    }

    /// The indices of the body.
    pub fn indices(&self) -> Vec<Value<'c, 'a>> {
        self.body().argument_values()
    }

    /// The values that the body yields: elements of fresh arrays, then contributions.
    pub fn yielded(&self) -> Vec<Value<'c, 'a>> {
        self.terminator().operand_values()
    }

    /// The terminator of the body.
    pub fn terminator(&self) -> OperationRef<'c, 'a> {
        self.body()
            .terminator_op()
            .expect("a verified loop's body ends with a yield")
    }

    /// The fresh arrays.
    pub fn fresh(&self) -> Vec<Value<'c, 'a>> {
        let mut results = self.operation.result_values();
        results.truncate(results.len() - self.reductions.len());
        results
    }

    /// The results of the reductions.
    pub fn reduced(&self) -> Vec<Value<'c, 'a>> {
        let results = self.operation.result_values();
        results[results.len() - self.reductions.len()..].to_vec()
    }
}

/// Whether a value is rematerialised in the body rather than passed: its operation has no operands.
pub fn is_constant<'c: 'a, 'a>(value: Value<'c, 'a>) -> bool {
    value.defining_op().is_some_and(|operation| {
        operation.is_pure()
            && operation.operand_values().is_empty()
            && operation.region_list().is_empty()
    })
}

/// A loop about to be made.
#[derive(Debug)]
pub struct NestBuilder<'c, 'a> {
    /// The extents of the iteration space.
    pub extents: Vec<Value<'c, 'a>>,
    /// The types of the fresh arrays.
    pub fresh: Vec<Type<'c>>,
    /// The reductions.
    pub reductions: Vec<Reduction<'c, 'a>>,
    /// What the loop came from.
    pub pattern: Pattern<'c>,
    /// What was merged into it.
    pub fused: Vec<Pattern<'c>>,
    /// Whether it stays on the calling thread.
    pub serial: bool,
    /// Whether it isn't worth more code than a plain loop nest: it is small or rarely executed.
    pub rare: bool,
}

impl<'c: 'a, 'a> NestBuilder<'c, 'a> {
    /// A loop over an iteration space that yields nothing yet. The pattern is a kind, or one with a
    /// detail.
    pub fn new(extents: &[Value<'c, 'a>], pattern: impl Into<Pattern<'c>>) -> Self {
        Self {
            extents: extents.to_vec(),
            fresh: Vec::new(),
            reductions: Vec::new(),
            pattern: pattern.into(),
            fused: Vec::new(),
            serial: false,
            rare: false,
        }
    }

    /// Adds a fresh array.
    pub fn fresh(mut self, r#type: Type<'c>) -> Self {
        self.fresh.push(r#type);
        self
    }

    /// Makes the loop. `body` makes what is in it, given the indices, and returns what it yields.
    /// The builder stands behind the loop afterwards.
    pub fn build(
        self,
        builder: &Builder<'c, 'a>,
        body: impl FnOnce(&[Value<'c, 'a>]) -> Vec<Value<'c, 'a>>,
    ) -> Nest<'c, 'a> {
        let inits: Vec<_> = self.reductions.iter().map(|one| one.init).collect();
        let kinds: Vec<_> = self.reductions.iter().map(|one| &one.kind).collect();
        let mut results = self.fresh.clone();
        results.extend(inits.iter().map(|init| init.ty()));
        let location = builder.location();
        let r#loop = parfor::Loop::create(
            builder,
            &self.extents,
            &inits,
            &Combination::attributes(builder.context(), &kinds),
            self.pattern,
            &results,
        );
        self.mark(builder, r#loop);
        let indices = vec![builder.index_type(); self.extents.len()];
        let block = builder.append_block(r#loop.body(), &indices);
        let yielded = body(&block.argument_values());
        builder.at(location);
        parfor::Yield::create(builder.at_end(block), &yielded);
        builder.after(r#loop.operation());
        Nest::of(r#loop.operation()).expect("a loop was just made")
    }

    /// Sets what not every loop has.
    fn mark(&self, builder: &Builder<'c, 'a>, r#loop: parfor::Loop<'c, 'a>) {
        if !self.fused.is_empty() {
            let fused = self.fused.iter();
            let fused: Vec<_> = fused
                .map(|pattern| pattern.to_attribute(builder.context()))
                .collect();
            r#loop.set_fused(Some(&fused));
        }
        r#loop.set_serial(self.serial);
        if self.rare {
            r#loop.set_attr(marks::RARE, Attribute::unit(builder.context()));
        }
        if self.reductions.iter().any(|one| one.reassociate) {
            let free = self.reductions.iter();
            let free: Vec<_> = free.map(|one| i64::from(one.reassociate)).collect();
            let free = DenseI64ArrayAttribute::new(builder.context(), &free);
            r#loop.set_attr(marks::REASSOC, free);
        }
    }
}
