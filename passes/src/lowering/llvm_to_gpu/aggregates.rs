//! Structs that blocks take, in their fields: LLVM's back end for SPIR-V has no phis of structs, which
//! complex numbers are that a loop carries.

use super::fields;
use crate::infra::{
    BlockExt, Builder, OperationExt, OperationInterfaces, RegionExt, ValueExt, ops::llvm,
};
use melior::ir::{BlockRef, operation::OperationLike};

/// Has all blocks of a function but the first take the fields of structs instead of these.
pub(super) fn split_arguments<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    function: llvm::LLVMFunc<'c, 'a>,
) {
    let blocks = function.body().block_list();
    for block in blocks.iter().skip(1) {
        let next = || {
            let arguments = block.argument_values().into_iter().enumerate();
            let mut structs = arguments.filter_map(|(at, one)| Some((at, fields(one.ty())?)));
            structs.next()
        };
        // Fields may be structs again.
        while let Some((position, fields)) = next() {
            let argument = block.argument_value(position);
            let parts: Vec<_> = (fields.iter())
                .map(|field| block.push_argument(*field, argument.location()))
                .collect();
            for from in &blocks {
                pass_fields(builder, *from, *block, position);
            }
            builder.at_start(*block).at(argument.location());
            let nothing = llvm::Poison::create(builder, argument.ty()).res();
            let whole = parts.iter().zip(0..).fold(nothing, |whole, (part, at)| {
                llvm::InsertValue::create(builder, whole, *part, &[at]).res()
            });
            argument.replace_all_uses(whole);
            block.remove_argument(position);
        }
    }
}

/// Has the branches of a block to another one pass the fields of a struct behind everything else.
fn pass_fields<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    from: BlockRef<'c, 'a>,
    to: BlockRef<'c, 'a>,
    position: usize,
) {
    let Some(branch) = from.terminator_op() else {
        return;
    };
    for (index, target) in branch.successor_blocks().into_iter().enumerate() {
        let Some((_, operands)) = branch.successor_operands(index).filter(|_| target == to) else {
            continue;
        };
        let mut passed = branch.operand_values()[operands].to_vec();
        let value = passed.remove(position);
        builder.before(branch).at(branch.location());
        let fields = fields(value.ty()).unwrap_or_default();
        passed.extend(
            fields
                .into_iter()
                .zip(0..)
                .map(|(field, at)| llvm::ExtractValue::create(builder, value, &[at], field).res()),
        );
        branch.set_successor_operands(index, &passed);
    }
}
