//! Gives kernels the form in which the host's processor calls them.

use crate::infra::{
    BlockExt, Builder, OperationAttributes, OperationExt, PassContext, PassResult, PassSpec,
    RegionExt, ValueExt, internal_linkage,
    ops::{builtin, gpu, llvm, marks},
};
use melior::{
    dialect::llvm::r#type as llvm_type,
    ir::{Attribute, OperationRef, Type, Value, operation::OperationLike},
};
use pyopt_dialects::upstream;

/// The `kernels-to-host` pass.
pub static PASS: PassSpec = PassSpec {
    description: "Functions marked `pyopt.device` become kernels of two parameters: where the thread is in the \
                  launch, as 32-bit numbers along x, y and z (the block's number in the grid, the \
                  thread's number in the block, the sizes of the block and of the grid), and the addresses of the values of \
                  the parameters that they had. The other functions stay within the module.",
    dialects: &["llvm"],
    ..PassSpec::new(
        "kernels-to-host",
        "give kernels the form in which the host calls them",
        run,
    )
};

fn run<'c, 'a>(cx: &PassContext<'c>, module: OperationRef<'c, 'a>) -> PassResult {
    let builder = Builder::new(cx.context(), module);
    for function in module.nested_ops::<llvm::LLVMFunc>() {
        if function.flag_attr(marks::DEVICE) {
            to_kernel(&builder, function);
        } else if !function.body().is_empty() {
            function.set_linkage(internal_linkage(cx.context()));
        }
    }
    let mut outside = module.pre_order().into_iter();
    match outside.find(|operation| position(*operation).is_some()) {
        Some(operation) => {
            Err(cx.error(operation.location(), "only kernels know where a thread is"))
        }
        None => Ok(()),
    }
}

fn to_kernel<'c: 'a, 'a>(builder: &Builder<'c, 'a>, function: llvm::LLVMFunc<'c, 'a>) {
    let Some(entry) = function.body().entry() else {
        return;
    };
    let context = builder.context();
    let pointer = llvm_type::pointer(context, 0);
    let parameters = entry.argument_values();
    let location = function.location();
    let position = entry.push_argument(pointer, location);
    let arguments = entry.push_argument(pointer, location);
    builder.at_start(entry).at(location);
    for (at, parameter) in parameters.iter().enumerate() {
        let place = load(builder, arguments, at as i32, pointer);
        let value = llvm::Load::create(builder, place, parameter.ty()).res();
        parameter.replace_all_uses(value);
    }
    for at in (0..parameters.len()).rev() {
        entry.remove_argument(at);
    }
    for operation in function.pre_order() {
        read_position(builder, operation, position);
    }
    let nothing = llvm_type::void(context);
    function.set_function_type(llvm_type::function(nothing, &[pointer, pointer], false));
    function.remove_attr(marks::DEVICE);
    function.remove_attr("arg_attrs");
    function.set_attr(upstream::GPU_KERNEL, Attribute::unit(context));
}

/// Loads the element of an array at an address.
fn load<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    array: Value<'c, 'a>,
    at: i32,
    element: Type<'c>,
) -> Value<'c, 'a> {
    let pointer = llvm_type::pointer(builder.context(), 0);
    let place = llvm::GEP::create(builder, array, &[], &[at], element, pointer).res();
    llvm::Load::create(builder, place, element).res()
}

/// Which number of `pyopt_driver::host::Position` an operation asks for.
fn position<'c: 'a, 'a>(operation: OperationRef<'c, 'a>) -> Option<i32> {
    let (first, axis) = match gpu::Op::of(operation)? {
        gpu::Op::BlockId(id) => (0, id.dimension()),
        gpu::Op::ThreadId(id) => (3, id.dimension()),
        gpu::Op::BlockDim(size) => (6, size.dimension()),
        gpu::Op::GridDim(size) => (9, size.dimension()),
        _ => return None,
    };
    Some(first + axis as i32)
}

/// Replaces a question where the thread is by a load.
fn read_position<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    operation: OperationRef<'c, 'a>,
    from: Value<'c, 'a>,
) {
    let Some(at) = position(operation) else {
        return;
    };
    builder.before(operation).at(operation.location());
    let number = load(builder, from, at, builder.i(32));
    let word = llvm::ZExt::create(builder, number, builder.i(64)).res();
    let index = builder.to(
        builtin::UnrealizedConversionCast::NAME,
        word,
        builder.index_type(),
    );
    builder.replace_op(operation, &[index]);
}
