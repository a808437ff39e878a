/** How many pull requests one import writes about, at most. */
export const mostImported = 200;
