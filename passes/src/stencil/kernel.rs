//! Reading a `stencil.apply`.

use crate::{
    analysis::interval::Intervals,
    infra::{BlockExt, OperationExt, ValueExt, ops::stencil},
};
use melior::ir::{OperationRef, Value};
use pyopt_dialects::typed::array_type;

/// A `stencil.apply`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kernel<'c, 'a>(pub stencil::Apply<'c, 'a>);

impl<'c: 'a, 'a> Kernel<'c, 'a> {
    /// The operands that the kernel indexes relatively.
    pub fn relative_inputs(self) -> Vec<Value<'c, 'a>> {
        let standard = self.0.standard_indexing();
        self.0
            .inputs()
            .into_iter()
            .enumerate()
            .filter(|(position, input)| {
                array_type(input.ty()).is_some() && !standard.contains(&(*position as i64))
            })
            .map(|(_, input)| input)
            .collect()
    }

    /// All accesses of the kernel.
    pub fn accesses(self) -> Vec<Access<'c, 'a>> {
        let standard = self.0.standard_indexing();
        self.0
            .nested_ops::<stencil::Access>()
            .into_iter()
            .map(|operation| {
                let array = operation.array();
                let parameter = array.is_parameter_of(*self.0).then(|| array.position());
                Access {
                    operation,
                    input: parameter,
                    relative: parameter
                        .is_none_or(|position| !standard.contains(&(position as i64))),
                }
            })
            .collect()
    }

    /// The lowest and the highest relative index of every dimension.
    pub fn neighborhood(self) -> Option<Vec<[i64; 2]>> {
        let flat = self.0.neighborhood()?;
        Some(
            flat.chunks_exact(2)
                .map(|pair| [pair[0], pair[1]])
                .collect(),
        )
    }
}

/// One `stencil.access`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Access<'c, 'a> {
    /// The operation.
    pub operation: stencil::Access<'c, 'a>,
    /// Which operand of the stencil it reads.
    pub input: Option<usize>,
    /// Whether its indices count from the current element.
    pub relative: bool,
}

impl<'c: 'a, 'a> Access<'c, 'a> {
    /// The offsets.
    pub fn offsets(self) -> Vec<Value<'c, 'a>> {
        self.operation.offsets()
    }
}

/// Asking where a value comes from.
trait Parameter<'c, 'a> {
    fn is_parameter_of(&self, operation: OperationRef<'c, 'a>) -> bool;
}

impl<'c: 'a, 'a> Parameter<'c, 'a> for Value<'c, 'a> {
    fn is_parameter_of(&self, operation: OperationRef<'c, 'a>) -> bool {
        self.defining_op().is_none() && self.defining_block().parent() == Some(operation)
    }
}

/// The number that an integer is known to be, as the types on the way to it wrap around.
pub(super) fn constant<'c: 'a, 'a>(value: Value<'c, 'a>) -> Option<i64> {
    let number = Intervals::default().of(value).constant()?;
    i64::try_from(number).ok()
}
