//! Making an operation.

use super::{access, identifier};
use crate::model::{Argument, Arity, Group, Kind, Operation, Presence, snake};
use std::fmt::{self, Write};

/// Writes the function that makes an operation. What may be missing and has a default is left to
/// the setters.
pub fn write(text: &mut String, operation: &Operation) -> fmt::Result {
    let mut parameters = String::new();
    let mut body = String::new();
    let mut segments = Vec::new();
    for argument in &operation.arguments {
        match argument {
            Argument::Operand(group) => {
                write_operands(group, &mut parameters, &mut body, &mut segments)?;
            }
            Argument::Attribute(attribute) => {
                if attribute.presence != Presence::Required || attribute.kind == Kind::Unit {
                    continue;
                }
                let name = identifier(&snake(&attribute.key));
                let class = access::parameter(&attribute.kind);
                let value = access::wrapped(&attribute.kind, &name);
                write!(parameters, "{name}: {class}, ")?;
                writeln!(body, "state.attribute({:?}, {value});", attribute.key)?;
            }
        }
    }
    if operation.operand_segments {
        let sizes = segments.join(", ");
        writeln!(
            body,
            "state.attribute(v::OPERAND_SEGMENTS, &[{sizes}][..]);"
        )?;
    }
    write_results(operation, &mut parameters, &mut body)?;
    for region in &operation.regions {
        match region.arity {
            Arity::One => writeln!(body, "state.regions(1);")?,
            _ => {
                write!(parameters, "{}: usize, ", region.name)?;
                writeln!(body, "state.regions({});", region.name)?;
            }
        }
    }
    for successor in &operation.successors {
        let name = identifier(&successor.name);
        match successor.arity {
            Arity::One => {
                write!(parameters, "{name}: v::BlockRef<'c, '_>, ")?;
                writeln!(body, "state.successors(&[{name}]);")?;
            }
            _ => {
                write!(parameters, "{name}: &[v::BlockRef<'c, '_>], ")?;
                writeln!(body, "state.successors({name});")?;
            }
        }
    }
    // A function has as many parameters as the definition has parts.
    writeln!(
        text,
        "/// Makes the operation where a builder stands.\n#[allow(clippy::too_many_arguments)]\n\
         pub fn create(builder: &impl v::OpBuilder<'c, 'a>, {parameters}) -> Self {{\n\
         #[allow(unused_mut)]\nlet mut state = v::State::new(builder.context(), Self::NAME, builder.location());\n\
         {body}Self(builder.insert(state.build()))\n}}"
    )
}

fn write_operands(
    group: &Group,
    parameters: &mut String,
    body: &mut String,
    segments: &mut Vec<String>,
) -> fmt::Result {
    let name = identifier(&group.name);
    match group.arity {
        Arity::One => {
            write!(parameters, "{name}: v::Value<'c, '_>, ")?;
            segments.push("1".to_owned());
            writeln!(body, "state.operands(&[{name}]);")
        }
        Arity::Optional => {
            write!(parameters, "{name}: Option<v::Value<'c, '_>>, ")?;
            segments.push(format!("{name}.is_some() as i32"));
            writeln!(body, "state.operands({name}.as_slice());")
        }
        Arity::Variadic => {
            write!(parameters, "{name}: &[v::Value<'c, '_>], ")?;
            segments.push(format!("{name}.len() as i32"));
            writeln!(body, "state.operands({name});")
        }
    }
}

fn write_results(operation: &Operation, parameters: &mut String, body: &mut String) -> fmt::Result {
    if operation.infers_results {
        return writeln!(body, "state.infer_results();");
    }
    let mut segments = Vec::new();
    for result in &operation.results {
        // Operands and results may have one name in some of upstream's operations.
        let name = match result.arity {
            Arity::Variadic => format!("{}_types", result.name),
            _ => format!("{}_type", result.name),
        };
        match result.arity {
            Arity::One => {
                write!(parameters, "{name}: v::Type<'c>, ")?;
                segments.push("1".to_owned());
                writeln!(body, "state.results(&[{name}]);")?;
            }
            Arity::Optional => {
                write!(parameters, "{name}: Option<v::Type<'c>>, ")?;
                segments.push(format!("{name}.is_some() as i32"));
                writeln!(body, "state.results({name}.as_slice());")?;
            }
            Arity::Variadic => {
                write!(parameters, "{name}: &[v::Type<'c>], ")?;
                segments.push(format!("{name}.len() as i32"));
                writeln!(body, "state.results({name});")?;
            }
        }
    }
    if operation.result_segments {
        let sizes = segments.join(", ");
        writeln!(body, "state.attribute(v::RESULT_SEGMENTS, &[{sizes}][..]);")?;
    }
    Ok(())
}
