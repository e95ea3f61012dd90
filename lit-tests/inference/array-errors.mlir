// RUN: %pyopt %s --infer-types --split-input-file --verify-diagnostics

py.specialize @m.divide(!typed.array<1, si64, C>) as @divide
py.func @m.divide(%a) attributes {arg_names = ["a"], globals = "m"} {
  %two = py.constant 2 : i64
  // expected-error @below {{/= can't cast its result from float64 to int64 with casting rule 'same_kind'}}
  // expected-note @below {{use a new array (a = a / b), or one whose elements hold the result}}
  %0 = py.inplace truediv %a, %two
  py.return %0
}

// -----

py.specialize @m.frozen(!typed.array<1, f64, C, readonly>) as @frozen
py.func @m.frozen(%a) attributes {arg_names = ["a"], globals = "m"} {
  %0 = py.constant 1 : i64
  // expected-error @below {{can't assign to readonly array(float64, 1d, C)}}
  // expected-note @below {{make a copy first: a = a.copy()}}
  py.setitem %a[%0] = %0
  py.return %0
}

// -----

py.specialize @m.many(!typed.array<1, f64, C>) as @many
py.func @m.many(%a) attributes {arg_names = ["a"], globals = "m"} {
  %two = py.constant 2 : i64
  %index = py.build_tuple(%two, %two)
  // expected-error @below {{too many indices: array(float64, 1d, C) is 1-dimensional, but 2 were indexed}}
  %0 = py.getitem %a[%index]
  py.return %0
}

// -----

py.specialize @m.partition(!typed.array<2, f64, C>) as @partition
py.func @m.partition(%a) attributes {arg_names = ["a"], globals = "m"} {
  // expected-error @below {{'partition' of array(float64, 2d, C) is not supported yet}}
  // expected-note @below {{use it outside of the compiled function, or write a loop}}
  %0 = py.getattr %a "partition"
  py.return %0
}

// -----

py.binding @m.np = #py.module<"numpy">
py.specialize @m.shape(f64) as @shape
py.func @m.shape(%n) attributes {arg_names = ["n"], globals = "m"} {
  %np = py.global @m.np
  %zeros = py.getattr %np "zeros"
  // expected-error @below {{float64 is not a shape}}
  // expected-note @below {{a shape is an int or a tuple of ints}}
  %0 = py.call %zeros(%n)
  py.return %0
}

// -----

py.binding @m.np = #py.module<"numpy">
py.specialize @m.dtype(si64) as @dtype
py.func @m.dtype(%n) attributes {arg_names = ["n"], globals = "m"} {
  %np = py.global @m.np
  %zeros = py.getattr %np "zeros"
  %name = py.constant "text"
  // expected-error @below {{unicode_type is not a dtype}}
  // expected-note @below {{use a type such as np.float64}}
  %0 = py.call %zeros(%n, %name)
  py.return %0
}

// -----

py.specialize @m.broadcast(!typed.array<1, f64, C>) as @broadcast
py.func @m.broadcast(%a) attributes {arg_names = ["a"], globals = "m"} {
  %none = py.constant #py.none
  // expected-error @below {{none can't be broadcast}}
  // expected-note @below {{arrays are computed with arrays, numbers and times}}
  %0 = py.binary add %a, %none
  py.return %0
}

// -----

py.specialize @m.product(!typed.array<3, f64, C>) as @product
py.func @m.product(%a) attributes {arg_names = ["a"], globals = "m"} {
  // expected-error @below {{the product of (array(float64, 3d, C), array(float64, 3d, C)) is not supported}}
  // expected-note @below {{there are products of vectors and matrices of numbers}}
  %0 = py.binary matmul %a, %a
  py.return %0
}

// -----

py.binding @m.table = dense<[1.0, 2.0]> : tensor<2xf64>
py.specialize @m.frozen_global() as @frozen_global
py.func @m.frozen_global() attributes {arg_names = [], globals = "m"} {
  %0 = py.global @m.table
  %1 = py.constant 0 : i64
  // expected-error @below {{can't assign to readonly array(float64, 1d, C)}}
  // expected-note @below {{make a copy first: a = a.copy()}}
  py.setitem %0[%1] = %1
  py.return %1
}

// -----

py.binding @m.s = #py.stencil<@m.kernel, {cval = 0x7FF8000000000000 : f64}>
py.func @m.kernel(%a) attributes {arg_names = ["a"], globals = "m"} {
  %zero = py.constant 0 : i64
  %0 = py.getitem %a[%zero]
  py.return %0
}
py.specialize @m.cval(!typed.array<1, si64, C>) as @cval
py.func @m.cval(%a) attributes {arg_names = ["a"], globals = "m"} {
  %s = py.global @m.s
  // expected-error @below {{stencil: the cval is no int64, which the kernel returns}}
  %0 = py.call %s(%a)
  py.return %0
}

// -----

py.binding @m.s = #py.stencil<@m.kernel, {neighborhood = [[-1, 1]]}>
py.func @m.kernel(%a) attributes {arg_names = ["a"], globals = "m"} {
  %zero = py.constant 0 : i64
  %0 = py.getitem %a[%zero]
  py.return %0
}
py.specialize @m.neighborhood(!typed.array<2, f64, C>) as @neighborhood
py.func @m.neighborhood(%a) attributes {arg_names = ["a"], globals = "m"} {
  %s = py.global @m.s
  // expected-error @below {{stencil: 1 dimensional neighborhood specified for 2 dimensional input array}}
  %0 = py.call %s(%a)
  py.return %0
}

// -----

py.binding @m.s = #py.stencil<@m.kernel, {}>
py.func @m.kernel(%a) attributes {arg_names = ["a"], globals = "m"} {
  %zero = py.constant 0 : i64
  %0 = py.getitem %a[%zero]
  py.return %0
}
py.specialize @m.first(f64) as @first
py.func @m.first(%a) attributes {arg_names = ["a"], globals = "m"} {
  %s = py.global @m.s
  // expected-error @below {{stencil: the first argument must be an array, not float64}}
  %0 = py.call %s(%a)
  py.return %0
}

// -----

py.binding @m.s = #py.stencil<@m.kernel, {}>
py.func @m.kernel(%a, %b) attributes {arg_names = ["a", "b"], globals = "m"} {
  %zero = py.constant 0 : i64
  %0 = py.getitem %a[%zero]
  py.return %0
}
py.specialize @m.ranks(!typed.array<1, f64, C>, !typed.array<2, f64, C>) as @ranks
py.func @m.ranks(%a, %b) attributes {arg_names = ["a", "b"], globals = "m"} {
  %s = py.global @m.s
  // expected-error @below {{stencil: array(float64, 2d, C) doesn't have the 1 dimensions of the first array}}
  // expected-note @below {{name its parameter in standard_indexing to index it absolutely}}
  %0 = py.call %s(%a, %b)
  py.return %0
}

// -----

py.binding @m.s = #py.stencil<@m.kernel, {}>
py.func @m.kernel(%a) attributes {arg_names = ["a"], globals = "m"} {
  %zero = py.constant 0 : i64
  %i = py.build_tuple(%zero, %zero)
  // expected-error @below {{stencil: index does not match array dimensionality: 2 indices for array(float64, 1d, C)}}
  %0 = py.getitem %a[%i]
  py.return %0
}
py.specialize @m.index(!typed.array<1, f64, C>) as @index
py.func @m.index(%a) attributes {arg_names = ["a"], globals = "m"} {
  %s = py.global @m.s
  // expected-note @below {{in the call of kernel(array(float64, 1d, C))}}
  %0 = py.call %s(%a)
  py.return %0
}

// -----

py.binding @m.s = #py.stencil<@m.kernel, {}>
py.func @m.kernel(%a, %n) attributes {arg_names = ["a", "n"], globals = "m"} {
  // expected-error @below {{stencil: kernel index is not constant, 'neighborhood' option required}}
  // expected-note @below {{give the decorator the lowest and highest index of each dimension}}
  %0 = py.getitem %a[%n]
  py.return %0
}
py.specialize @m.constant(!typed.array<1, f64, C>, si64) as @constant
py.func @m.constant(%a, %n) attributes {arg_names = ["a", "n"], globals = "m"} {
  %s = py.global @m.s
  // expected-note @below {{in the call of kernel(array(float64, 1d, C), int64)}}
  %0 = py.call %s(%a, %n)
  py.return %0
}

// -----

py.binding @m.s = #py.stencil<@m.kernel, {}>
py.func @m.kernel(%a) attributes {arg_names = ["a"], globals = "m"} {
  %zero = py.constant 0 : i64
  // expected-error @below {{stencil: kernels can't assign to their arrays}}
  // expected-note @below {{return the new value of the element}}
  py.setitem %a[%zero] = %zero
  py.return %zero
}
py.specialize @m.store(!typed.array<1, f64, C>) as @store
py.func @m.store(%a) attributes {arg_names = ["a"], globals = "m"} {
  %s = py.global @m.s
  // expected-note @below {{in the call of kernel(array(float64, 1d, C))}}
  %0 = py.call %s(%a)
  py.return %0
}

// -----

py.binding @m.s = #py.stencil<@m.kernel, {neighborhood = [[-1, 0]]}>
py.func @m.kernel(%a) attributes {arg_names = ["a"], globals = "m"} {
  %one = py.constant 1 : i64
  // expected-error @below {{stencil: the kernel reads at offset 1 of dimension 0, outside of its neighborhood (-1, 0)}}
  %0 = py.getitem %a[%one]
  py.return %0
}
py.specialize @m.outside(!typed.array<1, f64, C>) as @outside
py.func @m.outside(%a) attributes {arg_names = ["a"], globals = "m"} {
  %s = py.global @m.s
  // expected-note @below {{in the call of kernel(array(float64, 1d, C))}}
  %0 = py.call %s(%a)
  py.return %0
}
