//! Functions and combiners that the module is to declare beside its specialisations.

use super::specialization::SpecId;
use melior::ir::{Attribute, Location, Type};

/// A function that the host runs, as it is called with certain types.
#[derive(Debug)]
pub(crate) struct HostFunction<'c> {
    /// The symbol of the declared function.
    pub symbol: String,
    /// The attribute that says what the host runs.
    pub code: (&'static str, Attribute<'c>),
    /// The types of the arguments.
    pub inputs: Vec<Type<'c>>,
    /// The type of the result.
    pub result: Type<'c>,
    /// The first call.
    pub location: Location<'c>,
}

/// A combiner that the module is to have.
#[derive(Clone, Debug)]
pub(crate) struct Combiner<'c> {
    /// The specialisation that takes two values of the type that it gives.
    pub combine: SpecId,
    /// What it combines with a value to that value.
    pub identity: Attribute<'c>,
    /// The first call that is a step of the reduction.
    pub location: Location<'c>,
}
