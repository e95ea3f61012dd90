//! A reader of CPython's marshal format, version 4, as .pyc files and `marshal.dumps` write it.
//!
//! The input is not trusted: lengths are compared with what is left of the input before anything is
//! allocated, nesting is bounded, a reference to an object that is still being read is an error (so
//! values stay acyclic), and the size a value has when its shared parts are counted each time is
//! bounded, so that walking a value can't blow up.

mod code_object;
mod qualified_names;

use crate::{
    code::CodeObject,
    value::{Integer, Value},
    version::Version,
};
use std::{fmt, sync::Arc};

/// How deep values may nest: an outermost function takes two levels, each function inside another
/// two more.
const MAX_DEPTH: usize = 200;

/// How many nodes a value may have when shared parts are counted each time.
const MAX_NODES: u64 = 1 << 24;

/// The bit of a type byte that asks for the object to be remembered for later references.
const FLAG_REF: u8 = 0x80;

/// Bits in one digit of a marshalled integer.
const DIGIT_BITS: u32 = 15;

/// Why a marshal stream can't be read, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarshalError {
    /// The byte offset in the stream.
    pub offset: usize,
    /// What is wrong there.
    pub message: String,
}

impl fmt::Display for MarshalError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "malformed marshal data at byte {}: {}",
            self.offset, self.message
        )
    }
}

impl std::error::Error for MarshalError {}

type Result<T> = std::result::Result<T, MarshalError>;

/// Reads the one value that a marshal stream holds; bytes after it are an error.
///
/// The version decides the layout of code objects.
pub fn load(bytes: &[u8], version: Version) -> Result<Value> {
    let mut reader = Reader {
        bytes,
        offset: 0,
        version,
        references: Vec::new(),
        depth: 0,
    };
    let (value, _) = reader.value()?;
    if reader.offset != bytes.len() {
        return reader.error(format!(
            "{} bytes follow the value",
            bytes.len() - reader.offset
        ));
    }
    Ok(value)
}

/// Reads the code object that a marshal stream holds.
pub fn load_code(bytes: &[u8], version: Version) -> Result<Arc<CodeObject>> {
    match load(bytes, version)? {
        Value::Code(code) => Ok(code),
        other => Err(MarshalError {
            offset: 0,
            message: format!(
                "expected a code object, found a value of type '{}'",
                other.type_name()
            ),
        }),
    }
}

/// A value with the number of nodes it has when shared parts are counted each time.
type Weighed = (Value, u64);

struct Reader<'a> {
    bytes: &'a [u8],
    offset: usize,
    version: Version,
    /// Remembered objects; `None` while the object is being read.
    references: Vec<Option<Weighed>>,
    depth: usize,
}

impl<'a> Reader<'a> {
    fn error<T>(&self, message: impl Into<String>) -> Result<T> {
        Err(MarshalError {
            offset: self.offset,
            message: message.into(),
        })
    }

    fn take(&mut self, length: usize) -> Result<&'a [u8]> {
        match self.bytes[self.offset..].get(..length) {
            Some(slice) => {
                self.offset += length;
                Ok(slice)
            }
            None => self.error(format!(
                "{length} bytes needed, {} left",
                self.bytes.len() - self.offset
            )),
        }
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        let mut array = [0; N];
        array.copy_from_slice(self.take(N)?);
        Ok(array)
    }

    fn byte(&mut self) -> Result<u8> {
        Ok(self.array::<1>()?[0])
    }

    fn long(&mut self) -> Result<i32> {
        Ok(i32::from_le_bytes(self.array()?))
    }

    /// A length whose elements take at least `size` bytes each.
    fn length(&mut self, size: usize) -> Result<usize> {
        let start = self.offset;
        let length = self.long()?;
        let left = self.bytes.len() - self.offset;
        match usize::try_from(length) {
            Ok(length) if length <= left / size => Ok(length),
            _ => {
                self.offset = start;
                self.error(format!(
                    "length {length} is impossible with {left} bytes left"
                ))
            }
        }
    }

    /// Reads a value; every kind of value passes here.
    fn value(&mut self) -> Result<Weighed> {
        match self.value_or_null()? {
            Some(value) => Ok(value),
            None => self.error("a null object outside a dictionary"),
        }
    }

    fn value_or_null(&mut self) -> Result<Option<Weighed>> {
        if self.depth == MAX_DEPTH {
            return self.error(format!("values nest more than {MAX_DEPTH} levels deep"));
        }
        self.depth += 1;
        let start = self.offset;
        let byte = self.byte()?;
        let kind = byte & !FLAG_REF;
        let slot = (byte & FLAG_REF != 0).then(|| {
            self.references.push(None);
            self.references.len() - 1
        });
        let value = match kind {
            b'0' => None,
            b'r' => Some(self.reference()?),
            _ => Some(self.payload(kind, start)?),
        };
        if let (Some(slot), Some(value)) = (slot, &value) {
            self.references[slot] = Some(value.clone());
        }
        self.depth -= 1;
        Ok(value)
    }

    fn reference(&mut self) -> Result<Weighed> {
        let start = self.offset;
        let index = self.long()?;
        let found = usize::try_from(index)
            .ok()
            .and_then(|index| self.references.get(index));
        let message = match found {
            Some(Some(value)) => return Ok(value.clone()),
            Some(None) => format!("reference {index} is to an object that is not complete yet"),
            None => format!("reference {index} is out of range"),
        };
        self.offset = start;
        self.error(message)
    }

    fn payload(&mut self, kind: u8, start: usize) -> Result<Weighed> {
        let leaf = match kind {
            b'N' => Value::None,
            b'S' => Value::StopIteration,
            b'.' => Value::Ellipsis,
            b'F' => Value::Bool(false),
            b'T' => Value::Bool(true),
            b'i' => Value::Int(i64::from(self.long()?).into()),
            b'I' => Value::Int(i64::from_le_bytes(self.array()?).into()),
            b'l' => Value::Int(self.integer()?),
            b'f' => Value::Float(self.float_text()?),
            b'g' => Value::Float(f64::from_le_bytes(self.array()?)),
            b'x' => Value::Complex(self.float_text()?, self.float_text()?),
            b'y' => Value::Complex(
                f64::from_le_bytes(self.array()?),
                f64::from_le_bytes(self.array()?),
            ),
            b's' => {
                let length = self.length(1)?;
                Value::Bytes(self.take(length)?.into())
            }
            b'a' | b'A' => {
                let length = self.length(1)?;
                self.ascii(length)?
            }
            b'z' | b'Z' => {
                let length = usize::from(self.byte()?);
                self.ascii(length)?
            }
            b'u' | b't' => {
                let length = self.length(1)?;
                self.unicode(length)?
            }
            b'(' | b'[' | b'<' | b'>' => {
                let length = self.length(1)?;
                return self.sequence(kind, length);
            }
            b')' => {
                let length = usize::from(self.byte()?);
                return self.sequence(b'(', length);
            }
            b'{' => return self.dictionary(),
            b':' => {
                let ((start, a), (stop, b), (step, c)) =
                    (self.value()?, self.value()?, self.value()?);
                let weight = self.add_weight(self.add_weight(a, b)?, c)?;
                return Ok((Value::Slice(Arc::new([start, stop, step])), weight));
            }
            b'c' => return self.code(),
            _ => {
                self.offset = start;
                return self.error(format!("unknown type byte 0x{kind:02x}"));
            }
        };
        Ok((leaf, 1))
    }

    fn integer(&mut self) -> Result<Integer> {
        let start = self.offset;
        let length = self.long()?;
        let count = length.unsigned_abs() as usize;
        if count > (self.bytes.len() - self.offset) / 2 {
            self.offset = start;
            return self.error(format!(
                "integer of {count} digits does not fit the rest of the data"
            ));
        }
        let mut digits = Vec::with_capacity(count / 2 + 1);
        let (mut pending, mut bits) = (0u64, 0);
        for _ in 0..count {
            let digit = u16::from_le_bytes(self.array()?);
            if digit >> DIGIT_BITS != 0 {
                self.offset -= 2;
                return self.error("integer digit out of range");
            }
            pending |= u64::from(digit) << bits;
            bits += DIGIT_BITS;
            if bits >= 32 {
                digits.push(pending as u32);
                pending >>= 32;
                bits -= 32;
            }
        }
        digits.push(pending as u32);
        Ok(Integer::from_digits(length < 0, digits))
    }

    fn float_text(&mut self) -> Result<f64> {
        let start = self.offset;
        let length = usize::from(self.byte()?);
        let text = self.take(length)?;
        match std::str::from_utf8(text)
            .ok()
            .and_then(|text| text.parse().ok())
        {
            Some(value) => Ok(value),
            None => {
                self.offset = start;
                self.error("text is not a float")
            }
        }
    }

    fn ascii(&mut self, length: usize) -> Result<Value> {
        let start = self.offset;
        match std::str::from_utf8(self.take(length)?) {
            Ok(text) if text.is_ascii() => Ok(Value::Str(text.into())),
            _ => {
                self.offset = start;
                self.error("string marked as ASCII holds other characters")
            }
        }
    }

    fn unicode(&mut self, length: usize) -> Result<Value> {
        let start = self.offset;
        let bytes = self.take(length)?;
        if let Ok(text) = std::str::from_utf8(bytes) {
            return Ok(Value::Str(text.into()));
        }
        // CPython writes a lone surrogate as the three bytes 0xED 0xA0..=0xBF 0x80..=0xBF, which
        // UTF-8 excludes.
        let repaired: Vec<u8> = {
            let mut copy = bytes.to_vec();
            for index in 0..copy.len().saturating_sub(2) {
                if copy[index] == 0xED && copy[index + 1] >= 0xA0 {
                    copy[index + 1] = 0x80;
                }
            }
            copy
        };
        if std::str::from_utf8(&repaired).is_err() {
            self.offset = start;
            return self.error("string is not UTF-8");
        }
        Ok(Value::SurrogateStr(bytes.into()))
    }

    fn elements(&mut self, length: usize) -> Result<(Vec<Value>, u64)> {
        // Nested containers may each claim the rest of the input, so what is reserved ahead is
        // bounded.
        let mut elements = Vec::with_capacity(length.min(256));
        let mut weight = 1u64;
        for _ in 0..length {
            let (value, nodes) = self.value()?;
            elements.push(value);
            weight = self.add_weight(weight, nodes)?;
        }
        Ok((elements, weight))
    }

    fn add_weight(&self, weight: u64, nodes: u64) -> Result<u64> {
        match weight.checked_add(nodes) {
            Some(sum) if sum <= MAX_NODES => Ok(sum),
            _ => self.error(format!("value has more than {MAX_NODES} parts")),
        }
    }

    fn sequence(&mut self, kind: u8, length: usize) -> Result<Weighed> {
        let (elements, weight) = self.elements(length)?;
        let elements = elements.into();
        let value = match kind {
            b'[' => Value::List(elements),
            b'<' => Value::Set(elements),
            b'>' => Value::FrozenSet(elements),
            _ => Value::Tuple(elements),
        };
        Ok((value, weight))
    }

    fn dictionary(&mut self) -> Result<Weighed> {
        let mut entries = Vec::new();
        let mut weight = 1;
        while let Some((key, key_nodes)) = self.value_or_null()? {
            let (value, nodes) = self.value()?;
            weight = self.add_weight(weight, key_nodes)?;
            weight = self.add_weight(weight, nodes)?;
            entries.push((key, value));
        }
        Ok((Value::Dict(entries.into()), weight))
    }
}
