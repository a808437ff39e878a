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

/** A third of the whole question is half of the material without it. */
const shareOfRest = 1 / 2;

/** With less space, looking is not worth a question. */
const leastBytes = 2_000;

const mostLooks = [12, 6];

/** The share of the remaining space for each round: the second request is better informed. */
const sharesOfRounds = [2 / 3, 1];

/** Texts of people show where to look, and are read as a whole later. */
const mostBytesOfWords = 2_000;

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
  const looker = new Looker(tree, diff, { lines: mostLines, bytes: bytes - bytesOfHeads });
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
        ...(round === 0 ? withFewWords(material.lines) : withoutContext(material.lines)),
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
  return { looked, material: { ...shown, lines: [...shown.lines, ...printOutcomes(outcomes)] } };
}

/** Reserved for the headings above shown lines, and for the results of requests. */
const bytesOfHeads = 1_000;

function withFewWords(lines: string[]): string[] {
  let left = mostBytesOfWords;
  return lines.filter((line) => {
    if (!/^w\d+ /.test(line)) return true;
    left -= sizeOf([line]);
    return left >= 0;
  });
}

const withoutContext = (lines: string[]): string[] => lines.filter((line) => !/^(?:w\d+|\d+) /.test(line));

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
