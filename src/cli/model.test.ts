import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { buildTestApp } from '../../test/build-app.ts';
import { makeClone } from '../../test/make-clone.ts';
import { writeObligingly } from '../../test/model/obliging-writer.ts';
import { startScriptedModel } from '../../test/model/scripted-model.ts';
import { honest, playPart } from '../../test/model/trial-models.ts';
import { program, runHere, runToEnd } from '../../test/start-service.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { readSamples } from '../open-samples.ts';
import { runHere as inThread } from './explain/write-about.ts';
import { askSecret } from './model.ts';

const root = temporaryFolder();
makeClone(root, 'acme/rocket', 'feat: launch (#1)');
const model = await startScriptedModel(writeObligingly);
const app = await buildTestApp({ environment: { GIT_REPOS: root, OPERATORS: 'ann' }, waits: [] });
await app.signUp('ann');
await app.signUp('bob');

const samples = await readSamples(inThread(), [6]);

const as = (name: string) => ({ PULLQUOTE_TOKEN: app.tokenFor(name), PUBLIC_URL: app.url });
const run = (...parameters: string[]) => runHere(as('ann'), 'model', ...parameters);

/** With text on standard input, which a shell sends, because tests have none. */
const runWith = (input: string, ...parameters: string[]) =>
  runToEnd({
    command: ['bash', '-c', 'printf "$0" | "$@"', input, process.execPath, program, 'model', ...parameters],
    environment: as('ann'),
  });

const settings = async () =>
  (await app.call('GET', '/service/model', { token: app.tokenFor('ann') })).body.data;

test('`pullquote model` sets a model with the key from standard input, shows it with its usage, and removes it', async () => {
  const before = await run();
  assert.deepEqual([before.code, before.stderr], [0, '']);
  assert.match(before.stdout, /^Articles are written without a model\./);
  const writer = ['compatible/scripted', '--url', model.url, '--reader', 'off'];
  const limits = ['--tokens-per-day', '5000000', '--tokens-per-month', '6000000', '--private', 'true'];
  const set = await runWith('the-key-of-ann\\n', 'set', ...writer, ...limits);
  assert.deepEqual([set.code, set.stderr], [0, '']);
  assert.ok(!set.stdout.includes('the-key-of-ann'), set.stdout);
  const { body } = await app.call('POST', '/repos/acme/rocket/pulls/1/article', {
    token: app.tokenFor('ann'),
    body: { language: 'en' },
  });
  assert.equal(body.data.contents.en.writer.kind, 'ai');
  assert.equal(model.heard.at(-1)?.headers.authorization, 'Bearer the-key-of-ann');
  const { stdout } = await run();
  const { inputTokens, outputTokens } = body.data.contents.en.usage;
  const used = (inputTokens + outputTokens).toLocaleString('en');
  assert.deepEqual(stdout.split('\n'), [
    `Writes: compatible/scripted at ${model.baseUrl('openai')}`,
    'Checks: no second model',
    'Set by: an operator',
    `Tokens today: ${used} of 5,000,000; this month: ${used} of 6,000,000`,
    'Articles: at most 50 per person per day',
    'Private repositories: their diffs, descriptions and comments are sent to the provider',
    `Used in ${app.now().toISOString().slice(0, 7)}, by repository:`,
    `  ${used} tokens: acme/rocket`,
    `Used in ${app.now().toISOString().slice(0, 7)}, by user:`,
    `  ${used} tokens: ann`,
    '',
  ]);
  assert.deepEqual(JSON.parse((await run('--json')).stdout), await settings());
  const off = await run('off');
  assert.match(off.stdout, /^Articles are written without a model\./);
  assert.equal((await settings()).source, 'none');
});

test('`pullquote model test` says in words whether models can be used, also before they are set', async () => {
  const tested = ['test', 'compatible/scripted', '--url', model.url];
  model.play(playPart(honest, samples));
  const good = await runWith('key\\n', ...tested);
  assert.deepEqual([good.code, good.stderr], [0, '']);
  assert.match(good.stdout, /^The models answer in the requested form\.\n.+ 5 of 5 false .+ 5 of 5 true/);
  assert.equal((await settings()).source, 'none');
  model.play([{ error: { status: 401, code: 'invalid_api_key' } }]);
  const bad = await runWith('wrong\\n', ...tested);
  assert.equal(bad.code, 1);
  assert.match(bad.stdout, /^The model that writes: The provider rejects the key\./);
  assert.ok(!bad.stdout.includes('wrong\n'));
  model.play(playPart({ ...honest, judge: () => 'holds' }, samples));
  const weak = await runWith('key\\n', ...tested, '--json');
  assert.deepEqual([weak.code, JSON.parse(weak.stdout).liesCaught], [1, 0]);
  const unset = await run('test');
  assert.deepEqual([unset.code, unset.stdout], [1, '']);
  assert.match(unset.stderr, /^No model is in use\./);
  model.play(writeObligingly);
});

test('two providers take a key each, in the order of writer and reader, and one provider takes a single key', async () => {
  const other = await startScriptedModel(writeObligingly);
  const heardBy = async (...parameters: string[]) => {
    const before = [model.heard.length, other.heard.length];
    const set = await runWith('first-key\\nsecond-key\\n', 'set', ...parameters);
    assert.equal(set.code, 0, set.stderr);
    await app.call('POST', '/repos/acme/rocket/pulls/1/article', {
      token: app.tokenFor('ann'),
      body: { language: 'en', regenerate: true },
    });
    return [model, other].map(({ heard }, index) => [
      ...new Set(heard.slice(before[index]).map(({ headers }) => headers.authorization)),
    ]);
  };
  const writer = ['compatible/scripted', '--url', model.url, '--reader', 'compatible/other'];
  assert.deepEqual(await heardBy(...writer, '--reader-url', other.url), [
    ['Bearer first-key'],
    ['Bearer second-key'],
  ]);
  assert.deepEqual(await heardBy(...writer, '--reader-url', model.url), [['Bearer first-key'], []]);
});

test('a key typed at the terminal is read and not shown', async () => {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const asked = askSecret('Key: ', input, output);
  input.write('sk-secret\r');
  assert.equal(await asked, 'sk-secret');
  output.end();
  assert.equal(Buffer.concat(await output.toArray()).toString(), 'Key: \n');
});

test('errors of `pullquote model` say what to do, change nothing and do not repeat keys', async () => {
  const before = await settings();
  const fails = async (code: number, sentence: RegExp, ...parameters: string[]) => {
    const ended = await run(...parameters);
    assert.equal(ended.code, code, ended.stderr);
    assert.match(ended.stderr, sentence);
    assert.ok(!ended.stderr.includes('sk-secret'), ended.stderr);
  };
  await fails(2, /^Pass one model\. Keys are not arguments/, 'set', 'anthropic/x', 'sk-secret');
  await fails(2, /^Unknown option '--key'/, 'set', 'anthropic/x', '--key=sk-secret');
  await fails(2, /^Pass set, test, off or nothing/, 'sett');
  await fails(2, /^Pass a model after set/, 'set');
  await fails(2, /^The model must be a provider and a model/, 'set', 'claude');
  await fails(
    2,
    /^--tokens-per-day must be a whole number/,
    'set',
    'anthropic/x',
    '--tokens-per-day',
    'lots',
  );
  await fails(2, /^Options about models need a model/, 'off', '--private', 'true');
  await fails(2, /^--reader-url needs --reader/, 'set', 'anthropic/x', '--reader-url', model.url);
  const unaddressed = await runWith('', 'set', 'compatible/x');
  assert.deepEqual([unaddressed.code, unaddressed.stdout], [1, '']);
  assert.match(unaddressed.stderr, /writer\.baseUrl is required for a compatible model/);
  const stranger = await runHere(as('bob'), 'model');
  assert.match(stranger.stderr, /^The token in PULLQUOTE_TOKEN is not that of an operator/);
  const anonymous = await runHere({ PUBLIC_URL: app.url }, 'model');
  assert.match(anonymous.stderr, /needs your token\. Set PULLQUOTE_TOKEN/);
  assert.deepEqual(await settings(), before);
});
