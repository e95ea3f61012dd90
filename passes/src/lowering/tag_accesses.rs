//! Tells LLVM that the headers of containers share no memory with what containers hold.

use crate::infra::{
    OperationExt, PassContext, PassResult, PassSpec, StatisticSpec,
    ops::{llvm, marks},
};
use melior::{
    Context,
    ir::{Attribute, OperationRef},
};

/// Tags loads and stores with types of memory.
pub static PASS: PassSpec = PassSpec {
    description: "Where a module accesses the header of a list or table (its length, where its items are), \
                  each load and store of the module is tagged for LLVM's type-based alias analysis: those marked \
                  as accesses of headers with one type, all others with another one. So lengths and addresses stay \
                  in registers while items are written. Runs on the llvm dialect.",
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
    let operations = module.pre_order();
    let (headers, others): (Vec<_>, Vec<_>) = operations
        .into_iter()
        .filter(|one| one.isa::<llvm::Load>() || one.isa::<llvm::Store>())
        .partition(|access| access.remove_attr(marks::HEADER));
    if headers.is_empty() {
        return Ok(());
    }
    cx.bump("headers", headers.len() as u64);
    for (accesses, memory) in [(headers, "header"), (others, "data")] {
        let tags = tags(cx.context(), memory);
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
