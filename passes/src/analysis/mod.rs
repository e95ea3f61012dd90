//! What is known about programs, without changing them: what several stages ask.

pub(crate) mod affine;
pub(crate) mod effects;
pub(crate) mod element_access;
pub(crate) mod interval;
pub(crate) mod iterator_loops;
pub(crate) mod nest;
pub(crate) mod ownership;
pub(crate) mod reduction;
pub(crate) mod shape;
pub(crate) mod work;
