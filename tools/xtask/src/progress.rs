//! What the user sees: spinners on a terminal, plain lines elsewhere.

use std::io::{IsTerminal, stderr};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressStyle};

/// One step under way. Dropping it without [`Step::done`] leaves the failure to the error message.
pub struct Step {
    label: String,
    started: Instant,
    spinner: Option<ProgressBar>,
}

impl Step {
    /// Announces a step.
    pub fn start(label: impl Into<String>) -> Self {
        let label = label.into();
        let spinner = stderr().is_terminal().then(|| {
            let spinner = ProgressBar::new_spinner().with_style(style());
            spinner.set_prefix(label.clone());
            spinner.enable_steady_tick(Duration::from_millis(120));
            spinner
        });
        if spinner.is_none() {
            eprintln!("{label} ...");
        }
        Self {
            label,
            started: Instant::now(),
            spinner,
        }
    }

    /// Shows what the step is doing now (on a terminal only).
    pub fn detail(&self, text: &str) {
        if let Some(spinner) = &self.spinner {
            spinner.set_message(text.to_owned());
        }
    }

    /// Ends the step successfully.
    pub fn done(self) {
        if let Some(spinner) = &self.spinner {
            spinner.finish_and_clear();
        }
        eprintln!(
            "{}: done in {:.1} s",
            self.label,
            self.started.elapsed().as_secs_f64()
        );
    }
}

impl Drop for Step {
    fn drop(&mut self) {
        if let Some(spinner) = &self.spinner {
            spinner.finish_and_clear();
        }
    }
}

/// A line that stands out above the output of what follows.
pub fn headline(text: &str) {
    if stderr().is_terminal() {
        eprintln!("\n\x1b[1m== {text}\x1b[0m");
    } else {
        eprintln!("\n== {text}");
    }
}

fn style() -> ProgressStyle {
    ProgressStyle::with_template("{spinner} {prefix} [{elapsed}] {wide_msg:.dim}")
        .expect("the template is a constant")
}
