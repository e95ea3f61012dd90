//! The functions that the host runs.

use super::{Program, declarations::HostFunction};
use crate::infra::{Builder, OperationExt, ops::func};
use melior::ir::{Attribute, BlockRef, Location, Type, r#type::FunctionType};

impl<'c> Program<'c, '_> {
    /// The declared function of what the host runs for argument types.
    pub fn host_function(
        &mut self,
        code: (&'static str, Attribute<'c>),
        prefix: &str,
        inputs: Vec<Type<'c>>,
        result: Type<'c>,
        location: Location<'c>,
    ) -> String {
        let same = |other: &&HostFunction| {
            other.code == code && other.inputs == inputs && other.result == result
        };
        if let Some(known) = self.host_functions.iter().find(same) {
            return known.symbol.clone();
        }
        let symbol = self.unique(format!("{prefix}.{}", self.host_functions.len()));
        self.host_functions.push(HostFunction {
            symbol: symbol.clone(),
            code,
            inputs,
            result,
            location,
        });
        symbol
    }

    /// Declares the functions that the host runs.
    pub fn declare_host_functions<'a>(&self, builder: &Builder<'c, 'a>, module: BlockRef<'c, 'a>) {
        for call in &self.host_functions {
            let ty = FunctionType::new(self.context, &call.inputs, &[call.result]);
            builder.at_end(module).at(call.location);
            let function = func::Func::create(builder, &call.symbol, ty.into());
            function.set_sym_visibility(Some("private"));
            let (key, code) = call.code;
            function.set_attr(key, code);
        }
    }
}
