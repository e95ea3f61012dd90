//! What older readers of SPIR-V need changed.

use std::collections::HashMap;

const MAGIC: u32 = 0x0723_0203;
/// Words before the first instruction.
const HEADER: usize = 5;
const TYPE_BOOL: u32 = 20;
const TYPE_INT: u32 = 21;
const TYPE_FLOAT: u32 = 22;
const CONSTANT_FALSE: u32 = 42;
const CONSTANT: u32 = 43;
const CONSTANT_NULL: u32 = 46;

/// A scalar type.
#[derive(Clone, Copy)]
enum Scalar {
    Bool,
    /// A number of so many bits.
    Number(u32),
}

/// Writes the null constants of scalars as what they are: LLVM uses them for every zero, and the
/// translator of LLVM 15 knows them of composite types alone. The error says that it is no module.
pub fn for_older_readers(image: &[u8]) -> Result<Vec<u8>, String> {
    let (words, rest) = image.as_chunks::<4>();
    let words: Vec<u32> = words.iter().map(|one| u32::from_le_bytes(*one)).collect();
    if words.first() != Some(&MAGIC) || words.len() < HEADER || !rest.is_empty() {
        return Err("a kernel's image is no SPIR-V module".to_owned());
    }
    let mut written = words[..HEADER].to_vec();
    let mut scalars = HashMap::new();
    let mut left = &words[HEADER..];
    while let Some(&first) = left.first() {
        let (length, code) = ((first >> 16) as usize, first & 0xFFFF);
        let instruction = left.get(..length).filter(|one| !one.is_empty());
        let instruction = instruction.ok_or("a kernel's SPIR-V module is cut off")?;
        left = &left[length..];
        match (code, instruction) {
            (TYPE_BOOL, [_, id]) => {
                scalars.insert(*id, Scalar::Bool);
            }
            (TYPE_INT | TYPE_FLOAT, [_, id, bits, ..]) => {
                scalars.insert(*id, Scalar::Number(*bits));
            }
            _ => {}
        }
        match (code, instruction) {
            (CONSTANT_NULL, [_, ty, id]) => match scalars.get(ty) {
                Some(Scalar::Bool) => written.extend([3 << 16 | CONSTANT_FALSE, *ty, *id]),
                Some(Scalar::Number(bits)) => {
                    let literals = if *bits > 32 { 2 } else { 1 };
                    written.extend([(3 + literals) << 16 | CONSTANT, *ty, *id]);
                    written.extend(std::iter::repeat_n(0, literals as usize));
                }
                None => written.extend(instruction),
            },
            _ => written.extend(instruction),
        }
    }
    Ok(written.into_iter().flat_map(u32::to_le_bytes).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn module(instructions: &[u32]) -> Vec<u8> {
        let header = [MAGIC, 0x0001_0200, 0, 20, 0];
        let words = header.iter().chain(instructions);
        words.flat_map(|word| word.to_le_bytes()).collect()
    }

    #[test]
    fn scalar_nulls_become_zeros_of_their_width() {
        let types = [
            [4 << 16 | TYPE_INT, 1, 64, 0].as_slice(),
            &[3 << 16 | TYPE_FLOAT, 2, 32],
            &[2 << 16 | TYPE_BOOL, 3],
            &[4 << 16 | 23, 4, 2, 4], // a vector
        ]
        .concat();
        let null = |ty: u32, id: u32| [3 << 16 | CONSTANT_NULL, ty, id];
        let before = [null(1, 10), null(2, 11), null(3, 12), null(4, 13)].concat();
        let after = [
            [5 << 16 | CONSTANT, 1, 10, 0, 0].as_slice(),
            &[4 << 16 | CONSTANT, 2, 11, 0],
            &[3 << 16 | CONSTANT_FALSE, 3, 12],
            &null(4, 13),
        ]
        .concat();
        let changed = for_older_readers(&module(&[types.clone(), before].concat()));
        assert_eq!(changed, Ok(module(&[types, after].concat())));
    }

    #[test]
    fn what_is_no_module_is_refused() {
        assert!(for_older_readers(b"no module").is_err());
        assert!(for_older_readers(&module(&[9 << 16 | TYPE_INT, 1])).is_err());
        assert!(for_older_readers(&module(&[0])).is_err());
    }
}
