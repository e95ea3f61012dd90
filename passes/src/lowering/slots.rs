//! Values in the 8-byte slots of the uniform entry convention.
//!
//! | typed | slots |
//! |---|---|
//! | integer, bool | extended to 64 bits |
//! | float | its bits, the upper ones zero |
//! | complex | real and imaginary part, each as its float |
//! | array | owner, data, sizes, strides (in elements; of layout bytes in bytes) |
//! | range | start, stop, step |
//! | str, bytes | owner, code units, length, bytes a code unit |
//! | list | owner |
//! | generator | owner |
//! | exception, as an argument of the host | owner of its arguments, id |
//! | pointer, C function | the address |
//! | tuple, slice | the parts' |
//! | optional, unbound | the value's, then 1, or 0 for None or nothing |
//! | none and the like | none |

use super::{
    emit::Emit,
    operations::{Parts, assemble, create_complex, parts, take_complex},
    types::{convert, is_float, is_unsigned},
};
use crate::{
    infra::{ValueExt, ops::arith},
    types::layout::{complex_part, float_width, parts_of},
};
use melior::ir::{Type, TypeLike, Value, r#type::IntegerType};
use pyopt_dialects::typed::TypedType;

/// A cursor over consecutive slots.
pub(super) struct Slots<'e, 'b, 'c, 'a> {
    emit: &'e Emit<'b, 'c, 'a>,
    base: Value<'c, 'a>,
    next: i32,
}

impl<'e, 'b, 'c, 'a> Slots<'e, 'b, 'c, 'a> {
    /// Begins at an address.
    pub(super) fn new(emit: &'e Emit<'b, 'c, 'a>, base: Value<'c, 'a>) -> Self {
        Self {
            emit,
            base,
            next: 0,
        }
    }

    fn address(&mut self) -> Value<'c, 'a> {
        let address = self.emit.offset_by(self.base, self.next, self.emit.i(64));
        self.next += 1;
        address
    }

    /// Loads the low bytes of a slot as a type.
    fn load(&mut self, r#type: Type<'c>) -> Value<'c, 'a> {
        let address = self.address();
        self.emit.load(address, r#type, None)
    }

    fn loads(&mut self, count: usize) -> Vec<Value<'c, 'a>> {
        (0..count).map(|_| self.load(self.emit.i(64))).collect()
    }

    /// Loads a value of a typed type; `None` when such a value can't cross the border.
    pub(super) fn read(&mut self, r#type: Type<'c>) -> Option<Vec<Value<'c, 'a>>> {
        let e = self.emit;
        if let Some(elements) = parts_of(r#type) {
            let mut values = Vec::new();
            for element in elements {
                values.extend(self.read(element)?);
            }
            return Some(values);
        }
        if let Some(part) = complex_part(r#type) {
            let (re, im) = (self.load(part), self.load(part));
            return Some(vec![create_complex(e, r#type, re, im)]);
        }

        Some(match TypedType::from(r#type) {
            TypedType::Array(array) => {
                let (owner, data) = (self.load(e.ptr()), self.load(e.ptr()));
                let parts = Parts {
                    owner,
                    data,
                    sizes: self.loads(array.rank),
                    strides: self.loads(array.rank),
                };
                assemble(e, array, &parts)
            }
            TypedType::Str | TypedType::Bytes => {
                let (owner, units) = (self.load(e.ptr()), self.load(e.ptr()));
                let (length, width) = (self.load(e.i(64)), self.load(e.i(32)));
                vec![units, length, width, owner]
            }
            TypedType::Generator(..)
            | TypedType::List(_)
            | TypedType::Dict(_)
            | TypedType::Set(_)
            | TypedType::DictView(..)
            | TypedType::Pointer(_)
            | TypedType::CFunction(_) => vec![self.load(e.ptr())],
            TypedType::Optional(inner) | TypedType::Unbound(inner) => {
                let mut values = self.read(inner)?;
                values.extend(self.read(e.i(1))?);
                values
            }
            TypedType::Exception
            | TypedType::Iter(_)
            | TypedType::Zip(_)
            | TypedType::Enumerate(_)
            | TypedType::Reversed(_)
            | TypedType::Flat(_)
            | TypedType::Indices(_) => return None,
            TypedType::Other(_) if is_float(r#type) => vec![self.load(r#type)],
            TypedType::Other(_) => {
                let slot = self.load(e.i(64));
                vec![narrow(e, slot, convert(e.context(), r#type)?[0])]
            }
            _ => vec![],
        })
    }

    fn store(&mut self, value: Value<'c, 'a>) {
        let address = self.address();
        self.emit.store(value, address, None);
    }

    /// Stores a value of a typed type; `None` when such a value can't cross the border.
    pub(super) fn write(&mut self, r#type: Type<'c>, values: &[Value<'c, 'a>]) -> Option<()> {
        let e = self.emit;
        if let Some(elements) = parts_of(r#type) {
            let mut rest = values;
            for element in elements {
                let (own, others) = rest.split_at(convert(e.context(), element)?.len());
                self.write(element, own)?;
                rest = others;
            }
            return Some(());
        }
        if complex_part(r#type).is_some() {
            let (re, im) = take_complex(e, values[0]);
            self.store(float_bits(e, re));
            self.store(float_bits(e, im));
            return Some(());
        }

        match TypedType::from(r#type) {
            TypedType::Array(array) => {
                let parts = parts(e, array, values);
                self.store(parts.owner);
                self.store(parts.data);
                for number in parts.sizes.into_iter().chain(parts.strides) {
                    self.store(number);
                }
            }
            TypedType::Str | TypedType::Bytes => {
                self.store(values[3]);
                self.store(values[0]);
                self.store(values[1]);
                self.store(e.to(arith::ExtUI::NAME, values[2], e.i(64)));
            }
            TypedType::Generator(..)
            | TypedType::List(_)
            | TypedType::Dict(_)
            | TypedType::Set(_)
            | TypedType::DictView(..)
            | TypedType::Pointer(_)
            | TypedType::CFunction(_) => self.store(values[0]),
            TypedType::Optional(inner) | TypedType::Unbound(inner) => {
                let (flag, value) = values.split_last()?;
                self.write(inner, value)?;
                self.write(e.i(1), &[*flag])?;
            }
            TypedType::Exception => {
                self.store(values[1]);
                self.store(widen(e, values[0], false));
            }
            TypedType::Iter(_)
            | TypedType::Zip(_)
            | TypedType::Enumerate(_)
            | TypedType::Reversed(_)
            | TypedType::Flat(_)
            | TypedType::Indices(_) => return None,
            TypedType::Other(_) if is_float(r#type) => self.store(float_bits(e, values[0])),
            TypedType::Other(_) => self.store(widen(e, values[0], is_unsigned(r#type))),
            _ => {}
        }
        Some(())
    }
}

fn narrow<'c, 'a>(e: &Emit<'_, 'c, 'a>, slot: Value<'c, 'a>, to: Type<'c>) -> Value<'c, 'a> {
    if to.is_index() {
        return e.index_cast(slot, to);
    }
    if to == slot.ty() {
        slot
    } else {
        e.to(arith::TruncI::NAME, slot, to)
    }
}

fn widen<'c, 'a>(e: &Emit<'_, 'c, 'a>, value: Value<'c, 'a>, unsigned: bool) -> Value<'c, 'a> {
    let wide = e.i(64);
    if value.ty() == wide {
        value
    } else if value.ty().is_index() {
        e.index_cast(value, wide)
    } else if unsigned {
        e.to(arith::ExtUI::NAME, value, wide)
    } else {
        e.to(arith::ExtSI::NAME, value, wide)
    }
}

/// The bits of a float as a 64-bit integer.
fn float_bits<'c, 'a>(e: &Emit<'_, 'c, 'a>, value: Value<'c, 'a>) -> Value<'c, 'a> {
    let width = float_width(value.ty());
    let bits = IntegerType::new(e.context(), width as u32).into();
    widen(e, e.to(arith::Bitcast::NAME, value, bits), true)
}
