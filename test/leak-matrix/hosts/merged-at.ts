/** When the pull request of every repository of the matrix was merged. */
export const mergedAt = '2026-03-01T12:00:00Z';
