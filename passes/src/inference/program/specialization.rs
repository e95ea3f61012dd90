//! Functions for certain argument types.

use super::{flow::Flow, kernel::Kernel, uses::Demand};
use crate::{inference::lattice::Fact, py::function::PyFunction};
use melior::{
    Context,
    ir::{Attribute, Location, Type},
};
use std::rc::Rc;

/// Values of arguments that are part of a signature, with their positions.
pub(crate) type Literals<'c> = Vec<(usize, Attribute<'c>)>;

/// The number of a specialisation.
pub(crate) type SpecId = usize;

/// A function for certain argument types.
#[derive(Debug)]
pub(crate) struct Specialization<'c, 'a> {
    /// The function.
    pub function: Rc<PyFunction<'c, 'a>>,
    /// The function as it was, where it is a copy in which loops are unrolled.
    pub original: Option<Rc<PyFunction<'c, 'a>>>,
    /// How often it began again with the function as it was.
    pub returns_to_original: usize,
    /// The types of its arguments; parameters beyond them take their defaults.
    pub arguments: Vec<Type<'c>>,
    /// The values of arguments that it was made for.
    pub literals: Literals<'c>,
    /// Whether division by zero raises.
    pub python_errors: bool,
    /// The symbol of the typed function.
    pub symbol: String,
    /// Whether a `py.specialize` asked for it.
    pub entry: bool,
    /// The types of the arguments that a `py.specialize` asked for.
    pub asked: Vec<Type<'c>>,
    /// Whether C code calls it.
    pub c_entry: bool,
    /// The result type that was asked for.
    pub wanted: Option<Type<'c>>,
    /// What is known of the result.
    pub result: Fact<'c>,
    /// What is known of the items that it yields, for a generator.
    pub yielded: Fact<'c>,
    /// Whether a return can be reached.
    pub returns: bool,
    /// How often the result was found to be another one.
    pub revisions: usize,
    /// How many of its function's specialisations were demanded by way of this one, if none was before it.
    pub recursive: usize,
    /// Whether the result has a larger type with every level of a recursion.
    pub grows: bool,
    /// The call that asked for it first.
    pub call: Location<'c>,
    /// The specialisation with that call.
    pub caller: Option<SpecId>,
    /// Those whose types depend on the result.
    pub dependents: Vec<SpecId>,
    /// What is known of its values.
    pub flow: Flow<'c, 'a>,
    /// Types of lists that arguments are to have.
    pub demands: Vec<Demand<'c>>,
    /// How it indexes its arrays, for the kernel of a stencil.
    pub kernel: Option<Kernel>,
}

impl<'c> Specialization<'c, '_> {
    /// Has results converted to a type, if one is asked for.
    pub fn want(&mut self, result: Option<Type<'c>>) {
        self.wanted = result;
        if let Some(wanted) = result {
            self.result = Fact::of(wanted);
        }
    }

    /// What is known of an argument: arrays that a kernel indexes relatively are marked.
    pub fn argument_literal(&self, context: &'c Context, index: usize) -> Option<Attribute<'c>> {
        if let Some(&(_, literal)) = self.literals.iter().find(|(at, _)| *at == index) {
            return Some(literal);
        }
        let kernel = self.kernel.as_ref()?;
        kernel.relative[index].then(|| Attribute::unit(context))
    }
}
