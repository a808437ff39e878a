import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { Chance } from '../../../test/chance.ts';
import { changed, type Files, root } from '../../../test/changed-clone.ts';
import { git, makeClone } from '../../../test/make-clone.ts';
import { readFacts } from '../../../test/read-facts.ts';
import { fitReply } from './ask-model.ts';
import { lookAtCallers } from './looks/callers.ts';
import { Looker } from './looks/looker.ts';
import { readLooks } from './looks/requests.ts';
import { LooksReply } from './reply-forms.ts';

const looksIn = (looks: unknown[], most = 12) => {
  const fitted = fitReply(LooksReply, { looks });
  return fitted.fits ? readLooks(fitted.reply, most) : [];
};

const printed = ({ looked }: Looker): string[] =>
  looked.flatMap(({ fileName, side, startLine, lines }) =>
    lines.map((line, at) => `${fileName}${side === 'new' ? '+' : '-'}${startLine + at} ${line}`),
  );

const send = `import { retry } from './retry.ts';

export function post(request) {
  return retry(() => deliver(request));
}
`;
const retry = `const attempts = 3;

function again(send) {
  return send();
}

// One.
// Two.
// Three.
export function retry(send) {
  return again(send);
}
`;
const mail = await changed(
  'mail',
  {
    'src/retry.ts': retry,
    'src/send.ts': send,
    'docs/send.md': 'It tries with retry.\nattempts = 3\n',
    'test/send.ts': "retry('x');\n",
  },
  { 'src/retry.ts': retry.replace('return send();', 'return send(attempts);') },
);

test('a usage is shown with its function, a text and lines of a file by their numbers, and a name with its whole function', async () => {
  const looker = mail.looker();
  const looks = looksIn([
    { usages: 'retry', in: 'src' },
    { find: 'attempts = ', in: 'docs/*.md' },
    { show: 'test/send.ts', lines: [1, 9] },
    { show: 'src/retry.ts', name: 'retry', at: 'before' },
  ]);
  const outcomes = await looker.answer(looks, { share: 1 });
  assert.deepEqual(
    outcomes.map(({ shown, found }) => [shown, found]),
    [
      [2, 2],
      [1, 1],
      [1, 1],
      [1, 1],
    ],
  );
  assert.deepEqual(printed(looker), [
    ...['3 export function post(request) {', '4   return retry(() => deliver(request));', '5 }'].map(
      (line) => `src/send.ts+${line}`,
    ),
    ...['10 export function retry(send) {', '11   return again(send);', '12 }'].map(
      (line) => `src/retry.ts+${line}`,
    ),
    'docs/send.md+1 It tries with retry.',
    'docs/send.md+2 attempts = 3',
    "test/send.ts+1 retry('x');",
    ...['10 export function retry(send) {', '11   return again(send);', '12 }'].map(
      (line) => `src/retry.ts-${line}`,
    ),
  ]);
});

test('lines of a hunk, and of a changed file whose hunks are not known, are not shown as unchanged', async () => {
  const looker = mail.looker();
  const [outcome] = await looker.answer(looksIn([{ find: 'return send(' }]), { share: 1 });
  assert.deepEqual([outcome?.found, outcome?.changed, printed(looker)], [0, 1, []]);
  const blind = new Looker(mail.tree, [], { lines: 400, bytes: 40_000 });
  await blind.answer(looksIn([{ show: 'src/retry.ts' }, { usages: 'attempts' }]), { share: 1 });
  assert.deepEqual(printed(blind), ['docs/send.md+1 It tries with retry.', 'docs/send.md+2 attempts = 3']);
});

test('callers of changed names are found without a request, and their callers up to public ones', async () => {
  const far = '// Far.\n'.repeat(9);
  const queue = `function again(send) {\n  return send();\n}\n${far}function turn(send) {\n  return again(send);\n}\n`;
  const { looker, diff } = await changed(
    'queue',
    {
      'src/queue.ts': `${queue}${far}export function post(send) {\n  return turn(send);\n}\n`,
      'src/use.ts': "post('x');\n",
    },
    {
      'src/queue.ts': `${queue.replace('send()', 'send(1)')}${far}export function post(send) {\n  return turn(send);\n}\n`,
    },
  );
  const text = { repository: 'acme/queue', title: 'Count', body: null, commitMessages: [], labels: [] };
  const own = looker();
  const outcomes = await lookAtCallers(own, readFacts(text, diff).files);
  assert.deepEqual(
    outcomes.map(({ look }) => look.text),
    ['again', 'turn'],
  );
  assert.deepEqual(
    printed(own).filter((line) => line.includes('return')),
    ['src/queue.ts+14   return again(send);', 'src/queue.ts+26   return turn(send);'],
  );
});

const noise = [
  'return',
  'x',
  '',
  ' ',
  '\n',
  '\0',
  '*',
  '(a+)+$',
  '.*.*.*.*=.*',
  '\\',
  '--',
  '-e',
  '--open-files-in-pager=sh',
  ':(top)',
  'HEAD',
  '$(id)',
  'é́',
  '🙂'.repeat(90),
  'a'.repeat(5_000),
  'hit',
  'needle',
];
const places = [
  '',
  '..',
  '/',
  '../..',
  '*',
  '*'.repeat(150),
  'src',
  'src/*',
  ':!src',
  ':(exclude)*',
  '/etc',
  'links',
  '.git',
];
const hostilePaths = [
  '/etc/passwd',
  '../../etc/passwd',
  'src/../../secret',
  './src/one.ts',
  'links/out',
  'links/in',
  'links/folder/one.ts',
  'sub',
  'sub/readme.txt',
  '.git/config',
  'src',
  '',
  'src/',
  'binary.bin',
  'lines.txt',
  'hits.txt',
  'a\0b',
  'a\nb',
  ':(top)src/one.ts',
  'HEAD:src/one.ts',
  '.env',
  'src/one.ts',
  'src/one.ts/x',
  'x'.repeat(9_000),
  '\ud800',
];

test('none of 2,000 hostile requests shows a line outside the tree or exceeds the space', async () => {
  const regular: Files = {
    'src/one.ts': 'export const needle = 1;\nreturn needle;\n',
    'lines.txt': `${'needle '.repeat(140_000)}\nneedle\n`,
    'hits.txt': 'needle\n'.repeat(100_000),
    'binary.bin': Buffer.from('needle\0needle\n'),
  };
  const outside = join(root, 'outside.txt');
  writeFileSync(outside, 'needle outside\n');
  const { looker } = await changed('hostile', regular, { 'src/two.ts': 'needle();\n' }, (folder) => {
    mkdirSync(join(folder, 'links'));
    symlinkSync(outside, join(folder, 'links/out'));
    symlinkSync('../src/one.ts', join(folder, 'links/in'));
    symlinkSync('../src', join(folder, 'links/folder'));
    writeFileSync(join(folder, '.env'), 'needle=1\n');
    const sub = makeClone(root, 'acme/sub');
    git(folder, 'update-index', '--add', '--cacheinfo', `160000,${git(sub, 'rev-parse', 'HEAD').trim()},sub`);
  });
  const chance = new Chance(69);
  const request = () => {
    const text = chance.one(noise) + chance.one(['', '', chance.one(noise)]);
    const path = chance.one(hostilePaths);
    const lines = [chance.from(0, 200_000) - 5, chance.from(0, 200_000)];
    return chance.one<object>([
      { find: text, in: chance.one(places) },
      { usages: text, in: chance.one(places), at: chance.one(['before', 'head', 'HEAD~1']) },
      { show: path },
      { show: path, lines, at: 'before' },
      { show: path, name: text },
      { show: path, name: path, nothing: path },
    ]);
  };
  const allowed = new Map(Object.entries(regular).map(([path, text]) => [path, `${text}`.split('\n')]));
  assert.deepEqual(looksIn([{ show: 7 }]), []);
  let shown = 0;
  for (let round = 0; round < 8; round += 1) {
    const room = { lines: chance.from(0, 400), bytes: chance.from(0, 20_000) };
    const own = looker(room);
    await own.answer(looksIn(Array.from({ length: 250 }, request), 250), { share: 1 });
    const lines = own.looked.flatMap((one) => one.lines.map((text, at) => ({ ...one, text, at })));
    assert.ok(lines.length <= room.lines);
    assert.ok(lines.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0) <= room.bytes);
    for (const { fileName, startLine, at, text } of lines) {
      assert.notEqual(fileName, 'binary.bin');
      const whole = allowed.get(fileName)?.[startLine + at - 1] ?? assert.fail(fileName);
      assert.ok(whole === text || (text.endsWith('…') && whole.startsWith(text.slice(0, -1))), fileName);
    }
    shown += lines.length;
  }
  assert.ok(shown > 100, 'requests that can be answered are');
});

const random = (chance: Chance, length: number, letters: string): string =>
  Array.from({ length }, () => chance.one([...letters])).join('');

test('none of 200 secrets in files of all kinds is shown', async () => {
  const chance = new Chance(200);
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
  const secrets: string[] = [];
  const secret = (length = 24, of = letters) => {
    const text = `${random(chance, length - 4, of)}${chance.from(1_000, 9_999)}`;
    secrets.push(text);
    return text;
  };
  const files: Files = {};
  for (let at = 0; at < 12; at += 1) {
    const wrapped = Array.from({ length: 2 }, () => secret(60)).join('\n');
    Object.assign(files, {
      [`a${at}/.env${chance.one(['', '.local', '.production'])}`]: `TOKEN=${secret(9)}\n`,
      [`a${at}/deploy/id_rsa`]: `-----BEGIN OPENSSH PRIVATE KEY-----\n${wrapped}\n-----END OPENSSH PRIVATE KEY-----\n`,
      [`a${at}/config/credentials.json`]: `{ "needle": "${secret(8)}" }\n`,
      [`a${at}/notes.txt`]: `needle\n-----BEGIN RSA PRIVATE KEY-----\n${secret(64)}\n-----END RSA PRIVATE KEY-----\n`,
      [`a${at}/settings.conf`]: `# needle\nDB_PASSWORD=${secret(8)}\nREGION=eu\nKEY_ID=${secret(10)}\n`,
      [`a${at}/app.yaml`]: `needle: 1\ndb:\n  password: ${secret(8)}\n  url: postgres://app:${secret(8)}@db/needle\n`,
      [`a${at}/client.ts`]: `const needle = 1;\nconst apiKey = '${secret(12)}';\nconst auth = { token: "${secret(8)}" };\nfetch(u, { headers: { Authorization: 'Bearer ${secret(20)}' } });\n`,
      [`a${at}/keys.py`]: `needle = 1\nAWS_SECRET_ACCESS_KEY = "${secret(40)}"\nx = "${secret(40, 'abcdef0123456789')}"\nSTRIPE = "sk_live_${secret(24)}"\n`,
      [`a${at}/web.xml`]: `<needle/>\n<password>${secret(8)}</password>\n`,
      [`a${at}/.ssh/config`]: `needle ${secret(10)}\n`,
      [`a${at}/.npmrc`]: `//registry/:_authToken=${secret(20)}\n`,
    });
  }
  const { looker } = await changed('secrets', files, { 'src/two.ts': 'needle();\n' });
  assert.ok(secrets.length >= 200);
  const paths = Object.keys(files);
  const seen: string[] = [];
  for (let from = 0; from < paths.length; from += 50) {
    const own = looker({ lines: 2_000, bytes: 100_000 });
    const shows = paths.slice(from, from + 50).map((show) => ({ show }));
    const finds = secrets.slice(2 * from, 2 * from + 20).map((text) => ({ find: text.slice(0, 5) }));
    const others = [{ usages: 'needle' }, { find: 'assword' }, { find: 'BEGIN' }];
    await own.answer(looksIn([...shows, ...finds, ...others], 100), { share: 1 });
    seen.push(...printed(own));
  }
  assert.ok(seen.some((line) => line.includes('needle')));
  assert.deepEqual(
    secrets.filter((text) => seen.some((line) => line.includes(text))),
    [],
  );
});

test('code about secrets that contains none is shown unchanged', async () => {
  const code = [
    'export function readToken(request: Request): string | null {',
    '  const token = request.headers.get(name) ?? cookies.session;',
    '  if (token.length < shortest) throw new Failure(codes.UNAUTHORIZED);',
    '  return verifyPassword(token, secretKeys) ? token : null;',
    '}',
  ];
  const { looker } = await changed('code', { 'src/tokens.ts': `${code.join('\n')}\n` }, { 'a.ts': 'x();\n' });
  const own = looker();
  await own.answer(looksIn([{ show: 'src/tokens.ts' }]), { share: 1 });
  assert.deepEqual(own.looked[0]?.lines, code);
});
