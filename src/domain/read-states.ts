/** Whether a user has read an article: not at all, as it stands, or before it said something new. */
export const readStates = ['no', 'yes', 'changed'] as const;

export type ReadState = (typeof readStates)[number];
