//! Which branches an input reaches: the counters that `instrument` adds to crates.

use std::sync::Mutex;

/// Address and length of the counters of each instrumented module.
static COUNTERS: Mutex<Vec<(usize, usize)>> = Mutex::new(Vec::new());

/// Called once for each instrumented module before `main`.
///
/// # Safety
/// `start` and `stop` delimit bytes that live as long as the program.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn __sanitizer_cov_8bit_counters_init(start: *mut u8, stop: *mut u8) {
    let range = (start as usize, stop as usize - start as usize);
    let mut counters = COUNTERS.lock().expect("single-threaded before main");
    if !counters.contains(&range) {
        counters.push(range);
    }
}

/// All branches that any input has reached, and how often at a time.
pub struct Coverage {
    modules: Vec<&'static mut [u8]>,
    seen: Vec<Vec<u8>>,
    /// Branches reached so far.
    pub branches: usize,
}

impl Coverage {
    pub fn new() -> Self {
        let counters = COUNTERS.lock().expect("no thread fails with it");
        // SAFETY: the ranges are those the compiler announced. Threads of the library may count at the same time; a lost
        // count of a byte does no harm.
        let slice = |&(start, len): &(usize, usize)| unsafe { std::slice::from_raw_parts_mut(start as *mut u8, len) };
        let modules: Vec<&'static mut [u8]> = counters.iter().map(slice).collect();
        let seen = modules.iter().map(|module| vec![0; module.len()]).collect();
        Self { modules, seen, branches: 0 }
    }

    /// Whether the program was built with counters.
    pub fn is_on(&self) -> bool {
        self.modules.iter().any(|module| !module.is_empty())
    }

    pub fn reset(&mut self) {
        self.modules.iter_mut().for_each(|module| module.fill(0));
    }

    /// Whether the last input reached something new: a branch, or one about twice as often as ever.
    pub fn is_new(&mut self) -> bool {
        let mut new = false;
        for (module, seen) in self.modules.iter().zip(&mut self.seen) {
            for (counts, seen) in module.chunks(8).zip(seen.chunks_mut(8)) {
                if counts.iter().all(|&count| count == 0) {
                    continue;
                }
                for (&count, seen) in counts.iter().zip(seen) {
                    let bucket = bucket(count);
                    if *seen & bucket != bucket {
                        self.branches += usize::from(*seen == 0);
                        *seen |= bucket;
                        new = true;
                    }
                }
            }
        }
        new
    }
}

fn bucket(count: u8) -> u8 {
    match count {
        0 => 0,
        1 => 1,
        2 => 2,
        3 => 4,
        4..8 => 8,
        8..16 => 16,
        16..32 => 32,
        32..128 => 64,
        _ => 128,
    }
}
