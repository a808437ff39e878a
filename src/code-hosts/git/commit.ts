import type { Clone } from './find-clone.ts';
import { type GitRunner, runGit } from './run-git.ts';

export interface Commit {
  sha: string;
  parents: string[];
  authorName: string;
  authorEmail: string;
  authoredAt: Date;
  committedAt: Date;
  subject: string;
  body: string;
}

/** Fields are parted by a byte that no commit can hold; records by the same with a line break before it. */
const format = '--format=%H%x00%P%x00%an%x00%ae%x00%at%x00%ct%x00%s%x00%b%x00';
const fieldsOfRecord = 8;

/** Reads commits with `git log`; the parameters say which. */
export async function readCommits(
  git: GitRunner,
  clone: Clone,
  parameters: string[],
  input = '',
): Promise<Commit[]> {
  const printed = await runGit(git, clone, ['log', format, ...parameters], { input });
  const fields = printed.split('\0');
  const commits: Commit[] = [];
  for (let index = 0; index + fieldsOfRecord <= fields.length; index += fieldsOfRecord) {
    const [
      sha = '',
      parents = '',
      authorName = '',
      authorEmail = '',
      authored,
      committed,
      subject = '',
      body = '',
    ] = fields.slice(index, index + fieldsOfRecord);
    commits.push({
      sha: sha.trim(),
      parents: parents.split(' ').filter((parent) => parent !== ''),
      authorName,
      authorEmail,
      authoredAt: new Date(Number(authored) * 1000),
      committedAt: new Date(Number(committed) * 1000),
      subject,
      body: body.trim(),
    });
  }
  return commits;
}

/** The login where the address gives it away, as no-reply addresses do; otherwise the name. */
export function loginOf({ authorName, authorEmail }: Commit): string {
  return /^(?:\d+\+)?([A-Za-z0-9-]+)@users\.noreply\./.exec(authorEmail)?.[1] ?? authorName;
}
