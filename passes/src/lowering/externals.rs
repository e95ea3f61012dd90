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
        Attribute, AttributeLike, Identifier, Location, OperationRef,
        attribute::{IntegerAttribute, StringAttribute},
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

/// The effects on memory of a function that reads what its arguments point to.
const READS: &str = "#llvm.memory_effects<other = none, argMem = read, inaccessibleMem = none, errnoMem = none, \
                     targetMem0 = none, targetMem1 = none>";

/// The effects on memory of a function of numbers: that it may set `errno` is nobody's business.
const NO_MEMORY: &str = "#llvm.memory_effects<other = none, argMem = none, inaccessibleMem = none, errnoMem = none, \
                         targetMem0 = none, targetMem1 = none>";

/// What is known of a function that is declared.
#[derive(Clone, Debug)]
pub(super) enum Known {
    /// Nothing but its type.
    Type,
    /// It counts references to an owner; the last one that goes drops what is owned.
    CountsReferences,
    /// It changes the container that it gets first, and doesn't keep its address.
    ChangesContainer,
    /// It returns fresh memory: nothing else points to it.
    ReturnsFresh,
    /// It returns a container that nothing else points to, whose header has so many bytes.
    ReturnsContainer(i64),
    /// It reads what its arguments point to and returns: it writes no memory that is visible, and never raises.
    Reads,
    /// It computes a number of numbers, and returns.
    Computes,
    /// It does so, and is the one of libm that has this name for doubles.
    Libm(String),
}

/// The bytes of the header of each container: the owner's, and the fields that lists and tables have alike.
const CONTAINER_HEADER: i64 = 14 * 8;

impl Known {
    /// What is known of a function of the runtime.
    pub(super) fn of_runtime(name: &str) -> Self {
        match name {
            "pyopt_acquire" | "pyopt_release" => Self::CountsReferences,
            "pyopt_alloc" => Self::ReturnsFresh,
            "pyopt_list_new" | "pyopt_struct_new" | "pyopt_table_new" => {
                Self::ReturnsContainer(CONTAINER_HEADER)
            }
            "pyopt_list_reserve"
            | "pyopt_list_truncate"
            | "pyopt_table_grow"
            | "pyopt_table_remove"
            | "pyopt_table_clear" => Self::ChangesContainer,
            "pyopt_compare_str" | "pyopt_str_equal" => Self::Reads,
            _ => Self::Type,
        }
    }
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
    let context = builder.context();
    let unit = Attribute::unit(context);
    match known {
        Known::Type => {}
        Known::CountsReferences | Known::ChangesContainer => {
            let mut attributes = vec![dictionary(context, &[]); r#type.input_count()];
            attributes[0] = dictionary(context, &[(upstream::NO_CAPTURE, unit)]);
            function.set_arg_attrs(Some(&attributes));
        }
        Known::ReturnsFresh => {
            let attributes = dictionary(context, &[(upstream::NO_ALIAS, unit)]);
            function.set_res_attrs(Some(&[attributes]));
        }
        Known::ReturnsContainer(bytes) => {
            let bytes = IntegerAttribute::new(builder.i(64), *bytes).into();
            let alignment = IntegerAttribute::new(builder.i(64), 8).into();
            let attributes = [
                (upstream::ALIGNMENT, alignment),
                (upstream::DEREFERENCEABLE, bytes),
                (upstream::NO_ALIAS, unit),
            ];
            function.set_res_attrs(Some(&[dictionary(context, &attributes)]));
        }
        Known::Reads => returns_without(context, function, READS),
        Known::Computes => returns_without(context, function, NO_MEMORY),
        Known::Libm(of_doubles) => {
            returns_without(context, function, NO_MEMORY);
            let of_doubles = StringAttribute::new(context, of_doubles);
            function.set_attr(marks::LIBM, of_doubles);
        }
    }
}

/// Says that a function returns, and has no other effects than these on memory.
fn returns_without<'c>(context: &'c Context, function: func::Func<'c, '_>, effects: &str) {
    let effects = Attribute::parse(context, effects).expect("an attribute of upstream's");
    function.set_attr(upstream::MEMORY_EFFECTS, effects);
    for flag in [upstream::NO_UNWIND, upstream::WILL_RETURN] {
        function.set_attr(flag, Attribute::unit(context));
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

/// A dictionary of attributes, by their names in order.
fn dictionary<'c>(context: &'c Context, attributes: &[(&str, Attribute<'c>)]) -> Attribute<'c> {
    // SAFETY: all are valid attributes of the context, which copies the list.
    unsafe {
        let named: Vec<_> = attributes
            .iter()
            .map(|(key, value)| {
                mlirNamedAttributeGet(Identifier::new(context, key).to_raw(), value.to_raw())
            })
            .collect();
        Attribute::from_raw(mlirDictionaryAttrGet(
            context.to_raw(),
            named.len() as isize,
            named.as_ptr(),
        ))
    }
}
