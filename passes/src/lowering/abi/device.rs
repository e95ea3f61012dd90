//! Lowers what runs on a device to calls of the runtime, which knows drivers and copies memory.

use super::{
    memory::{memory_type, to_memory},
    raising::Function,
    sites::Sites,
    spirv::{RepeatedBlock, with_distinct_blocks},
};
use crate::{
    infra::{
        AttributeExt, BlockExt, CmpInt, OperationAttributes, OperationExt, PassContext, PassResult,
        RegionExt, ValueExt, dictionary_entry,
        ops::{AnyOp, builtin, func, gpu, marks, parfor, typed},
    },
    lowering::{emit::Emit, externals::hash},
    types::layout::element_size,
};
use melior::{
    dialect::llvm::r#type as llvm_type,
    ir::{
        Attribute, AttributeLike, Location, OperationRef, Type, Value, attribute::TypeAttribute,
        operation::OperationLike, r#type::IntegerType,
    },
};
use mlir_sys::{
    mlirAttributeIsAGPUObjectAttr, mlirGPUObjectAttrGetObject, mlirLocationFromAttribute,
};
use std::collections::BTreeSet;

/// The kinds of arguments, as the runtime numbers them.
const NUMBER: i64 = 0;
const ARRAY: i64 = 1;
const WORD: i64 = 2;
const FIRST: i64 = 3;

/// The modes of a fence, as the runtime numbers them.
const READ: i64 = 1;
const WRITE: i64 = 2;

/// Takes the code of the kernels out of a module, and what held it.
pub(crate) fn take_image(module: OperationRef) -> Result<Option<Vec<u8>>, RepeatedBlock> {
    let devices = module.nested_ops::<builtin::Module>().into_iter();
    let mut devices = devices.filter(|inner| **inner != module);
    let Some(device) = devices.find(|inner| inner.flag_attr(marks::DEVICE)) else {
        return Ok(None);
    };
    if let Some(image) = device.str_attr(marks::IMAGE) {
        device.erase();
        return Ok(Some(image.as_bytes().to_vec()));
    }
    let binary = device.nested_ops::<gpu::Binary>().pop();
    let objects = binary.and_then(|binary| binary.array_attr(gpu::Binary::OBJECTS_ATTR));
    let first = objects.and_then(|objects| objects.first().copied());
    let Some(image) = first.and_then(object_bytes) else {
        return Ok(None);
    };
    device.erase();
    with_distinct_blocks(image).map(Some)
}

/// The bytes of a `#gpu.object`.
fn object_bytes(object: Attribute) -> Option<Vec<u8>> {
    // SAFETY: the kind is checked before; the bytes live as long as the context.
    unsafe {
        if !mlirAttributeIsAGPUObjectAttr(object.to_raw()) {
            return None;
        }
        let bytes = mlirGPUObjectAttrGetObject(object.to_raw());
        Some(std::slice::from_raw_parts(bytes.data.cast(), bytes.length).to_vec())
    }
}

/// Replaces an offloaded loop by a call of the runtime.
pub(in crate::lowering) fn rewrite_offload<'c: 'a, 'a>(
    cx: &PassContext<'c>,
    function: &Function<'_, 'c, 'a>,
    operation: parfor::Offload<'c, 'a>,
    image: Option<&[u8]>,
    sites: &mut Sites<'c>,
) -> PassResult {
    let e = &function.emit;
    let Some(image) = image else {
        return Err(cx.error(operation.location(), "the kernels aren't compiled"));
    };
    let error = function.error.expect("what runs on a device may fail");
    let mut operands = operation.args().into_iter();
    let mut arguments: Vec<_> = (operation.access().into_iter())
        .filter_map(|access| Argument::take(access, &mut operands))
        .collect();
    e.before(*operation).at(operation.location());
    let raised = operation.sites().unwrap_or_default();
    for site in &raised {
        let status = add_site(sites, function.name, *site, *operation);
        arguments.push(Argument::Number(e.int(e.i(32), status)));
    }
    if !raised.is_empty() {
        arguments.push(Argument::Word(e.zero(e.ptr())));
    }
    if operation.split() {
        let (y, z) = (1, 2);
        arguments.extend([y, z].map(|axis| Argument::First(axis, e.zero(e.ptr()))));
    }

    let packed = pack(e, *operation, &arguments);
    let kernel = kernel_type(e);
    at_entry(e, *operation);
    let record = e.alloca(e.i64(1), kernel, 8);
    let extents = e.alloca(e.i64(6), e.i(64), 8);
    e.before(*operation);
    let name = operation.kernel();
    let fields = [
        e.data(name.as_bytes().to_vec()),
        e.i64(name.len() as i64),
        e.data(image.to_vec()),
        e.i64(image.len() as i64),
        e.i64(hash(image) as i64),
    ];
    store_fields(e, record, kernel, &fields);
    let given = operation.grid().into_iter().chain(operation.threads());
    for (at, extent) in given.enumerate() {
        let extent = e.index_cast(extent, e.i(64));
        e.store(extent, e.offset_by(extents, at as i32, e.i(64)), None);
    }
    let block = e.offset_by(extents, 3, e.i(64));
    let count = e.i64(arguments.len() as i64);
    let operands = [record, extents, block, packed, count, error];
    let status = e.call_value("pyopt_device_launch", &operands, e.i(32));
    leave_if_failed(function, *operation, status, &operation.owned());
    e.erase_op(*operation);
    Ok(())
}

/// Adds the site of an exception that a kernel may raise.
fn add_site<'c>(
    sites: &mut Sites<'c>,
    function: &str,
    site: Attribute<'c>,
    operation: OperationRef<'c, '_>,
) -> i64 {
    let exception = dictionary_entry(site, "exception").unwrap_or(site);
    let message = dictionary_entry(site, "message").and_then(AttributeExt::string_value);
    let location = dictionary_entry(site, "location").map_or_else(
        || operation.location(),
        // SAFETY: the attribute is a location: locations are attributes.
        |location| unsafe { Location::from_raw(mlirLocationFromAttribute(location.to_raw())) },
    );
    let count = dictionary_entry(site, "values").and_then(AttributeExt::integer_value);
    let word = TypeAttribute::new(IntegerType::signed(sites.context(), 64).into()).into();
    let types = vec![word; count.unwrap_or_default() as usize];
    sites.add_at(location, function, exception, message, &types)
}

/// Replaces a fence by a call of the runtime.
pub(in crate::lowering) fn rewrite_fence<'c: 'a, 'a>(
    function: &Function<'_, 'c, 'a>,
    operation: parfor::Fence<'c, 'a>,
    sites: &mut Sites<'c>,
) {
    let e = &function.emit;
    let error = function.error.expect("what runs on a device may fail");
    let mut operands = operation.arrays().into_iter();
    let arrays: Vec<_> = std::iter::from_fn(|| Argument::take(READ, &mut operands)).collect();
    let packed = pack(e, *operation, &arrays);
    e.before(*operation);
    let mode = e.int(e.i(32), if operation.write() { WRITE } else { READ });
    let place = match operation.for_loop() {
        true => sites.add_call(*operation, function.name),
        false => 0,
    };
    let place = e.int(e.i(32), place);
    let status = match arrays.len() {
        0 if !operation.check() => {
            e.call_value("pyopt_device_fence", &[mode, place, error], e.i(32))
        }
        count => {
            let operands = [mode, place, packed, e.i64(count as i64), error];
            e.call_value("pyopt_device_fence_of", &operands, e.i(32))
        }
    };
    leave_if_failed(function, *operation, status, &operation.owned());
    e.erase_op(*operation);
}

/// Replaces entering a context of a device by a call of the runtime.
pub(in crate::lowering) fn rewrite_enter<'c: 'a, 'a>(
    function: &Function<'_, 'c, 'a>,
    operation: parfor::EnterDevice<'c, 'a>,
    sites: &mut Sites<'c>,
) {
    let e = &function.emit;
    let error = function.error.expect("entering a context may fail");
    e.before(*operation).at(operation.location());
    let name = operation.device().as_bytes();
    let operands = [e.data(name.to_vec()), e.i64(name.len() as i64), error];
    let status = e.call_value("pyopt_device_enter", &operands, e.i(32));
    let failed = e.cmpi(CmpInt::Ne, status, e.int(e.i(32), 0));
    let site = sites.add_call(*operation, function.name);
    function.leave_if(*operation, failed, &operation.owned(), |_| {
        function.trace(site);
        status
    });
    e.erase_op(*operation);
}

/// Replaces leaving a context of a device by a call of the runtime.
pub(in crate::lowering) fn rewrite_leave<'c: 'a, 'a>(
    function: &Function<'_, 'c, 'a>,
    operation: parfor::LeaveDevice<'c, 'a>,
) {
    let e = &function.emit;
    let error = function.error.expect("leaving a context may fail");
    e.before(*operation).at(operation.location());
    let status = e.call_value("pyopt_device_leave", &[error], e.i(32));
    leave_if_failed(function, *operation, status, &operation.owned());
    e.erase_op(*operation);
}

/// The functions that enter contexts of devices, or call one that does: a `try` has what may raise in functions
/// of their own.
pub(in crate::lowering) fn entering_functions<'c: 'a, 'a>(
    functions: &[func::Func<'c, 'a>],
) -> BTreeSet<&'c str> {
    let with = |holds: &dyn Fn(AnyOp<'c, 'a>) -> bool| {
        let found = functions.iter().filter(|function| {
            let operations = function.pre_order().into_iter();
            operations.map(AnyOp::of).any(holds)
        });
        found.map(|function| function.sym_name()).collect()
    };
    let enters: BTreeSet<_> =
        with(&|operation| matches!(operation, AnyOp::Parfor(parfor::Op::EnterDevice(_))));
    let calls = with(&|operation| match operation {
        AnyOp::Typed(typed::Op::Call(call)) => enters.contains(call.callee()),
        AnyOp::Typed(typed::Op::TryCall(call)) => enters.contains(call.callee()),
        _ => false,
    });
    &enters | &calls
}

fn leave_if_failed<'c: 'a, 'a>(
    function: &Function<'_, 'c, 'a>,
    operation: OperationRef<'c, 'a>,
    status: Value<'c, 'a>,
    owned: &[Value<'c, 'a>],
) {
    let e = &function.emit;
    let failed = e.cmpi(CmpInt::Ne, status, e.int(e.i(32), 0));
    function.leave_if(operation, failed, owned, |_| status);
}

/// An argument of a kernel.
#[derive(Clone, Copy)]
enum Argument<'c, 'a> {
    Number(Value<'c, 'a>),
    Array {
        access: i64,
        address: Value<'c, 'a>,
        low: Value<'c, 'a>,
        high: Value<'c, 'a>,
    },
    /// The word for the status of an exception, which the runtime has.
    Word(Value<'c, 'a>),
    /// The number of the first block along an axis, which the runtime knows.
    First(i64, Value<'c, 'a>),
}

impl<'c, 'a> Argument<'c, 'a> {
    /// The next one of operands; `None` if there are no more.
    fn take(access: i64, operands: &mut impl Iterator<Item = Value<'c, 'a>>) -> Option<Self> {
        let first = operands.next()?;
        Some(match access {
            0 => Self::Number(first),
            _ => Self::Array {
                access,
                address: first,
                low: operands.next()?,
                high: operands.next()?,
            },
        })
    }
}

/// Puts the builder where the function begins, so that what is allocated in a loop doesn't grow the
/// stack.
fn at_entry<'c: 'a, 'a>(e: &Emit<'_, 'c, 'a>, operation: OperationRef<'c, 'a>) {
    let function = operation.ancestor::<func::Func>();
    let entry = function.and_then(|function| function.body().entry());
    let first = entry.and_then(BlockExt::first);
    e.before(first.unwrap_or(operation))
        .at(operation.location());
}

/// Puts arguments into memory, before an operation; gives the address.
fn pack<'c: 'a, 'a>(
    e: &Emit<'_, 'c, 'a>,
    operation: OperationRef<'c, 'a>,
    arguments: &[Argument<'c, 'a>],
) -> Value<'c, 'a> {
    let r#type = argument_type(e);
    at_entry(e, operation);
    let packed = e.alloca(e.i64(arguments.len() as i64), r#type, 8);
    let slots: Vec<_> = (arguments.iter())
        .map(|one| match one {
            Argument::Number(value) => e.alloca(e.i64(1), memory_type(e, value.ty()), 16),
            Argument::Array { address, .. }
            | Argument::Word(address)
            | Argument::First(_, address) => *address,
        })
        .collect();
    e.before(operation);
    for (at, (one, slot)) in arguments.iter().zip(slots).enumerate() {
        let (kind, access, size, low, high) = match *one {
            Argument::Number(value) => {
                let value = to_memory(e, value);
                e.store(value, slot, None);
                (NUMBER, 0, element_size(value.ty()), e.i64(0), e.i64(0))
            }
            Argument::Array {
                access, low, high, ..
            } => (ARRAY, access, 0, low, high),
            Argument::Word(_) => (WORD, 0, 0, e.i64(0), e.i64(0)),
            Argument::First(axis, _) => (FIRST, axis, 0, e.i64(0), e.i64(0)),
        };
        let (kind, access) = (e.int(e.i(32), kind), e.int(e.i(32), access));
        let fields = [kind, access, e.i64(size), slot, low, high];
        store_fields(e, e.offset_by(packed, at as i32, r#type), r#type, &fields);
    }
    packed
}

/// What the runtime gets of a kernel: its name, the code, and a hash of that.
fn kernel_type<'c>(e: &Emit<'_, 'c, '_>) -> Type<'c> {
    let fields = [e.ptr(), e.i(64), e.ptr(), e.i(64), e.i(64)];
    llvm_type::r#struct(e.context(), &fields, false)
}

/// What it gets of an argument: the kind, the access, the size of a number, its address, and the range
/// of an array.
fn argument_type<'c>(e: &Emit<'_, 'c, '_>) -> Type<'c> {
    let fields = [e.i(32), e.i(32), e.i(64), e.ptr(), e.i(64), e.i(64)];
    llvm_type::r#struct(e.context(), &fields, false)
}

fn store_fields<'c, 'a>(
    e: &Emit<'_, 'c, 'a>,
    place: Value<'c, 'a>,
    r#type: Type<'c>,
    fields: &[Value<'c, 'a>],
) {
    for (at, value) in fields.iter().enumerate() {
        e.store(*value, e.field_address(place, at as i32, r#type), None);
    }
}
