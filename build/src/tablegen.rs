//! LLVM's record language: running its tools, and reading their output.

use serde_json::Value;
use std::{
    fs,
    path::{Path, PathBuf},
    process::Command,
};

/// The tools of one LLVM installation.
pub struct Tablegen {
    prefix: PathBuf,
    output: PathBuf,
    includes: Vec<PathBuf>,
}

/// All records of a `.td` file, by name.
pub struct Records(Value);

/// One record: a `def` with its fields.
#[derive(Clone, Copy)]
pub struct Record<'r> {
    all: &'r Records,
    fields: &'r Value,
}

impl Tablegen {
    /// Uses the tools in `prefix`; `output` is for intermediate files. Files are looked for in `includes`
    /// and in LLVM's.
    pub fn new(prefix: &Path, output: &Path, includes: &[PathBuf]) -> Self {
        Self {
            prefix: prefix.to_owned(),
            output: output.to_owned(),
            includes: includes.to_owned(),
        }
    }

    /// Runs `mlir-tblgen`.
    pub fn classes(&self, flags: &[&str], input: &str, output: &Path) {
        self.run("mlir-tblgen", flags, Path::new(input), output);
    }

    /// Reads the records of some files, which may share what they include.
    pub fn records(&self, name: &str, files: &[&str]) -> Records {
        let input = self.output.join(format!("{name}.td"));
        let includes: Vec<String> = files
            .iter()
            .map(|file| format!("include \"{file}\"\n"))
            .collect();
        fs::write(&input, includes.concat()).expect("the output directory is writable");
        let output = self.output.join(format!("{name}.json"));
        self.run("llvm-tblgen", &["--dump-json"], &input, &output);
        let text = fs::read(&output).expect("llvm-tblgen has written the records");
        Records(serde_json::from_slice(&text).expect("llvm-tblgen writes JSON"))
    }

    fn run(&self, tool: &str, flags: &[&str], input: &Path, output: &Path) {
        let own = self.includes.iter().cloned();
        let includes = own.chain([self.prefix.join("include")]);
        let status = Command::new(self.prefix.join("bin").join(tool))
            .args(flags)
            .args(includes.flat_map(|folder| ["-I".into(), folder]))
            .arg(input)
            .arg("-o")
            .arg(output)
            .status()
            .unwrap_or_else(|error| panic!("{tool} of LLVM 22 doesn't run: {error}"));
        assert!(
            status.success(),
            "{tool} {flags:?} failed for {}",
            input.display()
        );
    }
}

impl Records {
    /// The records of a class, in the order of their names.
    pub fn of_class(&self, class: &str) -> Vec<Record<'_>> {
        let names = self.0["!instanceof"][class].as_array();
        let names = names.into_iter().flatten().filter_map(Value::as_str);
        names.map(|name| self.get(name)).collect()
    }

    /// Whether a record is defined.
    pub fn has(&self, name: &str) -> bool {
        self.0.get(name).is_some()
    }

    fn get(&self, name: &str) -> Record<'_> {
        Record {
            all: self,
            fields: &self.0[name],
        }
    }
}

impl<'r> Record<'r> {
    /// The name of the `def`.
    pub fn name(self) -> &'r str {
        self.text("!name")
    }

    /// Whether the record is of a class.
    pub fn is_a(self, class: &str) -> bool {
        let classes = self.fields["!superclasses"].as_array();
        classes.is_some_and(|classes| classes.iter().any(|one| one == class))
    }

    /// A field of text, without blanks around it; empty where it isn't set.
    pub fn text(self, field: &str) -> &'r str {
        self.fields[field].as_str().unwrap_or("").trim()
    }

    /// A field that is a number.
    pub fn number(self, field: &str) -> i64 {
        self.fields[field].as_i64().unwrap_or(0)
    }

    /// A field that is another record.
    pub fn record(self, field: &str) -> Option<Record<'r>> {
        self.resolve(&self.fields[field])
    }

    /// A field that is a list of records.
    pub fn list(self, field: &str) -> Vec<Record<'r>> {
        let items = self.fields[field].as_array().into_iter().flatten();
        items.filter_map(|item| self.resolve(item)).collect()
    }

    /// A field that is a list of texts.
    pub fn texts(self, field: &str) -> Vec<&'r str> {
        let items = self.fields[field].as_array().into_iter().flatten();
        items.filter_map(Value::as_str).collect()
    }

    /// A field that is a dag of named records, such as `arguments`.
    pub fn dag(self, field: &str) -> Vec<(Record<'r>, &'r str)> {
        let arguments = self.fields[field]["args"].as_array().into_iter().flatten();
        arguments
            .map(|argument| {
                let record = self.resolve(&argument[0]);
                let record = record.expect("the arguments of operations are records");
                (record, argument[1].as_str().unwrap_or(""))
            })
            .collect()
    }

    /// A field that is a dag of C++ types with names, such as `parameters`.
    pub fn typed_dag(self, field: &str) -> Vec<(&'r str, &'r str)> {
        let arguments = self.fields[field]["args"].as_array().into_iter().flatten();
        arguments
            .map(|argument| {
                let record = self.resolve(&argument[0]);
                let class =
                    record.map_or_else(|| argument[0].as_str(), |one| Some(one.text("cppType")));
                (class.unwrap_or(""), argument[1].as_str().unwrap_or(""))
            })
            .collect()
    }

    fn resolve(self, reference: &Value) -> Option<Record<'r>> {
        Some(self.all.get(reference["def"].as_str()?))
    }
}
