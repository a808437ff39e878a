/** `#12`, `owner/name#12` and addresses of issues and pull requests. Colours such as `#000000` are none. */
const references =
  /(?<![\p{L}\p{N}_/&#.-])(?:https?:\/\/[^\s/]{1,100}(?:\/[\w.-]{1,100}){2,20}?\/(?:issues|pulls?|merge_requests)\/\d{1,9}|(?<repository>[\w.-]{1,100}\/[\w.-]{1,100})?#(?<number>[1-9]\d{0,6}))(?![\p{L}\p{N}_/])/gu;

const pullRequest =
  /^(?<origin>https?:\/\/[^/]+)\/(?<path>.+?)(?<dash>\/-)?\/(?:pulls?|merge_requests)\/\d+$/;

/** A text in parts, with the addresses of the issues that it names; the one of the pull request shows where they are. */
export function splitReferences(
  text: string,
  hostPrUrl: string | null,
): { text: string; address: string | null }[] {
  const { origin, path, dash = '' } = pullRequest.exec(hostPrUrl ?? '')?.groups ?? {};
  const parts: { text: string; address: string | null }[] = [];
  let end = 0;
  if (path === undefined) return [{ text, address: null }];
  for (const { 0: found, index, groups = {} } of text.matchAll(references)) {
    const { repository = path, number } = groups;
    // Below a path, or in groups within groups, another repository may be anywhere.
    const isKnown = repository === path || path.split('/').length === 2;
    const address = number === undefined ? found : `${origin}/${repository}${dash}/issues/${number}`;
    parts.push({ text: text.slice(end, index), address: null });
    parts.push({ text: found, address: isKnown ? address : null });
    end = index + found.length;
  }
  return [...parts, { text: text.slice(end), address: null }].filter((part) => part.text !== '');
}
