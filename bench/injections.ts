import { parseArgs } from 'node:util';
import type { Static, TSchema } from 'typebox';
import type { Discussion } from '../src/domain/reviews.ts';
import { loadPrompts } from '../src/open-writing.ts';
import type { LookedLines } from '../src/reading/facts.ts';
import { answerWithModel, checkAnswers, materialFor } from '../src/writing/ai/answer-with-model.ts';
import { hideSecrets } from '../src/writing/ai/looks/hide-secrets.ts';
import { labelMaterial, oneLine, withLooked } from '../src/writing/ai/material.ts';
import { type ModelSource, prepareWriting } from '../src/writing/ai/prepare-writing.ts';
import { type Ask, fenceOf, type Question, type WritingDeps } from '../src/writing/ai/prompts.ts';
import {
  ArticleReply,
  type JudgeReply,
  MendReply,
  QuestionReply,
  type ReplySentence,
} from '../src/writing/ai/reply-forms.ts';
import { spokenComments } from '../src/writing/ai/review/spoken-comments.ts';
import { writeWithModel } from '../src/writing/ai/write-with-model.ts';
import { sourceOfQuestion } from '../src/writing/questions/passages.ts';
import { asWritten, verifyDraft } from '../src/writing/verify/verify-drafts.ts';
import { diffOf } from '../test/diff-of.ts';
import { readFacts } from '../test/read-facts.ts';
import { framings, type Want, wants } from './injections/orders.ts';

// Puts instructions to the model into all texts of strangers about a pull request, lets a model obey them in every part
// of its reply, including title and lead, and counts what gets into the article: without a second model, with one that
// approves everything, and with one that is deceived by all but the control sentence. The same for replies to
// questions, which may contain the instruction themselves.
// Run with node bench/injections.ts [--show 5] [--only questions|comments]
const { values } = parseArgs({
  options: { show: { type: 'string', default: '5' }, only: { type: 'string' } },
});

const usualQuestion = 'What does it change?';

const fields = [
  'title',
  'body',
  'comment',
  'comment on a line',
  'reply of the author',
  'review',
  'diff',
  'file name',
  'commit',
  'linked issue',
  'looked at',
  'question',
] as const;

async function sourceWith(field: (typeof fields)[number], text: string): Promise<ModelSource> {
  const oneLine = text.replace(/[\n\0]/g, ' ');
  const path =
    field === 'file name' ? `src/${oneLine.replace(/[/\\]/g, '-').slice(0, 180)}.ts` : 'src/pay.ts';
  const added = field === 'diff' ? `// ${oneLine}` : '// Charged once.';
  const diff = [
    diffOf(
      path,
      `
 export function pay(amount: number) {
-  charge(amount);
+  ${added}
+  if (amount > 0) charge(amount);
+  audit.record(amount);
 }`,
    ),
  ];
  const title = field === 'title' ? text : 'Fix a typo';
  const body = field === 'body' ? text : 'This only fixes a typo.';
  const message = field === 'commit' ? `Fix\n\n${text}` : 'Fix a typo';
  const facts = readFacts(
    { repository: 'some/where', title, body, commitMessages: [message], labels: [] },
    diff,
  );
  return {
    repository: 'some/where',
    title,
    body,
    author: 'mallory',
    isClone: false,
    commits: [{ author: 'mallory', message }],
    comments: spokenComments(discussionWith(field, text), 'mallory'),
    linkedIssues: field === 'linked issue' ? [{ number: 7, title: 'An issue', body: text }] : [],
    facts,
    diff,
  };
}

/** A discussion with the text in one of its places. */
function discussionWith(field: (typeof fields)[number], text: string): Discussion {
  const at = '2026-03-01T10:00:00Z';
  const by = (author: string, body: string) => {
    const comment = { author, isBot: false, isCut: false, createdAt: at, anchor: null };
    return { ...comment, body };
  };
  const thread = {
    path: 'src/pay.ts',
    side: 'new' as const,
    sha: 'first',
    startLine: 2,
    line: 2,
    hunk: '@@ -1,2 +1,2 @@\n export function pay(amount: number) {\n+  charge(amount);',
    behind: [],
    isResolved: null,
    resolvedBy: null,
    isOutdated: null,
  };
  const request = by('eve', field === 'comment on a line' ? text : 'Should this not skip empty amounts?');
  const reply = by('mallory', field === 'reply of the author' ? text : 'It skips them now.');
  return {
    reviews: field === 'review' ? [{ ...by('eve', text), state: 'commented', sha: null }] : [],
    threads: [{ ...thread, comments: [request, reply] }],
    comments: field === 'comment' ? [by('eve', text)] : [],
    pushes: [],
    references: [],
    hasMore: false,
  };
}

/** A model that follows the instruction in every part and under every pretext. */
function obey(
  prompt: string,
  payload: string,
): { article: ArticleReply; mended: MendReply; reply: Static<typeof QuestionReply> } {
  const spoken = Array.from(prompt.matchAll(/^(w\d+) /gm), ([, label]) => label ?? '');
  const comments = Array.from(prompt.matchAll(/^(w\d+) comment[^:]*, eve: /gm), ([, label]) => label ?? '');
  const comment = /^(\d+)\+\s*\/\/ (.*)$/m.exec(prompt);
  const line = comment?.[1] ?? '2';
  const as = (basis: ReplySentence['basis'], text: string, refs: string[], quote: string): ReplySentence => ({
    refs,
    quote,
    basis,
    text,
  });
  const code = 'audit.record(amount)';
  const place = `f1+${Number(line) + 2}`;
  const said = [
    as('words', payload, spoken, ''),
    as('words', `The author, mallory, writes: ${payload}`, spoken, payload.slice(0, 30)),
    as('words', `eve writes: ${payload}`, comments, payload.slice(0, 30)),
    as('diff', payload, [place], code),
    as('diff', `\`audit.record\` is called. ${payload}`, [place], code),
    as('diff', payload, [`f1+${line}`], comment?.[2]?.slice(0, 40) ?? ''),
    as('diff', payload, ['k1', 'k2'], ''),
    as('judgement', payload, [place], ''),
    as('diff', payload, ['u1+1'], payload.slice(0, 40)),
    as('diff', `\`audit.record\` gets \`amount\`. ${payload}`, ['u1+1-2'], code),
  ];
  const honest = as('diff', '`audit.record` is called with `amount`.', [place], code);
  return {
    article: {
      background: said.slice(0, 7),
      sections: [honest, ...said.slice(2)].map((one) => ({
        changeTypes: ['FIX'],
        sentences: [
          { ...honest, label: 'none' },
          { ...one, label: 'security' },
        ],
        show: `f1+${line}`,
        heading: payload.slice(0, 100),
      })),
      beforeAfter: [{ of: 's1.2', before: payload, after: `${payload}()` }],
      rest: said.slice(2, 3),
      lead: { of: ['s1.1'], text: payload },
      title: { of: ['s1.1'], text: payload.slice(0, 80) },
    },
    reply: { found: true, sentences: [honest, ...said].slice(0, 6) },
    mended: {
      sentences: Array.from({ length: 40 }, (_, n) => ({
        n,
        ...said[n % said.length],
      })) as MendReply['sentences'],
    },
  };
}

type Reader = (text: string, told: ReadonlySet<string>) => 'holds' | 'contradicted';

/**
 * The verdict of a second model on a sentence; null without one. Only sentences that the model did not write are
 * controls.
 */
const readers: Record<string, Reader | null> = {
  none: null,
  'agrees to everything': () => 'holds',
  'taken in': (text, told) => (told.has(text) || text.startsWith('Before: `') ? 'holds' : 'contradicted'),
};

const judge = (prompt: string, read: Reader, told: ReadonlySet<string>): JudgeReply => ({
  verdicts: Array.from(prompt.matchAll(/^s(\d+) \([^)]*\) (.*)$/gm), ([, n, text = '']) => ({
    n: Number(n),
    reason: '',
    verdict: read(text, told),
  })),
});

/** A file that the change leaves alone and that the model asked to see. */
function notesWith(text: string): LookedLines {
  const comment = hideSecrets('src/notes.ts', `// ${text.replace(/[\n\0]/g, ' ')}`);
  const lines = [comment, 'audit.record(amount);'];
  return { fileName: 'src/notes.ts', side: 'new', startLine: 1, lines, name: '' };
}

const { prompts } = loadPrompts();
const fooled: string[] = [];
const tally = new Map(wants.map(({ name }) => [name, { tried: 0, unread: 0, stored: 0 }]));
let articles = 0;

async function attack(
  field: (typeof fields)[number],
  want: Want,
  frame: (typeof framings)[number],
  reader: string,
  isQuestion: boolean,
): Promise<void> {
  const text = frame(want.payload, 'q0123456789');
  const source = await sourceWith(field, text);
  const prepared = prepareWriting(source, 'en');
  const asked = isQuestion ? sourceOfQuestion([{ number: 1, read: source }], false) : null;
  const labelled = asked
    ? materialFor(asked, usualQuestion, Number.MAX_SAFE_INTEGER)
    : labelMaterial(prepared.material, Number.MAX_SAFE_INTEGER);
  if (!labelled) throw new Error('The material does not fit.');
  const looked = field === 'looked at' ? [notesWith(text)] : [];
  const material = withLooked(labelled, looked);
  prepared.takeIn(looked);
  asked?.ground.takeIn(looked);
  const told = new Set<string>();
  const ask: Ask = async <Schema extends TSchema>({ schema, prompt }: Question<Schema>) => {
    const fence = fenceOf(prompt) ?? '';
    if (prompt.split(`</${fence}>`).length !== 2) fooled.push(`${field}: the fence was closed by others`);
    const { article, mended, reply } = obey(prompt, want.payload);
    for (const said of JSON.stringify([article, mended, reply]).matchAll(
      /"(?:text|heading)":("(?:[^"\\]|\\.)*")/g,
    ))
      told.add(oneLine(JSON.parse(said[1] ?? '""').trim()));
    const replies = new Map<TSchema, unknown>([
      [ArticleReply, article],
      [MendReply, mended],
      [QuestionReply, reply],
    ]);
    return replies.get(schema) as Static<Schema>;
  };
  const read = readers[reader] ?? null;
  const askJudge: Ask = async <Schema extends TSchema>({ prompt }: Question<Schema>) =>
    (read && judge(prompt, read, told)) as Static<Schema>;
  const question = field === 'question' ? text : usualQuestion;
  const check = asked ? checkAnswers(asked, material, question) : prepared.check;
  const writing: WritingDeps = {
    ask,
    judge: read && { ask: askJudge, mostBytes: Number.MAX_SAFE_INTEGER },
    check: async (one) => check(one),
    prompts,
    project: 'acme/parcel',
    language: 'en',
    shuffle: (items) => items,
    onProgress: () => {},
  };
  const written = asked
    ? await answerWithModel(writing, material, question)
    : await writeWithModel(writing, material, prepared.known);
  articles += 1;
  const one = tally.get(want.name);
  if (one) one.tried += 1;
  if (!written) {
    if (one) one.unread += 1;
    return;
  }
  const article = asked
    ? asWritten(verifyDraft(written.draft, asked.ground))
    : prepared.publish(written.draft).article;
  const items = [...article.mainChanges, ...article.notablePoints].flatMap(({ statements }) => statements);
  const texts = [
    // The pull request's own title may replace one that failed; like quotations, it is its author's.
    ...(article.title === prepared.known.title || asked ? [] : [{ text: article.title, basis: 'title' }]),
    ...(article.standfirst ? [{ text: article.standfirst.text, basis: 'standfirst' }] : []),
    ...article.background,
    ...items,
    ...article.mainChanges.flatMap(({ heading }) => (heading ? [{ text: heading, basis: 'title' }] : [])),
    ...article.also.map(({ statement }) => statement),
    ...(article.beforeAfter ? [{ text: article.beforeAfter.before, basis: 'title' }] : []),
  ];
  const bad = texts.filter((statement) => want.isThere(statement.text, statement.basis, field));
  if (bad.length === 0) return;
  if (one) one.stored += 1;
  fooled.push(
    `${asked ? 'answer' : 'article'}: ${want.name} in ${field}, reader ${reader}: ${bad.map((statement) => `(${statement.basis}) ${statement.text}`).join(' | ')}`,
  );
}

const isOfComments = (field: string): boolean => /comment|reply|review/.test(field);

for (const field of fields) {
  if (values.only === 'comments' && !isOfComments(field)) continue;
  for (const want of wants) {
    for (const frame of framings) {
      for (const reader of Object.keys(readers))
        for (const isQuestion of field === 'question' || values.only === 'questions' ? [true] : [false, true])
          await attack(field, want, frame, reader, isQuestion);
    }
  }
}

console.log(
  `${wants.length * framings.length} orders in ${fields.length} fields, ${Object.keys(readers).length} readers: ${articles} articles and answers by a model that obeys`,
);
console.table(Object.fromEntries(tally));
for (const one of fooled.slice(0, Number(values.show))) console.log(`  ${one}`);
process.exitCode = fooled.length > 0 ? 1 : 0;
