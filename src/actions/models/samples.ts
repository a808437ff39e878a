import type { HostPullRequest } from '../../code-hosts/code-host.ts';
import { foldSpace } from '../../domain/text.ts';
import { type DiffLine, type FileDiff, linesOf } from '../../reading/file-diff.ts';
import { type PreparedWriting, prepareWriting } from '../../writing/ai/prepare-writing.ts';
import { type Draft, emptyDraft, type Sentence } from '../../writing/draft.ts';
import { readForWriting } from '../articles/read-for-writing.ts';
import type { RunInThread } from '../articles/thread-tasks.ts';
import { readChange } from '../pull-requests/collect-diff.ts';

export interface Sample {
  project: string;
  number: number;
  writing: PreparedWriting;
  known: KnownSentence[];
}

export async function prepareSample(
  run: RunInThread,
  found: HostPullRequest,
  place: Parameters<typeof readChange>[2],
): Promise<Sample> {
  const { payload, source } = await readChange(run, found, place);
  const read = await readForWriting(payload, source());
  const { repository: project } = payload;
  const known = makeKnownSentences(read.diff);
  return { project, number: found.number, writing: prepareWriting(read, 'en'), known };
}

const lieKinds = [
  'direction reversed',
  'number changed',
  'names swapped',
  'effect invented',
  'condition dropped',
] as const;
export type LieKind = (typeof lieKinds)[number];

export interface KnownSentence {
  sentence: Sentence;
  lie: LieKind | null;
}

interface Place {
  path: string;
  line: DiffLine;
  text: string;
  next: DiffLine | null;
}

interface Pair {
  kind: LieKind;
  place: Place;
  truth: string;
  lie: string;
}

/** The number of places of each kind in one pull request; half of them become true sentences. */
const mostOfKind = 4;

/**
 * Sentences made from a diff that are certainly true or false. No place is used for both, because sentences that
 * contradict each other would reveal the false one without the lines.
 */
export function makeKnownSentences(diff: FileDiff[]): KnownSentence[] {
  const places = placesIn(diff);
  const used = new Set<DiffLine>();
  return makers.flatMap((make, offset) => {
    const pairs = make(places, diff)
      .filter(({ place }) => !used.has(place.line))
      .slice(0, mostOfKind);
    for (const { place } of pairs) used.add(place.line);
    return pairs.map((pair, index) => sampleSentence(pair, (index + offset) % 2 === 0));
  });
}

function sampleSentence({ kind, place, truth, lie }: Pair, isTrue: boolean): KnownSentence {
  const { newLine, oldLine } = place.line;
  const line = newLine ?? oldLine ?? 0;
  const side = newLine === null ? 'old' : 'new';
  const evidence = [{ fileName: place.path, side, startLine: line, endLine: line } as const];
  const sentence: Sentence = {
    text: isTrue ? truth : lie,
    basis: 'diff',
    quote: null,
    evidence: [...evidence],
    words: [],
    facts: [],
  };
  return { sentence, lie: isTrue ? null : kind };
}

function placesIn(diff: FileDiff[]): Place[] {
  return diff.flatMap(({ path, hunks }) =>
    hunks.flatMap((hunk) => {
      const lines = linesOf(hunk);
      return lines.flatMap((line, index): Place[] => {
        const below = lines[index + 1];
        const next = below?.side === line.side ? below : null;
        return line.side === 'context' ? [] : [{ path, line, text: foldSpace(line.text), next }];
      });
    }),
  );
}

const isCodePlace = ({ path }: Place): boolean => !/\.(?:md|json|lock)$|(?:^|\/)test\//.test(path);
const came = ({ line }: Place): boolean => line.side === 'added';

const isQuotable = ({ text }: Place): boolean =>
  text.length >= 12 &&
  text.length <= 80 &&
  !/[`|]|^(?:\/[/*]|\*|--|import\b)/.test(text) &&
  /\w{3}.*\w{3}/.test(text);

const lettersAndDigits = (text: string): string => text.replace(/[^\p{L}\p{N}]+/gu, '');

const isOneSided = ({ line, text }: Place, diff: FileDiff[]): boolean =>
  !diff
    .flatMap(({ hunks }) => hunks.flatMap((hunk) => linesOf(hunk)))
    .some(
      (other) => other.side !== line.side && lettersAndDigits(other.text).includes(lettersAndDigits(text)),
    );

const effects = [
  'which halves the memory that it needs',
  'which makes answers twice as fast',
  'so that old clients go on working unchanged',
  'so that the log no longer fills with warnings',
];

const newCode = (places: Place[]): Place[] =>
  places.filter((place) => isCodePlace(place) && came(place) && !place.text.includes('`'));

function conditionals(places: Place[]): Pair[] {
  return newCode(places).flatMap((place): Pair[] => {
    const [, condition = '', then = ''] = /^if \((.+)\) (\{|[^{]+;)$/.exec(place.text) ?? [];
    const below = then === '{' ? place.next : null;
    const [, action = ''] = /^([^`/].*\w{2}[^`]*);$/.exec(below ? foldSpace(below.text) : then) ?? [];
    // If the same action is elsewhere in the diff too, it may happen whether or not the condition holds.
    const stem = action.replace(/\(?\)?$/, '');
    const isElsewhere = places.some(
      ({ line, text }) => line !== place.line && line !== below && text.includes(stem),
    );
    if (action === '' || condition.includes(') ') || isElsewhere) return [];
    return [
      {
        kind: 'condition dropped',
        place,
        truth: `Where \`${condition}\` holds, \`${action}\` follows.`,
        lie: `\`${action}\` follows whether \`${condition}\` holds or not.`,
      },
    ];
  });
}

function values(places: Place[]): Pair[] {
  return places.filter(came).flatMap((place): Pair[] => {
    const [, name, sign, number] =
      /\b([A-Za-z_]\w{3,})( = |: |\()(\d{2,})\b(?![\w.*-])/.exec(place.text) ?? [];
    if (!name || !number || place.text.includes('`')) return [];
    const say = (value: number) =>
      sign === '('
        ? `\`${name}\` gets ${value} as its first argument there.`
        : `\`${name}\` is ${value} there.`;
    const value = Number(number);
    return [{ kind: 'number changed', place, truth: say(value), lie: say(value + (value > 99 ? 120 : 7)) }];
  });
}

function calls(places: Place[]): Pair[] {
  const calls = newCode(places).flatMap((place) => {
    const [, name, called] = /^const (\w{2,}) = (?:await )?(?!new )([\w.]{3,})\(/.exec(place.text) ?? [];
    return name && called ? [{ place, name, called }] : [];
  });
  return calls.flatMap(({ place, name, called }, index): Pair[] => {
    const other = calls[(index + 1) % calls.length]?.called ?? called;
    const isTrueToo = places.some(({ text }) => text.includes(other) && text.includes(name));
    const say = (callee: string) => `The line that declares \`${name}\` calls \`${callee}\`.`;
    return isTrueToo ? [] : [{ kind: 'names swapped', place, truth: say(called), lie: say(other) }];
  });
}

const invented = (places: Place[], diff: FileDiff[]): Pair[] =>
  newCode(places)
    .filter((place) => isQuotable(place) && isOneSided(place, diff))
    .map((place, index) => {
      const said = `\`${place.text}\` is new in \`${place.path}\``;
      return {
        kind: 'effect invented',
        place,
        truth: `${said}.`,
        lie: `${said}, ${effects[index % effects.length]}.`,
      };
    });

const directions = (places: Place[], diff: FileDiff[]): Pair[] =>
  places
    .filter((place) => isQuotable(place) && isOneSided(place, diff))
    .map((place) => {
      const arrives = `\`${place.text}\` has come into \`${place.path}\`.`;
      const leaves = `\`${place.text}\` has gone from \`${place.path}\`.`;
      const [truth, lie] = came(place) ? [arrives, leaves] : [leaves, arrives];
      return { kind: 'direction reversed', place, truth, lie };
    });

const makers = [conditionals, values, calls, invented, directions];

export const translatedSample = 10;

/**
 * True sentences about the sample, each with a part of the line that proves it. They are long enough to recognize their
 * language.
 */
const sentences: [text: string, path: string, quote: string][] = [
  [
    '`estimateDelivery` needs to know where the recipient lives, and counts working days on the calendar of that place.',
    'src/estimate/estimate.ts',
    'let day = dayIn(timeZone, handedOver);',
  ],
  [
    'How long somebody still has to wait follows from two calendar days that `daysBetween` compares, not from two moments.',
    'src/estimate/estimate.ts',
    'return Math.max(0, daysBetween(dayIn(timeZone, now), estimate));',
  ],
  [
    'For each place a formatter is kept in `formats`, so that asking for the same place again does not make another one.',
    'src/estimate/calendar.ts',
    'formats.set(timeZone, format);',
  ],
  [
    'A new parcel is refused with a message if `isTimeZone` does not know the place that was given for it.',
    'src/model.ts',
    'timeZone: z.string().refine(isTimeZone, "not a time zone").default("UTC"),',
  ],
  [
    'One of the tests is about the night in which the clocks go forward, and expects that a day of 23 hours counts as one.',
    'test/estimate.test.ts',
    'a day of 23 hours is still one day',
  ],
];

/** An article about a sample in which every sentence is true, as a model would return it. */
export function checkedArticle({ writing }: Sample): Draft {
  const { diff } = writing.material;
  const placed = sentences.map(([text, path, quote]): Sentence => {
    const lines = diff.filter((file) => file.path === path).flatMap(({ hunks }) => hunks.flatMap(linesOf));
    const line = lines.find((one) => one.side === 'added' && one.text.includes(quote))?.newLine;
    if (!line) throw new Error(`No line of ${path} says ${quote}.`);
    const evidence = [{ fileName: path, side: 'new' as const, startLine: line, endLine: line }];
    return { text, basis: 'diff', quote, evidence, words: [], facts: [] };
  });
  return {
    ...emptyDraft,
    ownTitle: writing.known.title,
    mainChanges: [
      {
        fileName: sentences[0]?.[1] ?? '',
        changeTypes: [],
        sentences: placed,
        heading: null,
        hunk: null,
      },
    ],
  };
}
