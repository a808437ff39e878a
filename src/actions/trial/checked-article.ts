import { linesOf } from '../../reading/file-diff.ts';
import { type Draft, emptyDraft, type Sentence } from '../../writing/draft.ts';
import type { Sample } from './prepare-sample.ts';

/** The sample that it is about. */
export const toldSample = 10;

/** True of that pull request, each with a part of a line that shows it. They have enough words to tell a language by. */
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

/** An article about a sample of which every sentence holds, as a model would have handed it over. */
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
