//! Pixels as a PNG image in a data URI, so that a page needs no second file.

use png::{BitDepth, ColorType, Encoder, Filter};

/// A `data:` address of a PNG with these pixels, one byte per channel, row by row; `None` if the sizes do not fit together.
pub(crate) fn data_uri(width: usize, height: usize, channels: usize, pixels: &[u8]) -> Option<String> {
    Some(format!("data:image/png;base64,{}", base64(&encode(width, height, channels, pixels)?)))
}

fn encode(width: usize, height: usize, channels: usize, pixels: &[u8]) -> Option<Vec<u8>> {
    let color = match channels {
        1 => ColorType::Grayscale,
        3 => ColorType::Rgb,
        _ => return None,
    };
    let expected = width.checked_mul(channels)?.checked_mul(height)?;
    if expected == 0 || pixels.len() != expected {
        return None;
    }
    let mut file = Vec::new();
    let mut encoder = Encoder::new(&mut file, u32::try_from(width).ok()?, u32::try_from(height).ok()?);
    encoder.set_color(color);
    encoder.set_depth(BitDepth::Eight);
    // Each pixel by its difference from the one to the left, which suits smooth images.
    encoder.set_filter(Filter::Sub);
    let mut writer = encoder.write_header().ok()?;
    writer.write_image_data(pixels).ok()?;
    writer.finish().ok()?;
    Some(file)
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
    fn base64_matches_its_published_examples() {
        let cases = [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")];
        for (bytes, text) in cases {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
    }

    #[test]
    fn pixels_survive_compression() {
        for channels in [1, 3] {
            let pixels: Vec<u8> = (0..5 * 3 * channels).map(|n| (n * 37 % 256) as u8).collect();
            let file = encode(5, 3, channels, &pixels).unwrap();
            let mut reader = png::Decoder::new(std::io::Cursor::new(file)).read_info().unwrap();
            let mut back = vec![0; reader.output_buffer_size().unwrap()];
            let info = reader.next_frame(&mut back).unwrap();
            assert_eq!((info.width, info.height, back), (5, 3, pixels));
        }
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
