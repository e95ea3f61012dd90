//! The declarations and constants that lowered operations need in the module.

use super::control_flow::module_block;
use crate::infra::{
    Builder, OperationExt, internal_linkage,
    ops::{func, llvm, marks},
};
use melior::{
    Context,
    dialect::llvm::r#type as llvm_type,
    ir::{
        Attribute, AttributeLike, Identifier, Location, OperationRef, attribute::StringAttribute,
        r#type::FunctionType,
    },
};
use mlir_sys::{MlirStringRef, mlirDictionaryAttrGet, mlirNamedAttributeGet, mlirStringAttrGet};
use pyopt_dialects::upstream;
use std::{cell::RefCell, collections::BTreeMap};

/// What a module must declare for the operations in it: functions of the runtime and libm, and
/// what str and array constants hold. Ordered by name, so that the result doesn't depend on the order of
/// rewriting.
#[derive(Debug, Default)]
pub(super) struct Externals<'c> {
    functions: RefCell<BTreeMap<String, (FunctionType<'c>, Known)>>,
    data: RefCell<BTreeMap<String, Vec<u8>>>,
}

/// Functions of the runtime that store no pointer that they are passed.
const CAPTURE_NOTHING: &[&str] = &["pyopt_acquire", "pyopt_release"];

/// What is known of a function that is declared.
#[derive(Clone, Debug)]
pub(super) enum Known {
    /// Nothing but its type.
    Type,
    /// It returns fresh memory: nothing else points to it.
    ReturnsFresh,
    /// It is the one of libm that has this name for doubles.
    Libm(String),
}

impl<'c> Externals<'c> {
    /// Adds a function that is called.
    pub(super) fn function(&self, name: &str, r#type: FunctionType<'c>, known: Known) {
        let mut functions = self.functions.borrow_mut();
        functions.insert(name.into(), (r#type, known));
    }

    /// The name of the constant that holds some bytes.
    pub(super) fn data(&self, bytes: Vec<u8>) -> String {
        // The name follows from the bytes alone.
        let mut data = self.data.borrow_mut();
        let mut name = format!("pyopt.data.{:016x}", hash(&bytes));
        while data.get(&name).is_some_and(|other| *other != bytes) {
            name.push('x');
        }
        data.insert(name.clone(), bytes);
        name
    }

    /// Declares everything at the start of a module.
    pub(super) fn declare<'a>(&self, builder: &Builder<'c, 'a>, module: OperationRef<'c, 'a>) {
        let Some(block) = module_block(module) else {
            return;
        };
        builder.at(Location::unknown(builder.context()));
        builder.at_start(block);
        for (name, (r#type, known)) in self.functions.borrow().iter() {
            if module.lookup_symbol(name).is_none() {
                declare_function(builder, name, *r#type, known);
            }
        }
        for (name, bytes) in self.data.borrow().iter() {
            if module.lookup_symbol(name).is_none() {
                define_data(builder, name, bytes);
            }
        }
    }
}

/// A hash of bytes, FNV-1a.
pub(super) fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

fn declare_function<'c>(
    builder: &Builder<'c, '_>,
    name: &str,
    r#type: FunctionType<'c>,
    known: &Known,
) {
    let function = func::Func::create(builder, name, r#type.into());
    function.set_sym_visibility(Some("private"));
    if CAPTURE_NOTHING.contains(&name) {
        let unit = Attribute::unit(builder.context());
        let attributes = dictionary(builder.context(), upstream::NO_CAPTURE, unit);
        function.set_arg_attrs(Some(&[attributes]));
    }
    match known {
        Known::Type => {}
        Known::ReturnsFresh => {
            let unit = Attribute::unit(builder.context());
            let attributes = dictionary(builder.context(), upstream::NO_ALIAS, unit);
            function.set_res_attrs(Some(&[attributes]));
        }
        Known::Libm(of_doubles) => {
            let of_doubles = StringAttribute::new(builder.context(), of_doubles);
            function.set_attr(marks::LIBM, of_doubles);
        }
    }
}

fn define_data(builder: &Builder, name: &str, bytes: &[u8]) {
    let context = builder.context();
    let r#type = llvm_type::array(builder.i(8), bytes.len() as u32);
    let data = MlirStringRef {
        data: bytes.as_ptr().cast(),
        length: bytes.len(),
    };
    // SAFETY: the context is valid and the attribute copies the bytes.
    let value = unsafe { Attribute::from_raw(mlirStringAttrGet(context.to_raw(), data)) };
    let linkage = internal_linkage(context);
    let global = llvm::Global::create(builder, r#type, name, linkage);
    global.set_constant(true);
    global.set_alignment(Some(8));
    global.set_value(Some(value));
}

/// A dictionary of one attribute.
fn dictionary<'c>(context: &'c Context, key: &str, value: Attribute<'c>) -> Attribute<'c> {
    let key = Identifier::new(context, key);
    // SAFETY: both are valid attributes of the context, which copies the list of one.
    unsafe {
        let named = mlirNamedAttributeGet(key.to_raw(), value.to_raw());
        Attribute::from_raw(mlirDictionaryAttrGet(context.to_raw(), 1, &named))
    }
}
