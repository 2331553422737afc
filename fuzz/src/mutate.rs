//! Inputs from inputs: small changes at random places, the same ones for the same seed.

/// A small generator of random numbers (SplitMix64).
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number from 1 to 2^`bits`/2, small ones more often.
    pub fn few(&mut self, bits: usize) -> usize {
        let most = 1 << self.below(bits);
        1 + self.below(most)
    }

    /// A number below `n`; 0 if there is none.
    pub fn below(&mut self, n: usize) -> usize {
        if n == 0 { 0 } else { (self.next() % n as u64) as usize }
    }
}

/// Numbers at which arithmetic goes wrong.
const EDGES: [u64; 12] =
    [0, 1, 7, 8, 127, 255, 0xffff, 0x7fff_ffff, 0xffff_ffff, i64::MAX as u64, u64::MAX, (1 << 60) + 1];
const TEXTS: [&str; 12] = [
    "0",
    "-1",
    "1",
    "18446744073709551615",
    "18446744073709551616",
    "1e308",
    "1e999",
    "nan",
    "inf",
    "null",
    "[]",
    "{}",
];
const LONGEST: usize = 1 << 16;

/// One to eight changes of `input`; `others` are inputs to borrow from, `tokens` words of the format.
pub fn mutate(input: &[u8], others: &[Vec<u8>], tokens: &[&str], random: &mut Random) -> Vec<u8> {
    let mut bytes = input.to_vec();
    for _ in 0..random.few(4) {
        change(&mut bytes, others, tokens, random);
    }
    bytes.truncate(LONGEST);
    bytes
}

fn change(bytes: &mut Vec<u8>, others: &[Vec<u8>], tokens: &[&str], random: &mut Random) {
    let at = random.below(bytes.len());
    let some = random.few(7);
    let end = (at + some).min(bytes.len());
    match random.below(11) {
        0 if !bytes.is_empty() => bytes[at] ^= 1 << random.below(8),
        1 if !bytes.is_empty() => bytes[at] = random.next() as u8,
        2 => drop(bytes.drain(at..end)),
        3 => {
            let copy = bytes[at..end].to_vec();
            insert(bytes, random, &copy);
        }
        4 => bytes.truncate(at),
        5 => {
            let number = EDGES[random.below(EDGES.len())].wrapping_add(random.below(3) as u64).wrapping_sub(1);
            let width = [1, 2, 4, 8][random.below(4)];
            let end = (at + width).min(bytes.len());
            bytes[at..end].copy_from_slice(&number.to_le_bytes()[..end - at]);
        }
        6 => replace_number(bytes, at, TEXTS[random.below(TEXTS.len())].as_bytes()),
        7 => {
            let shift = random.below(64);
            let number = (random.next() >> shift).to_string();
            replace_number(bytes, at, number.as_bytes());
        }
        8 if !tokens.is_empty() => {
            let token = tokens[random.below(tokens.len())];
            insert(bytes, random, token.as_bytes());
        }
        9 if !tokens.is_empty() => {
            let token = tokens[random.below(tokens.len())].as_bytes();
            let end = (at + token.len()).min(bytes.len());
            bytes.splice(at..end, token.iter().copied());
        }
        _ => {
            let Some(other) = others.get(random.below(others.len())) else { return };
            let from = random.below(other.len());
            let to = (from + some).min(other.len());
            insert(bytes, random, &other[from..to]);
        }
    }
}

fn insert(bytes: &mut Vec<u8>, random: &mut Random, piece: &[u8]) {
    let at = random.below(bytes.len() + 1);
    bytes.splice(at..at, piece.iter().copied());
}

/// The digits nearest behind `at` give way to another text.
fn replace_number(bytes: &mut Vec<u8>, at: usize, text: &[u8]) {
    let digit = |b: &u8| b.is_ascii_digit() || matches!(b, b'.' | b'-');
    let Some(start) = bytes[at..].iter().position(|b| b.is_ascii_digit()).map(|k| at + k) else { return };
    let end = bytes[start..].iter().position(|b| !digit(b)).map_or(bytes.len(), |k| start + k);
    bytes.splice(start..end, text.iter().copied());
}
