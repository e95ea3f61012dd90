//! From SPIR-V to kernels.
//!
//! Drivers that take SPIR-V get it. Others, such as pocl's of older distributions, take LLVM's bitcode,
//! which `llvm-spirv` makes of it.

use std::{
    ffi::{CString, OsString},
    fs,
    path::PathBuf,
    process::Command,
    ptr,
};

use super::{
    OpenClDevice, Reader,
    api::{self, CreateProgramWithIl, Handle, check},
    number, spirv, text,
};
use crate::device::{DeviceError, Result, driver::RawFunction};

/// The program that translates: its names, the preferred one first.
const TRANSLATORS: [&str; 2] = ["llvm-spirv-15", "llvm-spirv-14"];

impl OpenClDevice {
    /// Fails where no program could be made.
    pub(super) fn check_programs(&self) -> Result<()> {
        if self.takes_spirv().is_some() || translator().is_some() {
            return Ok(());
        }
        Err(DeviceError::Absent(format!(
            "{} ({}) takes no SPIR-V, and {}, which translates it, isn't installed",
            self.info.name, self.info.product, TRANSLATORS[0]
        )))
    }

    /// The function that takes SPIR-V, of a device that does.
    fn takes_spirv(&self) -> Option<CreateProgramWithIl> {
        let read = Reader {
            api: self.api,
            device: self.device,
        };
        if !read.text(api::DEVICE_IL_VERSION).contains("SPIR-V") {
            return None;
        }
        let names = [c"clCreateProgramWithILKHR", c"clCreateProgramWithIL"];
        let found = names.into_iter().find_map(|name| {
            // SAFETY: the name is a C string.
            let found = unsafe {
                (self.api.clGetExtensionFunctionAddressForPlatform)(self.platform, name.as_ptr())
            };
            (!found.is_null()).then_some(found)
        });
        // SAFETY: the function of this name has this type.
        found.map(|found| unsafe { std::mem::transmute::<Handle, CreateProgramWithIl>(found) })
    }

    pub(super) fn load_kernel(&self, image: &[u8], name: &str) -> Result<RawFunction> {
        let program = match self.takes_spirv() {
            Some(create) => {
                let mut status = 0;
                // SAFETY: the image is so long.
                let program = unsafe {
                    create(
                        self.context()?,
                        image.as_ptr().cast(),
                        image.len(),
                        &raw mut status,
                    )
                };
                check("clCreateProgramWithIL", status)?;
                program
            }
            None => self.program_of_bitcode(&translate(image)?)?,
        };
        self.build(program)?;
        let mut status = 0;
        let name = CString::new(name).expect("a name of a kernel has no zero byte");
        // SAFETY: the program was built, and the name is a C string.
        let kernel = unsafe { (self.api.clCreateKernel)(program, name.as_ptr(), &raw mut status) };
        check("clCreateKernel", status)?;
        Ok(RawFunction(number(kernel)))
    }

    fn program_of_bitcode(&self, bitcode: &[u8]) -> Result<Handle> {
        let (start, length) = (bitcode.as_ptr(), bitcode.len());
        let (mut of_binary, mut status) = (0, 0);
        // SAFETY: there is one device and one binary, which is so long.
        let program = unsafe {
            (self.api.clCreateProgramWithBinary)(
                self.context()?,
                1,
                &raw const self.device,
                &raw const length,
                &raw const start,
                &raw mut of_binary,
                &raw mut status,
            )
        };
        check("clCreateProgramWithBinary", status)?;
        check("clCreateProgramWithBinary", of_binary)?;
        Ok(program)
    }

    fn build(&self, program: Handle) -> Result<()> {
        // SAFETY: the program is alive, the options are none.
        let status = unsafe {
            (self.api.clBuildProgram)(
                program,
                1,
                &raw const self.device,
                c"".as_ptr(),
                ptr::null(),
                ptr::null_mut(),
            )
        };
        check("clBuildProgram", status).map_err(|error| {
            let log = text(|size, into, needed| {
                // SAFETY: there is so much room.
                unsafe {
                    (self.api.clGetProgramBuildInfo)(
                        program,
                        self.device,
                        api::PROGRAM_BUILD_LOG,
                        size,
                        into,
                        needed,
                    )
                }
            });
            DeviceError::Failed(format!("{error}: {log}"))
        })
    }
}

fn translator() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_else(|| OsString::from("/usr/bin"));
    TRANSLATORS.iter().find_map(|name| {
        let places = std::env::split_paths(&path).map(|folder| folder.join(name));
        places.into_iter().find(|place| place.is_file())
    })
}

/// LLVM's bitcode of a SPIR-V module.
fn translate(image: &[u8]) -> Result<Vec<u8>> {
    let failed = |what: &str, reason: String| DeviceError::Failed(format!("{what}: {reason}"));
    let readable = spirv::for_older_readers(image).map_err(DeviceError::Failed)?;
    let program = translator().ok_or_else(|| {
        DeviceError::Absent(format!("{} isn't installed any more", TRANSLATORS[0]))
    })?;
    let io = |error: std::io::Error| failed("a kernel can't be translated", error.to_string());
    let folder = tempfile::tempdir().map_err(io)?;
    let (from, to) = (folder.path().join("k.spv"), folder.path().join("k.bc"));
    fs::write(&from, readable).map_err(io)?;
    let ran = Command::new(&program)
        .args(["-r", "--spirv-target-env=CL1.2", "-o"])
        .args([&to, &from])
        .output()
        .map_err(io)?;
    if !ran.status.success() {
        let said = String::from_utf8_lossy(&ran.stderr);
        let reason = format!("{}: {}", ran.status, said.trim());
        return Err(failed(&program.display().to_string(), reason));
    }
    fs::read(&to).map_err(io)
}
