//! The traits of a head. One line each: where it lies on average, how much people differ in it, how it follows the labels.
//!
//! Lengths are in half image widths, so the head is about 1.2 wide and 1.75 high. No cue is strong: a gender slope of 0.5
//! means that one standard deviation of gender moves the trait by half of what identity moves it.

use super::person::{Cue, Person, Traits};
use crate::seed::Stream;

/// Smooth deviations of relief and skin from the mean head: this many cosine modes in each direction.
pub(crate) const MODES: usize = 8;

pub(crate) struct Head {
    // Outline and neck
    pub(crate) temple_width: f32,
    pub(crate) crown: f32,
    pub(crate) chin: f32,
    pub(crate) jaw_taper: f32,
    pub(crate) jaw_square: f32,
    pub(crate) depth: f32,
    pub(crate) neck_width: f32,
    pub(crate) ear_size: f32,
    // Relief
    pub(crate) forehead: f32,
    pub(crate) brow_ridge: f32,
    pub(crate) socket: f32,
    pub(crate) nose_bridge: f32,
    pub(crate) nose_width: f32,
    pub(crate) nose_tip: f32,
    pub(crate) nose_y: f32,
    pub(crate) nostril_width: f32,
    pub(crate) cheekbone: f32,
    pub(crate) cheekbone_y: f32,
    pub(crate) cheek_full: f32,
    pub(crate) lip_relief: f32,
    pub(crate) chin_relief: f32,
    pub(crate) chin_width: f32,
    pub(crate) jaw_corner: f32,
    pub(crate) fold: f32,
    // Eyes, brows, mouth
    pub(crate) eye_distance: f32,
    pub(crate) eye_y: f32,
    pub(crate) eye_width: f32,
    pub(crate) eye_open: f32,
    pub(crate) eye_tilt: f32,
    pub(crate) iris: f32,
    pub(crate) lid_shadow: f32,
    pub(crate) brow_y: f32,
    pub(crate) brow_thickness: f32,
    pub(crate) brow_arch: f32,
    pub(crate) brow_tilt: f32,
    pub(crate) brow_dark: f32,
    pub(crate) mouth_y: f32,
    pub(crate) mouth_width: f32,
    pub(crate) upper_lip: f32,
    pub(crate) lower_lip: f32,
    pub(crate) lip_dark: f32,
    pub(crate) mouth_curve: f32,
    // Skin
    pub(crate) tone: f32,
    pub(crate) beard: f32,
    pub(crate) flush: f32,
    pub(crate) eye_bags: f32,
    pub(crate) hairline: f32,
    pub(crate) hair_dark: f32,
    pub(crate) oily: f32,
    // Smooth deviations
    pub(crate) relief_modes: [[f32; MODES]; MODES],
    pub(crate) skin_modes: [[f32; MODES]; MODES],
}

impl Head {
    /// The head of a person: the labels give the expected traits, the stream the identity.
    #[rustfmt::skip] // a table: one trait per line
    pub(crate) fn draw(person: &Person, stream: &mut Stream) -> Self {
        let g = Cue::gender;
        let mut t = Traits::of(person, stream);
        Self {
            temple_width:  t.draw(0.600, 0.014, g(0.30).race(-0.3, 0.4).mixed(0.1, 0.1, 0.0)),
            crown:         t.draw(0.850, 0.016, g(0.25).race(0.2, 0.1)),
            chin:          t.draw(0.830, 0.018, g(0.45).age(0.2).race(0.1, -0.2).mixed(-0.2, 0.0, 0.2)),
            jaw_taper:     t.draw(0.300, 0.030, g(-0.45).age(-0.3).race(0.1, -0.3).mixed(0.1, 0.2, 0.0)),
            jaw_square:    t.draw(2.900, 0.160, g(0.45).age(0.2).mixed(0.2, 0.0, -0.2)),
            depth:         t.draw(0.700, 0.030, g(0.15).race(0.4, -0.4)),
            neck_width:    t.draw(0.350, 0.022, g(0.45).age(0.2).mixed(-0.2, 0.0, 0.1)),
            ear_size:      t.draw(0.150, 0.012, g(0.25).age(0.5)),
            forehead:      t.draw(0.060, 0.014, g(-0.40).race(0.3, 0.3).mixed(0.2, -0.2, 0.0)),
            brow_ridge:    t.draw(0.038, 0.011, g(0.50).age(0.2).race(0.2, -0.5).mixed(0.2, 0.2, -0.2)),
            socket:        t.draw(0.085, 0.014, g(0.30).age(0.5).race(-0.1, -0.6).mixed(-0.2, 0.1, 0.0)),
            nose_bridge:   t.draw(0.100, 0.014, g(0.35).race(-0.6, -0.5).mixed(0.0, -0.2, 0.2)),
            nose_width:    t.draw(0.068, 0.007, g(0.30).age(0.2).race(0.6, 0.1).mixed(0.1, 0.2, 0.1)),
            nose_tip:      t.draw(0.150, 0.016, g(0.35).age(0.3).race(-0.2, -0.3).mixed(0.2, 0.0, 0.1)),
            nose_y:        t.draw(0.200, 0.016, g(0.25).age(0.4).mixed(0.1, -0.1, 0.1)),
            nostril_width: t.draw(0.118, 0.011, g(0.30).age(0.2).race(0.8, 0.2).mixed(0.0, 0.2, 0.0)),
            cheekbone:     t.draw(0.060, 0.013, g(-0.30).race(0.1, 0.6).mixed(-0.2, 0.0, 0.2)),
            cheekbone_y:   t.draw(0.090, 0.020, g(0.30).age(0.3).race(-0.1, -0.2)),
            cheek_full:    t.draw(0.030, 0.016, g(-0.35).age(-0.5).race(0.1, 0.3).mixed(0.2, 0.0, 0.1)),
            lip_relief:    t.draw(0.022, 0.005, g(-0.35).age(-0.4).race(0.7, 0.0).mixed(0.2, -0.2, 0.0)),
            chin_relief:   t.draw(0.060, 0.014, g(0.45).race(-0.2, -0.2).mixed(0.1, 0.2, 0.1)),
            chin_width:    t.draw(0.150, 0.018, g(0.40).mixed(0.2, 0.0, 0.0)),
            jaw_corner:    t.draw(0.035, 0.014, g(0.45).age(-0.2).mixed(-0.2, 0.1, 0.1)),
            fold:          t.draw(0.080, 0.035, g(0.20).age(1.0).mixed(0.2, 0.0, 0.0)),
            eye_distance:  t.draw(0.255, 0.011, g(0.15).race(0.2, 0.3)),
            eye_y:         t.draw(-0.110, 0.014, g(0.15).race(0.1, 0.0)),
            eye_width:     t.draw(0.112, 0.006, g(-0.35).age(-0.2).mixed(0.1, 0.0, 0.2)),
            eye_open:      t.draw(0.046, 0.005, g(-0.40).age(-0.5).race(0.1, -0.6).mixed(0.2, 0.1, 0.1)),
            eye_tilt:      t.draw(0.030, 0.040, g(-0.20).race(0.0, 0.8).mixed(0.0, 0.1, -0.2)),
            iris:          t.draw(0.280, 0.080, g(0.10).race(-0.4, -0.4)),
            lid_shadow:    t.draw(0.450, 0.080, g(-0.35).age(0.1).mixed(-0.2, 0.1, 0.0)),
            brow_y:        t.draw(-0.245, 0.014, g(0.40).age(0.3).race(-0.1, -0.2).mixed(0.1, 0.0, 0.2)),
            brow_thickness:t.draw(0.032, 0.005, g(0.45).age(0.1).race(0.2, -0.1).mixed(0.2, -0.1, 0.1)),
            brow_arch:     t.draw(0.024, 0.007, g(-0.40).mixed(0.2, 0.2, 0.0)),
            brow_tilt:     t.draw(-0.006, 0.010, g(-0.20).race(0.0, 0.2)),
            brow_dark:     t.draw(0.520, 0.090, g(0.30).age(-0.5).race(0.3, 0.3).mixed(-0.2, 0.0, 0.1)),
            mouth_y:       t.draw(0.460, 0.015, g(0.25).age(0.3).race(0.1, 0.0)),
            mouth_width:   t.draw(0.205, 0.013, g(0.30).age(0.2).race(0.2, -0.2).mixed(0.0, 0.2, 0.1)),
            upper_lip:     t.draw(0.046, 0.007, g(-0.40).age(-0.6).race(0.8, 0.1).mixed(0.2, -0.2, 0.0)),
            lower_lip:     t.draw(0.058, 0.007, g(-0.35).age(-0.4).race(0.8, 0.0).mixed(0.1, -0.2, 0.1)),
            lip_dark:      t.draw(0.260, 0.050, g(-0.40).age(-0.3).race(-0.2, 0.1).mixed(0.2, 0.2, 0.1)),
            mouth_curve:   t.draw(-0.006, 0.007, g(-0.20).age(-0.5)),
            tone:          t.draw(0.640, 0.040, g(-0.10).age(0.1).race(-1.4, 0.5)),
            beard:         t.draw(0.070, 0.035, g(0.45).age(0.1).race(-0.2, -0.4).mixed(0.2, -0.2, -0.2)),
            flush:         t.draw(0.040, 0.022, g(-0.35).age(-0.2).race(-0.5, 0.1).mixed(0.2, 0.2, 0.0)),
            eye_bags:      t.draw(0.080, 0.035, g(0.20).age(0.8).mixed(0.2, 0.0, 0.1)),
            hairline:      t.draw(-0.560, 0.030, g(-0.30).age(-0.4).mixed(-0.3, 0.1, 0.0)),
            hair_dark:     t.draw(0.420, 0.080, g(0.20).age(-0.7).race(0.4, 0.4).mixed(-0.2, 0.1, 0.0)),
            oily:          t.draw(0.080, 0.030, g(0.20).age(-0.3).race(0.3, 0.0)),
            relief_modes:  modes(&mut t, 0.0075, 1),
            skin_modes:    modes(&mut t, 0.0260, 2),
        }
    }
}

/// Cosine coefficients of a smooth deviation that falls off with frequency. Every mode is a weak cue as well: its slopes
/// come from a stream that is the same for all faces, whatever the seed of the data.
fn modes(t: &mut Traits<'_>, sd: f32, kind: u64) -> [[f32; MODES]; MODES] {
    let mut law = Stream::at(0x0068_6561_6473, &[kind]);
    let mut slope = |scale: f32| scale * law.normal();
    std::array::from_fn(|k| {
        std::array::from_fn(|l| {
            let (age, first, second) = (slope(0.25), slope(0.3), slope(0.3));
            let cue =
                Cue::gender(slope(0.32)).age(age).race(first, second).mixed(slope(0.12), slope(0.12), slope(0.12));
            t.draw(0.0, sd / (1.0 + 0.35 * (k + l) as f32), cue)
        })
    })
}
