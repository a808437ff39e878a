import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { UsageProblem } from '../../src/cli/command.ts';
import { importCommand } from '../../src/cli/import.ts';
import { sql } from '../../src/db/sql.ts';
import { buildTestApp, freshDatabase } from '../build-app.ts';
import { git, makeClone } from '../make-clone.ts';
import { launch, program, runHere } from '../start-service.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { waitUntil } from '../wait-until.ts';

const root = temporaryFolder();
const clone = makeClone(root, 'acme/rocket', 'Begin');
const merged = Array.from({ length: 8 }, (_, index) => index + 1);
for (const number of merged) {
  writeFileSync(join(clone, `part${number}.ts`), `export const part${number} = ${number};\n`);
  git(clone, 'add', '.');
  git(clone, 'commit', '--quiet', '--message', `feat: add part ${number} (#${number})`);
}
makeClone(root, 'acme/secret');
makeClone(root, 'acme/plain', 'Begin');
const database = await freshDatabase();
const hosts = { GIT_REPOS: root, GIT_PRIVATE: 'acme/secret=ann' };
const environment = { ...database, ...hosts, PUBLIC_URL: 'https://pullquote.example' };
const run = (...parameters: string[]) => runHere(environment, 'import', ...parameters);
const outcome = (counts: string, repository: string): string =>
  `${counts}\nRead them at https://pullquote.example/r/${repository}\n`;
const countsIn = (stdout: string): number[] => [...stdout.matchAll(/\d+/g)].map(Number);

test('invalid parameters of `pullquote import` are a usage error that names the parameter', async () => {
  const refused: [string[], RegExp][] = [
    [[], /OWNER\/REPO/],
    [['acme/rocket#7'], /OWNER\/REPO/],
    [['acme/rocket', 'acme/zebra'], /OWNER\/REPO/],
    [['acme/rocket', '--last', '0'], /--last must be a whole number from 1/],
    [['acme/rocket', '--last', '1e3'], /--last must be a whole number from 1/],
    [['acme/rocket', '--numbers', '7,,9'], /--numbers must be pull request numbers/],
    [['acme/rocket', '--since', '2026-02-30'], /--since must be a past date/],
    [['acme/rocket', '--since', '2999-01-01'], /--since must be a past date/],
    [['acme/rocket', '--last', '2', '--numbers', '7'], /one of --last/],
    [['acme/rocket', '--host', 'sourceforge'], /--host must be one of/],
  ];
  for (const [parameters, problem] of refused)
    await assert.rejects(importCommand.run(parameters), (error) => {
      assert.ok(error instanceof UsageProblem, String(error));
      assert.match(error.message, problem);
      return true;
    });
});

test('`pullquote import` writes missing articles, continues after Ctrl-C, and writes no article twice', async () => {
  const first = await run('acme/rocket', '--numbers', '1,2,99');
  assert.deepEqual(
    [first.code, first.stdout],
    [1, outcome('2 articles written, 0 already written, 1 skipped.', 'acme/rocket')],
    first.stderr,
  );
  assert.match(first.stderr, /^Skipped #99: Pull request acme\/rocket#99 does not exist/m);

  const { child, written } = launch({
    command: [process.execPath, program, 'import', 'acme/rocket'],
    environment,
  });
  await waitUntil('the import has begun', () => /6 to write, 2 already written/.test(written.stderr));
  child.kill('SIGINT');
  const [code] = await once(child, 'close');
  assert.equal(code, 130, written.stderr);
  assert.match(written.stderr, /the same command again to continue/);
  const [kept = Number.NaN, stood] = countsIn(written.stdout);
  assert.equal(stood, 2);

  const rest = await run('acme/rocket', '--language', 'en');
  const secret = await run('acme/secret', '--last', '5');
  const none = await run('acme/plain');
  assert.equal(rest.code, 0, rest.stderr);
  const [more = Number.NaN, standing = Number.NaN, failed] = countsIn(rest.stdout);
  assert.deepEqual([more + standing, failed], [merged.length, 0]);
  assert.ok(standing >= 2 + kept, rest.stdout);
  assert.deepEqual(
    [secret.code, secret.stdout],
    [0, outcome('1 article written, 0 already written, 0 skipped.', 'acme/secret')],
  );
  assert.deepEqual([none.code, none.stdout], [0, '0 articles written, 0 already written, 0 skipped.\n']);
  assert.match(none.stderr, /^acme\/plain has no merged pull request\. A clone contains a pull request if /m);

  const app = await buildTestApp({ database, environment: hosts });
  const beside = await run('acme/rocket', '--since', '2020-01-01');
  assert.equal(
    beside.stdout,
    outcome('0 articles written, 8 already written, 0 skipped.', 'acme/rocket'),
    beside.stderr,
  );
  assert.equal(beside.code, 0);
  const articles = await app.database.query(sql`
    SELECT repositories.name, pull_requests.number, contents.revision FROM article_contents AS contents
    JOIN articles ON articles.id = contents.article_id
    JOIN pull_requests ON pull_requests.id = articles.pull_request_id
    JOIN repositories ON repositories.id = pull_requests.repository_id ORDER BY 1, 2`);
  assert.deepEqual(
    [...articles],
    [
      ...merged.map((number) => ({ name: 'rocket', number, revision: 1 })),
      { name: 'secret', number: 1, revision: 1 },
    ],
  );
  const path = '/repos/acme/secret/pulls/1/article';
  assert.equal((await app.call('GET', path)).status, 404);
  await app.signUp('ann');
  const asked = { token: app.tokenFor('ann'), body: { language: 'en' } };
  assert.equal((await app.call('POST', path, asked)).status, 200);
});
