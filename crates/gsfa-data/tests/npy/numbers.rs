//! Rows are the numbers of the file, whatever its type and order, and whichever rows are asked for.

use gsfa::samples::{Element, InputShape, Rows, Samples};
use ndarray::{Array2, array, s};

use crate::support::{npy, open, read64};

#[test]
fn every_type_in_both_byte_orders_and_both_orders_reads_the_same_numbers() {
    let values = [0_i64, 1, 2, 100, 17, 5];
    macro_rules! check {
        ($type:ty, $code:expr, $values:expr) => {
            let numbers: Vec<$type> = $values.iter().map(|&v| v as $type).collect();
            // Fortran order of a 2x3 array: columns one after the other.
            let fortran: Vec<$type> = [0, 3, 1, 4, 2, 5].iter().map(|&i| numbers[i]).collect();
            for (mark, swap) in [("<", false), (">", true)] {
                for (order, data) in [(false, &numbers), (true, &fortran)] {
                    let bytes: Vec<u8> =
                        data.iter().flat_map(|x| if swap { x.to_be_bytes() } else { x.to_le_bytes() }).collect();
                    let array = open(&npy(&format!("{mark}{}", $code), order, "(2, 3)", &bytes)).unwrap();
                    let expected = Array2::from_shape_fn((2, 3), |(n, i)| numbers[3 * n + i] as f64);
                    assert_eq!(read64(&array), expected, "{mark}{} fortran {order}", $code);
                    let mut single = Array2::<f32>::zeros((2, 3));
                    array.read_single(Rows::List(&[1, 0]), single.view_mut()).unwrap();
                    assert_eq!(single.row(1).to_vec(), expected.row(0).mapv(|x| x as f32).to_vec());
                    assert_eq!((array.len(), array.dim(), array.image_shape()), (2, 3, None));
                }
            }
        };
    }
    check!(i8, "i1", values.map(|v| -v));
    check!(i16, "i2", values.map(|v| -300 * v));
    check!(i32, "i4", values.map(|v| -70_000 * v));
    check!(i64, "i8", values.map(|v| -5_000_000_000 * v));
    check!(u8, "u1", values);
    check!(u16, "u2", values.map(|v| 600 * v));
    check!(u32, "u4", values.map(|v| 40_000_000 * v));
    check!(u64, "u8", values.map(|v| 90_000_000_000_000 * v));
    check!(f32, "f4", [0.5_f64, -1.25, 3e30, 0.0, 1e-3, 2.0]);
    check!(f64, "f8", [0.1_f64, -1.25, 3e300, 0.0, 1e-300, 2.0]);
}

#[test]
fn booleans_are_zero_and_one() {
    let array = open(&npy("|b1", false, "(3,)", &[0, 1, 2])).unwrap();
    assert_eq!(read64(&array), array![[0.0], [1.0], [1.0]]);
    assert_eq!(array.element(), Element::Bool);
}

#[test]
fn images_in_fortran_order_are_the_same_rows() {
    let (n, h, w, c) = (2, 3, 2, 3);
    let value = |i: usize, y: usize, x: usize, k: usize| (((i * h + y) * w + x) * c + k) as u8;
    let straight: Vec<u8> = (0..(n * h * w * c) as u8).collect();
    let mut fortran = Vec::new();
    for k in 0..c {
        for x in 0..w {
            for y in 0..h {
                (0..n).for_each(|i| fortran.push(value(i, y, x, k)));
            }
        }
    }
    let a = open(&npy("|u1", false, "(2, 3, 2, 3)", &straight)).unwrap();
    let b = open(&npy("|u1", true, "(2, 3, 2, 3)", &fortran)).unwrap();
    assert_eq!(read64(&a), read64(&b));
    assert_eq!(b.image_shape(), Some(InputShape { height: 3, width: 2, channels: 3 }));
    assert_eq!(open(&npy("|u1", false, "(2, 3, 6)", &straight)).unwrap().image_shape().unwrap().channels, 1);
}

/// Rows in any order and number, narrow and wider than what is read at once, in both orders of the file.
#[test]
fn any_rows_in_any_order_are_those_asked_for() {
    for (rows, columns) in [(1, 1), (5, 3), (4000, 1), (3000, 17), (700, 200), (5, 40_000)] {
        let value = |n: usize, i: usize| (n * columns + i) as f64;
        let straight: Vec<u8> = (0..rows * columns).flat_map(|k| (k as f64).to_le_bytes()).collect();
        let turned = (0..columns).flat_map(|i| (0..rows).map(move |n| value(n, i)));
        let turned: Vec<u8> = turned.flat_map(f64::to_le_bytes).collect();
        let shuffled: Vec<usize> = (0..2 * rows).map(|k| (k * 7919 + 13) % rows).collect();
        let gaps: Vec<usize> = (0..rows).filter(|n| n % 3 != 1 && n % 50 < 40).collect();
        let backwards: Vec<usize> = (0..rows).rev().collect();
        for (fortran, data) in [(false, &straight), (true, &turned)] {
            let array = open(&npy("<f8", fortran, &format!("({rows}, {columns})"), data)).unwrap();
            for list in [&shuffled[..], &gaps, &backwards, &[0; 3], &[]] {
                let mut out = Array2::zeros((list.len(), columns));
                array.read_double(Rows::List(list), out.view_mut()).unwrap();
                let expected = Array2::from_shape_fn((list.len(), columns), |(k, i)| value(list[k], i));
                assert_eq!(out, expected, "{rows}x{columns}, fortran {fortran}");
            }
            let mut out = Array2::zeros((rows - rows / 3, columns));
            array.read_double(Rows::Range(rows / 3..rows), out.view_mut()).unwrap();
            assert_eq!(out, Array2::from_shape_fn(out.dim(), |(k, i)| value(rows / 3 + k, i)));
        }
    }
}

#[test]
fn rows_out_of_range_and_wrong_buffers_are_errors() {
    let array = open(&npy("|u1", false, "(2, 3)", &[0; 6])).unwrap();
    let mut out = Array2::<f64>::zeros((1, 3));
    let error = array.read_double(Rows::List(&[2]), out.view_mut()).unwrap_err();
    assert_eq!(error.to_string(), "row 2 was asked for, there are 2 rows");
    let error = array.read_double(Rows::Range(0..2), out.view_mut()).unwrap_err();
    assert_eq!(error.to_string(), "the buffer is 1x3, the rows asked for are 2x3");
}

#[test]
fn buffers_may_have_any_layout() {
    let array = open(&npy("|u1", false, "(2, 3)", &[0, 1, 2, 3, 4, 5])).unwrap();
    let mut wide = Array2::<f64>::zeros((3, 4));
    array.read_double(Rows::Range(0..2), wide.t().to_owned().slice_mut(s![..2, ..3])).unwrap();
    array.read_double(Rows::Range(0..2), wide.slice_mut(s![.., ..2]).reversed_axes()).unwrap();
    assert_eq!(wide, array![[0.0, 3.0, 0.0, 0.0], [1.0, 4.0, 0.0, 0.0], [2.0, 5.0, 0.0, 0.0]]);
}
