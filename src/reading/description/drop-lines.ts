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
const replyHead =
  /^[ \t>]*(?:On .{5,100} wrote:|Am .{5,100} schrieb .{2,80}:|Le .{5,100} a écrit ?:|-{3,} ?Original Message ?-{3,}|Sent from my \w+.{0,40})$/i;
const fence = /^[ \t>]*(?:[-*+] +)?(`{3,}|~{3,})/;

/** The signature of a message is at most this long; what is longer is text under a line of dashes. */
const longestSignature = 6;

/**
 * Takes out the lines that are written for programs: trailers, commands, signatures. What links lead to comes first, because a
 * line between others would be taken for one of theirs.
 */
export function dropLines(text: string): string {
  const lines = withoutSignature(text.split('\n'));
  const kept: string[] = [];
  const definitions: string[] = [];
  let inFence = '';
  let inMetadata = false;
  for (const line of lines) {
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

function isForPrograms(line: string): boolean {
  return (
    trailer.test(line) ||
    command.test(line) ||
    wrappedAddress.test(line) ||
    cherryPick.test(line) ||
    replyHead.test(line)
  );
}

function withoutSignature(lines: string[]): string[] {
  const dashes = lines.findLastIndex((line) => /^[> ]*-- ?$/.test(line));
  if (dashes === -1) return lines;
  const after = lines.slice(dashes + 1).filter((line) => line.trim() !== '');
  return after.length <= longestSignature ? lines.slice(0, dashes) : lines;
}
