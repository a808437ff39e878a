/** How much of a pull request is told in one answer: as much as the large hosts tell. Files beyond it are read in pages. */
export const mostFilesTold = 3_000;
export const mostCommits = 250;
export const mostComments = 1_000;
