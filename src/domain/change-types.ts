/** What kind of change something is, in the order in which they are listed. */
export const changeTypes = ['FEAT', 'FIX', 'REFACTOR', 'DOCS', 'TEST', 'PERF', 'BUILD', 'CHORE'] as const;

export type ChangeType = (typeof changeTypes)[number];

/** From which side something deserves attention. */
export const categories = ['TECH', 'RISK', 'UX', 'PERF', 'SECURITY'] as const;

export type Category = (typeof categories)[number];
