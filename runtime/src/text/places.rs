//! Where some bytes are among others. Parts of texts are short, so that a call of a search for each, which has
//! to begin anew, costs more than finding all of them in blocks of 16.

use wide::i8x16;

/// The bytes of a block.
const BLOCK: usize = 16;

/// The bytes of a block that are a byte.
#[inline]
pub(super) fn equal(byte: u8) -> impl Fn(i8x16) -> i8x16 {
    let wanted = i8x16::splat(byte.cast_signed());
    move |block| block.simd_eq(wanted)
}

/// The bytes of a block that aren't above 32 or are above 127, which are negative.
#[inline]
pub(super) fn no_graphic_ascii(block: i8x16) -> i8x16 {
    block.simd_lt(i8x16::splat(33))
}

/// The places of a block's bytes that `found` says, as bits.
#[inline]
fn of_block(block: [u8; BLOCK], found: impl Fn(i8x16) -> i8x16) -> u64 {
    found(i8x16::new(block.map(u8::cast_signed)))
        .to_bitmask()
        .into()
}

/// The same of less than a block.
#[inline]
fn of_rest(rest: &[u8], found: impl Fn(i8x16) -> i8x16) -> u64 {
    of_block(widened(rest).to_le_bytes(), found) & ((1 << rest.len()) - 1)
}

/// Less than a block, with zeros behind it: from loads that overlap, as a copy of so few bytes would be a call.
#[inline]
fn widened(rest: &[u8]) -> u128 {
    let length = rest.len();
    let behind = |bytes: u128, from: usize| bytes << (8 * from);
    if let (Some(first), Some(last)) = (rest.first_chunk(), rest.last_chunk()) {
        let [first, last] = [first, last].map(|bytes| u64::from_le_bytes(*bytes).into());
        return first | behind(last, length - 8);
    }
    if let (Some(first), Some(last)) = (rest.first_chunk(), rest.last_chunk()) {
        let [first, last] = [first, last].map(|bytes| u32::from_le_bytes(*bytes).into());
        return first | behind(last, length - 4);
    }
    let byte = |at: usize| behind(rest[at].into(), at);
    match length {
        0 => 0,
        _ => byte(0) | byte(length / 2) | byte(length - 1),
    }
}

/// Calls back with the places of the bytes that `found` says of each block, in order.
#[inline]
pub(super) fn each(bytes: &[u8], found: impl Fn(i8x16) -> i8x16, mut act: impl FnMut(usize)) {
    let (blocks, rest) = bytes.as_chunks();
    let mut each_of = |start, mut places: u64| {
        while places != 0 {
            act(start + places.trailing_zeros() as usize);
            places &= places - 1;
        }
    };
    for (at, block) in blocks.iter().enumerate() {
        each_of(BLOCK * at, of_block(*block, &found));
    }
    each_of(BLOCK * blocks.len(), of_rest(rest, &found));
}

/// The most bytes whose places are bits of one word.
pub(super) const SHORT: usize = 64;

/// The places of the bytes that `found` says of each block, as bits, of no more than [`SHORT`] bytes.
#[inline]
pub(super) fn bits(bytes: &[u8], found: impl Fn(i8x16) -> i8x16) -> u64 {
    let (blocks, rest) = bytes.as_chunks();
    let mut bits = of_rest(rest, &found).unbounded_shl((BLOCK * blocks.len()) as u32);
    for (at, block) in blocks.iter().enumerate() {
        bits |= of_block(*block, &found) << (BLOCK * at);
    }
    bits
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_place_is_found_once() {
        let all: Vec<u8> = (0..=255).chain((0..=255).rev()).collect();
        for start in 0..20 {
            for end in (start..start + 20).chain(500..512) {
                let bytes = &all[start..end];
                for byte in [0, 1, 9, 31, 32, 33, 127, 128, 129, 254, 255] {
                    let mut places = Vec::new();
                    each(bytes, equal(byte), |at| places.push(at));
                    let same = (0..bytes.len()).filter(|at| bytes[*at] == byte);
                    assert_eq!(places, same.collect::<Vec<_>>());
                    let short = &bytes[..bytes.len().min(SHORT)];
                    let bits = bits(short, equal(byte));
                    assert!((0..SHORT).all(|at| bits >> at & 1 == u64::from(places.contains(&at))));
                }
                let mut places = Vec::new();
                each(bytes, no_graphic_ascii, |at| places.push(at));
                let same = (0..bytes.len()).filter(|at| !(33..128).contains(&bytes[*at]));
                assert_eq!(places, same.collect::<Vec<_>>());
            }
        }
    }
}
