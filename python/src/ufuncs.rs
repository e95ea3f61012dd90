//! Universal functions of NumPy whose loops are compiled code.
//!
//! NumPy does what its own universal functions do (broadcasting, casting, `out=`, `where=`, `reduce` and the
//! other methods) and calls [`run`] for one-dimensional loops. A loop compiles a kernel for each form in
//! which the operands come: contiguous, one element for all iterations, or with any strides.

use std::ffi::{CString, c_char, c_int, c_void};
use std::ptr;
use std::sync::{Mutex, PoisonError};

use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::ffi::PyObject;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyopt_runtime::memory::Owner;
use smallvec::SmallVec;

use crate::detached::attach;
use crate::numpy::umath;
use crate::specialisation::Specialisation;

/// A loop over one dimension, as NumPy calls it: the operands' addresses, the number of iterations (behind
/// it the core dimensions' sizes), the operands' strides in bytes (behind them those of their core
/// dimensions), and the loop's own data.
type Function = unsafe extern "C" fn(*mut *mut c_char, *const isize, *const isize, *mut c_void);

/// `PyUFunc_FromFuncAndDataAndSignatureAndIdentity`.
type Make = unsafe extern "C" fn(
    *mut Function,
    *const *mut c_void,
    *const c_char,
    c_int,
    c_int,
    c_int,
    c_int,
    *const c_char,
    *const c_char,
    c_int,
    *const c_char,
    *mut PyObject,
) -> *mut PyObject;

/// Where [`Make`] stands in the table of NumPy's C API of universal functions.
const MAKE: usize = 42;

/// The head of `PyUFuncObject`.
#[repr(C)]
struct Ufunc {
    ob_base: PyObject,
    counts: [c_int; 3],
    identity: c_int,
    functions: *mut Function,
    data: *const *mut c_void,
    ntypes: c_int,
    reserved: c_int,
    name: *const c_char,
    types: *const c_char,
    doc: *const c_char,
    ptr: *mut c_void,
    /// What is kept alive as long as the function.
    obj: *mut PyObject,
    userloops: *mut PyObject,
    core_counts: [c_int; 2],
    /// Core dimensions, what resolves types, a dictionary, and what calls.
    other: [*mut c_void; 8],
    /// How each operand is used, if not as usual.
    op_flags: *mut u32,
}

/// `NPY_ITER_READWRITE | NPY_ITER_UPDATEIFCOPY`: the operand is read and written, at last also what a copy
/// stood for.
const READ_AND_WRITTEN: u32 = 0x0081_0000;

/// How an operand comes in a call of a loop; each has a letter in the names of forms.
#[derive(Clone, Copy, PartialEq)]
enum Form {
    /// One element after the other.
    Contiguous,
    /// An input that is the same element in all iterations.
    Single,
    /// Strides of whole elements.
    Apart,
    /// Any strides.
    Strided,
}

impl Form {
    fn letter(self) -> char {
        match self {
            Form::Contiguous => 'c',
            Form::Single => 's',
            Form::Apart => 'a',
            Form::Strided => 'b',
        }
    }
}

/// The forms of all operands, with `r` before them for a reduction and `p` for iterations that may run at
/// once.
type Pattern = SmallVec<[u8; 8]>;

/// An operand of a loop.
struct Operand {
    /// Bytes of an element.
    size: isize,
    /// Its core dimensions, by their number among all.
    core: Vec<usize>,
    /// Where the strides of those stand among all strides.
    core_strides: usize,
}

/// The loop for one combination of element types.
struct Loop {
    operands: Vec<Operand>,
    inputs: usize,
    /// Inputs that are written too.
    writable: Vec<usize>,
    /// Makes the kernel for a pattern: a Python function that takes its text.
    compile: Py<PyAny>,
    kernels: Mutex<Vec<Kernel>>,
}

/// A kernel and what it was compiled for.
type Kernel = (Pattern, Py<Specialisation>);

/// What NumPy refers to, but doesn't keep.
#[pyclass(frozen, module = "pyopt._core")]
struct Loops {
    #[expect(clippy::vec_box, reason = "NumPy holds their addresses")]
    loops: Vec<Box<Loop>>,
    _functions: Box<[Function]>,
    _data: Box<[SendPointer]>,
    _types: Box<[c_char]>,
    _texts: [CString; 3],
}

/// The address of a [`Loop`].
#[repr(transparent)]
struct SendPointer(*mut c_void);

// SAFETY: loops are shared by all threads that call the function; their kernels are behind a lock.
unsafe impl Send for SendPointer {}
// SAFETY: as above.
unsafe impl Sync for SendPointer {}

#[pymethods]
impl Loops {
    /// For the garbage collector: kernels are made by functions that know the universal function.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        self.loops
            .iter()
            .try_for_each(|one| visit.call(&one.compile))
    }
}

/// What [`make_ufunc`] takes of a loop: the numbers of the operands' types, the sizes of their elements in
/// bytes, and what compiles a kernel.
type Description = (Vec<i8>, Vec<isize>, Py<PyAny>);

/// Makes a universal function. The loops are tried in their order; `identity` is 0, 1, or -1 for none and
/// -2 for none, but any order; `signature` and `core`, the core dimensions of each operand, are those of a
/// generalised function; the inputs at `writable` are written too.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "as NumPy's own function")]
pub fn make_ufunc(
    py: Python<'_>,
    name: CString,
    doc: CString,
    inputs: usize,
    outputs: usize,
    identity: c_int,
    loops: Vec<Description>,
    signature: CString,
    core: Vec<Vec<usize>>,
    writable: Vec<usize>,
) -> PyResult<Py<PyAny>> {
    let count = inputs + outputs;
    let mut types = Vec::new();
    let mut made = Vec::new();
    for (numbers, sizes, compile) in loops {
        if numbers.len() != count || sizes.len() != count || core.len() != count {
            return Err(PyValueError::new_err("a loop has a type for each operand"));
        }
        types.extend(numbers.into_iter().map(|number| number as c_char));
        let mut core_strides = count;
        let operands = sizes.into_iter().zip(&core).map(|(size, core)| {
            let operand = Operand {
                size,
                core: core.clone(),
                core_strides,
            };
            core_strides += core.len();
            operand
        });
        made.push(Box::new(Loop {
            operands: operands.collect(),
            inputs,
            writable: writable.clone(),
            compile,
            kernels: Mutex::default(),
        }));
    }
    let mut functions: Box<[Function]> = made.iter().map(|_| run as Function).collect();
    let data: Box<[SendPointer]> = made
        .iter()
        .map(|one| SendPointer(ptr::from_ref(&**one).cast_mut().cast()))
        .collect();
    let types = types.into_boxed_slice();
    let texts = [name, doc, signature];
    let core_signature = match texts[2].is_empty() {
        true => ptr::null(),
        false => texts[2].as_ptr(),
    };
    // SAFETY: the table's entry has this type; all that is passed by address lives as long as the
    // function, which keeps the object made below.
    unsafe {
        let make = umath(py)?.add(MAKE).cast::<Make>().read();
        let ufunc = make(
            functions.as_mut_ptr(),
            data.as_ptr().cast(),
            types.as_ptr(),
            made.len() as c_int,
            inputs as c_int,
            outputs as c_int,
            identity,
            texts[0].as_ptr(),
            texts[1].as_ptr(),
            0,
            core_signature,
            ptr::null_mut(),
        );
        let ufunc = Bound::from_owned_ptr_or_err(py, ufunc)?;
        let loops = Loops {
            loops: made,
            _functions: functions,
            _data: data,
            _types: types,
            _texts: texts,
        };
        let object = ufunc.as_ptr().cast::<Ufunc>();
        (*object).obj = Py::new(py, loops)?.into_ptr();
        for input in writable.into_iter().filter(|input| *input < inputs) {
            *(*object).op_flags.add(input) = READ_AND_WRITTEN;
        }
        Ok(ufunc.unbind())
    }
}

/// The loop that NumPy calls, for any loop of any function; exceptions are set for NumPy to find.
///
/// # Safety
/// As [`Function`] says; `data` is a [`Loop`].
unsafe extern "C" fn run(
    addresses: *mut *mut c_char,
    sizes: *const isize,
    strides: *const isize,
    data: *mut c_void,
) {
    // SAFETY: the caller's promise: one address and one stride an operand, a size and a stride a core
    // dimension. A panic must not reach NumPy.
    unsafe {
        let this = &*data.cast::<Loop>();
        let call = Call {
            this,
            addresses,
            sizes,
            strides,
        };
        if *sizes == 0 {
            return;
        }
        let ran = crate::errors::guarded(|| call.run());
        if let Err(error) | Ok(Err(error)) = ran {
            attach(|py| error.restore(py));
        }
    }
}

/// A call of a loop by NumPy.
struct Call<'a> {
    this: &'a Loop,
    addresses: *mut *mut c_char,
    sizes: *const isize,
    strides: *const isize,
}

impl Call<'_> {
    /// # Safety
    /// As [`run`].
    unsafe fn run(&self) -> PyResult<()> {
        // SAFETY: forwarded; the slots are of the types the kernel was compiled for.
        unsafe {
            let pattern = self.pattern();
            let kernel = self.this.kernel(&pattern)?;
            // Arrays without an object: nobody gets hold of them.
            let owner = Owner::borrowed(ptr::null_mut());
            let mut slots = SmallVec::<[i64; 24]>::new();
            let letters = &pattern[pattern.len() - self.this.operands.len()..];
            for (at, operand) in self.this.operands.iter().enumerate() {
                if at == 0 && pattern[0] == b'r' {
                    // A reduction's first input is its output.
                    continue;
                }
                slots.push(&raw const owner as i64);
                slots.push(*self.addresses.add(at) as i64);
                if letters[at] == b's' {
                    continue;
                }
                // Strides are in elements, but for any strides in bytes.
                let unit = match letters[at] {
                    b'b' => 1,
                    _ => operand.size,
                };
                slots.push(*self.sizes as i64);
                let dimensions = operand.core.iter().map(|one| *self.sizes.add(1 + one));
                slots.extend(dimensions.map(|size| size as i64));
                slots.push((*self.strides.add(at) / unit) as i64);
                let strides = (0..operand.core.len()).map(|at| self.core_stride(operand, at));
                slots.extend(strides.map(|stride| (stride / unit) as i64));
            }
            kernel.run(ptr::null_mut(), slots.as_ptr())
        }
    }

    /// # Safety
    /// As [`run`].
    unsafe fn pattern(&self) -> Pattern {
        // SAFETY: forwarded.
        unsafe {
            let mut pattern = Pattern::new();
            let stride = |at: usize| *self.strides.add(at);
            let count = self.this.operands.len();
            let accumulates = self.this.inputs == 2
                && count == 3
                && *self.addresses == *self.addresses.add(2)
                && stride(0) == 0
                && stride(2) == 0
                && self.this.operands.iter().all(|one| one.core.is_empty());
            if accumulates {
                let second = self.form(1);
                // Its only element may be what is written.
                let second = match second {
                    Form::Single => Form::Strided,
                    form => form,
                };
                pattern.extend([b'r', b's', second.letter() as u8, b's']);
                return pattern;
            }
            if self.is_independent() {
                pattern.push(b'p');
            }
            let mut forms: SmallVec<[Form; 8]> = (0..count).map(|at| self.form(at)).collect();
            if pattern.is_empty() {
                // What an iteration writes others may read: nothing is read ahead.
                for form in &mut forms[..self.this.inputs] {
                    if *form == Form::Single {
                        *form = Form::Strided;
                    }
                }
            }
            pattern.extend(forms.into_iter().map(|form| form.letter() as u8));
            pattern
        }
    }

    /// # Safety
    /// As [`run`].
    unsafe fn form(&self, at: usize) -> Form {
        // SAFETY: forwarded.
        unsafe {
            let operand = &self.this.operands[at];
            let stride = *self.strides.add(at);
            // The last operand says how many iterations there are.
            let may_be_single = at < self.this.inputs && at + 1 < self.this.operands.len();
            if may_be_single && stride == 0 && operand.core.is_empty() {
                return Form::Single;
            }
            let cores =
                || (0..operand.core.len()).map(|position| self.core_stride(operand, position));
            let mut expected = operand.size;
            let mut is_contiguous = true;
            for (dimension, stride) in operand.core.iter().zip(cores()).rev() {
                let size = *self.sizes.add(1 + dimension);
                is_contiguous &= size == 1 || stride == expected;
                expected *= size;
            }
            if is_contiguous && (*self.sizes == 1 || stride == expected) {
                return Form::Contiguous;
            }
            match cores()
                .chain([stride])
                .all(|stride| stride % operand.size == 0)
            {
                true => Form::Apart,
                false => Form::Strided,
            }
        }
    }

    /// The stride in bytes of a core dimension of an operand, by its place among the operand's.
    ///
    /// # Safety
    /// As [`run`].
    unsafe fn core_stride(&self, operand: &Operand, position: usize) -> isize {
        // SAFETY: forwarded.
        unsafe { *self.strides.add(operand.core_strides + position) }
    }

    /// Whether no iteration writes what another one reads or writes: outputs and inputs that are written
    /// are apart from all other operands, or are the same elements.
    ///
    /// # Safety
    /// As [`run`].
    unsafe fn is_independent(&self) -> bool {
        // SAFETY: forwarded.
        unsafe {
            let operands = &self.this.operands;
            let extents: SmallVec<[(isize, isize); 8]> =
                (0..operands.len()).map(|at| self.extent(at)).collect();
            let outputs = self.this.inputs..operands.len();
            let mut written = self.this.writable.iter().copied().chain(outputs);
            written.all(|output| {
                let own = extents[output];
                let stride = *self.strides.add(output);
                let apart = |at: usize| {
                    let other = extents[at];
                    let same = own == other && stride == *self.strides.add(at);
                    at == output || same || own.1 <= other.0 || other.1 <= own.0
                };
                (stride != 0 || *self.sizes == 1) && (0..operands.len()).all(apart)
            })
        }
    }

    /// The first byte of an operand and the one behind its last.
    ///
    /// # Safety
    /// As [`run`].
    unsafe fn extent(&self, at: usize) -> (isize, isize) {
        // SAFETY: forwarded.
        unsafe {
            let operand = &self.this.operands[at];
            let start = *self.addresses.add(at) as isize;
            let core = operand.core.iter().enumerate().map(|(position, one)| {
                (*self.sizes.add(1 + one) - 1) * self.core_stride(operand, position)
            });
            let outer = (*self.sizes - 1) * *self.strides.add(at);
            let (mut low, mut high) = (start, start + operand.size);
            for way in core.chain([outer]) {
                low += way.min(0);
                high += way.max(0);
            }
            (low, high)
        }
    }
}

impl Loop {
    /// The kernel for a pattern, which is compiled when it is met first.
    fn kernel(&self, pattern: &Pattern) -> PyResult<&Specialisation> {
        if let Some(found) = self.find(pattern) {
            return Ok(found);
        }
        attach(|py| {
            let text = std::str::from_utf8(pattern).expect("patterns are letters");
            let made = self.compile.bind(py).call1((text,))?;
            let made = made.cast_into::<Specialisation>()?.unbind();
            let mut kernels = self.kernels.lock().unwrap_or_else(PoisonError::into_inner);
            // Another thread's may be there by now; the first one is found.
            kernels.push((pattern.clone(), made));
            Ok::<_, PyErr>(())
        })?;
        self.find(pattern)
            .ok_or_else(|| PyRuntimeError::new_err("a kernel is lost"))
    }

    fn find(&self, pattern: &Pattern) -> Option<&Specialisation> {
        let kernels = self.kernels.lock().unwrap_or_else(PoisonError::into_inner);
        let found = kernels.iter().find(|(known, _)| known == pattern)?;
        let kernel: *const Specialisation = found.1.get();
        // SAFETY: the object stays where it is, and the list refers to it as long as the loop lives: it
        // only grows.
        Some(unsafe { &*kernel })
    }
}
