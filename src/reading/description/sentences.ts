import { parseBlocks } from './parse-blocks.ts';

/** A sentence, and where it stands. */
export interface PlacedSentence {
  text: string;
  /** The nearest heading above it. */
  heading: string | null;
  /** Whether it stands in a list, or is one of its items. */
  isItem: boolean;
  /** Whether it is one step of several that are counted, and says nothing without the others. */
  isStep: boolean;
  /** Whether the text is a list of commits, which tell the way and not always the end of it. */
  isHistory: boolean;
}

const wideStop = /[。！？｡．]/u;
const stop = /[.!?…]/;
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

/** A full stop behind one of these belongs to it, unless the next word can only begin a sentence. */
const abbreviation =
  /(?:^|[\s("'“‘[（])(?:e\.g|i\.e|eg|ie|etc|vs|cf|approx|incl|excl|resp|esp|ca|aka|a\.k\.a|w\.r\.t|wrt|mr|mrs|ms|dr|prof|st|fig|figs|sec|ch|vol|no|nr|p|pp|al|ref|refs|ver|v|z\.b|d\.h|bzw|max|min|avg|dept|inc|ltd|corp|co|jan|feb|mar|apr|jun|jul|aug|sep|sept|oct|nov|dec|\p{L})$/iu;
const mayEnd = /(?:^|[\s(])(?:etc|al|inc|ltd|corp|co|etc\.\))$/i;

/** Whole sentences of a cleaned description; headings, quotes, tables and code are none. */
export function placeSentences(text: string): PlacedSentence[] {
  const sentences: PlacedSentence[] = [];
  let heading: string | null = null;
  const blocks = parseBlocks(text);
  const isHistory = blocks[0]?.kind === 'item' && blocks[0].marker === '*';
  for (const block of blocks) {
    if (block.kind === 'heading') heading = block.text;
    if (block.kind !== 'paragraph' && block.kind !== 'item') continue;
    for (const line of block.text.split('\n')) {
      for (const sentence of splitLine(line)) {
        const isStep = block.kind === 'item' && /^\d/.test(block.marker);
        sentences.push({ text: sentence, heading, isItem: block.kind === 'item', isStep, isHistory });
      }
    }
  }
  return sentences;
}

/** The sentences of a single line. */
export function splitLine(line: string): string[] {
  const shielded = shieldedPlaces(line);
  const sentences: string[] = [];
  let start = 0;
  for (let at = 0; at < line.length; at += 1) {
    const shield = shielded.get(at);
    if (shield !== undefined) at = shield;
    else if (isStop(line, at) && !(at > start && isStop(line, at - 1))) {
      const end = endOfSentence(line, start, at);
      if (end === null) continue;
      addSentence(sentences, line.slice(start, end));
      start = end;
      at = end - 1;
    }
  }
  addSentence(sentences, line.slice(start));
  return sentences;
}

function isStop(line: string, at: number): boolean {
  return stop.test(line.charAt(at)) || wideStop.test(line.charAt(at));
}

function addSentence(sentences: string[], text: string): void {
  const trimmed = text.trim();
  if (/[\p{L}\p{N}]/u.test(trimmed)) sentences.push(trimmed);
}

/** Where the sentence ends that has a stop here, or null when it goes on. */
function endOfSentence(line: string, start: number, at: number): number | null {
  let end = at + 1;
  while (isStop(line, end)) end += 1;
  while (end < line.length && closer.test(line.charAt(end))) end += 1;
  if (end === line.length || wideStop.test(line.charAt(at))) return end;
  if (!/\s/.test(line.charAt(end))) return null;
  const next = line.charAt(end + 1);
  if (line.charAt(at) !== '.' || line.charAt(at + 1) === '.') return /\p{Ll}/u.test(next) ? null : end;
  // An abbreviation is short, so the words right before the stop are enough to know one.
  const before = line.slice(Math.max(start, at - 12), at);
  if (!abbreviation.test(before)) return end;
  return mayEnd.test(before) && /\p{Lu}/u.test(next) ? end : null;
}

/** Places that begin a code span or a pair of brackets, with the place of its end; a stop inside ends nothing. */
function shieldedPlaces(line: string): Map<number, number> {
  const places = new Map<number, number>();
  const open: { mark: string; at: number }[] = [];
  const backticks = /`+/y;
  // A run that has no partner has none further on either, nor has a longer one; looking again would take its time.
  let withoutPartner = Number.POSITIVE_INFINITY;
  for (let at = 0; at < line.length; at += 1) {
    const character = line.charAt(at);
    if (character === '`') {
      backticks.lastIndex = at;
      const run = backticks.exec(line)?.[0] ?? '`';
      const close = run.length < withoutPartner ? line.indexOf(run, at + run.length) : -1;
      if (close === -1) withoutPartner = Math.min(withoutPartner, run.length);
      else places.set(at, close + run.length - 1);
      at = (close === -1 ? at : close) + run.length - 1;
    } else if (openers.has(character)) open.push({ mark: character, at });
    else if (pairs[character] !== undefined && open.at(-1)?.mark === pairs[character]) {
      places.set(open.pop()?.at ?? at, at);
    }
  }
  return places;
}
