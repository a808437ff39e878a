/** The merge time of every pull request in the matrix. */
export const mergedAt = '2026-03-01T12:00:00Z';
