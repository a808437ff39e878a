import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { buildTestApp, type Reply } from '../../test/build-app.ts';
import { git, makeClone } from '../../test/make-clone.ts';
import { questionIn, writeObligingly } from '../../test/model/obliging-writer.ts';
import { type HeardRequest, startScriptedModel } from '../../test/model/scripted-model.ts';
import type { Reply as Said } from '../../test/model/wire.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';

const root = temporaryFolder();

const send = (limit: number) => `export function send(mail) {
  return deliver(mail, ${limit});
}
`;
const outbox = `import { send } from './send.js';

/** Sends what waits. */
export function flush(box) {
  for (const mail of box) send(mail);
}
`;
const files = (limit: number) => ({
  'src/send.js': send(limit),
  'src/outbox.js': outbox,
  'docs/limits.md': 'At most 10 mails are sent at once.\n',
  '.env': 'MAIL_PASSWORD=hunter2000\n',
});

/** A clone whose pull request 2 changes a number in a function that another file calls. */
function makeChange(name: string, more: Record<string, string> = {}): void {
  const folder = makeClone(root, `acme/${name}`);
  for (const [limit, subject] of [
    [10, 'Add mail (#1)'],
    [20, 'Send more at once (#2)'],
  ] as const) {
    for (const [path, text] of Object.entries({ ...files(limit), ...more })) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    git(folder, 'add', '--all', '--force');
    git(folder, 'commit', '--quiet', '--message', subject);
  }
}

const model = await startScriptedModel(writeObligingly);
const settings = {
  GIT_REPOS: root,
  GIT_PRIVATE: 'acme/secret=ann,acme/hidden=ann',
  GIT_WEB_URL: 'https://github.example',
  AI_MODEL: 'compatible/scripted',
  AI_BASE_URL: model.url,
  AI_LOOKS: '2',
};
for (const name of ['mail', 'asked', 'secret', 'hidden', 'quiet', 'silent']) makeChange(name);
const app = await buildTestApp({ environment: settings });
const open = await buildTestApp({ environment: { ...settings, AI_PRIVATE: 'true' } });
const still = await buildTestApp({ environment: { ...settings, AI_LOOKS: '0' } });
for (const one of [app, open, still]) await one.signUp('ann');

type Asked = ReturnType<typeof questionIn>;

/** Answers questions of a kind with what is given, in turn, and all others obligingly. */
const saying = (given: Partial<Record<Asked['asked'], object[]>>) => {
  const turns = new Map<string, number>();
  return (request: HeardRequest): Said => {
    const { asked } = questionIn(request);
    const turn = turns.get(asked) ?? 0;
    turns.set(asked, turn + 1);
    const said = given[asked]?.[turn];
    return said ? { text: JSON.stringify(said) } : writeObligingly(request);
  };
};

const heard = (asked: Asked['asked']): string[] =>
  model.heard.map(questionIn).flatMap((one) => (one.asked === asked ? [one.material] : []));

async function write(repo: string, script: Parameters<typeof model.play>[0], on = app): Promise<Reply> {
  model.play(script);
  model.heard.length = 0;
  const path = `/repos/acme/${repo}/pulls/2/article`;
  return on.call('POST', path, { token: on.tokenFor('ann'), body: { language: 'en' } });
}

const diff = { refs: ['f1-2', 'f1+2'], quote: 'deliver(mail, 20)', basis: 'diff' };
const article = (sentences: object[]) => ({
  background: [],
  sections: [{ changeTypes: ['FEAT'], sentences, show: 'f1+2', heading: '' }],
  rest: [],
  lead: { of: [], text: '' },
  title: { of: ['s1.1'], text: 'Twice as many mails are sent at once' },
});
const first = { ...diff, text: '`send` hands `20` to `deliver`, where it was `10`.' };

test('a writer sees callers without asking, and requested lines; the article cites them as unchanged and lists the files looked at', async () => {
  const caller = {
    refs: ['u1+4-5'],
    quote: 'for (const mail of box) send(mail)',
    basis: 'diff',
    text: '`flush` calls `send` for each mail of a box.',
  };
  const told = {
    refs: ['f1+2', 'u2+1'],
    quote: 'At most 10 mails',
    basis: 'diff',
    text: 'The number is `20`, while `docs/limits.md` still says `10`.',
  };
  const reply = await write(
    'mail',
    saying({
      looks: [
        {
          looks: [
            { find: 'At most 10', in: 'docs' },
            { show: '.env' },
            { show: 'docs/limits.md', at: 'before' },
          ],
        },
      ],
      article: [article([first, caller, told])],
    }),
  );
  assert.equal(reply.status, 201, reply.text);
  const [firstLook = '', ...more] = heard('looks');
  assert.match(
    firstLook,
    /^most 12\n[\s\S]*^u1 src\/outbox\.js \(unchanged\)\n@ flush\n4 export function flush\(box\) \{\n5 {3}for /m,
  );
  assert.match(firstLook, /^look usages "send": 1 of 1 places shown$/m);
  assert.deepEqual(more, [], 'a small change gets one round');
  const [written = ''] = heard('article');
  assert.match(written, /^u2 docs\/limits\.md \(unchanged, before\)$/m);
  assert.match(written, /^look show "\.env": 0 of 0 places shown, no such file to look at$/m);
  assert.doesNotMatch(JSON.stringify(model.heard.map(({ body }) => body)), /hunter2000/);
  const [judged = ''] = heard('verdicts');
  assert.match(judged, /^u1 src\/outbox\.js \(unchanged\)$[\s\S]*^5 {3}for /m);
  const { mainChanges, coverage } = reply.body.data.contents.en;
  const [, of, about] = mainChanges[0].statements;
  assert.deepEqual(of.evidence, [
    {
      fileName: 'src/outbox.js',
      startLine: 4,
      endLine: 5,
      side: 'new',
      unchanged: true,
      hostUrl: `https://github.example/acme/mail/blob/${reply.body.data.headSha}/src/outbox.js#L4-L5`,
      lines: ['export function flush(box) {', '  for (const mail of box) send(mail);'],
    },
  ]);
  assert.deepEqual(
    about.evidence.map(({ fileName }: { fileName: string }) => fileName),
    ['src/send.js', 'docs/limits.md'],
  );
  assert.equal(mainChanges[0].fileName, 'src/send.js');
  assert.deepEqual(coverage.lookedAt, [
    { fileName: 'src/outbox.js', side: 'new', lines: 3 },
    { fileName: 'docs/limits.md', side: 'new', lines: 1 },
    { fileName: 'docs/limits.md', side: 'old', lines: 1 },
  ]);
  const read = async (path: string, accept: string) =>
    (await app.call('GET', path, { headers: { accept } })).text;
  const page = await read('/r/acme/mail/2', 'text/html');
  assert.match(
    page,
    /<b>outbox\.js<\/b> <span class="places"><span data-sentences="[^"]+">4–5 \(unchanged\)<\/span>/,
  );
  assert.match(
    page,
    /<a href="https:\/\/github\.example\/acme\/mail\/blob\/[0-9a-f]+\/src\/outbox\.js#L4-L5"/,
  );
  assert.match(page.replace(/<[^>]+>/g, ''), /export function flush\(box\) \{/);
  const checked = await read('/r/acme/mail/2/checked', 'text/html');
  assert.match(checked, /The model also saw 5 lines that the change leaves alone, in 2 files\./);
  assert.match(checked, /<li><bdi>docs\/limits\.md<\/bdi><\/li>/);
});

test('a sentence that presents unchanged lines as a change, or names a caller that does not exist, is dropped', async () => {
  const lies = [
    '`flush` now calls `send` for each mail of a box.',
    'The change adds a call of `send` to `flush`.',
    '`flush` no longer calls `send` in batches.',
    'A new function, `flush`, calls `send` for each mail.',
    '`drain` calls `send` for each mail of a box.',
    '`flush` used to call `send` once.',
  ].map((text) => ({ refs: ['u1+5'], quote: 'send(mail)', basis: 'diff', text }));
  makeChange('lies');
  const reply = await write('lies', saying({ article: [article([first, ...lies.slice(0, 5)])] }));
  assert.equal(reply.status, 201, reply.text);
  const { mainChanges, verification } = reply.body.data.contents.en;
  assert.deepEqual(
    mainChanges[0].statements.map(({ text }: { text: string }) => text),
    [first.text],
  );
  assert.equal(verification.dropped, 5);
  makeChange('more-lies');
  const other = await write('more-lies', saying({ article: [article([first, ...lies.slice(5)])] }));
  assert.equal(other.body.data.contents.en.verification.dropped, 1);
});

test('a question about a pull request is answered from unchanged lines that the model asked to see', async () => {
  model.play(
    saying({
      looks: [{ looks: [{ show: 'docs/limits.md' }] }, { looks: [] }],
      answer: [
        {
          found: true,
          sentences: [
            {
              refs: ['u2+1'],
              quote: 'At most 10 mails',
              basis: 'diff',
              text: '`docs/limits.md` names `10` mails.',
            },
          ],
        },
      ],
    }),
  );
  model.heard.length = 0;
  const reply = await app.call('POST', '/repos/acme/asked/pulls/2/questions', {
    token: app.tokenFor('ann'),
    body: { question: 'What do the documents say?', language: 'en' },
  });
  assert.equal(reply.status, 201, reply.text);
  assert.match(heard('looks')[0] ?? '', /^question What do the documents say\?$/m);
  assert.deepEqual(reply.body.data.statements[0].evidence[0].lines, ['At most 10 mails are sent at once.']);
});

test('an answer that copies a requested line without quotation marks is refused', async () => {
  const text = 'At most 10 mails are sent at once.';
  model.play(
    saying({
      looks: [{ looks: [{ show: 'docs/limits.md' }] }, { looks: [] }],
      answer: [{ found: true, sentences: [{ refs: ['u2+1'], quote: 'At most 10', basis: 'diff', text }] }],
    }),
  );
  const reply = await app.call('POST', '/repos/acme/asked/pulls/2/questions', {
    token: app.tokenFor('ann'),
    body: { question: 'How many are sent?', language: 'en' },
  });
  assert.equal(reply.body.data.found, false, reply.text);
});

test('no model sees the code around a private change without AI_PRIVATE, and with it the code comes from the clone', async () => {
  assert.equal((await write('secret', writeObligingly)).status, 201);
  assert.equal(model.heard.length, 0);
  const reply = await write('hidden', writeObligingly, open);
  assert.equal(reply.body.data.contents.en.coverage.lookedAt[0].fileName, 'src/outbox.js');
});

test('with AI_LOOKS=0, or if the model fails to say where to look, the article is written without looking', async () => {
  const quiet = await write('quiet', writeObligingly, still);
  assert.equal(quiet.status, 201);
  assert.deepEqual([heard('looks').length, quiet.body.data.contents.en.coverage.lookedAt], [0, undefined]);
  const silent = await write('silent', (request) =>
    questionIn(request).asked === 'looks' ? { text: 'I would rather not.' } : writeObligingly(request),
  );
  assert.equal(silent.body.data.contents.en.writer.kind, 'ai');
});
