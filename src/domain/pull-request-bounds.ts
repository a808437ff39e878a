/** How much of a pull request is told in one answer: as much as the large hosts tell. Files beyond it are read in pages. */
export const mostFilesTold = 3_000;
export const mostCommits = 250;
export const mostComments = 1_000;

/** How much is read of what people write: a title beyond this is none, and a text of ten pages has said what it has to say. */
export const mostOfTitle = 1_000;
export const mostOfText = 20_000;

/** What people wrote about a pull request. */
interface Words {
  title: string;
  body: string | null;
  commits: { message: string }[];
  comments: { body: string }[];
  linkedIssues: { title: string; body: string | null }[];
}

const cut = (text: string, most: number): string => text.slice(0, most).toWellFormed();
const title = (text: string): string => cut(text, mostOfTitle);
const body = (text: string | null): string | null => (text === null ? null : cut(text, mostOfText));

/** The same as far as it is read. */
export function boundWords<Told extends Words>(told: Told): Told {
  return {
    ...told,
    title: title(told.title),
    body: body(told.body),
    commits: told.commits.map((commit) => ({ ...commit, message: cut(commit.message, mostOfText) })),
    comments: told.comments.map((comment) => ({ ...comment, body: cut(comment.body, mostOfText) })),
    linkedIssues: told.linkedIssues.map((issue) => ({
      ...issue,
      title: title(issue.title),
      body: body(issue.body),
    })),
  };
}

/** What of it is not read, and why, as files are listed that are not. */
export function unreadWords(told: Words): { fileName: string; reason: string }[] {
  const { commits, comments, linkedIssues } = told;
  const texts: [string, (string | null)[]][] = [
    ['description', [told.body]],
    ['commit messages', commits.map(({ message }) => message)],
    ['comments', comments.map((comment) => comment.body)],
    ['linked issues', linkedIssues.map((issue) => issue.body)],
  ];
  const long = texts.filter(([, each]) => each.some((text) => (text?.length ?? 0) > mostOfText));
  return [
    ...(told.title.length > mostOfTitle ? [{ fileName: 'title', reason: beyond(mostOfTitle) }] : []),
    ...long.map(([fileName]) => ({ fileName, reason: beyond(mostOfText) })),
  ];
}

const beyond = (most: number): string =>
  `what is beyond its first ${most.toLocaleString('en')} characters is not read`;
