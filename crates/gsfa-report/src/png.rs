//! Pixels as a PNG image in a data URI, so that a page needs no second file.

use miniz_oxide::deflate::compress_to_vec_zlib;

/// A `data:` address of a PNG with these pixels, one byte per channel, row by row; `None` if the sizes do not fit together.
pub(crate) fn data_uri(width: usize, height: usize, channels: usize, pixels: &[u8]) -> Option<String> {
    Some(format!("data:image/png;base64,{}", base64(&encode(width, height, channels, pixels)?)))
}

fn encode(width: usize, height: usize, channels: usize, pixels: &[u8]) -> Option<Vec<u8>> {
    let colour_type = match channels {
        1 => 0,
        3 => 2,
        _ => return None,
    };
    let line = width.checked_mul(channels).filter(|&line| line > 0)?;
    if height == 0 || pixels.len() != line.checked_mul(height)? {
        return None;
    }
    let (wide, high) = (u32::try_from(width).ok()?, u32::try_from(height).ok()?);
    let mut header = Vec::with_capacity(13);
    header.extend(wide.to_be_bytes());
    header.extend(high.to_be_bytes());
    header.extend([8, colour_type, 0, 0, 0]);
    // Each line says how it differs from its neighbours: as the one to the left (1), which suits smooth images.
    let mut lines = Vec::with_capacity((line + 1) * height);
    for row in pixels.chunks_exact(line) {
        lines.push(1);
        lines.extend((0..line).map(|n| row[n].wrapping_sub(if n < channels { 0 } else { row[n - channels] })));
    }
    let mut file = vec![0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n'];
    chunk(&mut file, *b"IHDR", &header);
    chunk(&mut file, *b"IDAT", &compress_to_vec_zlib(&lines, 7));
    chunk(&mut file, *b"IEND", &[]);
    Some(file)
}

fn chunk(file: &mut Vec<u8>, kind: [u8; 4], data: &[u8]) {
    file.extend((data.len() as u32).to_be_bytes());
    let start = file.len();
    file.extend(kind);
    file.extend(data);
    let sum = checksum(&file[start..]);
    file.extend(sum.to_be_bytes());
}

/// CRC-32 with the polynomial of the PNG specification, reflected.
fn checksum(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |sum, &byte| {
        (0..8).fold(sum ^ u32::from(byte), |sum, _| (sum >> 1) ^ (0xedb8_8320 & (sum & 1).wrapping_neg()))
    })
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for group in bytes.chunks(3) {
        let bits = (0..3).fold(0u32, |bits, n| bits << 8 | u32::from(group.get(n).copied().unwrap_or(0)));
        for n in 0..4 {
            let digit = DIGITS[(bits >> (18 - 6 * n)) as usize & 63];
            text.push(if n <= group.len() { char::from(digit) } else { '=' });
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_and_checksum_match_their_published_examples() {
        let cases = [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")];
        for (bytes, text) in cases {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
        assert_eq!(checksum(b"123456789"), 0xcbf4_3926);
        // The end chunk of every PNG file.
        assert_eq!(checksum(b"IEND"), 0xae42_6082);
    }

    #[test]
    fn pixels_survive_compression() {
        let pixels: Vec<u8> = (0..5 * 3 * 3).map(|n| (n * 37 % 256) as u8).collect();
        let file = encode(5, 3, 3, &pixels).unwrap();
        let length = u32::from_be_bytes(file[33..37].try_into().unwrap()) as usize;
        assert_eq!(&file[37..41], b"IDAT");
        let lines = miniz_oxide::inflate::decompress_to_vec_zlib(&file[41..41 + length]).unwrap();
        let mut back = Vec::new();
        for line in lines.chunks(16) {
            assert_eq!(line[0], 1);
            for n in 0..15 {
                let left = if n < 3 { 0 } else { back[back.len() - 3] };
                back.push(line[n + 1].wrapping_add(left));
            }
        }
        assert_eq!(back, pixels);
    }

    #[test]
    fn sizes_that_do_not_fit_are_refused() {
        assert!(data_uri(2, 2, 1, &[0; 4]).is_some());
        assert!(data_uri(2, 2, 1, &[0; 5]).is_none());
        assert!(data_uri(2, 2, 2, &[0; 8]).is_none());
        assert!(data_uri(0, 2, 1, &[]).is_none());
        assert!(data_uri(usize::MAX, 2, 3, &[]).is_none());
    }
}
