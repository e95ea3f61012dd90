//! What an interpreter's opcodes have that the tables don't.

use anyhow::{Context as _, Result, ensure};
use pyopt_frontend::{opcode_metadata, opcodes, version::Version};
use std::{path::Path, process::Command};

/// Compares the opcodes of an interpreter with the table of its version, or with the newest table
/// where it has none; prints what differs. An error if anything does.
pub fn compare(python: &Path) -> Result<()> {
    let output = Command::new(python)
        .args(["-I", "-c", opcode_metadata::SCRIPT])
        .output()
        .with_context(|| format!("can't run {}", python.display()))?;
    ensure!(
        output.status.success(),
        "{} doesn't tell its opcodes: {}",
        python.display(),
        String::from_utf8_lossy(&output.stderr)
    );
    let theirs = String::from_utf8(output.stdout)?;
    let magic = theirs.lines().next().unwrap_or_default().parse();
    let version = Version::from_magic(magic.context("the interpreter has no magic number")?);
    let newest = opcodes::TABLES.last().context("there are tables")?;
    let table = version.and_then(opcodes::table).unwrap_or(newest);
    let differences = opcode_metadata::differences(table, &theirs);
    let name = version.map_or("an unknown CPython".into(), |version| {
        format!("CPython {version}")
    });
    println!("{name} beside the table of CPython {}", table.version);
    for difference in &differences {
        println!("{difference}");
    }
    ensure!(differences.is_empty(), "{} differences", differences.len());
    println!("{} instructions, no difference", table.rows.len());
    Ok(())
}
