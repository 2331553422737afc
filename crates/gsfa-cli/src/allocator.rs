//! Memory that runs out: an error with a code, as every other.

use std::alloc::{GlobalAlloc, Layout, System};
use std::panic;

/// The system's allocator. Where it has nothing left, the command ends with a message and the code of the operating
/// system's refusals, instead of being aborted.
pub struct ReportingAllocator;

// SAFETY: everything is the system allocator's, which keeps the contract; the only addition does not return.
unsafe impl GlobalAlloc for ReportingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        told(unsafe { System.alloc(layout) }, layout.size())
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        told(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        told(unsafe { System.realloc(pointer, layout, size) }, size)
    }
}

/// The stack of a thread, as the standard library takes it.
const THREAD_STACK: usize = 2 << 20;

/// The stack on which the standard library would tell that a thread's own has overflowed.
const ALTERNATIVE_STACK: usize = 8192;

/// A thread for whose alternative stack there is no memory panics before it begins: that ends the command like other memory
/// that is not there.
pub fn listen() {
    let usual = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        if info.location().is_some_and(|place| place.file().ends_with("stack_overflow.rs")) {
            end(ALTERNATIVE_STACK);
        }
        usual(info);
    }));
}

/// Takes memory for as many threads, and gives it back: what is missing for their stacks and for what the system's libraries
/// note of them, which abort where they find none, is told before they start.
pub fn require_threads(threads: usize) {
    let bytes = threads.saturating_add(2).saturating_mul(THREAD_STACK);
    drop(std::hint::black_box(Vec::<u8>::with_capacity(bytes)));
}

fn told(pointer: *mut u8, size: usize) -> *mut u8 {
    if pointer.is_null() {
        end(size);
    }
    pointer
}

/// Says what was wanted, without taking memory for it, and ends.
#[cfg(unix)]
fn end(mut size: usize) -> ! {
    let mut digits = [b'0'; 20];
    let mut first = digits.len();
    while size > 0 || first == digits.len() {
        first -= 1;
        digits[first] = b'0' + (size % 10) as u8;
        size /= 10;
    }
    let parts: [&[u8]; 3] = [
        b"error: there is no memory for ",
        &digits[first..],
        b" bytes more\nhint: gsfa plan says what a training needs; fewer inputs (--pca, --resize), threads or samples need less\n",
    ];
    for part in parts {
        // SAFETY: bytes of this function. Whether anybody reads them does not matter.
        unsafe { libc::write(2, part.as_ptr().cast(), part.len()) };
    }
    // SAFETY: ends the process. Temporary files of an output that was being written may stay, under names of their own.
    unsafe { libc::_exit(i32::from(crate::error::ErrorKind::Io.exit_code())) }
}

#[cfg(not(unix))]
fn end(_: usize) -> ! {
    std::process::abort()
}
