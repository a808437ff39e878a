/** Matches `#12`, `owner/name#12` and URLs of issues and pull requests, but no colors such as `#000000`. */
const references =
  /(?<![\p{L}\p{N}_/&#.-])(?:https?:\/\/[^\s/]{1,100}(?:\/[\w.-]{1,100}){2,20}?\/(?:issues|pulls?|merge_requests)\/\d{1,9}|(?<repository>[\w.-]{1,100}\/[\w.-]{1,100})?#(?<number>[1-9]\d{0,6}))(?![\p{L}\p{N}_/])/gu;

const pullRequest =
  /^(?<origin>https?:\/\/[^/]+)\/(?<path>.+?)(?<dash>\/-)?\/(?:pulls?|merge_requests)\/\d+$/;

/** Splits a text at the issues it mentions, with their addresses, which are derived from that of the pull request. */
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
    // If the host is below a path or groups are nested, the address of another repository cannot be derived.
    const isKnown = repository === path || path.split('/').length === 2;
    const address = number === undefined ? found : `${origin}/${repository}${dash}/issues/${number}`;
    parts.push({ text: text.slice(end, index), address: null });
    parts.push({ text: found, address: isKnown ? address : null });
    end = index + found.length;
  }
  return [...parts, { text: text.slice(end), address: null }].filter((part) => part.text !== '');
}
