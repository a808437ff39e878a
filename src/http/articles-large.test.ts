import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildTestApp } from '../../test/build-app.ts';
import { git, makeClone } from '../../test/make-clone.ts';
import { makeLargePullRequest } from '../../test/make-large-pull-request.ts';
import { questionIn, writeObligingly } from '../../test/model/obliging-writer.ts';
import { type Script, startScriptedModel } from '../../test/model/scripted-model.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';

const root = temporaryFolder();
const model = await startScriptedModel(writeObligingly);
const environment = {
  GIT_REPOS: root,
  AI_MODEL: 'compatible/scripted',
  AI_BASE_URL: model.url,
  AI_CONTEXT_TOKENS: '32000',
  AI_PART_TOKENS: '8000',
  AI_PARALLEL_CALLS: '2',
};
const app = await buildTestApp({ environment, frozen: true });
await app.signUp('ann');
const clone = makeClone(root, 'acme/rocket');

const ask = (number: number, more: object = {}) =>
  app.call('POST', `/repos/acme/rocket/pulls/${number}/article`, {
    token: app.tokenFor('ann'),
    body: { language: 'en', ...more },
  });

/** The questions asked during some work. */
async function during<Result>(script: Script, work: () => Promise<Result>) {
  model.play(script);
  const before = model.heard.length;
  const result = await work();
  const asked = model.heard.slice(before).map(questionIn);
  return { result, asked, parts: asked.filter((one) => one.asked === 'notes') };
}

const changedLines = (material: string): string[] => {
  let file = '';
  return material.split('\n').flatMap((line) => {
    file = /^f\d+ (\S+)/.exec(line)?.[1] ?? file;
    return /^\d+[+-]/.test(line) ? [`${file} ${line}`] : [];
  });
};

test('a pull request too large for one prompt is read completely in parts, and its article is written from notes on them', async () => {
  makeLargePullRequest(clone, 2, 30);
  const { result, asked, parts } = await during(writeObligingly, () => ask(2));
  assert.equal(result.status, 201, result.text);
  const { writer, coverage, mainChanges } = result.body.data.contents.en;
  assert.equal(writer.kind, 'ai');
  assert.deepEqual([coverage.filesRead, coverage.skippedTotal], [30, 0]);
  assert.deepEqual(coverage.notes, { total: 1, used: 1 }, 'every part says the same');
  assert.ok(mainChanges.length > 0);
  assert.ok(parts.length > 3);
  const sent = parts.flatMap(({ material }) => changedLines(material));
  assert.equal(sent.length, coverage.linesTotal, 'each changed line once');
  assert.equal(new Set(sent).size, sent.length);
  const [article] = asked.filter((one) => one.asked === 'article');
  assert.match(article?.material ?? '', /^n1 \(3; f\d+\+\d+\) /m);
  assert.match(article?.material ?? '', /^\d+\+.*\S/m, 'the lines that notes cite');
});

test('notes are reused for a regenerated article, and after a push for unchanged parts', async () => {
  const again = await during(writeObligingly, () => ask(2, { regenerate: true }));
  assert.equal(again.result.status, 201, again.result.text);
  assert.deepEqual([again.parts.length, again.asked.some((one) => one.asked === 'article')], [0, true]);
  const file = join(clone, 'large-2', 'part-7.ts');
  writeFileSync(file, readFileSync(file, 'utf8').replace('left - 7', 'left - 70'));
  git(clone, 'add', '--all');
  git(clone, 'commit', '--quiet', '--amend', '--message', 'feat: count everything (#2)');
  app.advance(6 * 60_000);
  const pushed = await during(writeObligingly, () => ask(2));
  assert.equal(pushed.result.status, 201, pushed.result.text);
  assert.equal(pushed.parts.length, 1);
  assert.match(pushed.parts[0]?.material ?? '', /part-7\.ts/);
});

test('translating an article keeps the notes on the parts of its diff', async () => {
  app.advance(1_000);
  const french = await during(writeObligingly, () => ask(2, { language: 'fr' }));
  assert.equal(french.result.status, 201, french.result.text);
  assert.deepEqual(new Set(french.asked.map(({ asked }) => asked)), new Set(['said again', 'verdicts']));
  const again = await during(writeObligingly, () => ask(2, { regenerate: true }));
  assert.equal(again.result.status, 201, again.result.text);
  assert.equal(again.parts.length, 0);
});

test('files of a part that the model cannot read are listed, and the article covers the rest', async () => {
  makeLargePullRequest(clone, 3, 30);
  const refuse: Script = (request) =>
    questionIn(request).asked === 'notes' && /^f\d+ large-3\/part-12\.ts/m.test(questionIn(request).material)
      ? { text: 'Sure!' }
      : writeObligingly(request);
  const { result, parts } = await during(refuse, () => ask(3));
  assert.equal(result.status, 201, result.text);
  const { coverage, writer } = result.body.data.contents.en;
  assert.equal(writer.kind, 'ai', JSON.stringify(app.logLines().slice(-3)));
  assert.ok(coverage.skippedTotal > 0 && coverage.filesRead === 30 - coverage.skippedTotal);
  const skipped = coverage.skipped.map(({ fileName, reason }: { fileName: string; reason: string }) => {
    assert.equal(reason, 'the model could not read it');
    return fileName;
  });
  assert.ok(skipped.includes('large-3/part-12.ts'));
  assert.equal(
    parts.filter(({ material }) => material.includes('f1 ') && /^f\d+ large-3\/part-12\.ts/m.test(material))
      .length,
    3,
  );
  for (const { material } of parts) assert.doesNotMatch(material, /could not|Sure!/);
});

test('a part that is too long for the model is halved until it fits', async () => {
  makeLargePullRequest(clone, 4, 12);
  const narrow: Script = (request) => {
    const { asked, material } = questionIn(request);
    const files = material.match(/^f\d+ /gm)?.length ?? 0;
    return asked === 'notes' && files > 1
      ? { error: { status: 400, code: 'context_length_exceeded' } }
      : writeObligingly(request);
  };
  const { result, parts } = await during(narrow, () => ask(4));
  assert.equal(result.status, 201, result.text);
  assert.equal(result.body.data.contents.en.coverage.filesRead, 12);
  assert.equal(parts.filter(({ material }) => (material.match(/^f\d+ /gm)?.length ?? 0) === 1).length, 12);
});

/** Bytes of a question's lines without quoted words. */
const bytesOfLines = (material: string): number =>
  material
    .split('\n')
    .filter((line) => !/^(?:w\d+ |<)/.test(line))
    .reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);

/** Makes a pull request with a last line of a given length. */
function makeSized(name: string, letters: number): void {
  const folder = makeClone(root, `acme/${name}`);
  const filled = Array.from({ length: 24 }, (_, index) => `// ${index}: ${'word '.repeat(150)}\n`);
  writeFileSync(
    join(folder, 'sized.ts'),
    `${filled.join('')}export const size = 1;\n// ${'x'.repeat(letters)}\n`,
  );
  git(folder, 'add', '--all');
  git(folder, 'commit', '--quiet', '--message', 'feat: have a size (#2)');
}

test('a pull request of exactly AI_PART_TOKENS is one question, and one byte more makes two parts', async () => {
  const kindsOf = async (name: string, letters: number) => {
    makeSized(name, letters);
    const { result, asked } = await during(writeObligingly, () =>
      app.call('POST', `/repos/acme/${name}/pulls/2/article`, {
        token: app.tokenFor('ann'),
        body: { language: 'en' },
      }),
    );
    assert.equal(result.status, 201, result.text);
    assert.equal(result.body.data.contents.en.writer.kind, 'ai');
    const articles = asked.filter((one) => one.asked === 'article');
    assert.equal(articles.length, 1);
    const notes = asked.filter((one) => one.asked === 'notes').length;
    return { notes, bytes: bytesOfLines(articles[0]?.material ?? '') };
  };
  const mostBytes = 8_000 * 2.5;
  const begun = await kindsOf('sized', 1_000);
  const letters = 1_000 + mostBytes - begun.bytes;
  assert.ok(letters > 0 && letters < 1_900, `${letters} letters in a line`);
  assert.deepEqual(await kindsOf('sized-below', letters), { notes: 0, bytes: mostBytes });
  assert.equal((await kindsOf('sized-above', letters + 1)).notes, 2);
});

test('a line of 2 MB is sent cut, and its file is listed as not read completely', async () => {
  writeFileSync(join(clone, 'table.ts'), `export const table = '${'order '.repeat(2_000_000 / 6)}';\n`);
  makeLargePullRequest(clone, 5, 12);
  const { result, parts } = await during(writeObligingly, () => ask(5));
  assert.equal(result.status, 201, result.text);
  const { coverage, writer } = result.body.data.contents.en;
  assert.equal(writer.kind, 'ai');
  assert.deepEqual(coverage.skipped, [{ fileName: 'table.ts', reason: 'a line is too long' }]);
  assert.deepEqual([coverage.filesRead, coverage.filesTotal], [12, 13]);
  assert.equal(parts.filter(({ material }) => /^f\d+ table\.ts/m.test(material)).length, 1);
  for (const { material } of parts) assert.ok(Buffer.byteLength(material) < 22_000);
});

test('an article about 3,000 files, 2,990 of them generated, takes one request to the writing model and one to the judge', async () => {
  mkdirSync(join(clone, 'made'));
  for (let file = 0; file < 2_990; file += 1)
    writeFileSync(
      join(clone, 'made', `schema-${file}.ts`),
      `// Code generated by a schema. DO NOT EDIT.\nexport const schema${file} = ${file};\n`,
    );
  makeLargePullRequest(clone, 6, 10, 3);
  const { result, asked } = await during(writeObligingly, () => ask(6));
  assert.equal(result.status, 201, result.text);
  const { coverage, writer } = result.body.data.contents.en;
  assert.deepEqual([writer.kind, coverage.filesRead, coverage.skippedTotal], ['ai', 10, 2_990]);
  assert.deepEqual(
    asked.map((one) => one.asked),
    ['article', 'verdicts'],
  );
});
