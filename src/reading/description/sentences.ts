import { replaceHidden } from '../../domain/text.ts';

const wideStop = new Set('。！？｡．');
const stop = new Set('.!?…');
/** Characters that may end a sentence: in scripts without blanks also directly before another character. */
const stops = /[。！？｡．]|[.!?…](?=[.!?…。！？｡．"'”’»)\]）」』】*_\s]|$)/gu;
const closer = /["'”’»)\]）」』】*_]/u;
const pairs: Record<string, string> = {
  ')': '(',
  '）': '（',
  '」': '「',
  '』': '『',
  '】': '【',
  '”': '“',
  ']': '[',
};
const openers = new Set(Object.values(pairs));
const shieldMarks = /`+|[()（）「」『』【】“”[\]]/gu;

const abbreviation =
  /(?:^|[\s("'“‘[（])(?:e\.g|i\.e|eg|ie|etc|vs|cf|approx|incl|excl|resp|esp|ca|aka|a\.k\.a|w\.r\.t|wrt|mr|mrs|ms|dr|prof|st|fig|figs|sec|ch|vol|no|nr|p|pp|al|ref|refs|ver|v|z\.b|d\.h|bzw|max|min|avg|dept|inc|ltd|corp|co|jan|feb|mar|apr|jun|jul|aug|sep|sept|oct|nov|dec|\p{L})$/iu;
const mayEnd = /(?:^|[\s(])(?:etc|al|inc|ltd|corp|co|etc\.\))$/i;

export function splitLine(line: string): string[] {
  const sentences: string[] = [];
  const shields = line.search(stops) === -1 ? [] : shieldsIn(line);
  let start = 0;
  let nearest = 0;
  for (const { index: at } of line.matchAll(stops)) {
    while ((shields[nearest]?.end ?? line.length) < at) nearest += 1;
    const isShielded = (shields[nearest]?.start ?? line.length) < at;
    if (isShielded || at < start || (at > start && isStop(line, at - 1))) continue;
    const end = endOfSentence(line, start, at);
    if (end === null) continue;
    addSentence(sentences, line.slice(start, end));
    start = end;
  }
  addSentence(sentences, line.slice(start));
  return sentences;
}

const isStop = (line: string, at: number): boolean =>
  stop.has(line.charAt(at)) || wideStop.has(line.charAt(at));

function addSentence(sentences: string[], text: string): void {
  const trimmed = text.trim();
  if (/[\p{L}\p{N}]/u.test(trimmed)) sentences.push(trimmed);
}

function endOfSentence(line: string, start: number, at: number): number | null {
  let end = at + 1;
  while (isStop(line, end)) end += 1;
  while (end < line.length && closer.test(line.charAt(end))) end += 1;
  if (end === line.length || wideStop.has(line.charAt(at))) return end;
  if (!/\s/.test(line.charAt(end))) return null;
  const next = line.charAt(end + 1);
  if (line.charAt(at) !== '.' || line.charAt(at + 1) === '.') return /\p{Ll}/u.test(next) ? null : end;
  const before = line.slice(Math.max(start, at - 12), at);
  if (!abbreviation.test(before)) return end;
  return mayEnd.test(before) && /\p{Lu}/u.test(next) ? end : null;
}

interface Shield {
  start: number;
  end: number;
}

function shieldsIn(line: string): Shield[] {
  const shields: Shield[] = [];
  const open: { mark: string; at: number }[] = [];
  // If a run of backticks has no partner, neither does a longer one; searching again would take quadratic time.
  let withoutPartner = Number.POSITIVE_INFINITY;
  const marks = new RegExp(shieldMarks);
  for (let found = marks.exec(line); found !== null; found = marks.exec(line)) {
    const { 0: mark, index: at } = found;
    if (mark.startsWith('`')) {
      const close = mark.length < withoutPartner ? line.indexOf(mark, at + mark.length) : -1;
      if (close === -1) withoutPartner = Math.min(withoutPartner, mark.length);
      else {
        marks.lastIndex = close + mark.length;
        shields.push({ start: at, end: marks.lastIndex - 1 });
      }
    } else if (openers.has(mark)) open.push({ mark, at });
    else if (open.at(-1)?.mark === pairs[mark]) shields.push({ start: open.pop()?.at ?? at, end: at });
  }
  return shields.sort((one, other) => one.start - other.start);
}

const reference =
  /\bhttps?:\/\/[^\s/]{1,100}\/[\w.-]{1,100}\/[\w.-]{1,100}\/(?:-\/)?(?:issues?|pulls?|merge_requests|discussions|commit)\/[\w#-]{1,80}|(?:\b[\w.-]{1,60}\/[\w.-]{1,60})?#\d{1,9}\b|\bGH-\d{1,9}\b|\b[A-Z][A-Z\d]{1,9}-\d{1,7}\b|(?<=\bcommit )[\da-f]{7,64}\b/g;

const aroundReferences = new Set(
  'a address addresses addressed addressing and as by close closed closes closing commit completes companion context contributes cc depends discussed discussion extracted fix fixed fixes follow following followup for from github gh hopefully implement implements in is issue issues link linked of on or out part partially pr prs pull ref refer reference references referencing refs relate related relates replaces request requests resolve resolved resolves resolving revert reverts see also split supersedes ticket tickets this the to towards up upstream via with'.split(
    ' ',
  ),
);

export function isOnlyReferences(line: string): boolean {
  if (line.length > 600) return false;
  const rest = line.replace(reference, '');
  if (rest === line) return false;
  const words = rest.toLowerCase().match(/\p{L}+/gu) ?? [];
  return !/[`"\d]/.test(rest) && words.every((word) => aroundReferences.has(word));
}

const escapeCharacter = String.fromCharCode(27);
const terminalColours = new RegExp(`${escapeCharacter}\\[[0-9;]{0,20}[A-Za-z]`, 'g');
const lineBreaks = /\r\n?|[\v\f\u0085\u2028\u2029]/gu;
const blanks = /[\p{Zs}\u2800]/gu;

export function visibleText(text: string): string {
  const plain = text
    .toWellFormed()
    .replace(lineBreaks, '\n')
    .replace(terminalColours, '')
    .replace(blanks, ' ');
  return replaceHidden(plain, 'prose', () => '');
}
