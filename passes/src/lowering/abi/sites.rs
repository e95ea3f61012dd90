//! The table of sites: places where an exception is raised, or calls that one passes through.

use crate::{
    infra::{OperationAttributes, OperationExt, SourcePosition, dictionary_entry, ops::marks},
    types::exception_classes,
};
use melior::{
    Context,
    ir::{
        Attribute, Identifier, Location, OperationRef,
        attribute::{ArrayAttribute, DictionaryAttribute, IntegerAttribute, StringAttribute},
        operation::OperationLike,
        r#type::IntegerType,
    },
};

/// The table under construction. Ids start at one: zero is the status of success.
pub(in crate::lowering) struct Sites<'c> {
    context: &'c Context,
    entries: Vec<Attribute<'c>>,
}

/// MLIR's name of text that is in no file, as that of intrinsics.
const NO_FILE: &str = "-";

impl<'c> Sites<'c> {
    /// Begins with the sites that the module has already.
    pub(in crate::lowering) fn new<'a>(context: &'c Context, module: OperationRef<'c, 'a>) -> Self {
        Self {
            context,
            entries: module.array_attr(marks::SITES).unwrap_or_default(),
        }
    }

    /// For each site, in the order of the ids, the names of the exception's class and of its bases.
    pub(in crate::lowering) fn classes(&self) -> impl Iterator<Item = Vec<&'c str>> {
        self.entries.iter().map(|entry| {
            dictionary_entry(*entry, "exception").map_or_else(Vec::new, exception_classes::names)
        })
    }

    /// Adds the site of a call and returns its id.
    pub(in crate::lowering) fn add_call(
        &mut self,
        operation: OperationRef<'c, '_>,
        function: &str,
    ) -> i64 {
        self.add_place(operation.location(), function, None, None, &[])
    }

    /// Adds the site of a raising operation, with the class of the exception.
    pub(in crate::lowering) fn add(
        &mut self,
        operation: OperationRef<'c, '_>,
        function: &str,
        exception: Attribute<'c>,
        message: Option<&str>,
    ) -> i64 {
        self.add_place(
            operation.location(),
            function,
            Some(exception),
            message,
            &[],
        )
    }

    /// The same for an exception with arguments of these types, or with a template for its message
    /// and values of these types for its places, known at run time.
    pub(in crate::lowering) fn add_with_arguments(
        &mut self,
        operation: OperationRef<'c, '_>,
        function: &str,
        exception: Attribute<'c>,
        template: Option<&str>,
        arguments: &[Attribute<'c>],
    ) -> i64 {
        self.add_place(
            operation.location(),
            function,
            Some(exception),
            template,
            arguments,
        )
    }

    /// Adds a site elsewhere: of an exception that code of a device raises, with the types of the values of its
    /// message.
    pub(in crate::lowering) fn add_at(
        &mut self,
        location: Location<'c>,
        function: &str,
        exception: Attribute<'c>,
        message: Option<&str>,
        values: &[Attribute<'c>],
    ) -> i64 {
        self.add_place(location, function, Some(exception), message, values)
    }

    /// Where the attributes of sites are.
    pub(in crate::lowering) fn context(&self) -> &'c Context {
        self.context
    }

    fn add_place(
        &mut self,
        location: Location<'c>,
        function: &str,
        exception: Option<Attribute<'c>>,
        message: Option<&str>,
        arguments: &[Attribute<'c>],
    ) -> i64 {
        let id = self.entries.len() as i64 + 1;
        let position = SourcePosition::of(location).filter(|position| position.file != NO_FILE);
        let number = |value| -> Attribute<'c> {
            IntegerAttribute::new(IntegerType::new(self.context, 64).into(), value).into()
        };
        let text = |text: &str| StringAttribute::new(self.context, text).into();
        let mut fields = vec![
            ("id", number(id)),
            ("exception", exception.unwrap_or_else(|| text(""))),
            ("function", text(function)),
        ];
        fields.extend(message.map(|message| ("message", text(message))));
        if !arguments.is_empty() {
            let types = ArrayAttribute::new(self.context, arguments).into();
            fields.push(("arguments", types));
        }
        if let Some(position) = position {
            fields.push(("file", text(&position.file)));
            fields.push(("line", number(position.line as i64)));
            fields.push(("column", number(position.column as i64)));
        }
        let fields: Vec<_> = fields
            .into_iter()
            .map(|(name, value)| (Identifier::new(self.context, name), value))
            .collect();
        self.entries
            .push(DictionaryAttribute::new(self.context, &fields).into());
        id
    }

    /// Writes the table down.
    pub(in crate::lowering) fn finish(self, module: OperationRef<'c, '_>) {
        module.set_attr(
            marks::SITES,
            ArrayAttribute::new(self.context, &self.entries),
        );
    }
}
