/** How much of a pull request is told in one answer: as much as the large hosts tell. Files beyond it are read in pages. */
export const mostFilesTold = 3_000;
export const mostCommits = 250;
export const mostComments = 1_000;

/** How much is read of what people write: a title beyond this is none, and a text of ten pages has said what it has to say. */
export const mostOfTitle = 1_000;
export const mostOfText = 20_000;
