import { leftOut } from '../../reading/description/join-lines.ts';
import { parseBlocks } from '../../reading/description/parse-blocks.ts';
import { splitLine } from '../../reading/description/sentences.ts';
import { holdsKey } from '../key-shapes.ts';
import { isBalanced, losesAddress, plainText } from '../plain-text.ts';
import { citesAnother } from './whole-thoughts.ts';

/** A sentence of somebody's text, and where it stands there. */
export interface Passage {
  text: string;
  /** The nearest heading above it; empty where there is none. */
  heading: string;
  /** Which paragraph or item of a list it stands in. */
  block: number;
  isItem: boolean;
  /** Whether its paragraph or item begins with it. */
  isFirst: boolean;
  /** One step of several that are counted. */
  isStep: boolean;
  /** Whether code stands above it in its section, which it may speak of. */
  isAfterCode: boolean;
  /** Whether it can be quoted: it is not torn, and nothing has to be left out of it. */
  isWhole: boolean;
}

/** Sentences of a cleaned text, up to where it repeats another commit's message; tables, code and quotations have none. */
export function passagesOf(cleaned: string): Passage[] {
  const passages: Passage[] = [];
  let heading = '';
  let isAfterCode = false;
  for (const [index, block] of parseBlocks(cleaned).entries()) {
    if (block.kind === 'heading') heading = block.text;
    isAfterCode = block.kind === 'code' || (isAfterCode && block.kind !== 'heading');
    if (block.kind !== 'paragraph' && block.kind !== 'item') continue;
    if (block.kind === 'paragraph' && standsAsHeading.test(block.text)) {
      heading = block.text.replace(/[:：]$/, '');
      continue;
    }
    const isItem = block.kind === 'item';
    const isStep = isItem && /^\d/.test(block.marker);
    for (const [at, sentence] of block.text.split('\n').flatMap(splitLine).entries()) {
      if (citesAnother.test(sentence)) return passages;
      const text = plainText(sentence);
      const isWhole = isUntorn(text) && !losesAddress(sentence) && !holdsKey(text);
      passages.push({ text, heading, block: index, isItem, isFirst: at === 0, isStep, isAfterCode, isWhole });
    }
  }
  return passages;
}

/** Up to four words without a full stop, by themselves: what some write instead of a heading. */
const standsAsHeading = /^\p{L}[\p{L}\p{N}'’/&-]*(?: [\p{L}\p{N}'’/&(-][\p{L}\p{N}'’/&)-]*){0,3}[:：]?$/u;

/** What opens also closes, and nothing is announced that does not follow. */
const isUntorn = (text: string): boolean =>
  text !== '' &&
  isBalanced(text) &&
  !/[:：,、;]$|…$|\.\.\.$/.test(text) &&
  !/^[….,;:)]/.test(text) &&
  !text.includes(` ${leftOut} `);

/** A squashed pull request without a description has the list of its commits in place of one. */
export const isListOfCommits = (cleaned: string): boolean => cleaned.startsWith('* ');

/** Each commit of such a list: its subject, and what stands below it. */
export const commitsListedIn = (cleaned: string): { subject: string; body: string }[] =>
  cleaned
    .split(/^\* /m)
    .slice(1)
    .map((commit) => {
      const [subject = '', ...body] = commit.split('\n');
      return { subject, body: body.join('\n').trim() };
    });
