import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { test } from 'node:test';
import { layers, misnamedIn, misnamedModules, subjects, subjectsAsTable } from '../scripts/subjects.ts';

/** Test files named for neither their folder nor a module or folder beside them; tests of the whole service may be named for a subject. */
function misnamedTests(paths: string[]): string[] {
  return paths.filter((path) => {
    if (!/\.test\.ts$/.test(path)) return false;
    const folder = dirname(path);
    const beside = paths.filter((other) => other.startsWith(`${folder}/`) && !/\.test\.ts$/.test(other));
    const names = beside.map((other) =>
      (other.slice(folder.length + 1).split('/')[0] ?? '').replace(/\.\w+$/, ''),
    );
    if (/^(src\/http|test\/browser)$/.test(folder)) names.push('pages', ...Object.keys(subjects));
    const name = basename(path, '.test.ts');
    return ![basename(folder), ...names].some((one) => name === one || name.startsWith(`${one}-`));
  });
}

test('no module in a layer has another word for its subject', () => {
  assert.deepEqual(layers.flatMap(misnamedIn), []);
});

test('`misnamedModules` reports modules named by another word for a subject', () => {
  assert.deepEqual(misnamedModules(['questions', 'question-cards', 'answers', 'watch-list', 'time']), [
    'answers',
    'watch-list',
  ]);
});

test('ARCHITECTURE.md has the table of subjects that `npm run docs` writes', () => {
  assert.ok(readFileSync('ARCHITECTURE.md', 'utf8').includes(subjectsAsTable()));
});

test('every test file in src and test/browser begins with the name of a module or folder beside it, or of a subject', () => {
  assert.deepEqual(misnamedTests(globSync(['src/**/*.*', 'test/browser/*.ts'])), []);
});

test('`misnamedTests` reports tests named for something else', () => {
  const modules = ['src/db/likes.ts', 'src/db/local-server/start.ts', 'src/http/likes.ts'];
  const named = ['src/db/likes-sweep.test.ts', 'src/db/local-server.test.ts', 'src/http/questions.test.ts'];
  const misnamed = ['src/db/questions.test.ts', 'src/db/likesome.test.ts', 'src/http/start.test.ts'];
  assert.deepEqual(misnamedTests([...modules, ...named, ...misnamed]), misnamed);
});
