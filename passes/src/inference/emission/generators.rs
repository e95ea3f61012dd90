//! Loops over generators.

use super::Emission;
use crate::{
    inference::{
        emit::Val,
        generators,
        issue::{Stop, Typing},
        program::Program,
        specialization::SpecId,
    },
    infra::{BlockExt, OperationExt, ValueExt},
};
use melior::ir::{
    Attribute, OperationRef,
    attribute::{StringAttribute, TypeAttribute},
    r#type::FunctionType,
};
use pyopt_dialects::typed::TypedType;

/// The attributes of the declaration of the function that resumes the generator of a
/// specialisation, whose body `typed-expand-generators` makes.
pub(super) fn resuming_function<'c>(
    program: &Program<'c, '_>,
    id: SpecId,
) -> Option<Vec<(&'static str, Attribute<'c>)>> {
    let specialization = &program.specializations[id];
    if !specialization.function.is_generator {
        return None;
    }
    let context = program.context;
    let generator = specialization.result.storage(context);
    let TypedType::Generator(symbol, item) = TypedType::from(generator) else {
        return None;
    };
    let text = |text: &str| -> Attribute<'c> { StringAttribute::new(context, text).into() };
    let resumed = TypedType::Unbound(item).to_type(context);
    let ty = FunctionType::new(context, &[generator], &[resumed]);
    Some(vec![
        ("sym_name", text(symbol)),
        ("function_type", TypeAttribute::new(ty.into()).into()),
        ("pyopt.function", text(specialization.function.name())),
        ("sym_visibility", text("private")),
    ])
}

impl<'c: 'a, 'a> Emission<'_, 'c, 'a> {
    /// Whether the function is a generator's.
    pub(super) fn is_generator(&self) -> bool {
        self.e.program.specializations[self.e.specialization]
            .function
            .is_generator
    }

    /// The end of a loop's header: resumes the generator, and goes into the loop with its item.
    pub(super) fn emit_for_generator(
        &mut self,
        terminator: OperationRef<'c, 'a>,
        generator: Val<'c, 'a>,
    ) -> Typing<()> {
        let region = self.body.region_at(0);
        let (more, item) = generators::resume(&mut self.e, generator)?;
        let here = self.builder.block();
        let location = self.builder.location();
        let test = match self.landing(terminator)? {
            None => here,
            Some(landing) => {
                let test = self.builder.append_block(region, &[]);
                self.builder.at_end(here).at(location);
                self.try_branch(test, &[], landing);
                test
            }
        };
        let (body, body_operands) = self.edge(terminator, 0)?;
        let (exit, exit_operands) = self.edge(terminator, 1)?;
        let between = self.builder.append_block(region, &[]);
        self.builder.at_end(between).at(location);
        let item = self.e.coerce(item, body.argument_value(0).ty())?;
        let item = item.value.ok_or(Stop::Unknown)?;
        self.branch(body, &[&[item], body_operands.as_slice()].concat());
        self.builder.at_end(test);
        let more = more.value.ok_or(Stop::Unknown)?;
        self.branches("cf.cond_br", more, (between, &[]), (exit, &exit_operands));
        Ok(())
    }
}
