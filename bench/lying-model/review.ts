import type { Static, TSchema } from 'typebox';
import type { Discussion, DiscussionComment } from '../../src/domain/reviews.ts';
import { loadPrompts } from '../../src/open-writing.ts';
import { labelMaterial, oneLine } from '../../src/writing/ai/material.ts';
import { type ModelSource, prepareWriting } from '../../src/writing/ai/prepare-writing.ts';
import type { Ask, Question, WritingDeps } from '../../src/writing/ai/prompts.ts';
import {
  ArticleReply,
  type JudgeReply,
  MendReply,
  type ReplySentence,
} from '../../src/writing/ai/reply-forms.ts';
import { spokenComments } from '../../src/writing/ai/review/spoken-comments.ts';
import { writeWithModel } from '../../src/writing/ai/write-with-model.ts';
import { diffOf } from '../../test/diff-of.ts';
import { readFacts } from '../../test/read-facts.ts';

const { prompts } = loadPrompts();

const logins = ['rin', 'kim-lee', 'mika', 'jo2', 'SamB', 'ada.w', 'octo_cat', 'x', 'li'];

/** Words of a review, how they are reported, and the same without their negation. */
interface Saying {
  said: string;
  en: string;
  ja: string;
  reversed?: [en: string, ja: string];
}

const sayings: Saying[] = [
  {
    said: 'Please reject parts above the limit before they are sent.',
    en: 'asks to reject parts above the limit before they are sent',
    ja: '上限を超える部分は送信前に拒否してほしいと書いています',
  },
  {
    said: 'We should not retry uploads that the server refused.',
    en: 'asks not to retry uploads that the server refused',
    ja: 'サーバーが断ったアップロードは再試行すべきでないと書いています',
    reversed: [
      'asks to retry uploads that the server refused',
      'サーバーが断ったアップロードは再試行すべきだと書いています',
    ],
  },
  {
    said: 'Could an empty part end the loop too early?',
    en: 'asks whether an empty part ends the loop too early',
    ja: '空の部分があるとループが早く終わるのではないかと尋ねています',
    reversed: [
      'writes that an empty part ends the loop too early',
      '空の部分でループが早く終わると書いています',
    ],
  },
  {
    said: 'I would never log the token, even when debugging.',
    en: 'writes that the token should never be logged, even when debugging',
    ja: 'デバッグ中でもトークンをログに出すべきでないと書いています',
    reversed: [
      'writes that the token should be logged when debugging',
      'デバッグ中はトークンをログに出すべきだと書いています',
    ],
  },
  {
    said: "I don't think the timeout has to be an option.",
    en: 'doubts that the timeout has to be an option',
    ja: 'タイムアウトをオプションにする必要はないと書いています',
    reversed: [
      'writes that the timeout has to be an option',
      'タイムアウトをオプションにする必要があると書いています',
    ],
  },
];

export const liesAboutReviews = [
  'wrong speaker',
  'approval that was not',
  'request told as done',
  'negation dropped',
  'reason that nobody gave',
] as const;
type Kind = (typeof liesAboutReviews)[number];
type Language = 'en' | 'ja';

interface Told {
  text: string;
  kind: Kind | null;
  /** The author of the cited comment. */
  speaker: string;
}

const pick = <Item>(items: readonly Item[], random: () => number): Item =>
  items[Math.floor(random() * items.length)] as Item;

const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

function liesAbout(
  { speaker, others, author }: { speaker: string; others: string[]; author: string },
  { en, ja, reversed }: Saying,
  language: Language,
): Record<Kind, string[]> {
  const plain = en.replace(/^(?:asks|writes|doubts) (?:to |that |whether |not to )?/, '');
  const wrong = (who: string): string[] =>
    language === 'ja'
      ? [`${who} さんは、${ja}。`, `${who} さんが ${speaker} さんに、${ja}。`]
      : [
          `${who} ${en}.`,
          `${who}, a reviewer, ${en}.`,
          `${who} then ${en}, which ${speaker} had read.`,
          `According to ${who}, ${plain}, and ${speaker} is asked.`,
          `It is ${who}’s suggestion to ${speaker} that ${plain}.`,
          `${speaker} is asked by ${who} about this: ${plain}.`,
        ];
  const isByAuthor = speaker === author;
  const roles =
    language === 'ja'
      ? [isByAuthor ? `レビュアーの ${speaker} さんは、${ja}。` : `作成者は、${speaker} さんに${ja}。`]
      : isByAuthor
        ? [`The reviewer ${speaker} ${en}.`]
        : [`The author ${en}, answering ${speaker}.`, `The author, ${speaker}, and the author ${en}.`];
  const say = (enTexts: string[], jaTexts: string[]): string[] => (language === 'ja' ? jaTexts : enTexts);
  return {
    'wrong speaker': [...others, 'Linus', 'torvalds'].flatMap(wrong).concat(roles),
    'approval that was not': say(
      [
        `${speaker} approves the change.`,
        `${speaker} approved this and ${en}.`,
        `${speaker} ${en} and signs it off.`,
        `The change was approved by ${speaker}.`,
      ],
      [`${speaker} さんは変更を承認しています。`, `${speaker} さんは、${ja}が、承認しました。`],
    ),
    'request told as done': say(
      [
        `${speaker} ${en}, and it was done.`,
        `${speaker} ${en}, which has been changed accordingly.`,
        `${speaker} ${en}; the author adopted it.`,
        `What ${speaker} wrote is in place: ${plain}.`,
      ],
      [
        `${speaker} さんは、${ja}が、そのとおり反映されました。`,
        `${speaker} さんの意見どおり修正されました。`,
        `${speaker} さんの書いたとおりになっています。`,
      ],
    ),
    'negation dropped': reversed
      ? say([`${speaker} ${reversed[0]}.`], [`${speaker} さんは、${reversed[1]}。`])
      : say(
          [`${speaker} asks to send parts above the limit.`],
          [`${speaker} さんは上限を超える部分も送ってほしいと書いています。`],
        ),
    'reason that nobody gave': say(
      [
        `Because of ${speaker}’s comment, parts are counted.`,
        `Parts are counted because ${speaker} asked for it.`,
        `At ${speaker}'s request the loop changed.`,
        `${capital(plain)}, which led to this change, writes ${speaker}.`,
        `${speaker} ${en}, and as a result of this comment parts are counted.`,
      ],
      [
        `${speaker} さんの指摘を受けて部分を数えています。`,
        `${speaker} さんのコメントにより、部分を数えています。`,
      ],
    ),
  };
}

const commentOf = (author: string, body: string, minute: number): DiscussionComment => ({
  author,
  isBot: false,
  body,
  isCut: false,
  createdAt: new Date(Date.UTC(2026, 2, 1, 10, minute)).toISOString().replace('.000Z', 'Z'),
  anchor: null,
});

function sourceOf(people: string[], said: Saying[]): ModelSource {
  const [author = ''] = people;
  const comments = said.map(({ said: body }, at) => commentOf(people[at % people.length] ?? '', body, at));
  const discussion: Discussion = {
    reviews: [{ ...commentOf(people[1] ?? '', 'Good work overall.', 50), state: 'commented', sha: null }],
    threads: comments.slice(1, 3).map((comment) => ({
      path: 'src/upload.ts',
      side: 'new',
      sha: null,
      startLine: 2,
      line: 2,
      hunk: '@@ -1,2 +1,3 @@\n export function upload(parts: Part[]) {\n+  for (const part of parts) send(part);',
      behind: [],
      isResolved: null,
      resolvedBy: null,
      isOutdated: null,
      comments: [comment],
    })),
    comments: [comments[0], ...comments.slice(3)].flatMap((comment) => comment ?? []),
    pushes: [],
    references: [],
    hasMore: false,
  };
  const diff = [
    diffOf(
      'src/upload.ts',
      `
 export function upload(parts: Part[]) {
-  send(parts[0]);
+  for (const part of parts) send(part);
+  count(parts.length);
 }`,
    ),
  ];
  const text = { repository: 'some/where', title: 'Send all parts', body: null };
  return {
    ...text,
    author,
    isClone: false,
    commits: [],
    comments: spokenComments(discussion, author),
    linkedIssues: [],
    facts: readFacts({ ...text, commitMessages: [], labels: [] }, diff),
    diff,
  };
}

const judged = (prompt: string, isTrue: (text: string) => boolean): JudgeReply => ({
  verdicts: Array.from(prompt.matchAll(/^s(\d+) \([^)]*\) (.*)$/gm), ([, n, text = '']) => ({
    n: Number(n),
    reason: '',
    verdict: isTrue(text) ? 'holds' : 'contradicted',
  })),
});

const honest = {
  en: '`count` is called with `parts.length`.',
  ja: '`parts.length` を `count` に渡しています。',
};

/** Lets a model lie about who said what, in a first sentence and in its repair, and returns what is published. */
export async function lieAboutReviews(count: number, random: () => number) {
  const table: Record<string, { published: number; 'left out': number }> = {};
  const examples: string[] = [];
  let lies = 0;
  let wrongSpeakers = 0;
  let published = 0;
  while (lies < count) {
    const people = logins.toSorted(() => random() - 0.5).slice(0, 4);
    const [author = ''] = people;
    const said = sayings.toSorted(() => random() - 0.5);
    const language: Language = random() < 0.6 ? 'en' : 'ja';
    const at = Math.floor(random() * said.length);
    const saying = said[at] as Saying;
    const speaker = people[at % people.length] ?? '';
    const others = people.filter((one) => one !== speaker);
    const possible = liesAbout({ speaker, others, author }, saying, language);
    const kind = pick(liesAboutReviews, random);
    const told: Told[] = [kind, kind].map((one) => ({
      kind: one,
      speaker,
      text: pick(possible[one], random),
    }));
    const truth = language === 'ja' ? `${speaker} さんは、${saying.ja}。` : `${speaker} ${saying.en}.`;
    lies += 1;
    for (const reader of ['works', 'none'] as const) {
      for (const sentence of [...told, { text: truth, kind: null, speaker }]) {
        const texts = await publish(sourceOf(people, said), {
          sentence,
          again: told[1],
          saying,
          language,
          reader,
        });
        const isThere =
          texts.includes(sentence.text) || (sentence.kind !== null && texts.includes(told[1]?.text ?? ''));
        const row = `${sentence.kind ?? 'true'}, reader ${reader}`;
        const counts = table[row] ?? { published: 0, 'left out': 0 };
        table[row] = counts;
        counts[isThere ? 'published' : 'left out'] += 1;
        if (!isThere || sentence.kind === null) {
          if (!isThere && sentence.kind === null) examples.push(`LOST ${reader} ${sentence.text}`);
          continue;
        }
        if (reader === 'works') published += 1;
        if (sentence.kind === 'wrong speaker') wrongSpeakers += 1;
        examples.push(`${reader} ${sentence.kind}: ${sentence.text} [${speaker}: ${saying.said}]`);
      }
    }
  }
  return { lies, published, wrongSpeakers, table, examples };
}

interface Published {
  sentence: Told;
  again: Told | undefined;
  saying: Saying;
  language: Language;
  reader: 'works' | 'none';
}

async function publish(
  source: ModelSource,
  { sentence, again, saying, language, reader }: Published,
): Promise<string[]> {
  const prepared = prepareWriting(source, language);
  const material = labelMaterial(prepared.material, Number.MAX_SAFE_INTEGER);
  if (!material) return [];
  const label = [...material.words].find(([, { text }]) => text === saying.said)?.[0] ?? '';
  const replied = ({ text }: Pick<Told, 'text'>): ReplySentence => ({
    refs: [label],
    quote: saying.said.split(' ').slice(0, 4).join(' '),
    basis: 'words',
    text,
  });
  const first: ReplySentence = {
    refs: ['f1+3'],
    quote: 'count(parts.length)',
    basis: 'diff',
    text: honest[language],
  };
  const article: ArticleReply = {
    background: [],
    sections: [
      {
        changeTypes: ['FEAT'],
        sentences: [first, replied(sentence)].map((one) => ({ ...one, label: 'none' as const })),
        show: '',
        heading: '',
      },
    ],
    beforeAfter: [],
    rest: [],
    lead: { of: ['s1.1'], text: '' },
    title: { of: ['s1.1'], text: '' },
  };
  const ask: Ask = async <Schema extends TSchema>({ schema, prompt }: Question<Schema>) => {
    const numbers = Array.from(prompt.matchAll(/^s(\d+) \([^)]*\) /gm), ([, n]) => Number(n));
    const mended = { sentences: again ? numbers.map((n) => ({ n, ...replied(again) })) : [] };
    const replies = new Map<TSchema, unknown>([
      [ArticleReply, article],
      [MendReply, sentence.kind === null ? { sentences: [] } : mended],
    ]);
    return replies.get(schema) as Static<Schema>;
  };
  const known = new Set([honest[language], ...(sentence.kind === null ? [sentence.text] : [])].map(oneLine));
  const askJudge: Ask = async <Schema extends TSchema>({ prompt }: Question<Schema>) =>
    judged(prompt, (text) => known.has(text)) as Static<Schema>;
  const deps: WritingDeps = {
    ask,
    judge: reader === 'works' ? { ask: askJudge, mostBytes: Number.MAX_SAFE_INTEGER } : null,
    check: async (draft) => prepared.check(draft),
    prompts,
    project: 'owner/name',
    language,
    shuffle: (items) => items,
    onProgress: () => {},
  };
  const written = await writeWithModel(deps, material, prepared.known);
  if (!written) return [];
  const { article: shown } = prepared.publish(written.draft);
  return [...shown.background, ...shown.mainChanges.flatMap(({ statements }) => statements)].map(
    ({ text }) => text,
  );
}
