//! What users see: results, notes and progress, tables and drawings, and the files that results go to.

mod digits;
mod graph_drawing;
mod json;
mod output;
mod printer;
mod progress;
mod scores;
mod streams;
mod validation;
mod words;

pub use digits::{brief, feature_table, of_scale};
pub use graph_drawing::graph_drawing;
pub use json::{hex, layers};
pub use output::{Output, STANDARD, check_folder, write_or_print};
pub use printer::Printer;
pub use scores::{Errors, Scores, score_table};
pub use streams::{message, write_stdout};
pub use validation::{ValidationPart, validation_table};
pub use words::{counted, graph_line, left_out, preparation_line, selection_text};
