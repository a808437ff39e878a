import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { freshDatabase, onPostgres } from '../build-app.ts';
import { projectFolder, runToEnd, startService } from '../start-service.ts';

const readme = readFileSync(join(projectFolder, 'README.md'), 'utf8');

const skip = onPostgres && 'whoever reads it has the embedded database';

test('the tour in the README works as it is printed', { skip }, async () => {
  const tour =
    /<!-- tour -->\s+```sh\n([\s\S]*?)```\s+<!-- \/tour -->/.exec(readme)?.[1] ?? assert.fail('no tour');
  const environment = await freshDatabase();
  const service = await startService({ environment, asNewcomer: true });
  const script = tour.replaceAll('http://127.0.0.1:8080', service.url);
  const { code, stdout, stderr } = await runToEnd({
    command: ['bash', '-euo', 'pipefail', '-c', script],
    environment,
  });
  await service.stop();
  assert.equal(code, 0, stderr);
  // The diff and the facts are for people; every other line is an answer of the API.
  const answers = stdout
    .split('\n')
    .filter((line) => line.startsWith('{"'))
    .map((line) => JSON.parse(line));
  assert.equal(
    answers.length,
    tour.split("curl -sw '\\n'").length - 1,
    'one answer for each request that is shown',
  );
  for (const answer of answers) assert.notEqual(answer.success, false, JSON.stringify(answer));
});

test('every path and npm script that the documents name exists', { skip }, () => {
  const { scripts } = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8'));
  const documents = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md'].concat(
    readdirSync(join(projectFolder, 'docs/decisions')).map((name) => `docs/decisions/${name}`),
  );
  for (const document of documents) {
    const text = readFileSync(join(projectFolder, document), 'utf8');
    for (const [, path = ''] of text.matchAll(/\]\((?!https?:|#)([^)]+)\)/g)) {
      assert.ok(existsSync(join(projectFolder, document, '..', path)), `${document} links to ${path}`);
    }
    for (const [, path = ''] of text.matchAll(
      /`((?:src|test|bench|scripts|docs|web|bin|samples|migrations)\/[\w./-]*)`/g,
    )) {
      assert.ok(existsSync(join(projectFolder, path)), `${document} names ${path}`);
    }
    for (const [, name = ''] of text.matchAll(/npm run (?:-s )?([\w:]+)/g)) {
      assert.ok(name in scripts, `${document} names npm run ${name}`);
    }
  }
});

test('the README names every command, and no other', { skip }, async () => {
  const { stdout } = await runToEnd({ command: [process.execPath, 'bin/pullquote.cjs'], environment: {} });
  const existing = [...stdout.matchAll(/^ {2}([a-z]+) +\S/gm)].map(([, name]) => name);
  assert.ok(existing.length > 5, stdout);
  const paragraph =
    /`npm run -s pullquote -- COMMAND`[\s\S]*?\n\n/.exec(readme)?.[0] ?? assert.fail('no list of commands');
  const named = [...paragraph.matchAll(/`([a-z]+)(?: [A-Z[\]#/]+)*`/g)].map(([, name]) => name);
  assert.deepEqual(named.toSorted(), existing.toSorted());
});
