import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { everyOperation, printClientTypes } from '../../scripts/client-types/print-client-types.ts';
import { freshDatabase } from '../build-app.ts';
import { makePackage } from '../make-package.ts';
import { projectFolder, runHere, runToEnd, startService } from '../start-service.ts';
import { temporaryFolder } from '../temporary-folder.ts';

/** A program with one correct and one wrong call of the client. */
const consumer = (
  url: string,
) => `import { PullquoteClient, PullquoteError, type Schemas } from 'pullquote/client';
export const client = new PullquoteClient({ url: '${url}' });
const meta: Schemas['Meta'] = await client.get('/meta');
// @ts-expect-error there is no such operation
await client.get('/users').catch((error) => console.log(meta.version, error instanceof PullquoteError, error.code));
`;

test('an installed package serves from node_modules and writes with the least allowed memory, and its client type-checks and runs', async () => {
  const folder = temporaryFolder();
  const installed = join(folder, 'node_modules', 'pullquote');
  const compile = async (...parameters: string[]) => {
    const { code, stdout } = await runToEnd({ command: ['node_modules/.bin/tsc', ...parameters] });
    assert.equal(code, 0, stdout);
  };
  const entry = makePackage(installed);
  const environment = await freshDatabase();
  const { stderr: tooLittle } = await runHere({ WRITING_MIB: '1' }, 'check');
  const [, least = ''] = /WRITING_MIB must be a whole number from (\d+) to/.exec(tooLittle) ?? [];
  const service = await startService({
    command: [process.execPath, entry, 'serve'],
    cwd: folder,
    environment: { ...environment, ...everyOperation, WRITING_MIB: least },
  });
  const { stdout } = await runHere(environment, 'token', 'thrifty');
  const post = (path: string, body: object) =>
    fetch(`${service.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${stdout.trim()}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  await post('/auth/signup', {});
  for (const number of [10, 12]) {
    const written = await post(`/repos/harborline/parcel/pulls/${number}/article`, { language: 'en' });
    assert.equal(written.status, 201, await written.text());
  }
  const document = await (await fetch(`${service.url}/openapi.json`)).text();
  writeFileSync(join(projectFolder, 'src/client/api-types.ts'), await printClientTypes(document));
  // Type checks take most of the time and are done by npm run check.
  await compile('--noCheck', '--project', 'tsconfig.client.json', '--outDir', join(installed, 'dist'));
  const [, version] = /"version":"([^"]+)"/.exec(await (await fetch(`${service.url}/meta`)).text()) ?? [];
  const file = join(folder, 'consumer.mts');
  writeFileSync(file, consumer(service.url));
  const page = readFileSync(join(projectFolder, 'docs/client.md'), 'utf8');
  const shown = Array.from(page.matchAll(/^```ts\n([\s\S]*?)^```/gm), ([, block = '']) => block).join('');
  writeFileSync(join(folder, 'shown.mts'), shown);
  await compile(
    '--ignoreConfig',
    '--strict',
    '--skipDefaultLibCheck',
    '--module',
    'nodenext',
    '--target',
    'esnext',
    '--noEmit',
    file,
    join(folder, 'shown.mts'),
  );
  const asked = await runToEnd({ command: [process.execPath, file] });
  assert.equal(asked.stdout, `${version} true NOT_FOUND\n`, asked.stderr);
  assert.equal(await service.stop(), 0);
});
