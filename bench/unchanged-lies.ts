import type { Definition, Evidence } from '../src/reading/facts.ts';
import type { OfflineLanguage } from '../src/writing/articles.ts';
import { emptySentence, type Sentence } from '../src/writing/draft.ts';

/** Lies about unchanged lines, which a writer may cite beside changed ones. */
export const liesAboutUnchanged = [
  'old told as new',
  'one caller told as all',
  'a caller that does not exist',
] as const;

export type UnchangedLie = (typeof liesAboutUnchanged)[number];

const wordings = {
  en: {
    stays: (name: string) => `\`${name}\` itself stays as it is.`,
    asNew: (name: string, word: string) => [
      `\`${name}\` is new.`,
      `\`${name}\` now uses \`${word}\`.`,
      `\`${name}\` used to do without \`${word}\`.`,
      `\`${name}\` no longer uses \`${word}\`.`,
    ],
    all: (name: string, caller: string) => [
      `\`${caller}\` is the only caller of \`${name}\`.`,
      `All callers of \`${name}\` do it as \`${caller}\` does.`,
    ],
    caller: (name: string, caller: string) => `\`${caller}\` calls \`${name}\`.`,
  },
  ja: {
    stays: (name: string) => `\`${name}\` そのものはそのままです。`,
    asNew: (name: string, word: string) => [
      `\`${name}\` を追加しています。`,
      `\`${name}\` は \`${word}\` を使うようになりました。`,
      `これまで \`${name}\` は \`${word}\` なしで動いていました。`,
      `\`${name}\` は \`${word}\` を使わなくなりました。`,
    ],
    all: (name: string, caller: string) => [
      `\`${name}\` の呼び出し元は \`${caller}\` だけです。`,
      `\`${name}\` のすべての呼び出し元が \`${caller}\` と同じようにします。`,
    ],
    caller: (name: string, caller: string) => `\`${caller}\` が \`${name}\` を呼び出します。`,
  },
};

interface Place {
  fileName: string;
  definition: Definition;
}

const evidenceOf = ({ fileName, definition: { startLine, lines } }: Place): Evidence => ({
  fileName,
  startLine,
  endLine: startLine + lines.length - 1,
  side: 'new',
  unchanged: true,
});

const plain = /^[A-Za-z_]\w{3,}$/;
const isPlain = ({ definition: { name, isRest } }: Place): boolean => !isRest && plain.test(name);

const isIn = (word: string, { lines }: Definition): boolean =>
  lines.some((line) => new RegExp(`(?<!\\w)${word}(?!\\w)`).test(line));

type Definitions = ReadonlyMap<string, Definition[]>;

const placesIn = (definitions: Definitions): Place[] =>
  [...definitions]
    .flatMap(([fileName, own]) => own.map((definition) => ({ fileName, definition })))
    .filter(isPlain);

/** Truths about definitions that changed lines use. */
export const sentencesAboutUnchanged = (
  definitions: Definitions,
  language: OfflineLanguage,
  most: number,
): Sentence[] =>
  placesIn(definitions)
    .filter(({ definition: { name }, definition }) => isIn(name, definition))
    .slice(0, most)
    .map((place) => ({
      ...emptySentence,
      text: wordings[language].stays(place.definition.name),
      evidence: [evidenceOf(place)],
    }));

/** Each sentence cites its definition, and a caller in turn also the text that names it. */
export function liesOfUnchanged(
  sentence: Sentence,
  definitions: Definitions,
): { kind: UnchangedLie; sentence: Sentence }[] {
  const [cited] = sentence.evidence;
  const places = placesIn(definitions);
  const own = places.find(
    ({ fileName, definition: { startLine } }) =>
      fileName === cited?.fileName && startLine === cited.startLine && cited.unchanged,
  );
  if (!own) return [];
  const { name } = own.definition;
  const say = wordings[/[\u3040-\u30ff]/u.test(sentence.text) ? 'ja' : 'en'];
  const word = own.definition.lines
    .flatMap((line) => line.match(/(?<![\w$])[A-Za-z_]\w{3,}/g) ?? [])
    .find((one) => one !== name);
  const stranger = places.find(({ definition }) => definition.name !== name && !isIn(name, definition));
  const lie = (kind: UnchangedLie, text: string, others: Place[] = []) => ({
    kind,
    sentence: { ...sentence, text, evidence: [...sentence.evidence, ...others.map(evidenceOf)] },
  });
  return [
    ...(word ? say.asNew(name, word).map((text) => lie('old told as new', text)) : []),
    ...(stranger
      ? [
          ...say
            .all(name, stranger.definition.name)
            .map((text) => lie('one caller told as all', text, [stranger])),
          lie('a caller that does not exist', say.caller(name, stranger.definition.name)),
          lie('a caller that does not exist', say.caller(name, stranger.definition.name), [stranger]),
        ]
      : []),
    lie('a caller that does not exist', say.caller(name, `${name}Twice`)),
  ];
}
