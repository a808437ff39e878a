import type { FileFacts, LookedLines } from '../../../reading/facts.ts';
import type { FileDiff } from '../../../reading/file-diff.ts';
import { bytesOfInstructions, type Material, oneLine, printLooked, sizeOf, withLooked } from '../material.ts';
import { type AskReader, fillPrompt, type Prompts } from '../prompts.ts';
import { LooksReply } from '../reply-forms.ts';
import { lookAtCallers } from './callers.ts';
import { Looker, type LookOutcome, TreeGone, type TreeSource } from './looker.ts';
import { readLooks } from './requests.ts';

export type LookRounds = 0 | 1 | 2;

interface LookingAround {
  ask: AskReader;
  prompts: Pick<Prompts, 'look-around'>;
  project: string;
  language: string;
  tree: TreeSource;
  rounds: LookRounds;
  mostBytes: number;
}

interface LookedAt {
  material: Material;
  looked: LookedLines[];
}

const mostLines = 400;

/** The share for looked-up lines, in proportion to the other material: less than a third of the whole question. */
const shareOfRest = 2 / 5;

/** With less space, looking is not worth a question. */
const leastBytes = 2_000;

const mostLooks = [12, 6];

/** The share of the remaining space for each round: the second request is better informed. */
const sharesOfRounds = [2 / 3, 1];

/** Choosing where to look needs less material than writing, and happens more than once. */
const mostBytes = { words: 1_500, withContext: 6_000, again: 5_000 };

/**
 * Shows a writer lines of the repository around a change: callers of changed code, and what the writer asks for, in two
 * rounds. After any failure, it writes with the material it has.
 */
export async function lookAround(
  { rounds, tree, ...asking }: LookingAround,
  material: Material,
  { diff, files }: { diff: FileDiff[]; files: FileFacts[] },
  question: string[] = [],
): Promise<LookedAt> {
  const size = sizeOf(material.lines);
  const bytes = Math.floor(Math.min((size + bytesOfInstructions) * shareOfRest, asking.mostBytes - size));
  if (rounds === 0 || bytes < leastBytes) return { material, looked: [] };
  const looker = new Looker(tree, diff, { lines: mostLines, bytes });
  const outcomes: LookOutcome[] = [];
  try {
    await looker.begin();
    outcomes.push(...(await lookAtCallers(looker, files)));
    for (let round = 0; round < rounds; round += 1) {
      const most = mostLooks[round] ?? 0;
      const labels = withLooked(material, looker.looked).labels;
      const lines = [
        `most ${most}`,
        ...question,
        ...toLook(material.lines, round),
        ...printLooked(looker.looked, labels),
        ...printOutcomes(outcomes),
      ];
      const filled = fillPrompt(asking.prompts['look-around'], { ...asking, lines });
      const reply = await asking.ask({ ...filled, schema: LooksReply });
      const looks = reply ? readLooks(reply, most) : [];
      if (looks.length === 0) break;
      outcomes.push(...(await looker.answer(looks, { share: sharesOfRounds[round] ?? 1 })));
    }
  } catch (error) {
    if (!(error instanceof TreeGone)) throw error;
  }
  const { looked } = looker;
  const shown = withLooked(material, looked);
  const cut = outcomes.filter((one) => one.shown < one.found || one.isPartial);
  return { looked, material: { ...shown, lines: [...shown.lines, ...printOutcomes(cut)] } };
}

function toLook(lines: string[], round: number): string[] {
  const words = within(
    lines.filter((line) => isWords.test(line)),
    mostBytes.words,
  );
  const code = lines.filter((line) => !isWords.test(line));
  const changed = code.filter((line) => !/^\d+ /.test(line));
  if (round > 0) return within(changed, mostBytes.again);
  return [...(sizeOf(code) > mostBytes.withContext ? changed : code), ...words];
}

const isWords = /^w\d+ /;

function within(lines: string[], most: number): string[] {
  let left = most;
  return lines.filter((line) => {
    left -= sizeOf([line]);
    return left >= 0;
  });
}

/** Lists the results, so that the writer does not take the shown lines for all there are. */
const printOutcomes = (outcomes: LookOutcome[]): string[] =>
  outcomes.map(({ look, shown, found, changed, isPartial }) => {
    const { kind, text, in: within, name, lines, side } = look;
    const wanted = [kind, JSON.stringify(text), name, lines?.join('-'), within && `in ${within}`];
    const also = [
      ...(changed > 0 ? [`${changed} in lines of the diff`] : []),
      ...(isPartial ? ['the search was cut short'] : []),
    ];
    const said = [...wanted, ...(side === 'old' ? ['before'] : [])].filter(Boolean).join(' ');
    return `look ${oneLine(said)}: ${[`${shown} of ${found} places shown`, ...also].join(', ')}`;
  });
