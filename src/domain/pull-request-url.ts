/** Where a pull request is on the host that clones come from; null where that is not known. */
export const pullRequestUrl = (
  webUrl: string | null,
  { owner, name }: { owner: string; name: string },
  number: number,
): string | null => webUrl && `${webUrl}/${owner}/${name}/pull/${number}`;
