import { turningLabels } from '../../domain/articles.ts';
import { holdsKey } from '../../domain/secrets.ts';
import { wordSet } from '../../domain/text.ts';
import { visibleText } from '../../reading/description/sentences.ts';
import { linesOf } from '../../reading/file-diff.ts';
import type { BeforeAfter } from '../articles.ts';
import type { Sentence } from '../draft.ts';
import type { Judgement, SentenceToJudge } from './judge-sentences.ts';
import type { Material } from './material.ts';

const mostLines = 6;
const longestLine = 100;

/** Names of the code around a call need not be in the change; more unknown names than these reject the block. */
const mostUnknown = 4;

const keywords = wordSet(
  `and as async await break case catch class const continue def default defer do else end export extends false finally fn for from
  func function go if impl import in interface is lambda let match mut new nil none not null or package private pub public raise
  require return self static struct super switch then this throw true try type undefined use val var void while with yield
  any array bool boolean byte bytes char console dict double error errors float fmt hash int len list log long map number object print
  println printf puts set slice str string uint`,
);

const name = /[\p{L}_$][\p{L}\p{N}_$]*/gu;
/** Names that are members, called, assigned or types. */
const usedName =
  /(?<=(?:\.|::|->)\s*)[\p{L}_$][\p{L}\p{N}_$]*|[\p{L}_$][\p{L}\p{N}_$]*(?=\s*(?:[(:!<{]|=(?!=)))|(?<![\p{L}\p{N}_$])\p{Lu}[\p{L}\p{N}_$]*/gu;
const declared =
  /^\s*(?:(?:var|let|const|val|auto|final)\s+)?([\p{L}_$][\p{L}\p{N}_$, ]*?)\s*(?::=|=(?![=>]))/gmu;

const namesIn = (text: string): Set<string> =>
  new Set((text.match(name) ?? []).filter((one) => !keywords.has(one.toLowerCase())));

function namesOnSides({ files, definitions, looked }: Material): { old: Set<string>; new: Set<string> } {
  const lines = [...files.values()].flatMap(({ hunks }) => hunks.flatMap(linesOf));
  const stays = [...[...definitions.values()].flat(), ...looked].flatMap((one) => one.lines);
  const on = (gone: 'added' | 'removed') =>
    namesIn([...lines.flatMap(({ side, text }) => (side === gone ? [] : [text])), ...stays].join('\n'));
  return { old: on('added'), new: on('removed') };
}

/** A block without the indentation that all its lines share; null if it cannot be printed. */
function blockOf(text: string): string | null {
  const lines = text
    .replace(/\r\n?/g, '\n')
    .replaceAll('\t', '    ')
    .split('\n')
    .map((line) => line.trimEnd());
  const said = lines.filter((line) => line !== '');
  const indent = Math.min(...said.map((line) => line.length - line.trimStart().length));
  const isPlain = said.every((line) => line.length <= longestLine && visibleText(line) === line);
  const isOurs = !/:\/\/|www\.|```/.test(text) && !holdsKey(text);
  if (said.length === 0 || said.length > mostLines || !isPlain || !isOurs) return null;
  return said.map((line) => line.slice(indent)).join('\n');
}

/**
 * Code of callers before and after a change. Null unless its names match: names of one block only must be on that side
 * of the change, and none may be on the other side only.
 */
export function readBeforeAfter(
  written: { before: string; after: string } | undefined,
  material: Material,
): BeforeAfter | null {
  const [before, after] = [blockOf(written?.before ?? ''), blockOf(written?.after ?? '')];
  if (before === null || after === null || before === after) return null;
  const known = namesOnSides(material);
  const [old, now] = [namesIn(before), namesIn(after)];
  const used = new Set([...before.matchAll(usedName), ...after.matchAll(usedName)].map(([one]) => one));
  const fits = (block: string, own: Set<string>, others: Set<string>, side: 'old' | 'new'): boolean => {
    const elsewhere = known[side === 'old' ? 'new' : 'old'];
    const local = namesIn(Array.from(block.matchAll(declared), ([, names]) => names).join(' '));
    // A variable in both blocks says nothing about the change, whatever its name.
    const mayBe = (one: string): boolean =>
      others.has(one) ? !used.has(one) || !elsewhere.has(one) : local.has(one) && !elsewhere.has(one);
    return (
      [...own].some((one) => known[side].has(one)) &&
      [...own].every((one) => known[side].has(one) || mayBe(one))
    );
  };
  const unknown = [...new Set([...old, ...now])].filter((one) => !known.old.has(one) && !known.new.has(one));
  const isShown = fits(before, old, now, 'old') && fits(after, now, old, 'new');
  return isShown && unknown.length <= mostUnknown ? { before, after } : null;
}

/** Whether a sentence says that callers must change their code. */
export const isTurning = ({ label }: Sentence): boolean => turningLabels.some((one) => one === label);

/** The number of the block as a sentence for the second model, after all others. */
export const numberOfBlock = 1_000_000;

const inOneLine = (block: string): string => block.replaceAll('`', "'").replaceAll('\n', ' ⏎ ');

export const blockToJudge = (sentence: Sentence, { before, after }: BeforeAfter): SentenceToJudge => ({
  index: numberOfBlock,
  sentence: {
    ...sentence,
    text: `Before: \`${inOneLine(before)}\`, after: \`${inOneLine(after)}\``,
    basis: 'judgement',
  },
  name: 'before and after',
});

/** A block that the second model did not approve is left out, and its sentence stays. */
export function withApprovedBlock(sentence: Sentence, judgement: Judgement): Sentence {
  const { beforeAfter, ...rest } = sentence;
  return beforeAfter && judgement.get(numberOfBlock) === null ? sentence : rest;
}
