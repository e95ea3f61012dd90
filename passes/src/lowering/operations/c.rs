//! Addresses, arrays over the memory behind them, and calls of C functions.

use super::{
    Lowered, Site,
    alloc::unit,
    array::{Parts, assemble, contiguous_strides, operand_array, parts},
    refuse,
    text::cast_to_index,
};
use crate::{
    infra::{
        OperationExt, PassResult, ValueExt,
        ops::{arith, builtin, func, llvm, typed},
    },
    lowering::c_abi,
    types::{addresses, layout::element_size},
};
use melior::ir::r#type::FunctionType;
use pyopt_dialects::typed::{Layout, array_type};

/// Lowers `typed.address`.
pub(super) fn address<'c, 'a>(
    _: typed::Address<'c, 'a>,
    site: &Site<'_, 'c, 'a>,
) -> Lowered<'c, 'a> {
    let array = typed::Address::ARRAY_OPERAND;
    let parts = parts(
        &site.emit,
        operand_array(site, array)?,
        &site.operands[array],
    );
    Ok(vec![vec![parts.data]])
}

/// Lowers `typed.address_cast`.
pub(super) fn address_cast<'c, 'a>(
    _: typed::AddressCast<'c, 'a>,
    site: &Site<'_, 'c, 'a>,
) -> Lowered<'c, 'a> {
    let e = &site.emit;
    let address = site.one(typed::AddressCast::ADDRESS_OPERAND)?;
    let from = addresses::is_address(site.operand_type(typed::AddressCast::ADDRESS_OPERAND));
    let to = addresses::is_address(site.result_type());
    let converted = match (from, to) {
        (true, false) => e.to(llvm::PtrToInt::NAME, address, e.i(64)),
        (false, true) => e.to(llvm::IntToPtr::NAME, address, e.ptr()),
        _ => address,
    };
    Ok(vec![vec![converted]])
}

/// Lowers `typed.pointer_array`.
pub(super) fn pointer_array<'c, 'a>(
    op: typed::PointerArray<'c, 'a>,
    site: &Site<'_, 'c, 'a>,
) -> Lowered<'c, 'a> {
    let e = &site.emit;
    let Some(array) = array_type(site.result_type()) else {
        return refuse("the result is no array");
    };
    let pointer = site.one(typed::PointerArray::POINTER_OPERAND)?;
    let offset = site.one(typed::PointerArray::OFFSET_OPERAND)?;
    let mut sizes = Vec::new();
    for at in op.sizes_range() {
        let size = cast_to_index(e, site.one(at)?, site.operand_type(at))?;
        sizes.push(e.index_cast(size, e.i(64)));
    }
    let mut strides = contiguous_strides(e, array.layout, &sizes);
    let data = if array.layout == Layout::Bytes {
        let size = e.i64(element_size(array.element));
        for stride in &mut strides {
            *stride = e.bin(arith::MulI::NAME, *stride, size);
        }
        e.offset(pointer, e.bin(arith::MulI::NAME, offset, size), e.i(8))
    } else {
        e.offset(pointer, offset, unit(e, array.element))
    };
    let parts = Parts {
        data,
        sizes,
        strides,
        owner: e.zero(e.ptr()),
    };
    Ok(vec![assemble(e, array, &parts)])
}

/// Lowers `typed.c_symbol`.
pub(super) fn symbol<'c, 'a>(
    op: typed::CSymbol<'c, 'a>,
    site: &Site<'_, 'c, 'a>,
) -> Lowered<'c, 'a> {
    let e = &site.emit;
    let Some((inputs, result)) = addresses::signature(site.result_type()) else {
        return refuse("the result is no C function");
    };
    let passed = |ty| match c_abi::c_type(e, ty) {
        Some(passed) => Ok(passed),
        None => refuse(format!("C functions have no values of type {ty}")),
    };
    let inputs = (inputs.into_iter().map(passed)).collect::<PassResult<Vec<_>>>()?;
    let results = (result.into_iter().map(passed)).collect::<PassResult<Vec<_>>>()?;
    let function = FunctionType::new(e.context(), &inputs, &results);
    e.declare(op.name(), function);
    Ok(vec![vec![e.function_address(op.name(), function)]])
}

/// Lowers `typed.c_call`.
pub(super) fn call<'c, 'a>(op: typed::CCall<'c, 'a>, site: &Site<'_, 'c, 'a>) -> Lowered<'c, 'a> {
    let e = &site.emit;
    let callee = site.one(typed::CCall::CALLEE_OPERAND)?;
    let Some((_, result)) = addresses::signature(op.callee().ty()) else {
        return refuse("the callee is no C function");
    };
    let mut operands = Vec::new();
    for at in op.inputs_range() {
        operands.push(c_abi::to_c(e, site.one(at)?, site.operand_type(at)));
    }
    let inputs: Vec<_> = operands.iter().map(|operand| operand.ty()).collect();
    let mut results = Vec::new();
    if let Some(result) = result {
        let Some(ty) = c_abi::c_type(e, result) else {
            return refuse(format!("C functions don't return values of type {result}"));
        };
        results.push(ty);
    }
    let function = FunctionType::new(e.context(), &inputs, &results).into();
    let callee = e.to(builtin::UnrealizedConversionCast::NAME, callee, function);
    operands.insert(0, callee);
    let call = e.op(func::CallIndirect::NAME, &operands, &results, &[]);
    Ok(match result {
        Some(result) => vec![vec![c_abi::from_c(e, call.result_value(0), result)]],
        None => vec![],
    })
}
