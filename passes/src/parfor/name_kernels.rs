//! Renames kernels to identifiers that device assemblers accept.

use crate::infra::{
    BlockExt, OperationAttributes, OperationExt, PassContext, PassResult, PassSpec, RegionExt,
    StatisticSpec, ops::gpu,
};
use melior::{
    Context, StringRef,
    ir::{
        Attribute, AttributeLike, OperationRef,
        attribute::{FlatSymbolRefAttribute, StringAttribute},
    },
};
use mlir_sys::mlirSymbolRefAttrGet;

/// The `parfor-name-kernels` pass.
pub static PASS: PassSpec = PassSpec {
    description: "Names of Python functions have dots, angle brackets and any letters; PTX and \
                  OpenCL take letters of ASCII, digits and underscores. Kernels and the modules \
                  they are in are renamed, with the launches. Run it behind \
                  `gpu-kernel-outlining`.",
    dialects: &["gpu"],
    statistics: &[StatisticSpec::new(
        "renamed",
        "kernels and their modules renamed",
    )],
    ..PassSpec::new(
        "parfor-name-kernels",
        "give kernels names that devices take",
        run,
    )
};

fn run<'c, 'a>(cx: &PassContext<'c>, module: OperationRef<'c, 'a>) -> PassResult {
    let mut taken: Vec<String> = Vec::new();
    // References to kernels, before and after.
    let mut renamed: Vec<(Attribute, Attribute)> = Vec::new();
    for gpu_module in module.nested_ops::<gpu::GPUModule>() {
        let before = gpu_module.sym_name();
        let after = rename(cx, gpu_module.operation(), before, &mut taken);
        let mut inside = Vec::new();
        let blocks = gpu_module.body_region().block_list();
        let operations = blocks.into_iter().flat_map(BlockExt::operation_list);
        for function in operations.filter(|one| one.isa::<gpu::GPUFunc>()) {
            let kernel = function.required("sym_name", function.symbol_name())?;
            let new = rename(cx, function, kernel, &mut inside);
            renamed.push((
                kernel_reference(cx.context(), before, kernel),
                kernel_reference(cx.context(), &after, &new),
            ));
        }
    }
    for launch in module.nested_ops::<gpu::LaunchFunc>() {
        let kernel = launch.kernel();
        if let Some((_, after)) = renamed.iter().find(|(before, _)| *before == kernel) {
            launch.set_kernel(*after);
        }
    }
    Ok(())
}

/// Renames an operation whose name isn't a valid identifier to a unique one, and returns that.
fn rename<'c: 'a, 'a>(
    cx: &PassContext<'c>,
    operation: OperationRef<'c, 'a>,
    name: &str,
    taken: &mut Vec<String>,
) -> String {
    let mut fit = plain(name);
    while taken.contains(&fit) {
        fit.push('_');
    }
    if fit != name {
        operation.set_attr("sym_name", StringAttribute::new(cx.context(), &fit));
        cx.bump("renamed", 1);
    }
    taken.push(fit.clone());
    fit
}

/// A valid identifier for a name: ASCII letters, digits and underscores, not starting with a digit.
fn plain(name: &str) -> String {
    let fits = |letter: char| letter.is_ascii_alphanumeric();
    let mut plain: String = name
        .chars()
        .map(|letter| if fits(letter) { letter } else { '_' })
        .collect();
    if !plain.starts_with(|first: char| first.is_ascii_alphabetic()) {
        plain.insert(0, 'k');
    }
    plain
}

/// A reference to a kernel of a module.
fn kernel_reference<'c>(context: &'c Context, module: &str, kernel: &str) -> Attribute<'c> {
    let nested = FlatSymbolRefAttribute::new(context, kernel).to_raw();
    // SAFETY: all are valid, and there is one nested reference.
    unsafe {
        Attribute::from_raw(mlirSymbolRefAttrGet(
            context.to_raw(),
            StringRef::new(module).to_raw(),
            1,
            &nested,
        ))
    }
}
