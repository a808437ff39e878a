import type { FileFacts, LookedLines } from '../../../reading/facts.ts';
import type { FileDiff } from '../../../reading/file-diff.ts';
import { bytesOfInstructions, type Material, oneLine, sizeOf, withLooked } from '../material.ts';
import { type AskReader, fillPrompt, type Prompts } from '../prompts.ts';
import { LooksReply } from '../reply-forms.ts';
import { lookAtCallers } from './callers.ts';
import { Looker, type LookOutcome, TreeGone, type TreeSource } from './looker.ts';
import { isShown, printChange, printNews, printSpans, without } from './print-change.ts';
import { printReleases } from './releases.ts';
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

/** The share of the space for the rest of changed functions. */
const shareOfAround = 1 / 3;

const mostLooks = [12, 6];

/** The share of the remaining space for each round: the second request is better informed. */
const sharesOfRounds = [2 / 3, 1];

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
  const releases: string[] = [];
  try {
    await looker.begin();
    outcomes.push(...(await lookAtCallers(looker, files)));
    const callers = looker.looked;
    releases.push(...(await printReleases(tree, files)));
    await looker.showAround(files, shareOfAround);
    const most = isSmall(files) ? 1 : rounds;
    let earlier: LookedLines[] = [];
    for (let round = 0; round < most; round += 1) {
      const requests = mostLooks[round] ?? 0;
      const { labels } = withLooked(material, looker.looked);
      const lines = [
        `most ${requests}`,
        ...question,
        ...printChange(material, files, round > 0),
        ...printNews(round === 0 ? callers : looker.looked, earlier, labels),
        ...(round === 0 ? printSpans(without(looker.looked, callers), labels) : []),
        ...printOutcomes(outcomes),
      ];
      earlier = looker.looked;
      const filled = fillPrompt(asking.prompts['look-around'], { ...asking, lines });
      const reply = await asking.ask({ ...filled, schema: LooksReply });
      const looks = reply ? readLooks(reply, requests) : [];
      const answers = await looker.answer(looks, { share: sharesOfRounds[round] ?? 1 });
      outcomes.push(...answers);
      if (answers.every(isWhole)) break;
    }
  } catch (error) {
    if (!(error instanceof TreeGone)) throw error;
  }
  const { looked } = looker;
  const shown = withLooked(material, looked);
  const cut = outcomes.filter((one) => !isWhole(one));
  const usages = new Map(
    outcomes.flatMap((one): [string, string][] =>
      one.look.kind === 'usages' && one.look.in === ''
        ? [[one.look.text, printOutcomes([one])[0] ?? '']]
        : [],
    ),
  );
  return {
    looked,
    material: { ...shown, usages, lines: [...shown.lines, ...releases, ...printOutcomes(cut)] },
  };
}

/** The changed lines of code up to which there is one round. */
const linesOfSmall = 40;

const isSmall = (files: FileFacts[]): boolean =>
  files.filter(isShown).reduce((sum, { additions, deletions }) => sum + additions + deletions, 0) <
  linesOfSmall;

/** Whether a request leaves nothing to ask: everything found is shown, or there is nothing. */
const isWhole = ({ look, shown, found, isPartial, note }: LookOutcome): boolean =>
  shown === found && !isPartial && note === '' && (look.kind !== 'show' || shown > 0);

/** Lists the results, so that the writer does not take the shown lines for all there are. */
const printOutcomes = (outcomes: LookOutcome[]): string[] =>
  outcomes.map(({ look, shown, found, changed, isPartial, note }) => {
    const { kind, text, in: within, name, lines, side } = look;
    const wanted = [kind, JSON.stringify(text), name, lines?.join('-'), within && `in ${within}`];
    const also = [
      ...(found > shown ? [`${found - shown} more`] : []),
      ...(changed > 0 ? [`${changed} in lines of the diff`] : []),
      ...(isPartial ? ['the search was cut short'] : []),
      ...(note === '' ? [] : [oneLine(note)]),
    ];
    const said = [...wanted, ...(side === 'old' ? ['before'] : [])].filter(Boolean).join(' ');
    return `look ${oneLine(said)}: ${[`${shown} of ${found} places shown`, ...also].join(', ')}`;
  });
