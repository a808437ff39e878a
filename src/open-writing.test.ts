import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../test/temporary-folder.ts';
import { offlineWriterVersion } from './open-writing.ts';

/** The source of a writer, and a way to change it. */
function makeWriter() {
  const source = temporaryFolder();
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(source, path)), { recursive: true });
    writeFileSync(join(source, path), text);
  };
  write('domain/rule.ts', 'export const rule = 1;\n');
  write('reading/deep/read.ts', 'export const read = 1;\n');
  write('reading/table.json', '{}\n');
  write('writing/write.ts', 'export const write = 1;\n');
  write('http/serve.ts', 'export const serve = 1;\n');
  return { source, write, version: () => offlineWriterVersion(source) };
}

test('two writers that differ in anything have different versions', async () => {
  const { source, write, version } = makeWriter();
  const seen = [await version()];
  const changes = [
    () => write('domain/rule.ts', 'export const rule = 2;\n'),
    () => write('reading/deep/read.ts', 'export const read = 2;\n'),
    () => write('reading/table.json', '{"a":1}\n'),
    () => write('writing/one-more.ts', ''),
    () => {
      rmSync(join(source, 'writing/one-more.ts'));
      write('writing/another-name.ts', '');
    },
    () => rmSync(join(source, 'reading/deep/read.ts')),
  ];
  for (const change of changes) {
    change();
    seen.push(await version());
  }
  assert.equal(new Set(seen).size, changes.length + 1, seen.join(' '));
});

test('the same writer has the same version, wherever it lies and whatever stands around it', async () => {
  const one = makeWriter();
  const other = makeWriter();
  assert.equal(await one.version(), await other.version());
  other.write('http/serve.ts', 'export const serve = 2;\n');
  other.write('reading/deep/read.test.ts', 'a test');
  assert.equal(await one.version(), await other.version());
});

test('the writer of this program has a version', async () => {
  assert.match(await offlineWriterVersion(), /^[\w-]{22}$/);
});
