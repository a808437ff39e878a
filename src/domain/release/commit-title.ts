/** What a commit is about: its subject, but of a merge of a pull request the line that hosts put below that, which is the title. */
export function commitTitle({ subject, body }: { subject: string; body: string }): string {
  if (!/^Merge pull request #\d/.test(subject)) return subject;
  return body.trimStart().split('\n', 1)[0]?.trim() || subject;
}
