//! The declarations and constants that lowered operations need in the module.

use crate::infra::{Builder, OperationExt, RegionExt};
use melior::{
    dialect::llvm,
    ir::{
        Attribute, Location, OperationRef, Region,
        attribute::{IntegerAttribute, StringAttribute, TypeAttribute},
        r#type::{FunctionType, IntegerType},
    },
};
use mlir_sys::{MlirStringRef, mlirStringAttrGet};
use std::{cell::RefCell, collections::BTreeMap};

/// What a module must declare for the operations in it: functions of the runtime and libm, and
/// what str and array constants hold. Ordered by name, so that the result doesn't depend on the order of
/// rewriting.
#[derive(Debug, Default)]
pub(super) struct Externals<'c> {
    functions: RefCell<BTreeMap<String, FunctionType<'c>>>,
    data: RefCell<BTreeMap<String, Vec<u8>>>,
}

impl<'c> Externals<'c> {
    /// Adds a function that is called.
    pub(super) fn function(&self, name: &str, r#type: FunctionType<'c>) {
        self.functions.borrow_mut().insert(name.into(), r#type);
    }

    /// The name of the constant that holds some bytes.
    pub(super) fn data(&self, bytes: Vec<u8>) -> String {
        // FNV-1a: the name follows from the bytes alone.
        let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
        });
        let mut data = self.data.borrow_mut();
        let mut name = format!("pyopt.data.{hash:016x}");
        while data.get(&name).is_some_and(|other| *other != bytes) {
            name.push('x');
        }
        data.insert(name.clone(), bytes);
        name
    }

    /// Declares everything at the start of a module.
    pub(super) fn declare<'a>(&self, builder: &Builder<'c, 'a>, module: OperationRef<'c, 'a>) {
        let Some(block) = module.region_at(0).entry() else {
            return;
        };
        builder.at(Location::unknown(builder.context()));
        builder.at_start(block);
        for (name, r#type) in self.functions.borrow().iter() {
            if module.lookup_symbol(name).is_none() {
                declare_function(builder, name, *r#type);
            }
        }
        for (name, bytes) in self.data.borrow().iter() {
            if module.lookup_symbol(name).is_none() {
                define_data(builder, name, bytes);
            }
        }
    }
}

fn declare_function<'c>(builder: &Builder<'c, '_>, name: &str, r#type: FunctionType<'c>) {
    let context = builder.context();
    let function = builder.op_with(
        "func.func",
        &[],
        &[],
        &[
            ("sym_name", StringAttribute::new(context, name).into()),
            (
                "sym_visibility",
                StringAttribute::new(context, "private").into(),
            ),
            ("function_type", TypeAttribute::new(r#type.into()).into()),
        ],
        |operation| operation.add_regions([Region::new()]),
    );
    if name == "pyopt_alloc" {
        // Fresh memory: nothing else points to it.
        let noalias = Attribute::parse(context, "[{llvm.noalias}]");
        function.set_attr("res_attrs", noalias.expect("the attribute is well-formed"));
    }
}

fn define_data(builder: &Builder, name: &str, bytes: &[u8]) {
    let context = builder.context();
    let r#type = llvm::r#type::array(IntegerType::new(context, 8).into(), bytes.len() as u32);
    let data = MlirStringRef {
        data: bytes.as_ptr().cast(),
        length: bytes.len(),
    };
    // SAFETY: the context is valid and the attribute copies the bytes.
    let value = unsafe { Attribute::from_raw(mlirStringAttrGet(context.to_raw(), data)) };
    builder.op_with(
        "llvm.mlir.global",
        &[],
        &[],
        &[
            ("sym_name", StringAttribute::new(context, name).into()),
            ("global_type", TypeAttribute::new(r#type).into()),
            ("constant", Attribute::unit(context)),
            (
                "linkage",
                Attribute::parse(context, "#llvm.linkage<internal>").expect("it is well-formed"),
            ),
            (
                "alignment",
                IntegerAttribute::new(IntegerType::new(context, 64).into(), 8).into(),
            ),
            ("value", value),
        ],
        |operation| operation.add_regions([Region::new()]),
    );
}
