//! Tells LLVM that the headers of containers share no memory with what containers hold, nor two fields of headers
//! with each other.

use crate::infra::{
    OperationAttributes, OperationExt, PassContext, PassResult, PassSpec, StatisticSpec,
    ops::{llvm, marks},
};
use melior::{
    Context,
    ir::{Attribute, OperationRef},
};
use std::collections::BTreeMap;

/// Tags loads and stores with types of memory.
pub static PASS: PassSpec = PassSpec {
    description: "Where a module accesses the header of a list or table (its length, where its items are), \
                  each load and store of the module is tagged for LLVM's type-based alias analysis: those marked \
                  as accesses of headers with one type for each word, all others with another one. So lengths \
                  and addresses stay in registers while items are written, and addresses while another list \
                  grows. Runs on the llvm dialect.",
    dialects: &["llvm"],
    statistics: &[StatisticSpec::new(
        "headers",
        "accesses of headers of containers",
    )],
    ..PassSpec::new(
        "tag-accesses",
        "tell LLVM that headers of containers and their items share no memory",
        run,
    )
};

fn run<'c>(cx: &PassContext<'c>, module: OperationRef<'c, '_>) -> PassResult {
    // Headers of all kinds of containers begin alike, and none lies in another: equal words may be the same
    // memory, different ones never are.
    let mut accesses: BTreeMap<Option<i64>, Vec<_>> = BTreeMap::new();
    for access in module.pre_order() {
        if access.isa::<llvm::Load>() || access.isa::<llvm::Store>() {
            let word = access.int_attr(marks::HEADER);
            access.remove_attr(marks::HEADER);
            access.remove_attr(marks::ALIVE);
            accesses.entry(word).or_default().push(access);
        }
    }
    let words = accesses.iter().filter(|(word, _)| word.is_some());
    let headers: usize = words.map(|(_, accesses)| accesses.len()).sum();
    if headers == 0 {
        return Ok(());
    }
    cx.bump("headers", headers as u64);
    for (word, accesses) in accesses {
        let memory = match word {
            Some(word) => format!("header {word}"),
            None => "data".into(),
        };
        let tags = tags(cx.context(), &memory);
        for access in accesses {
            access.set_attr(TAGS, tags);
        }
    }
    Ok(())
}

/// The attribute of loads and stores that has their tags.
const TAGS: &str = "tbaa";

/// The tags of accesses to a kind of memory.
fn tags<'c>(context: &'c Context, memory: &str) -> Attribute<'c> {
    let ty = format!(
        "#llvm.tbaa_type_desc<id = \"pyopt {memory}\", members = {{<#llvm.tbaa_root<id = \"pyopt\">, 0>}}>"
    );
    let text = format!("[#llvm.tbaa_tag<base_type = {ty}, access_type = {ty}, offset = 0>]");
    Attribute::parse(context, &text).expect("tags are well-formed")
}
