//! Numbers as people read them, and as coordinates.

/// A coordinate with at most three decimals and no trailing zeros; what is not finite becomes 0.
pub(crate) fn coordinate(value: f64) -> String {
    if !value.is_finite() {
        return "0".into();
    }
    let text = format!("{value:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".into() } else { text.into() }
}

/// A number with a fixed number of decimals and a true minus sign; a dash if there is none.
pub(crate) fn fixed(value: f64, decimals: usize) -> String {
    if value.is_nan() {
        return "–".into();
    }
    if value.is_infinite() {
        return if value > 0.0 { "∞".into() } else { "−∞".into() };
    }
    let text = format!("{value:.decimals$}");
    match text.strip_prefix('-') {
        Some(rest) if rest.chars().all(|c| c == '0' || c == '.') => rest.into(),
        Some(rest) => format!("−{rest}"),
        None => text,
    }
}

/// A number with its sign always shown, for differences.
pub(crate) fn signed(value: f64, decimals: usize) -> String {
    let text = fixed(value, decimals);
    let zero = text.chars().all(|c| c == '0' || c == '.');
    if zero || text.starts_with('−') || !value.is_finite() { text } else { format!("+{text}") }
}

/// About three significant digits, for labels on bars and cells.
pub(crate) fn brief(value: f64) -> String {
    let size = value.abs();
    if !value.is_finite() || value == 0.0 || (1000.0..1e6).contains(&size) {
        return fixed(value, 0);
    }
    if !(1e-3..1e6).contains(&size) {
        return scientific(value);
    }
    // The decimals that leave three digits: 0.00123, 0.123, 1.23, 12.3, 123.
    let decimals = (2 - size.log10().floor() as i32).clamp(0, 5) as usize;
    let text = fixed(value, decimals);
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').into() } else { text }
}

/// Powers of ten for what is very large or very small.
pub(crate) fn scientific(value: f64) -> String {
    let text = format!("{value:.2e}");
    match text.split_once('e') {
        Some((digits, power)) if digits.contains('.') => {
            format!("{}e{power}", digits.trim_end_matches('0').trim_end_matches('.')).replace('-', "−")
        }
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_have_three_decimals_and_are_always_numbers() {
        let cases =
            [(1.0, "1"), (0.12345, "0.123"), (-0.0001, "0"), (2.5, "2.5"), (f64::NAN, "0"), (f64::INFINITY, "0")];
        for (value, text) in cases {
            assert_eq!(coordinate(value), text);
        }
    }

    #[test]
    fn numbers_read_as_people_write_them() {
        assert_eq!(fixed(-0.3456, 3), "−0.346");
        assert_eq!(fixed(-0.0001, 2), "0.00");
        assert_eq!(fixed(f64::NAN, 2), "–");
        assert_eq!(fixed(f64::NEG_INFINITY, 2), "−∞");
        assert_eq!((signed(0.5, 1), signed(-0.5, 1), signed(0.01, 1)), ("+0.5".into(), "−0.5".into(), "0.0".into()));
        assert_eq!(
            (brief(0.34567), brief(12.0), brief(1234.5), brief(2e7)),
            ("0.346".into(), "12".into(), "1234".into(), "2e7".into())
        );
        assert_eq!((brief(100.0), brief(9.8696e-12)), ("100".into(), "9.87e−12".into()));
    }
}
