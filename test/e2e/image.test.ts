import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, copyFileSync, globSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { freePort } from '../postgres.ts';
import { projectFolder } from '../start-service.ts';
import { onlyInFull } from '../tables.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { waitUntil } from '../wait-until.ts';

const dockerfile = readFileSync(join(projectFolder, 'Dockerfile'), 'utf8').replaceAll('\\\n', '');

/** The program and parameters that the Dockerfile runs. */
function commandAfter(words: RegExp): string[] {
  const [, list = ''] = new RegExp(`^${words.source} (\\[.+\\])$`, 'm').exec(dockerfile) ?? [];
  return JSON.parse(list);
}

const settingsOfImage = Object.fromEntries(
  (/^ENV (.+)$/m.exec(dockerfile)?.[1] ?? '').split(/\s+/).map((one) => one.split('=')),
);

/** Every file with its modification time. */
const filesIn = (folder: string): string[] =>
  globSync('**/*', { cwd: folder }).map((file) => `${file} ${statSync(join(folder, file)).mtimeMs}`);

/** A user without rights, where this one may be another. */
const user = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

test(
  "the container image's folder runs the service and writes articles for a user who cannot write to it, and stays unchanged",
  onlyInFull,
  async () => {
    const folder = temporaryFolder();
    chmodSync(folder, 0o755);
    const [image, data, tmp, node] = ['image', 'data', 'tmp', 'node'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
      string,
    ];
    execFileSync('sh', [join(projectFolder, 'ops/make-image-root.sh'), image], { stdio: 'pipe' });
    for (const made of [data, tmp]) {
      mkdirSync(made);
      if (user.uid) chownSync(made, user.uid, user.gid);
    }
    copyFileSync(process.execPath, node);
    execFileSync('chmod', ['-R', 'a-w', image]);
    const files = filesIn(image);
    assert.deepEqual(
      files.filter((file) =>
        /^src\/.*\.test\.ts |^(?:test|bench|\.git)\/|^node_modules\/(?:typescript|node-linux)/.test(file),
      ),
      [],
    );

    const inFolder = (text: string) =>
      text === 'node'
        ? node
        : text.replace(/^\/(?:app|data|tmp)/, (place) => join(folder, place.replace('app', 'image')));
    const environment: Record<string, string> = {
      PATH: process.env.PATH ?? '',
      HOME: '/nonexistent',
      ...Object.fromEntries(
        Object.entries<string>(settingsOfImage).map(([name, value]) => [name, inFolder(value)]),
      ),
      TMPDIR: tmp,
      PORT: String(await freePort()),
    };
    const run = (command: string[]) => {
      const [program = '', ...parameters] = command.map(inFolder);
      // The flag that the tests themselves run with.
      const child = spawn(program, ['--liftoff-only', ...parameters], {
        cwd: image,
        env: environment,
        ...user,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let output = '';
      for (const stream of [child.stdout, child.stderr])
        stream.on('data', (chunk: Buffer) => {
          output += chunk.toString();
        });
      after(() => void child.kill('SIGKILL'));
      return { child, ended: once(child, 'close'), output: () => output };
    };

    const service = run([...commandAfter(/ENTRYPOINT/), ...commandAfter(/CMD/)]);
    const url = `http://127.0.0.1:${environment.PORT}`;
    const ask = async (path: string) => {
      if (service.child.exitCode !== null) assert.fail(service.output());
      return fetch(`${url}${path}`).catch(() => null);
    };
    const explain = (error: Error) => assert.fail(`${error.message}\n${service.output()}`);
    await waitUntil('it answers', async () => (await ask('/healthz'))?.status === 200).catch(explain);
    const isWritten = async () => /"totalItems":[1-9]/.test((await (await ask('/articles'))?.text()) ?? '');
    await waitUntil('a sample is written about', isWritten).catch(explain);
    const healthy = run(commandAfter(/HEALTHCHECK .*CMD/));
    assert.deepEqual((await healthy.ended)[0], 0, healthy.output());
    service.child.kill('SIGTERM');
    assert.deepEqual((await service.ended)[0], 0, service.output());

    const unhealthy = run(commandAfter(/HEALTHCHECK .*CMD/));
    assert.deepEqual((await unhealthy.ended)[0], 1);
    assert.match(unhealthy.output(), /^No answer from http:\/\/127\.0\.0\.1:\d+\/healthz /);
    assert.deepEqual(filesIn(image), files);
    execFileSync('chmod', ['-R', 'u+w', image]);
  },
);
