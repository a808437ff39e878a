const reference =
  /\bhttps?:\/\/[^\s/]{1,100}\/[\w.-]{1,100}\/[\w.-]{1,100}\/(?:-\/)?(?:issues?|pulls?|merge_requests|discussions|commit)\/[\w#-]{1,80}|(?:\b[\w.-]{1,60}\/[\w.-]{1,60})?#\d{1,9}\b|\bGH-\d{1,9}\b|\b[A-Z][A-Z\d]{1,9}-\d{1,7}\b/g;

const aroundReferences = new Set(
  'a address addresses addressed addressing and as by close closed closes closing completes companion context contributes cc depends discussed discussion extracted fix fixed fixes follow following followup for from github gh hopefully implement implements in is issue issues link linked of on or out part partially pr prs pull ref refer reference references referencing refs relate related relates replaces request requests resolve resolved resolves resolving see also split supersedes ticket tickets this the to towards up upstream via with'.split(
    ' ',
  ),
);

/** Whether a line only points at issues or pull requests, as "Closes #12" does. */
export function isOnlyReferences(line: string): boolean {
  if (line.length > 600) return false;
  const rest = line.replace(reference, '');
  if (rest === line) return false;
  const words = rest.toLowerCase().match(/\p{L}+/gu) ?? [];
  return !/[`"\d]/.test(rest) && words.every((word) => aroundReferences.has(word));
}
