//! Makes a module of device code of functions in LLVM's dialect.

use crate::{
    devices::{PTX, SPIRV},
    infra::{
        BlockExt, Builder, OperationAttributes, OperationExt, OptionSpec, PassContext, PassFailure,
        PassResult, PassSpec, RegionExt, ValueExt, internal_linkage,
        ops::{builtin, gpu, llvm, marks},
        struct_fields,
    },
};
use melior::{
    Context,
    dialect::llvm::r#type as llvm_type,
    ir::{
        Attribute, OperationRef, Type, TypeLike, Value,
        attribute::{IntegerAttribute, StringAttribute},
        operation::OperationLike,
    },
};
use mlir_sys::{
    mlirLLVMFunctionTypeGetNumInputs, mlirLLVMPointerTypeGetAddressSpace,
    mlirTypeIsALLVMPointerType,
};
use pyopt_dialects::upstream;

/// The `llvm-to-gpu` pass.
pub static PASS: PassSpec = PassSpec {
    description: "What is in the module becomes a `gpu.module`. Functions marked `pyopt.device` \
                  become kernels: they get the calling convention of the device, and the pointers \
                  that they are given, with what is computed of these, point to global memory. For \
                  `spirv`, functions of libm become those of OpenCL that are called alike.",
    dialects: &["gpu", "llvm", "nvvm"],
    options: &[OptionSpec::text(
        "code",
        "what the code is to be: spirv or ptx",
        SPIRV,
    )],
    ..PassSpec::new("llvm-to-gpu", "make a gpu.module of kernels", run)
};

/// The address space of global memory, on all devices.
const GLOBAL: u32 = 1;

/// OpenCL's calling conventions.
const KERNEL: &str = "spir_kernelcc";
const FUNCTION: &str = "spir_funccc";

/// The name of the module of kernels.
const KERNELS: &str = "kernels";

fn run<'c, 'a>(cx: &PassContext<'c>, module: OperationRef<'c, 'a>) -> PassResult {
    let opencl = match cx.options().text("code") {
        SPIRV => true,
        PTX => false,
        other => {
            let message = format!("there is no code '{other}': it is spirv or ptx");
            return Err(PassFailure::Message(message));
        }
    };
    let builder = Builder::new(cx.context(), module);
    let body = module.region_at(0).entry().expect("a module has a block");
    let operations = body.operation_list();
    builder.at_end(body).at(module.location());
    let made = gpu::GPUModule::create(&builder, KERNELS);
    let inside = match made.body_region().entry() {
        Some(block) => block,
        None => builder.append_block(made.body_region(), &[]),
    };
    for operation in operations {
        operation.place_at_end(inside);
    }
    number_threads(&builder, made, opencl);
    for function in made.nested_ops::<llvm::LLVMFunc>() {
        if function.flag_attr(marks::DEVICE) {
            to_kernel(cx, function, opencl);
        } else if let Some(name) = function.str_attr(marks::LIBM).filter(|_| opencl) {
            to_builtin(cx, *made, function, name);
        } else if !function.body().is_empty() {
            function.set_linkage(internal_linkage(cx.context()));
        }
    }
    Ok(())
}

/// Replaces the numbers of threads and blocks: by the registers that have them, or by calls of OpenCL's
/// functions. Upstream's conversions do so too, but the one to `nvvm` takes the functions that LLVM has
/// for calls of a library of NVIDIA's.
fn number_threads<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    module: gpu::GPUModule<'c, 'a>,
    opencl: bool,
) {
    for operation in module.pre_order() {
        let (register, function, axis) = match gpu::Op::of(operation) {
            Some(gpu::Op::ThreadId(id)) => ("tid", "_Z12get_local_idj", id.dimension()),
            Some(gpu::Op::BlockId(id)) => ("ctaid", "_Z12get_group_idj", id.dimension()),
            Some(gpu::Op::BlockDim(count)) => ("ntid", "_Z14get_local_sizej", count.dimension()),
            Some(gpu::Op::GridDim(count)) => ("nctaid", "_Z14get_num_groupsj", count.dimension()),
            _ => continue,
        };
        builder.before(operation);
        let word = match opencl {
            true => call_builtin(builder, module, function, axis as i64),
            false => {
                let name = format!("nvvm.read.ptx.sreg.{register}.{}", axis.name());
                let number = builder.value(&name, &[], builder.i(32), &[]);
                llvm::ZExt::create(builder, number, builder.i(64)).res()
            }
        };
        let index = builder.before(operation).index_type();
        let index = builder.to(builtin::UnrealizedConversionCast::NAME, word, index);
        builder.replace_op(operation, &[index]);
    }
}

/// Calls a function of OpenCL from a number of 32 bits to one of 64, which the module will declare.
fn call_builtin<'c: 'a, 'a>(
    builder: &Builder<'c, 'a>,
    module: gpu::GPUModule<'c, 'a>,
    name: &str,
    argument: i64,
) -> Value<'c, 'a> {
    let (number, word) = (builder.i(32), builder.i(64));
    let value = IntegerAttribute::new(number, argument).into();
    let argument = llvm::Constant::create(builder, value, number).res();
    let call = llvm::Call::create(builder, &[argument], &[], &[], Some(word));
    call.set_callee(Some(name));
    call.set_no_unwind(true);
    call.set_will_return(true);
    call.set_c_conv(convention_attribute(builder.context(), FUNCTION));
    if module.lookup_symbol(name).is_none()
        && let Some(body) = module.body_region().entry()
    {
        let r#type = llvm_type::function(word, &[number], false);
        let declared = llvm::LLVMFunc::create(builder.at_start(body), name, r#type);
        declared.set_c_conv(convention_attribute(builder.context(), FUNCTION));
    }
    call.result().expect("it was made with a result")
}

/// Gives a function the form of a kernel.
fn to_kernel<'c: 'a, 'a>(cx: &PassContext<'c>, function: llvm::LLVMFunc<'c, 'a>, opencl: bool) {
    let unit = Attribute::unit(cx.context());
    function.remove_attr(marks::DEVICE);
    function.set_attr(upstream::GPU_KERNEL, unit);
    match opencl {
        true => function.set_c_conv(convention_attribute(cx.context(), KERNEL)),
        false => function.set_attr(upstream::NVVM_KERNEL, unit),
    }
    for operation in function.pre_order() {
        let arguments = operation.nested_blocks().into_iter();
        let arguments = arguments.flat_map(|block| block.argument_values());
        for value in operation.result_values().into_iter().chain(arguments) {
            set_global(cx, value);
        }
    }
    let entry = function.body().entry();
    let inputs = entry.map(BlockExt::argument_values).unwrap_or_default();
    let inputs: Vec<_> = inputs.into_iter().map(|input| input.ty()).collect();
    let nothing = llvm_type::void(cx.context());
    function.set_function_type(llvm_type::function(nothing, &inputs, false));
}

/// Points a pointer to global memory, but for one to the stack.
fn set_global<'c: 'a, 'a>(cx: &PassContext<'c>, value: Value<'c, 'a>) {
    let on_stack = value
        .defining_op()
        .is_some_and(|op| op.isa::<llvm::Alloca>());
    if let Some(r#type) = globally(cx, value.ty()).filter(|_| !on_stack) {
        // All that uses the value is changed with it, and verified behind the pass.
        value.set_ty(r#type);
    }
}

/// The type with pointers to global memory in place of those to any; `None` where it has none.
fn globally<'c>(cx: &PassContext<'c>, r#type: Type<'c>) -> Option<Type<'c>> {
    let raw = r#type.to_raw();
    // SAFETY: each accessor is called on a type of the kind that it is for, within its bounds.
    unsafe {
        if mlirTypeIsALLVMPointerType(raw) {
            return (mlirLLVMPointerTypeGetAddressSpace(raw) == 0)
                .then(|| llvm_type::pointer(cx.context(), GLOBAL));
        }
    }
    let fields = struct_fields(r#type)?;
    let changed: Vec<_> = fields.iter().map(|field| globally(cx, *field)).collect();
    let both = fields.iter().zip(&changed);
    let both: Vec<_> = both
        .map(|(before, after)| after.unwrap_or(*before))
        .collect();
    (changed.iter().any(Option::is_some)).then(|| llvm_type::r#struct(cx.context(), &both, false))
}

/// Renames a function of libm to the one of OpenCL, with its calls. The name says how many floats and
/// of which precision it takes.
fn to_builtin<'c: 'a, 'a>(
    cx: &PassContext<'c>,
    module: OperationRef<'c, 'a>,
    function: llvm::LLVMFunc<'c, 'a>,
    name: &str,
) {
    let before = function.sym_name();
    let single = before != name;
    let r#type = function.function_type();
    // SAFETY: the type of a function is one.
    let count = unsafe { mlirLLVMFunctionTypeGetNumInputs(r#type.to_raw()) };
    let letter = if single { "f" } else { "d" };
    let after = format!("_Z{}{name}{}", name.len(), letter.repeat(count as usize));
    for call in module.nested_ops::<llvm::Call>() {
        if call.callee() == Some(before) {
            call.set_callee(Some(&after));
            call.set_c_conv(convention_attribute(cx.context(), FUNCTION));
        }
    }
    function.set_attr("sym_name", StringAttribute::new(cx.context(), &after));
    function.set_c_conv(convention_attribute(cx.context(), FUNCTION));
}

fn convention_attribute<'c>(context: &'c Context, convention: &str) -> Attribute<'c> {
    let text = format!("#llvm.cconv<{convention}>");
    Attribute::parse(context, &text).expect("LLVM has the convention")
}
