/**
 * The tests with exhaustive tables, of which `npm test` runs one row of each kind, and the source that each protects. `.ci/run`
 * runs a table whole when its source differs from origin/main.
 */
export const tableSources: Record<string, string[]> = {};
