//! The state of generators: memory of a counted owner, in words of 64 bits.

use super::{Lowered, Site, alloc::HEADER, array::owners, control::raise, refuse};
use crate::{
    analysis::ownership::BORROWED,
    infra::{
        CmpInt, OperationAttributes,
        ops::{llvm, typed},
    },
    lowering::{emit::Emit, slots::Slots},
    typed::generators::stack_generators::STACK,
};
use melior::ir::Value;
use pyopt_dialects::typed::TypedType;

/// Lowers `typed.new_generator`. A state on the stack is set up where it is first used.
pub(super) fn new<'c, 'a>(
    op: typed::NewGenerator<'c, 'a>,
    site: &Site<'_, 'c, 'a>,
) -> Lowered<'c, 'a> {
    let e = &site.emit;
    let (owners, words) = (op.owners() as i32, op.words() as i32);
    if op.flag_attr(STACK) {
        let bytes = HEADER + 8 * words;
        return Ok(vec![vec![e.alloca(e.i64(bytes.into()), e.i(8), 8)]]);
    }
    let sizes = [e.i64(owners.into()), e.i64(8 * i64::from(words - owners))];
    let owner = e.call_value("pyopt_alloc_holder", &sizes, e.ptr());
    let address = e.to(llvm::PtrToInt::NAME, owner, e.i(64));
    let failed = e.cmpi(CmpInt::Eq, address, e.i64(0));
    raise(
        e,
        failed,
        "MemoryError",
        "unable to allocate a generator",
        &[],
    );
    // The state starts without owners, at the first resume point.
    for word in 0..=owners {
        e.store(e.i64(0), address_of(e, owner, word), None);
    }
    Ok(vec![vec![owner]])
}

/// Lowers `typed.generator_load`: the value gets references of its own, if it isn't borrowed.
pub(super) fn load<'c, 'a>(
    op: typed::GeneratorLoad<'c, 'a>,
    site: &Site<'_, 'c, 'a>,
) -> Lowered<'c, 'a> {
    let e = &site.emit;
    let generator = site.one(typed::GeneratorLoad::GENERATOR_OPERAND)?;
    let ty = site.result_type();
    let mut slots = Slots::new(e, address_of(e, generator, op.word() as i32));
    let values = match TypedType::from(ty) {
        TypedType::Exception => {
            let held = address_of(e, generator, op.owner() as i32);
            let id = slots.read(e.i(32)).unwrap_or_default();
            Some([id, vec![e.load(held, e.ptr(), None)]].concat())
        }
        _ => slots.read(ty),
    };
    let Some(values) = values else {
        return refuse(format!("a generator can't keep a value of type {ty}"));
    };
    if !op.flag_attr(BORROWED) {
        for owner in owners(e, ty, &values) {
            e.call("pyopt_acquire", &[owner], &[]);
        }
    }
    Ok(vec![values])
}

/// Lowers `typed.generator_store`.
pub(super) fn store<'c, 'a>(
    op: typed::GeneratorStore<'c, 'a>,
    site: &Site<'_, 'c, 'a>,
) -> Lowered<'c, 'a> {
    let e = &site.emit;
    let generator = site.one(typed::GeneratorStore::GENERATOR_OPERAND)?;
    let ty = site.operand_type(typed::GeneratorStore::VALUE_OPERAND);
    let values = &site.operands[typed::GeneratorStore::VALUE_OPERAND];
    let first = op.owner() as i32;
    let counts = !op.flag_attr(BORROWED);
    let mut before = Vec::new();
    for (word, owner) in (first..).zip(owners(e, ty, values)) {
        let held = address_of(e, generator, word);
        if counts {
            before.push(e.load(held, e.ptr(), None));
            e.call("pyopt_acquire", &[owner], &[]);
        }
        e.store(owner, held, None);
    }
    let mut slots = Slots::new(e, address_of(e, generator, op.word() as i32));
    let written = match TypedType::from(ty) {
        TypedType::Exception => slots.write(e.i(32), &values[..1]),
        _ => slots.write(ty, values),
    };
    if written.is_none() {
        return refuse(format!("a generator can't keep a value of type {ty}"));
    }
    for owner in before {
        e.call("pyopt_release", &[owner], &[]);
    }
    Ok(vec![])
}

fn address_of<'c, 'a>(e: &Emit<'_, 'c, 'a>, generator: Value<'c, 'a>, word: i32) -> Value<'c, 'a> {
    let words = e.offset_by(generator, HEADER, e.i(8));
    e.offset_by(words, word, e.i(64))
}
