//! The table of places where an exception is raised or passes through.

use crate::{
    inference::function::dictionary_entry,
    infra::{AttributeExt, OperationAttributes, OperationExt, SourcePosition},
};
use melior::{
    Context,
    ir::{
        Attribute, Identifier, OperationRef,
        attribute::{ArrayAttribute, DictionaryAttribute, IntegerAttribute, StringAttribute},
        operation::OperationLike,
        r#type::IntegerType,
    },
};

/// The module attribute that holds the table.
pub(crate) const SITES: &str = "pyopt.sites";

/// The table while it grows. Ids count from one: zero means that nothing was raised.
pub(in crate::lowering) struct Sites<'c> {
    context: &'c Context,
    entries: Vec<Attribute<'c>>,
}

impl<'c> Sites<'c> {
    /// Begins with what the module has already.
    pub(in crate::lowering) fn new<'a>(context: &'c Context, module: OperationRef<'c, 'a>) -> Self {
        Self {
            context,
            entries: module.array_attr(SITES).unwrap_or_default(),
        }
    }

    /// The class of what is raised at each site, in the order of the ids; empty for calls.
    pub(in crate::lowering) fn classes(&self) -> impl Iterator<Item = &'c str> {
        self.entries.iter().map(|entry| {
            let class = dictionary_entry(*entry, "exception");
            class
                .and_then(AttributeExt::string_value)
                .unwrap_or_default()
        })
    }

    /// Adds the place of an operation and returns its id. Of a call the exception is empty.
    pub(in crate::lowering) fn add(
        &mut self,
        operation: OperationRef<'c, '_>,
        function: &str,
        exception: &str,
        message: Option<&str>,
    ) -> i64 {
        self.add_with_arguments(operation, function, exception, message, &[])
    }

    /// The same for an exception whose arguments, of these types, are known at run time.
    pub(in crate::lowering) fn add_with_arguments(
        &mut self,
        operation: OperationRef<'c, '_>,
        function: &str,
        exception: &str,
        message: Option<&str>,
        arguments: &[Attribute<'c>],
    ) -> i64 {
        let id = self.entries.len() as i64 + 1;
        let position = SourcePosition::of(operation.location());
        let number = |value| -> Attribute<'c> {
            IntegerAttribute::new(IntegerType::new(self.context, 64).into(), value).into()
        };
        let text = |text: &str| StringAttribute::new(self.context, text).into();
        let mut fields = vec![
            ("id", number(id)),
            ("exception", text(exception)),
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
        module.set_attr(SITES, ArrayAttribute::new(self.context, &self.entries));
    }
}
