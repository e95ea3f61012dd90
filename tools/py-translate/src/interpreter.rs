//! What an interpreter does otherwise than the tables say: opcodes, the marshal format, frames.

use crate::{frames, output};
use anyhow::{Context as _, Result, bail, ensure};
use pyopt_frontend::{
    marshal_metadata, opcode_metadata,
    opcodes::{self, OpcodeTable},
    version::Version,
};
use std::{
    fmt::{self, Write},
    path::Path,
    process::Command,
};

/// Compares an interpreter with the table of its version, or with the newest table where it has none, and
/// prints what differs. An error if anything does.
pub fn compare(python: &Path) -> Result<()> {
    let opcodes = run(python, opcode_metadata::SCRIPT)?;
    let magic = opcodes.lines().next().unwrap_or_default().parse();
    let version = Version::from_magic(magic.context("the interpreter has no magic number")?);
    let newest = opcodes::TABLES.last().context("there are tables")?;
    let table = version.and_then(opcodes::table).unwrap_or(newest);
    let name = version.map_or("an unknown CPython".into(), |version| {
        format!("CPython {version}")
    });
    let mut text = format!("{name} beside what is known of CPython {}\n", table.version);

    let mut count = report(
        &mut text,
        &format!("{} opcodes", table.rows.len()),
        &opcode_metadata::differences(table, &opcodes),
    )?;
    let written = run(python, marshal_metadata::SCRIPT)?;
    count += report(
        &mut text,
        &format!("{} marshalled objects", written.lines().count()),
        &marshal_metadata::differences(table.version, &written),
    )?;
    count += compare_frames(&mut text, python, table)?;
    output::write(&text)?;
    ensure!(count == 0, "{count} differences");
    Ok(())
}

/// Compares frames where object mode runs on them. For other versions only tells how far they are from those
/// that it knows.
fn compare_frames(text: &mut String, python: &Path, table: &OpcodeTable) -> Result<usize> {
    let known = frames::FIELDS.len();
    let differences = match frames::differences(python)? {
        frames::Comparison::Without(reason) => {
            writeln!(text, "frames: not compared: {reason}")?;
            return Ok(0);
        }
        frames::Comparison::Differences(differences) => differences,
    };
    if table.has_frame_form {
        return Ok(report(
            text,
            &format!("{known} fields of frames"),
            &differences,
        )?);
    }
    writeln!(
        text,
        "frames: {} of {known} fields aren't where 3.11 has them; object mode leaves frames alone in {}",
        differences.len(),
        table.version
    )?;
    list(text, &differences)?;
    Ok(0)
}

fn report(text: &mut String, what: &str, differences: &[String]) -> Result<usize, fmt::Error> {
    writeln!(text, "{what}: {} differences", differences.len())?;
    list(text, differences)?;
    Ok(differences.len())
}

fn list(text: &mut String, differences: &[String]) -> fmt::Result {
    for difference in differences {
        writeln!(text, "  {difference}")?;
    }
    Ok(())
}

/// Runs a program in an interpreter and gives what it prints.
pub(crate) fn run(python: &Path, program: &str) -> Result<String> {
    let output = Command::new(python)
        .args(["-I", "-c", program])
        .output()
        .with_context(|| format!("can't run {}", python.display()))?;
    if !output.status.success() {
        bail!(
            "{} doesn't tell what it does: {}",
            python.display(),
            String::from_utf8_lossy(&output.stderr)
        );
    }
    String::from_utf8(output.stdout).context("an interpreter prints UTF-8")
}
