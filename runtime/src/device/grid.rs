//! The sizes of launches.

use super::{DeviceError, Result};

/// The most blocks along the axes that every device takes.
const MOST_BLOCKS: [i64; 3] = [i32::MAX as i64, 65535, 65535];

/// The parts of a grid that are launched: the number of the first block along each axis, and how many
/// there are. What isn't split is one part.
pub(super) fn parts(grid: [i64; 3], splits: bool) -> impl Iterator<Item = ([i64; 3], [i64; 3])> {
    let most = if splits { MOST_BLOCKS } else { grid };
    let along = move |axis: usize| {
        let starts = (0..grid[axis]).step_by(most[axis].max(1) as usize);
        starts.map(move |first| (first, most[axis].min(grid[axis] - first)))
    };
    along(2).flat_map(move |z| {
        // Only the kernel's positions along y and z are told where the part begins.
        along(1).map(move |y| ([0, y.0, z.0], [grid[0], y.1, z.1]))
    })
}

/// The sizes of a launch as drivers take them.
pub(super) fn sizes(given: [i64; 3]) -> Result<[u32; 3]> {
    let mut sizes = [0; 3];
    for (size, given) in sizes.iter_mut().zip(given) {
        *size = u32::try_from(given)
            .map_err(|_| DeviceError::Failed(format!("a launch of {given} blocks is too large")))?;
    }
    Ok(sizes)
}

#[cfg(test)]
mod tests {
    use super::parts;

    #[test]
    fn a_grid_that_is_too_high_runs_in_parts() {
        let found: Vec<_> = parts([3, 65536, 1], true).collect();
        let expected = [([0, 0, 0], [3, 65535, 1]), ([0, 65535, 0], [3, 1, 1])];
        assert_eq!(found, expected);
        assert_eq!(parts([3, 65535 * 2, 65536], true).count(), 4);
    }

    #[test]
    fn other_grids_are_one_part() {
        let whole = |grid| vec![([0; 3], grid)];
        assert_eq!(
            parts([3, 65536, 1], false).collect::<Vec<_>>(),
            whole([3, 65536, 1])
        );
        assert_eq!(parts([3, 4, 5], true).collect::<Vec<_>>(), whole([3, 4, 5]));
    }
}
