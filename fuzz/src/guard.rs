//! What an input must not do: panic, reserve memory out of proportion, or take for ever.

use std::alloc::{GlobalAlloc, Layout, System};
use std::fs;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering::SeqCst};
use std::time::Duration;

/// No file of a few kilobytes is worth more.
const LARGEST: usize = 64 << 20;
const PATIENCE: Duration = Duration::from_secs(5);

struct Watched;

#[global_allocator]
static ALLOCATOR: Watched = Watched;

/// Whether a target runs; the limit is for its requests only.
static RUNNING: AtomicUsize = AtomicUsize::new(0);
static NUMBER: AtomicU64 = AtomicU64::new(0);
static CURRENT: Mutex<(&str, Vec<u8>)> = Mutex::new(("", Vec::new()));

// SAFETY: every request goes to the system's allocator unchanged, or ends the program.
unsafe impl GlobalAlloc for Watched {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if layout.size() > LARGEST && RUNNING.swap(0, SeqCst) == 1 {
            give_up(&format!("it asks for {} bytes at once", layout.size()));
        }
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        if size > LARGEST && RUNNING.swap(0, SeqCst) == 1 {
            give_up(&format!("it asks for {size} bytes at once"));
        }
        // SAFETY: as the caller promises.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

fn give_up(reason: &str) -> ! {
    let (name, input) = CURRENT.lock().map(|current| current.clone()).unwrap_or_default();
    let path = save(name, &input);
    eprintln!("{name}: {reason}; the input is {}", path.display());
    std::process::exit(1);
}

/// Keeps an input that does what it must not.
pub fn save(name: &str, input: &[u8]) -> PathBuf {
    let print = input.iter().fold(0xcbf2_9ce4_8422_2325_u64, |h, &b| (h ^ u64::from(b)).wrapping_mul(0x0100_0000_01b3));
    let path = PathBuf::from(format!("findings/{name}-{print:016x}"));
    if let Err(error) = fs::create_dir_all("findings").and_then(|()| fs::write(&path, input)) {
        eprintln!("cannot write {}: {error}", path.display());
    }
    path
}

/// Ends the program if one input takes for ever.
pub fn watch() {
    std::thread::spawn(|| {
        let mut last = u64::MAX;
        loop {
            std::thread::sleep(PATIENCE);
            let number = NUMBER.load(SeqCst);
            if number == last && RUNNING.load(SeqCst) == 1 {
                give_up("it does not end");
            }
            last = number;
        }
    });
}

/// Where the last panic was, and what it said.
static PANIC: Mutex<(String, String)> = Mutex::new((String::new(), String::new()));

/// Panics are kept and told by the fuzzer, each place once.
pub fn catch_panics() {
    std::panic::set_hook(Box::new(|panic| {
        let place = panic.location().map(ToString::to_string).unwrap_or_default();
        if let Ok(mut last) = PANIC.lock() {
            *last = (place, panic.to_string());
        }
    }));
}

/// Runs a target on an input; place and message if it panics.
pub fn run(name: &'static str, input: &[u8], target: fn(&[u8])) -> Result<(), (String, String)> {
    if let Ok(mut current) = CURRENT.lock() {
        current.0 = name;
        current.1.clear();
        current.1.extend_from_slice(input);
    }
    NUMBER.fetch_add(1, SeqCst);
    RUNNING.store(1, SeqCst);
    let result = std::panic::catch_unwind(|| target(input));
    RUNNING.store(0, SeqCst);
    result.map_err(|_| PANIC.lock().map(|last| last.clone()).unwrap_or_default())
}
