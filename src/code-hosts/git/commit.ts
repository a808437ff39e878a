import type { Clone } from '../git-runner/clone.ts';
import type { GitRunner } from '../git-runner/run-git.ts';
import { earliestTime, latestTime } from '../host-times.ts';
import { readLog, shaField, subjectField } from './read-log.ts';

export interface Commit {
  sha: string;
  authorName: string;
  authorEmail: string;
  /** Both dates are null where git has none, or one that is out of range. */
  authoredAt: Date | null;
  committedAt: Date | null;
  subject: string;
  body: string;
  /** What it follows; more than one where lines of history meet in it. */
  parents: string[];
}

/** As long as the large hosts let descriptions be. */
const mostOfDescription = 65_536;

const fieldsFor = (mostOfBody: number) => [
  shaField,
  { format: '%an', most: 200 },
  { format: '%ae', most: 200 },
  { format: '%at', most: 30 },
  { format: '%ct', most: 30 },
  subjectField,
  { format: '%b', most: mostOfBody },
  { format: '%P', most: 400 },
];

/** Reads commits with `git log`; the parameters say which. */
export async function readCommits(
  git: GitRunner,
  clone: Clone,
  parameters: string[],
  { input = '', mostOfBody = mostOfDescription } = {},
): Promise<Commit[]> {
  const commits: Commit[] = [];
  for await (const record of readLog(git, clone, fieldsFor(mostOfBody), parameters, input)) {
    const [
      sha = '',
      author = '',
      authorEmail = '',
      authored,
      committed,
      subject = '',
      body = '',
      parents = '',
    ] = record;
    commits.push({
      sha,
      authorName: withoutDomain(author),
      authorEmail,
      authoredAt: dateFrom(authored),
      committedAt: dateFrom(committed),
      subject,
      body: body.trim(),
      parents: parents.split(' ').filter(Boolean),
    });
  }
  return commits;
}

/** Windows names an account behind its machine or domain. */
const withoutDomain = (name: string): string => name.split('\\').at(-1)?.trim() || name;

/** From seconds since 1970; git prints nothing for what it cannot read as such. */
function dateFrom(seconds: string | undefined): Date | null {
  const time = seconds ? Number(seconds) * 1000 : Number.NaN;
  return time >= earliestTime && time <= latestTime ? new Date(time) : null;
}

/** The login where the address gives it away, as no-reply addresses do; otherwise the name. */
export function loginOf({ authorName, authorEmail }: Commit): string {
  return /^(?:\d+\+)?([A-Za-z0-9-]+)@users\.noreply\./.exec(authorEmail)?.[1] ?? authorName;
}
