const trailer =
  /^[ \t>*-]*(?:(?:co-?authored|co-?developed|signed-?off|reviewed|acked|tested|reported|suggested|helped|approved|authored|submitted|landed|merged|requested|assisted|generated|ack'?d|pair(?:ed)?)-(?:by|with|off-by)|co-authored by|signed off by|change-id|pr-url|piperorigin-revid|git-svn-id|reviewed-on|differential revision|gitorigin-revid|source-link|commit-queue|cq-[\w-]+|cr-original-[\w-]+|auto-submit|bypass-[\w-]+|no-(?:presubmit|tree-checks|try)|tbr|link|message-id|cherry-picked-from|x-[\w-]+|release-note|skip-checks|(?:[a-z]{1,20}-)?on-behalf-of|bot|copybara-[\w-]+|(?:claude|copilot|codex|cursor|amp|agent)-[\w-]{1,40})[ \t]*:/i;
/** What is left of a trailer when a host has wrapped it and its address was taken out. */
const wrappedAddress = /^[ \t]*<?[^\s<>@]{1,100}@[^\s<>]{1,100}>?$/;
const linkDefinition = /^ {0,3}\[[^\]\n]{1,200}\]:[ \t]+\S/;
const wholeDefinition =
  /^ {0,3}\[[^\]^\n][^\]\n]{0,200}\]:[ \t]+\S{1,2000}(?:[ \t]+["'(].{0,300}["')])?[ \t]*$/;
const command =
  /^\/(?:kind|sig|area|priority|cc|uncc|assign|unassign|lgtm|approve|hold|unhold|milestone|retest|test|triage|remove-[\w-]+|ok-to-test|cherry-?pick|label|release-note[\w-]*|close|reopen|claim|bounty|fixes|closes|wg|committee)\b/i;
const switchForChecks = /\[(?:skip ci|ci skip|no ci|skip actions|actions skip|skip netlify|skip vercel)\]/gi;
const cherryPick = /^[ \t]*\((?:cherry[- ]picked|backported) from commit [\da-f]{7,64}\)$/i;
const fence = /^[ \t>]*(?:[-*+] +)?(`{3,}|~{3,})/;

/**
 * Takes out the lines that are written for programs: trailers and commands. What links lead to comes first, because a
 * line between others would be taken for one of theirs.
 */
export function dropLines(text: string): string {
  const kept: string[] = [];
  const definitions: string[] = [];
  let inFence = '';
  let inMetadata = false;
  for (const line of text.split('\n')) {
    const marks = fence.exec(line)?.[1];
    if (inFence) {
      if (marks?.startsWith(inFence)) inFence = '';
      kept.push(line);
    } else if (marks) {
      inFence = marks;
      kept.push(line);
    } else if (inMetadata) inMetadata = line.trim() !== '...' && line.trim() !== '';
    else if (line.startsWith('updated-dependencies:')) inMetadata = true;
    else if (linkDefinition.test(line)) {
      if (wholeDefinition.test(line)) definitions.push(line);
    } else addLine(kept, isForPrograms(line) ? '' : line);
  }
  return definitions.length > 0 ? [...definitions, '', ...kept].join('\n') : kept.join('\n');
}

const longHeading = /^ {0,3}#{1,6}[ \t].{50}/;
const drawnRule = /^ {0,3}(?:={3,}|[⎯─━]{3,})[ \t]*$/;
const drawnBullet = /^([ \t]*)[•‣](?=[ \t])/;

/** Adds a line as Markdown has it: with a rule or a bullet that it knows. */
function addLine(kept: string[], line: string): void {
  const last = kept.at(-1);
  const plain = line.includes('[') ? line.replace(switchForChecks, '') : line;
  // Hosts wrap the text of a squashed commit at 72 characters, headings included.
  if (last !== undefined && longHeading.test(last) && /^\p{Ll}/u.test(plain))
    kept[kept.length - 1] = `${last} ${plain}`;
  else if (drawnRule.test(plain) && (last === undefined || last.trim() === '' || !plain.includes('=')))
    kept.push('', '---');
  else kept.push(plain.replace(drawnBullet, '$1-'));
}

const isForPrograms = (line: string): boolean =>
  [trailer, command, wrappedAddress, cherryPick].some((pattern) => pattern.test(line));
