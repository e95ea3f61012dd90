//! Mends the ids of blocks in SPIR-V modules.
//!
//! LLVM 22's back end keeps the id of each block under the block's address, and forgets none when it starts
//! the next module: a block that is made where one of an earlier module was gets that one's id, which another
//! instruction of this module may have. Which operands are blocks is known from the instruction, so all of
//! them can be given new ids, unless two blocks of one function have one.

use std::collections::HashMap;

const MAGIC: u32 = 0x0723_0203;
/// Words before the first instruction.
const HEADER: usize = 5;
/// The word of the header that all ids are less than.
const BOUND: usize = 3;

const TYPE_INT: u32 = 21;
const FUNCTION: u32 = 54;
const FUNCTION_END: u32 = 56;
const PHI: u32 = 245;
const LOOP_MERGE: u32 = 246;
const SELECTION_MERGE: u32 = 247;
const LABEL: u32 = 248;
const BRANCH: u32 = 249;
const BRANCH_CONDITIONAL: u32 = 250;
const SWITCH: u32 = 251;

/// Two blocks of a function have one id: which of them a branch goes to isn't known. It depends on where
/// blocks are in memory, so that another compilation may succeed.
#[derive(Debug, Eq, PartialEq)]
pub(crate) struct RepeatedBlock;

/// Gives all blocks of a module new ids. What is no SPIR-V module stays as it is.
pub(super) fn with_distinct_blocks(image: Vec<u8>) -> Result<Vec<u8>, RepeatedBlock> {
    renamed(&image).map_or(Ok(image), |renamed| renamed)
}

/// The module with new ids of blocks; `None` if it is none.
fn renamed(image: &[u8]) -> Option<Result<Vec<u8>, RepeatedBlock>> {
    let (words, rest) = image.as_chunks::<4>();
    let mut words: Vec<u32> = words.iter().map(|word| u32::from_le_bytes(*word)).collect();
    if words.first() != Some(&MAGIC) || words.len() < HEADER || !rest.is_empty() {
        return None;
    }
    let instructions = instructions(&words)?;
    let mut bound = words[BOUND];
    let mut widths = HashMap::new();
    let mut at = 0;
    while at < instructions.len() {
        let (start, length) = instructions[at];
        match words[start] & 0xFFFF {
            TYPE_INT if length > 2 => {
                widths.insert(words[start + 1], words[start + 2]);
                at += 1;
            }
            FUNCTION => {
                let is_end = |one: &(usize, usize)| words[one.0] & 0xFFFF == FUNCTION_END;
                let end = instructions[at..].iter().position(is_end)?;
                let body = &instructions[at..at + end];
                if let Err(repeated) = rename(&mut words, body, &widths, &mut bound) {
                    return Some(Err(repeated));
                }
                at += end;
            }
            _ => at += 1,
        }
    }
    words[BOUND] = bound;
    Some(Ok(words.into_iter().flat_map(u32::to_le_bytes).collect()))
}

/// Where instructions start, and how many words they have; `None` if the module is cut off.
fn instructions(words: &[u32]) -> Option<Vec<(usize, usize)>> {
    let mut found = Vec::new();
    let mut start = HEADER;
    while start < words.len() {
        let length = (words[start] >> 16) as usize;
        if length == 0 || start + length > words.len() {
            return None;
        }
        found.push((start, length));
        start += length;
    }
    Some(found)
}

/// Gives the blocks of a function new ids, from `bound` on.
fn rename(
    words: &mut [u32],
    body: &[(usize, usize)],
    widths: &HashMap<u32, u32>,
    bound: &mut u32,
) -> Result<(), RepeatedBlock> {
    let mut blocks = HashMap::new();
    let mut types = HashMap::new();
    for &(start, length) in body {
        match words[start] & 0xFFFF {
            LABEL => {
                if blocks.insert(words[start + 1], *bound).is_some() {
                    return Err(RepeatedBlock);
                }
                *bound += 1;
            }
            // Results of a type have the type in the first word and the id in the second; of others none is asked.
            _ if length > 2 => {
                // What comes first defines an id, what comes later may have it as an operand.
                types.entry(words[start + 2]).or_insert(words[start + 1]);
            }
            _ => {}
        }
    }
    for &(start, length) in body {
        let places: Vec<usize> = match words[start] & 0xFFFF {
            LABEL | BRANCH | SELECTION_MERGE => vec![1],
            LOOP_MERGE => vec![1, 2],
            BRANCH_CONDITIONAL => vec![2, 3],
            PHI => (4..length).step_by(2).collect(),
            SWITCH => {
                let width = types.get(&words[start + 1]).and_then(|ty| widths.get(ty));
                // Behind the default come literals, as wide as what is switched on, each with a block.
                let literal = width.map_or(1, |bits| bits.div_ceil(32) as usize);
                let cases = (3 + literal..length).step_by(literal + 1);
                std::iter::once(2).chain(cases).collect()
            }
            _ => continue,
        };
        for place in places {
            if let Some(id) = blocks.get(&words[start + place]) {
                words[start + place] = *id;
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn module(bound: u32, instructions: &[&[u32]]) -> Vec<u8> {
        let mut words = vec![MAGIC, 0x0001_0200, 0, bound, 0];
        for instruction in instructions {
            words.push((instruction.len() as u32) << 16 | instruction[0]);
            words.extend(&instruction[1..]);
        }
        words.into_iter().flat_map(u32::to_le_bytes).collect()
    }

    #[test]
    fn blocks_that_share_an_id_with_a_value_get_their_own() {
        // Block 2 has the id of the type, and block 6 that of the parameter.
        let before = module(
            10,
            &[
                &[TYPE_INT, 2, 64, 0],
                &[FUNCTION, 2, 5, 0, 3],
                &[55, 2, 6],
                &[LABEL, 2],
                &[SWITCH, 6, 2, 7, 0, 6, 2, 2, 6],
                &[LABEL, 6],
                &[PHI, 2, 8, 6, 2],
                &[BRANCH_CONDITIONAL, 8, 2, 6],
                &[FUNCTION_END],
            ],
        );
        let after = module(
            12,
            &[
                &[TYPE_INT, 2, 64, 0],
                &[FUNCTION, 2, 5, 0, 3],
                &[55, 2, 6],
                &[LABEL, 10],
                &[SWITCH, 6, 10, 7, 0, 11, 2, 2, 11],
                &[LABEL, 11],
                &[PHI, 2, 8, 6, 10],
                &[BRANCH_CONDITIONAL, 8, 10, 11],
                &[FUNCTION_END],
            ],
        );
        assert_eq!(with_distinct_blocks(before), Ok(after));
    }

    #[test]
    fn blocks_of_a_function_with_one_id_are_refused() {
        let function: [&[u32]; 4] = [
            &[FUNCTION, 2, 5, 0, 3],
            &[LABEL, 7],
            &[LABEL, 7],
            &[FUNCTION_END],
        ];
        assert_eq!(
            with_distinct_blocks(module(9, &function)),
            Err(RepeatedBlock)
        );
    }

    #[test]
    fn what_is_no_module_stays() {
        for image in [
            b".version 8.0".to_vec(),
            module(9, &[&[FUNCTION, 2, 5, 0, 3]]),
        ] {
            assert_eq!(with_distinct_blocks(image.clone()), Ok(image));
        }
    }
}
