//! Output files: what they must not be. `gsfa::file` writes them.

use std::path::Path;

use crate::images::is_named_like_an_image;
use crate::{Error, Result};

/// Refuses an output that is one of the inputs, under whatever name: a file, or what a folder of inputs is read for.
///
/// # Errors
/// [`Error::OutputIsInput`].
pub fn refuse_input<P: AsRef<Path>>(output: &Path, inputs: &[P]) -> Result<()> {
    let refuse = || Err(Error::OutputIsInput { path: output.to_path_buf() });
    // The file may not be there yet; its folder is.
    let folder = gsfa::file::folder_of(output).canonicalize();
    let real = output.canonicalize().or_else(|_| folder.map(|it| it.join(output.file_name().unwrap_or_default())));
    let Ok(real) = real else { return Ok(()) };
    for input in inputs.iter().filter_map(|input| input.as_ref().canonicalize().ok()) {
        if input == real || (input.is_dir() && real.starts_with(&input) && is_read_in_folders(&real)) {
            return refuse();
        }
    }
    Ok(())
}

/// Whether a file of this name is read with its folder: images, and the tables of the GTSRB folders.
fn is_read_in_folders(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    is_named_like_an_image(path) || (name.starts_with("GT-") && name.ends_with(".csv"))
}
