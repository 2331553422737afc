//! The albedo of a head relative to its skin tone: hair, brows, eyes, lips, beard, folds.

use super::field::{Field, step};
use super::head::{Head, MODES};

/// Relative albedo: 1 is plain skin.
pub(crate) fn albedo(head: &Head) -> Field {
    let mut skin = Field::constant(1.0);
    broad_tints(head, &mut skin);
    for side in [-1.0, 1.0] {
        fold(head, side, &mut skin);
        brow(head, side, &mut skin);
        eye(head, side, &mut skin);
    }
    mouth(head, &mut skin);
    skin
}

fn broad_tints(head: &Head, skin: &mut Field) {
    add_modes(skin, &head.skin_modes);
    skin.bumps((0.24, 0.62), (0.26, 0.20), -head.beard);
    skin.bump((0.0, 0.70), (0.20, 0.16), -head.beard);
    skin.bump((0.0, 0.355), (0.16, 0.05), -0.7 * head.beard);
    skin.bumps((0.36, 0.18), (0.16, 0.15), -head.flush);
    skin.bumps((head.eye_distance, head.eye_y + 0.10), (0.11, 0.045), -head.eye_bags);
    skin.bumps((head.nostril_width * 0.55, head.nose_y + 0.075), (0.036, 0.022), -0.4);
    skin.bump((0.0, head.nose_y - 0.01), (0.045, 0.05), head.oily);
    skin.bump((0.0, -0.42), (0.25, 0.12), 0.6 * head.oily);
    let (line, dark) = (head.hairline, head.hair_dark);
    // The hairline bends down at the temples.
    skin.paint((0.0, 0.0), (1.0, 1.0), |x, y, value| {
        let height = y - line - 0.55 * x.abs().powi(3) * 2.0;
        value * (1.0 - dark * step(-height, 0.09))
    });
}

/// Adds the smooth deviation with the given cosine coefficients (no constant term: that is the skin tone or the depth).
pub(crate) fn add_modes(field: &mut Field, modes: &[[f32; MODES]; MODES]) {
    for (k, line) in modes.iter().enumerate() {
        // Sum over the modes across first: one product of lines per k.
        let down = move |y: f32| (0.5 * std::f32::consts::PI * k as f32 * (y + 1.0)).cos();
        let across = |x: f32| {
            (0..MODES)
                .skip(usize::from(k == 0))
                .map(|l| line[l] * (0.5 * std::f32::consts::PI * l as f32 * (x + 1.0)).cos())
                .sum()
        };
        field.product(across, down);
    }
}

/// The nasolabial fold, from the wing of the nose to beside the corner of the mouth.
fn fold(head: &Head, side: f32, skin: &mut Field) {
    let (top, bottom) = (head.nose_y + 0.02, head.mouth_y + 0.05);
    let (inner, outer) = (head.nostril_width + 0.03, head.mouth_width + 0.075);
    let middle = (side * (inner + outer) / 2.0, (top + bottom) / 2.0);
    let (half_x, half_y) = ((outer - inner) / 2.0, (bottom - top) / 2.0);
    skin.paint(middle, (0.2, half_y + 0.08), |x, y, value| {
        let t = y / half_y;
        let off = x * side - half_x * t;
        let along = 1.0 - step(t.abs() - 1.0, 0.35);
        value - head.fold * along * (-(off / 0.022).powi(2)).exp()
    });
}

fn brow(head: &Head, side: f32, skin: &mut Field) {
    let half = head.eye_width * 1.35;
    let center = (side * (head.eye_distance + 0.015), head.brow_y);
    skin.paint(center, (half * 1.3, 0.15), |x, y, value| {
        let t = x * side / half;
        // Thick inside, thin outside, highest beyond the middle.
        let line = -head.brow_arch * (1.0 - (t - 0.25).powi(2)) - head.brow_tilt * t;
        let thickness = head.brow_thickness * (1.0 - 0.35 * t);
        let cover = (1.0 - step(t.abs() - 1.0, 0.22)) * (-((y - line) / thickness).powi(2)).exp();
        value * (1.0 - head.brow_dark * cover)
    });
}

fn eye(head: &Head, side: f32, skin: &mut Field) {
    let (half, open) = (head.eye_width, head.eye_open);
    skin.paint((side * head.eye_distance, head.eye_y), (half * 1.5, 0.16), |x, y, value| {
        let t = x * side / half;
        let y = y + head.eye_tilt * x * side;
        let lens = (1.0 - t * t).max(0.0);
        let (upper, lower) = (-open * 1.15 * lens, open * 0.85 * lens.powf(0.8));
        let inside = step((y - upper).min(lower - y), 0.014) * step(1.0 - t.abs(), 0.08);
        let radius = (x * x + (y + 0.1 * open) * (y + 0.1 * open)).sqrt();
        let ball =
            1.22 - (1.22 - head.iris) * step(0.047 - radius, 0.012) - (head.iris - 0.06) * step(0.02 - radius, 0.01);
        // The ball lies in the shadow of the upper lid.
        let ball = ball * (1.0 - 0.35 * step(upper + 0.02 - y, 0.03));
        let near = (1.0 - step(t.abs() - 1.0, 0.25)) * (1.0 - 0.2 * t * t);
        let lashes = head.lid_shadow * near * (-((y - upper) / 0.016).powi(2)).exp();
        let crease = 0.25 * head.lid_shadow * near * (-((y - upper + 0.045) / 0.014).powi(2)).exp();
        let rim = 0.22 * near * (-((y - lower) / 0.014).powi(2)).exp();
        (value * (1.0 - inside) + ball * inside) * (1.0 - lashes.max(crease).max(rim))
    });
}

fn mouth(head: &Head, skin: &mut Field) {
    let half = head.mouth_width;
    skin.paint((0.0, head.mouth_y), (half * 1.3, 0.2), |x, y, value| {
        let t = x / half;
        let y = y - head.mouth_curve * t * t * 2.0;
        let lens = (1.0 - t * t).max(0.0);
        // Cupid's bow: the upper lip is highest beside the middle.
        let bow = 1.0 - 0.30 * (-(t / 0.16).powi(2)).exp();
        let (upper, lower) = (-head.upper_lip * lens.powf(0.75) * bow, head.lower_lip * lens.powf(0.65));
        let inside = step((y - upper).min(lower - y), 0.016);
        let red = head.lip_dark * if y < 0.0 { 1.25 } else { 0.85 };
        let seam = 0.42 * (1.0 - step(t.abs() - 1.0, 0.12)) * (-(y / 0.013).powi(2)).exp();
        let below = 0.10 * lens * (-((y - head.lower_lip - 0.035) / 0.025).powi(2)).exp();
        value * (1.0 - red * inside) * (1.0 - seam) * (1.0 - below)
    });
}
