//! From the bytes of one file to 8-bit grey or RGB.

use std::io::{BufRead, BufReader, Cursor, Seek};
use std::path::Path;

use image::codecs::{bmp::BmpDecoder, jpeg::JpegDecoder, png::PngDecoder, pnm::PnmDecoder};
use image::{ColorType, ImageDecoder, ImageError, ImageFormat, Limits};

use super::ImageFault;
use gsfa::samples::InputShape;

pub(super) struct Decoded {
    pub shape: InputShape,
    pub bytes: Vec<u8>,
}

type Outcome<T> = Result<T, ImageFault>;

/// Size and channels from the header alone.
pub(super) fn shape(path: &Path, max_pixels: u64) -> Outcome<InputShape> {
    let mut reader = BufReader::with_capacity(4096, gsfa::file::open(path).map_err(unreadable)?.0);
    let format = format_of(reader.fill_buf().map_err(unreadable)?)?;
    with_decoder(reader, format, max_pixels, |_, shape| Ok(shape))
}

pub(super) fn decode(path: &Path, max_pixels: u64) -> Outcome<Decoded> {
    let bytes = gsfa::file::read(path).map_err(unreadable)?;
    let format = format_of(&bytes)?;
    if format == ImageFormat::Jpeg && !jpeg_is_complete(&bytes) {
        return Err(ImageFault::Truncated);
    }
    with_decoder(Cursor::new(&bytes[..]), format, max_pixels, |decoder, shape| {
        let color = decoder.color_type();
        let mut bytes = vec![0; decoder.total_bytes() as usize];
        decoder.read_image_boxed(&mut bytes).map_err(corrupt)?;
        Ok(Decoded { shape, bytes: to_8_bit(bytes, color)? })
    })
}

fn unreadable(error: std::io::Error) -> ImageFault {
    ImageFault::Unreadable(error.to_string())
}

fn corrupt(error: ImageError) -> ImageFault {
    match error {
        ImageError::IoError(e) if e.kind() == std::io::ErrorKind::UnexpectedEof => ImageFault::Truncated,
        other => ImageFault::Corrupt(other.to_string()),
    }
}

/// The format by content: an extension proves nothing.
fn format_of(start: &[u8]) -> Outcome<ImageFormat> {
    if start.is_empty() {
        return Err(ImageFault::Empty);
    }
    match image::guess_format(start) {
        Ok(format @ (ImageFormat::Png | ImageFormat::Jpeg | ImageFormat::Pnm | ImageFormat::Bmp)) => Ok(format),
        Ok(other) => Err(ImageFault::Format(format!("{other:?}").to_ascii_uppercase())),
        Err(_) => Err(ImageFault::NotAnImage(start[..start.len().min(8)].escape_ascii().to_string())),
    }
}

/// The decoder fills up what is missing with grey and says nothing; so look for the end marker behind the last scan.
fn jpeg_is_complete(bytes: &[u8]) -> bool {
    let last = |marker: u8| bytes.windows(2).rposition(|pair| pair == [0xff, marker]);
    last(0xd9) > last(0xda)
}

fn with_decoder<R: BufRead + Seek, T>(
    reader: R,
    format: ImageFormat,
    max_pixels: u64,
    then: impl FnOnce(Box<dyn ImageDecoder + '_>, InputShape) -> Outcome<T>,
) -> Outcome<T> {
    // Eight bytes per pixel are the most a decoder puts out; as many again for its own buffers.
    let mut limits = Limits::no_limits();
    limits.max_alloc = Some(max_pixels.saturating_mul(16).saturating_add(1 << 20));
    let mut decoder: Box<dyn ImageDecoder + '_> = match format {
        ImageFormat::Png => {
            let png = PngDecoder::with_limits(reader, limits.clone()).map_err(corrupt)?;
            if png.is_apng().map_err(corrupt)? {
                return Err(ImageFault::Animated);
            }
            Box::new(png)
        }
        ImageFormat::Jpeg => Box::new(JpegDecoder::new(reader).map_err(corrupt)?),
        ImageFormat::Bmp => Box::new(BmpDecoder::new(reader).map_err(corrupt)?),
        _ => Box::new(PnmDecoder::new(reader).map_err(corrupt)?),
    };
    let (width, height) = decoder.dimensions();
    let pixels = u64::from(width) * u64::from(height);
    if pixels > max_pixels {
        return Err(ImageFault::TooLarge { width, height, limit: max_pixels });
    }
    if pixels == 0 {
        return Err(ImageFault::NoPixels { width, height });
    }
    decoder.set_limits(limits).map_err(corrupt)?;
    let channels = if decoder.color_type().has_color() { 3 } else { 1 };
    let shape = InputShape { height: height as usize, width: width as usize, channels };
    then(decoder, shape)
}

fn to_8_bit(bytes: Vec<u8>, color: ColorType) -> Outcome<Vec<u8>> {
    Ok(match color {
        ColorType::L8 | ColorType::Rgb8 => bytes,
        ColorType::La8 => over_black::<2>(&bytes),
        ColorType::Rgba8 => over_black::<4>(&bytes),
        ColorType::L16 | ColorType::Rgb16 => rounded(&bytes),
        ColorType::La16 => over_black::<2>(&rounded(&bytes)),
        ColorType::Rgba16 => over_black::<4>(&rounded(&bytes)),
        other => return Err(ImageFault::Format(format!("{other:?}"))),
    })
}

/// 65535 = 255·257; the decoder hands out 16-bit values in the order of the machine.
fn rounded(bytes: &[u8]) -> Vec<u8> {
    let (pairs, _) = bytes.as_chunks::<2>();
    pairs.iter().map(|&pair| ((u32::from(u16::from_ne_bytes(pair)) + 128) / 257) as u8).collect()
}

/// Each colour times the opacity, which is the last of `C` channels.
fn over_black<const C: usize>(bytes: &[u8]) -> Vec<u8> {
    let (pixels, _) = bytes.as_chunks::<C>();
    let blend = |color: u8, opacity: u8| ((u32::from(color) * u32::from(opacity) + 127) / 255) as u8;
    pixels.iter().flat_map(|pixel| pixel[..C - 1].iter().map(|&color| blend(color, pixel[C - 1]))).collect()
}
