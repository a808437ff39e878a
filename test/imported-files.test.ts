import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { usesShared } from './imported-files.ts';
import { temporaryFolder } from './temporary-folder.ts';

const folder = temporaryFolder();

function write(name: string, text: string): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

const importing = (path: string): string => `import {\n  something,\n} from '${path}';\n`;

test('`usesShared` finds direct, lazy and indirect imports of build-app.ts, and ignores comments and other files of that name', () => {
  const shared = join(folder, 'test');
  write('test/build-app.ts', '');
  write('test/make.ts', importing('./build-app.ts').replace('import', 'import type'));
  write('test/near.ts', `${importing('./circle.ts')}${importing('./make.ts').replace('import', 'export')}`);
  write('test/circle.ts', importing('./near.ts'));
  write('test/folder.ts', importing('node:fs'));
  const touching = [
    write('src/direct.test.ts', importing('../test/build-app.ts')),
    write(
      'src/deep/lazy.test.ts',
      importing('../../test/build-app.ts').replace(/\{[^}]*\} from (.*);/, '($1)'),
    ),
    write('test/far.test.ts', importing('./near.ts')),
  ];
  const others = [
    write('src/other.test.ts', `${importing('../test/folder.ts')}// as '../test/build-app.ts' does\n`),
    write('src/own.test.ts', importing('./build-app.ts') + importing('../test/nothing.ts')),
  ];
  for (const file of touching) assert.equal(usesShared(file, 'build-app.ts', shared), true, file);
  for (const file of others) assert.equal(usesShared(file, 'build-app.ts', shared), false, file);
});
