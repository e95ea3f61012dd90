//! What most extensions use: `use pyopt_passes::prelude::*`.

pub use crate::{
    analysis::{ElementAccess, Footprint, Nest, NestBuilder, Reduction},
    devices::{self, DeviceSpec},
    extension::Extension,
    fields::{fields_of, replace_by_fields},
    infra::{
        BlockExt, Builder, Conversion, InterfaceModel, OpBuilder, OpView, OperationAttributes,
        OperationExt, OperationInterfaces, OptionSpec, PassContext, PassResult, PassSpec,
        PipelineSpec, Raises, RegionExt, StatisticSpec, TypeConverter, ValueExt, erase_unused, ops,
        pipeline::Place,
    },
    pipelines::{
        AFTER_FUSION, AFTER_INFERENCE, BEFORE_FUSION, BEFORE_INFERENCE, BEFORE_LLVM, BEFORE_LOOPS,
        BEFORE_LOWERING, BEFORE_OWNERSHIP,
    },
    rewrite::{Point, RewriteContext, RewriteSpec},
};
pub use melior::{
    Context,
    ir::{
        Attribute, AttributeLike, BlockRef, Location, OperationRef, RegionRef, Type, TypeLike,
        Value, ValueLike, operation::OperationLike,
    },
};
