//! A view of a `parfor.loop`, and its builder.

use super::{
    emit::Emit,
    reduction::{Combination, REASSOCIATE},
};
use crate::infra::{
    AttributeExt, BlockExt, Builder, OperationAttributes, OperationExt, RegionExt, ValueExt,
};
use melior::ir::{
    Attribute, BlockRef, OperationRef, Type, Value, attribute::DenseI64ArrayAttribute,
};

/// Marks a loop that isn't worth more code than a plain loop nest.
const RARE: &str = "pyopt.rare";

/// A reduction of a loop.
#[derive(Clone, Debug)]
pub(crate) struct Reduction<'c, 'a> {
    /// How contributions are combined.
    pub kind: Combination,
    /// The value to start with.
    pub init: Value<'c, 'a>,
    /// Whether contributions may be added in any order, as NumPy's reductions do.
    pub reassociate: bool,
}

/// A `parfor.loop`, taken apart.
#[derive(Clone, Debug)]
pub(crate) struct Nest<'c, 'a> {
    /// The operation.
    pub operation: OperationRef<'c, 'a>,
    /// The extents of the iteration space.
    pub extents: Vec<Value<'c, 'a>>,
    /// The reductions.
    pub reductions: Vec<Reduction<'c, 'a>>,
    /// What the loop came from.
    pub pattern: String,
    /// What was merged into it.
    pub fused: Vec<String>,
    /// Whether it stays on the calling thread.
    pub serial: bool,
    /// Whether it isn't worth more code than a plain loop nest: it is small or rarely executed.
    pub rare: bool,
}

impl<'c: 'a, 'a> Nest<'c, 'a> {
    /// Takes a loop apart.
    pub fn of(operation: OperationRef<'c, 'a>) -> Option<Self> {
        if !operation.is("parfor.loop") {
            return None;
        }
        let texts = |name| -> Vec<String> {
            operation
                .array_attr(name)
                .unwrap_or_default()
                .into_iter()
                .filter_map(|text| text.string_value().map(str::to_owned))
                .collect()
        };
        let kinds: Vec<_> = operation
            .array_attr("reductions")
            .unwrap_or_default()
            .into_iter()
            .filter_map(Combination::read)
            .collect();
        let free = operation.i64_array_attr(REASSOCIATE).unwrap_or_default();
        let mut extents = operation.operand_values();
        let inits = extents.split_off(extents.len() - kinds.len());
        Some(Self {
            operation,
            extents,
            reductions: kinds
                .into_iter()
                .zip(inits)
                .enumerate()
                .map(|(index, (kind, init))| Reduction {
                    kind,
                    init,
                    reassociate: free.get(index) == Some(&1),
                })
                .collect(),
            pattern: operation.str_attr("pattern").unwrap_or_default().to_owned(),
            fused: texts("fused"),
            serial: operation.flag_attr("serial"),
            rare: operation.flag_attr(RARE),
        })
    }

    /// The block of the body.
    pub fn body(&self) -> BlockRef<'c, 'a> {
        self.operation
            .region_at(0)
            .entry()
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

/// A loop about to be made.
#[derive(Debug)]
pub(crate) struct NestBuilder<'c, 'a> {
    /// The extents of the iteration space.
    pub extents: Vec<Value<'c, 'a>>,
    /// The types of the fresh arrays.
    pub fresh: Vec<Type<'c>>,
    /// The reductions.
    pub reductions: Vec<Reduction<'c, 'a>>,
    /// What the loop came from.
    pub pattern: String,
    /// What was merged into it.
    pub fused: Vec<String>,
    /// Whether it stays on the calling thread.
    pub serial: bool,
    /// Whether it isn't worth more code than a plain loop nest: it is small or rarely executed.
    pub rare: bool,
}

impl<'c: 'a, 'a> NestBuilder<'c, 'a> {
    /// A loop over an iteration space that yields nothing yet.
    pub fn new(extents: &[Value<'c, 'a>], pattern: &str) -> Self {
        Self {
            extents: extents.to_vec(),
            fresh: Vec::new(),
            reductions: Vec::new(),
            pattern: pattern.to_owned(),
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
        let mut operands = self.extents.clone();
        operands.extend(self.reductions.iter().map(|reduction| reduction.init));
        let mut results = self.fresh.clone();
        results.extend(self.reductions.iter().map(|reduction| reduction.init.ty()));
        let kinds: Vec<_> = self.reductions.iter().map(|one| &one.kind).collect();

        let mut attributes: Vec<(&str, Attribute<'c>)> = vec![
            (
                "operandSegmentSizes",
                builder.segments(&[self.extents.len(), self.reductions.len()]),
            ),
            ("reductions", builder.combinations(&kinds)),
            ("pattern", builder.text(&self.pattern)),
        ];
        if !self.fused.is_empty() {
            attributes.push(("fused", builder.texts(&self.fused)));
        }
        if self.serial {
            attributes.push(("serial", Attribute::unit(builder.context())));
        }
        if self.rare {
            attributes.push((RARE, Attribute::unit(builder.context())));
        }
        if self.reductions.iter().any(|one| one.reassociate) {
            let free: Vec<_> = self
                .reductions
                .iter()
                .map(|one| i64::from(one.reassociate))
                .collect();
            attributes.push((
                REASSOCIATE,
                DenseI64ArrayAttribute::new(builder.context(), &free).into(),
            ));
        }

        let indices = vec![builder.index_type(); self.extents.len()];
        let location = builder.location();
        let (operation, block) =
            builder.op_with_body("parfor.loop", &operands, &results, &attributes, &indices);
        let yielded = body(&block.argument_values());
        builder.at(location);
        builder.at_end(block).op("parfor.yield", &yielded, &[], &[]);
        builder.after(operation);
        Nest::of(operation).expect("a loop was just made")
    }
}
