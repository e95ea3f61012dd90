//! What a new operation is made of.

use super::ToAttribute;
use melior::{
    Context,
    ir::{
        Attribute, BlockRef, Identifier, Location, Operation, OperationRef, Region, Type, Value,
        operation::OperationBuilder,
    },
};

/// A place in the IR where operations are made, and the location they get.
pub trait OpBuilder<'c, 'a> {
    /// The context.
    fn context(&self) -> &'c Context;

    /// The location of new operations.
    fn location(&self) -> Location<'c>;

    /// Inserts an operation.
    fn insert(&self, operation: Operation<'c>) -> OperationRef<'c, 'a>;
}

/// The parts of an operation that isn't made yet.
pub struct State<'c> {
    name: &'static str,
    context: &'c Context,
    builder: Option<OperationBuilder<'c>>,
    attributes: Vec<(Identifier<'c>, Attribute<'c>)>,
}

impl<'c> State<'c> {
    /// Begins an operation.
    ///
    /// # Panics
    ///
    /// When its dialect isn't loaded: MLIR would end the process.
    pub fn new(context: &'c Context, name: &'static str, location: Location<'c>) -> Self {
        assert!(
            context.is_registered_operation(name),
            "no loaded dialect has an operation '{name}'"
        );
        Self {
            name,
            context,
            builder: Some(OperationBuilder::new(name, location)),
            attributes: Vec::new(),
        }
    }

    fn change(&mut self, change: impl FnOnce(OperationBuilder<'c>) -> OperationBuilder<'c>) {
        self.builder = self.builder.take().map(change);
    }

    /// Adds operands.
    pub fn operands(&mut self, values: &[Value<'c, '_>]) {
        self.change(|builder| builder.add_operands(values));
    }

    /// Adds results.
    pub fn results(&mut self, types: &[Type<'c>]) {
        self.change(|builder| builder.add_results(types));
    }

    /// Has the dialect infer the types of the results.
    pub fn infer_results(&mut self) {
        self.change(OperationBuilder::enable_result_type_inference);
    }

    /// Adds an attribute.
    pub fn attribute(&mut self, key: &str, value: impl ToAttribute<'c>) {
        let key = Identifier::new(self.context, key);
        self.attributes
            .push((key, value.to_attribute(self.context)));
    }

    /// Adds empty regions.
    pub fn regions(&mut self, count: usize) {
        let regions = (0..count).map(|_| Region::new()).collect();
        self.change(|builder| builder.add_regions_vec(regions));
    }

    /// Adds successors.
    pub fn successors(&mut self, blocks: &[BlockRef<'c, '_>]) {
        for block in blocks {
            self.change(|builder| builder.add_successors(&[block]));
        }
    }

    /// Makes the operation.
    ///
    /// # Panics
    ///
    /// When the dialect can't infer the types of its results.
    pub fn build(mut self) -> Operation<'c> {
        let attributes = std::mem::take(&mut self.attributes);
        self.change(|builder| builder.add_attributes(&attributes));
        let built = self.builder.and_then(|builder| builder.build().ok());
        built.unwrap_or_else(|| panic!("the results of '{}' can't be inferred", self.name))
    }
}
