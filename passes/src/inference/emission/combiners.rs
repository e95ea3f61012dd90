//! The reductions of a program, as operations of the module.

use super::dead::erase_dead;
use crate::{
    inference::{
        dispatch::RULES,
        emit::Emit,
        families::combiners::{convert, symbol},
        program::{Program, declarations::Combiner},
        rules,
    },
    infra::{
        Builder, PassContext, PassFailure, PassResult,
        ops::{func, parfor},
    },
};
use melior::ir::{BlockRef, r#type::FunctionType};

/// Declares the combiners of a module, with the functions that give their identities.
pub(crate) fn declare_combiners<'c, 'a>(
    cx: &PassContext<'c>,
    program: &mut Program<'c, 'a>,
    builder: &Builder<'c, 'a>,
    module: BlockRef<'c, 'a>,
) -> PassResult {
    let context = cx.context();
    for combiner in std::mem::take(&mut program.combiners) {
        let Combiner {
            combine,
            identity,
            location,
        } = combiner;
        let symbol = symbol(program, combine);
        let callee = program.specializations[combine].symbol.clone();
        let ty = program.specializations[combine].result.storage(context);
        let start = format!("{symbol}.identity");
        let r#type = FunctionType::new(context, &[], &[ty]).into();
        builder.at_end(module).at(location);
        let function = func::Func::create(builder, &start, r#type);
        function.set_sym_visibility(Some("private"));
        let block = builder.append_block(function.body(), &[]);
        builder.at_end(block);
        let mut e = Emit::new(program, Some(builder), location, combine, &RULES);
        let value = rules::constant(&mut e, identity).and_then(|value| convert(&mut e, value, ty));
        let value = value.map_err(|_| PassFailure::Message(format!("@{start} has no value")))?;
        e.effect(|b| func::Return::create(b, &[value.ir()]));
        erase_dead(*function);

        builder.at_end(module);
        let declared = parfor::Combiner::create(builder, &symbol, &start, &callee);
        declared.set_sym_visibility(Some("private"));
    }
    Ok(())
}
