//! Many small images on one sheet, to be looked at.

use ndarray::ArrayView2;

/// A picture of many images in a grid: grey with one channel, RGB with three.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ContactSheet {
    /// Width in pixels.
    pub width: usize,
    /// Height in pixels.
    pub height: usize,
    /// Bytes per pixel: 1 for grey, 3 for RGB.
    pub channels: usize,
    /// `height × width × channels` bytes, row by row.
    pub pixels: Vec<u8>,
}

/// Lays the rows of `images` out in a grid with `columns` images per line, in reading order, without gaps.
///
/// Every row is one square image of `side` pixels, its channels interleaved; the number of channels follows from the
/// length of the rows. Cells beyond the last image are black. Returns `None` if the row length is not a whole multiple of
/// `side²`, or if `side` or `columns` is zero.
pub fn contact_sheet(images: ArrayView2<'_, u8>, side: usize, columns: usize) -> Option<ContactSheet> {
    let area = side.checked_mul(side).filter(|&area| area > 0)?;
    let (count, length) = images.dim();
    if columns == 0 || length == 0 || length % area != 0 {
        return None;
    }
    let channels = length / area;
    let (width, height) = (columns * side, count.div_ceil(columns) * side);
    let mut pixels = vec![0; width * height * channels];
    let line = side * channels;
    for (index, image) in images.outer_iter().enumerate() {
        let (top, left) = (index / columns * side, index % columns * side);
        for y in 0..side {
            let start = ((top + y) * width + left) * channels;
            for (target, &value) in pixels[start..start + line].iter_mut().zip(image.iter().skip(y * line).take(line)) {
                *target = value;
            }
        }
    }
    Some(ContactSheet { width, height, channels, pixels })
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::Array2;

    #[test]
    fn every_image_keeps_its_pixels_and_finds_its_cell() {
        let images = Array2::from_shape_fn((3, 12), |(n, p)| (n * 12 + p) as u8 + 1);
        let sheet = contact_sheet(images.view(), 2, 2).unwrap();
        assert_eq!((sheet.width, sheet.height, sheet.channels), (4, 4, 3));
        // Image 1 (second cell of the first line), its lower right pixel, blue channel.
        assert_eq!(sheet.pixels[(4 + 3) * 3 + 2], 24);
        // Image 2 (first cell of the second line), its first byte; beside it an empty cell.
        assert_eq!(sheet.pixels[2 * 4 * 3], 25);
        assert_eq!(sheet.pixels[(2 * 4 + 2) * 3], 0);
    }

    #[test]
    fn a_sheet_of_nothing_is_empty_and_impossible_shapes_are_refused() {
        let none = Array2::<u8>::zeros((0, 16));
        let sheet = contact_sheet(none.view(), 4, 5).unwrap();
        assert_eq!((sheet.height, sheet.pixels.len()), (0, 0));
        let odd = Array2::<u8>::zeros((2, 15));
        assert!(contact_sheet(odd.view(), 4, 5).is_none());
        assert!(contact_sheet(none.view(), 0, 5).is_none());
        assert!(contact_sheet(none.view(), 4, 0).is_none());
    }
}
