//! Attaches alias scopes to the accesses of allocations, so that LLVM knows them to be disjoint.
//!
//! An allocation of a function aliases neither one of its arguments nor another of its allocations.
//! LLVM doesn't see that, as pointers come from descriptors, and would compare addresses before
//! each loop.

use crate::{
    analysis::{effects::Origin, element_access::ElementAccess},
    infra::{
        AttributeExt, OperationAttributes, OperationExt, PassContext, PassResult, PassSpec,
        StatisticSpec, ops::func,
    },
};
use melior::{
    Context,
    ir::{Attribute, OperationRef, Value, attribute::ArrayAttribute},
};

/// The attributes of an access: the alias scopes that it is in, and those that it doesn't alias.
/// `llvm.load` and `llvm.store` have them under the same names.
pub(crate) const ALIAS_SCOPES: &str = "alias_scopes";
/// See [`ALIAS_SCOPES`].
pub(crate) const NOALIAS_SCOPES: &str = "noalias_scopes";

/// The `typed-alias-scopes` pass.
pub static PASS: PassSpec = PassSpec {
    description: "Each array that the function allocates is a scope of LLVM's scoped `noalias`. \
        Loads and stores of it are in that scope and not in the others'; those of arguments are in \
        none of them. Of arrays from elsewhere nothing is said.",
    anchor: func::Func::NAME,
    dialects: &["llvm"],
    statistics: &[StatisticSpec::new("scopes", "allocations with a scope")],
    ..PassSpec::new(
        "typed-alias-scopes",
        "tell accesses of fresh arrays from others",
        run,
    )
};

/// At most this many allocations of a function get a scope: each access lists all other scopes.
const MOST: usize = 32;

fn run<'c>(cx: &PassContext<'c>, function: OperationRef<'c, '_>) -> PassResult {
    let accesses: Vec<_> = function
        .pre_order()
        .into_iter()
        .filter_map(|access| Some((access, Origin::of(accessed(access)?))))
        .collect();
    let mut fresh: Vec<Value> = Vec::new();
    for (_, origin) in &accesses {
        if let Origin::Fresh(array) = origin
            && !fresh.contains(array)
            && fresh.len() < MOST
        {
            fresh.push(*array);
        }
    }
    if fresh.is_empty() {
        return Ok(());
    }
    let name = function.symbol_name().unwrap_or_default();
    let scopes = scopes(cx.context(), &format!("{name} allocations"), fresh.len());
    for (access, origin) in accesses {
        let own = match origin {
            Origin::Fresh(array) => match fresh.iter().position(|other| *other == array) {
                Some(at) => Some(at),
                None => continue,
            },
            Origin::Argument => None,
            Origin::Unknown => continue,
        };
        put(cx.context(), access, &scopes, own);
    }
    cx.bump("scopes", fresh.len() as u64);
    Ok(())
}

/// The array that a load or store accesses.
pub(crate) fn accessed<'c: 'a, 'a>(access: OperationRef<'c, 'a>) -> Option<Value<'c, 'a>> {
    ElementAccess::of(access).map(ElementAccess::array)
}

/// Makes `count` alias scopes in a domain, whose name must be unique in the module.
///
/// Scopes are identified by name and not as distinct attributes, because distinct attributes lose
/// their identity in bytecode.
fn scopes<'c>(context: &'c Context, domain: &str, count: usize) -> Vec<Attribute<'c>> {
    // Names of functions for types of records or literals have quotes.
    let domain = domain.replace('\\', "\\\\").replace('"', "\\\"");
    let list: Vec<_> = (0..count)
        .map(|at| {
            format!(
                "#llvm.alias_scope<id = \"{domain}.{at}\", \
                 domain = #llvm.alias_scope_domain<id = \"{domain}\">>"
            )
        })
        .collect();
    let list = Attribute::parse(context, &format!("[{}]", list.join(", ")));
    list.and_then(AttributeExt::elements)
        .expect("a list of scopes is well-formed")
}

/// Declares that the accesses of these arrays alias each other only within one array. `name` must
/// be unique in the module.
pub(crate) fn set_disjoint<'c: 'a, 'a>(
    context: &'c Context,
    name: &str,
    arrays: &[Value<'c, 'a>],
    accesses: &[OperationRef<'c, 'a>],
) {
    let scopes = scopes(context, name, arrays.len());
    for access in accesses {
        let own = accessed(*access).and_then(|array| arrays.iter().position(|a| *a == array));
        if own.is_some() {
            put(context, *access, &scopes, own);
        }
    }
}

/// Puts an access into one scope and declares that it doesn't alias the others.
fn put<'c>(
    context: &'c Context,
    access: OperationRef<'c, '_>,
    scopes: &[Attribute<'c>],
    own: Option<usize>,
) {
    let add = |name, more: &[Attribute<'c>]| {
        let mut list = access.array_attr(name).unwrap_or_default();
        list.extend(more);
        if !list.is_empty() {
            access.set_attr(name, ArrayAttribute::new(context, &list));
        }
    };
    let mut others = scopes.to_vec();
    if let Some(own) = own {
        add(ALIAS_SCOPES, &[others.remove(own)]);
    }
    add(NOALIAS_SCOPES, &others);
}
