import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type MadeFile, type MadeReview, type MadeThread, makeReview } from '../../test/make-review.ts';
import { tellReview } from './reviews.ts';

const base = `import { send } from './net.ts';

export async function upload(parts: Part[]) {
  return send(parts[0]);
}
`;
const reviewed = `import { send } from './net.ts';

export async function upload(parts: Part[]) {
  // Sends the parts in turn.
  for (const part of parts) await send(part);
  return parts.length;
}
`;
const end = reviewed.replace('await send(part);', 'await send(part, { retries: 3 });');
const upload = (rest: Partial<MadeFile> = {}): MadeFile => ({
  path: 'src/upload.ts',
  base,
  reviewed,
  end,
  ...rest,
});
const onSend = (said: string[], rest: Partial<MadeThread> = {}): MadeReview => ({
  threads: [{ file: upload(), on: 'for (const part of parts) await send(part);', said, ...rest }],
});

const request = 'Would it not be better to send them together? A part that hangs holds up all others.';
const answer = 'I would rather keep the order, because the server closes the upload with the last part.';
const general = 'Would it not be better to call `sendAll` here? A part that hangs holds up all others.';
const breaking =
  'This breaks everybody who calls it with one part, can the former way of calling it stay as well?';

interface Row {
  name: string;
  review: MadeReview;
  /** Writers and quotations in their order; empty if there is no point. */
  quoted: [string, string][];
}

const rows: Row[] = [
  {
    name: 'a request that the author answers with a reason',
    review: onSend([`rin: ${request}`, `author: ${answer}`]),
    quoted: [
      ['rin', request],
      ['author', answer],
    ],
  },
  {
    name: 'a request that another reviewer answers, and the last word of the first',
    review: onSend([`rin: ${request}`, `mara: ${answer}`, 'rin: Then it must say so in the documentation.']),
    quoted: [
      ['rin', request],
      ['mara', answer],
      ['rin', 'Then it must say so in the documentation.'],
    ],
  },
  {
    name: 'a request that its writer gives up for the reason of the author',
    review: onSend([`rin: ${request}`, `author: ${answer}`, 'rin: Ah, good point!'], { sha: 'last' }),
    quoted: [
      ['rin', request],
      ['author', answer],
      ['rin', 'Ah, good point!'],
    ],
  },
  {
    name: 'a weighty request after which the author says that it is done',
    review: onSend([`rin: ${breaking}`, 'author: Fixed.']),
    quoted: [
      ['rin', breaking],
      ['author', 'Fixed.'],
    ],
  },
  {
    name: 'a weighty request without an answer, after which the branch was pushed',
    review: onSend([`rin: ${breaking}`]),
    quoted: [['rin', breaking]],
  },
  {
    name: 'a weighty request on the last head, without an answer',
    review: onSend([`rin: ${breaking}`], { sha: 'last' }),
    quoted: [],
  },
  {
    name: 'a question of the author before the answer of a reviewer',
    review: onSend([`author: Shall I send them one after the other here?`, `rin: ${answer}`]),
    quoted: [
      ['author', 'Shall I send them one after the other here?'],
      ['rin', answer],
    ],
  },
  {
    name: 'a short answer with a reason',
    review: onSend([`rin: ${request}`, 'author: The server needs this order.']),
    quoted: [
      ['rin', request],
      ['author', 'The server needs this order.'],
    ],
  },
  {
    name: 'a long debate in which a word is about form',
    review: onSend([
      `rin: ${breaking} It would be cleaner to have two functions, one of them for lists.`,
      `author: ${answer}`,
    ]),
    quoted: [
      ['rin', `${breaking} It would be cleaner to have two functions, one of them for lists.`],
      ['author', answer],
    ],
  },
  {
    name: 'praise with an objection',
    review: onSend(['rin: This is fine for one part, but it breaks all uploads of several parts.']),
    quoted: [['rin', 'This is fine for one part, but it breaks all uploads of several parts.']],
  },
  {
    name: 'a remark of the author that nobody answers',
    review: onSend([`author: ${answer}`]),
    quoted: [],
  },
  {
    name: 'a short request that the author thanks for',
    review: onSend(['rin: Should this not wait a little?', 'author: Good point, thanks! Done.']),
    quoted: [],
  },
  {
    name: 'a debate about names',
    review: onSend([
      'rin: Would a better name not help here? I had to read this twice.',
      'author: I prefer this one, because all others here are called the same way.',
    ]),
    quoted: [],
  },
  {
    name: 'a debate about what to call',
    review: onSend(['rin: If we call this first, would the parts not be sent twice?', `author: ${answer}`]),
    quoted: [
      ['rin', 'If we call this first, would the parts not be sent twice?'],
      ['author', answer],
    ],
  },
  {
    name: 'a debate about spaces',
    review: onSend([
      'rin: Should there not be two spaces here, since all other files have them?',
      'author: I prefer one, because the formatter would take the other away again.',
    ]),
    quoted: [],
  },
  {
    name: 'a debate between bots',
    review: onSend([`rin[bot]: ${request}`, `lint[bot]: ${answer}`]),
    quoted: [],
  },
  {
    name: 'a debate about a comment in the code',
    review: onSend([`rin: ${request}`, `author: ${answer}`], { on: '// Sends the parts in turn.' }),
    quoted: [],
  },
  ...['test/upload.test.ts', 'docs/upload.md', 'types/upload.d.ts', 'stubs/upload.pyi'].map(
    (path): Row => ({
      name: `a debate about ${path}`,
      review: onSend([`rin: ${request}`, `author: ${answer}`], { file: upload({ path }) }),
      quoted: [],
    }),
  ),
  {
    name: 'a general comment that the author answers next',
    review: { comments: [`rin: ${general}`, `author: ${answer}`] },
    quoted: [
      ['rin', general],
      ['author', answer],
    ],
  },
  {
    name: 'general comments of which each names the writer of the one before',
    review: { comments: [`rin: ${general}`, `mara: @rin ${answer}`] },
    quoted: [
      ['rin', general],
      ['mara', `@rin ${answer}`],
    ],
  },
  {
    name: 'general comments that name no code',
    review: { comments: [`rin: ${request}`, `author: ${answer}`] },
    quoted: [],
  },
  {
    name: 'general comments that do not answer each other',
    review: { comments: [`rin: ${general}`, `mara: ${answer}`] },
    quoted: [],
  },
  {
    name: 'a general comment on when to merge',
    review: { comments: [`rin: Would you rebase this? ${general}`, `author: ${answer}`] },
    quoted: [],
  },
  {
    name: 'thanks with a reason that has nothing to do with the code',
    review: {
      comments: [
        'rin: Thank you, and sorry for the wait, which was because of the holidays, could not be helped, and will not break anything.',
      ],
      pushes: [{ at: '2026-03-02T10:00:00Z', before: null, after: 'last', isForced: false }],
    },
    quoted: [],
  },
  {
    name: 'code beside the words',
    review: onSend([
      `rin: ${request}\n\`\`\`ts\nawait Promise.all(parts.map(send));\n\`\`\``,
      `author: ${answer}`,
    ]),
    quoted: [
      ['rin', `${request}\n\n\`\`\`ts\nawait Promise.all(parts.map(send));\n\`\`\``],
      ['author', answer],
    ],
  },
];

for (const { name, review, quoted } of rows)
  test(`${quoted.length > 0 ? 'quoted without a claim' : 'left out'}: ${name}`, () => {
    const { points } = tellReview(makeReview(review), 'en');
    assert.deepEqual(
      points.map(({ outcome, words, statements, hunk }) => ({
        outcome,
        quoted: words.map(({ author, markdown }) => [author, markdown]),
        statements,
        hunk,
      })),
      quoted.length === 0 ? [] : [{ outcome: 'discussed', quoted, statements: [], hunk: null }],
    );
  });

test('a long answer is quoted up to a whole sentence and marked, and one that lost its greater part is left out', () => {
  const long = Array.from({ length: 30 }, (_, at) => `Reason ${at} is why the order must be kept.`);
  const source = makeReview(onSend([`rin: ${breaking}`, `author: ${long.join(' ')}`]));
  const [, answered] = tellReview(source, 'en').points[0]?.words ?? [];
  assert.ok(answered?.cut);
  assert.match(answered.markdown, /^Reason 0 is .* must be kept\.$/);

  const torn = makeReview(
    onSend([`rin: ${breaking}`, 'author: I was not sure. But my main reason for keeping the order was to']),
  );
  const [, reply] = torn.discussion.threads[0]?.comments ?? [];
  if (reply) reply.isCut = true;
  assert.deepEqual(
    tellReview(torn, 'en').points.map(({ words }) => words.map(({ author }) => author)),
    [['rin']],
  );
});

test('a debate comes before a small result that is certain, and no more than three points are shown', () => {
  const small =
    'Why is nothing of this tried again?\n```suggestion\n  for (const part of parts) await send(part, { retries: 3 });\n```';
  const on = 'for (const part of parts) await send(part);';
  const source = makeReview({
    threads: [
      { file: upload(), on, said: [`rin: ${small}`] },
      ...[1, 2, 3, 4].map((at) => ({
        file: upload(),
        on,
        minute: 10 + at,
        said: [`rin: ${request}`, `author: ${answer} ${'Really. '.repeat(at)}`],
      })),
    ],
  });
  const { points } = tellReview(source, 'en');
  assert.deepEqual(
    points.map(({ outcome }) => outcome),
    ['discussed', 'discussed', 'discussed'],
  );
  const alone = makeReview({ threads: [{ file: upload(), on, said: [`rin: ${small}`] }] });
  assert.equal(tellReview(alone, 'en').points[0]?.outcome, 'takenOver');
});

test('the last line of a section counts the discussions after which the code changed, and claims nothing else', () => {
  const rest = (review: MadeReview) => tellReview(makeReview(review), 'en').rest?.text ?? '';
  const said = [`rin: ${request}`, 'author: Agreed!', `author: ${answer}`];
  const { points } = tellReview(makeReview(onSend(said)), 'en');
  assert.deepEqual(
    points[0]?.words.map(({ markdown }) => markdown),
    [request, 'Agreed!', answer],
    'a short answer is not left out',
  );
  assert.match(rest(onSend(said)), /^The code changed after this discussion\./);
  const unchanged = onSend(said, { file: upload({ end: reviewed }) });
  assert.doesNotMatch(rest(unchanged), /changed/);
});

test('a section says that comments were cut only of those that it does not quote', () => {
  const source = makeReview(onSend([`rin: ${request}`, `author: ${answer}`]));
  const [, answered] = source.discussion.threads[0]?.comments ?? [];
  assert.ok(answered);
  answered.isCut = true;
  assert.doesNotMatch(tellReview(source, 'en').rest?.text ?? '', /beginning/);
  source.discussion.comments.push({ ...answered, author: 'mara', body: 'Thanks.' });
  assert.match(
    tellReview(source, 'en').rest?.text ?? '',
    /Of some other comments, only the beginning was read\.$/,
  );
});
