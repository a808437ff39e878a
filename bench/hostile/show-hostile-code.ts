import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { grammarName } from '../../src/actions/pull-requests/highlight-code.ts';
import { mintLocalToken } from '../../src/code-hosts/git/local-token.ts';
import { parseConfig } from '../../src/config.ts';
import { loadSecretKeys, prepareDataFolder } from '../../src/data-folder.ts';
import { languageByEnding, languageByFileName } from '../../src/reading/classify-file.ts';
import { startPostgres } from '../../test/postgres.ts';
import { runServer, service } from '../run-server.ts';
import type { Health } from './ask-health.ts';
import { importChanges } from './make-hostile-clone.ts';
import { post } from './serve-hostile.ts';

/** As long as `/healthz` may wait, however hostile the code is that others look at. */
export const mostMs = 100;

/** As many readers at once as a flood of strangers would be; more than the service lets wait for colours. */
const readers = 10;
const writers = 4;
const filesEach = 5;

/** Just below what is highlighted at most: 40 lines of this length are shown at a time. */
const length = 480;
const lines = (line: (index: number) => string): string =>
  Array.from({ length: 41 }, (_, index) => line(index).slice(0, length)).join('\n');
const filled = (piece: string): string => lines(() => piece.repeat(length));

/** Shapes under which patterns of grammars try again and again. */
const shapes: string[] = [
  Array.from({ length: 10 }, () => 'a'.repeat(1_990)).join('\n'),
  filled('a'),
  filled('aB_9'),
  filled('a '),
  lines((index) => `${'a'.repeat(index * 10)} = ${'b '.repeat(length)}`),
  filled('"\'`'),
  filled('"\\'),
  filled('"""\'\'\''),
  filled('/* // <!-- (* {- --[[ '),
  filled('#{${{{%<%'),
  filled('([{<'),
  lines((index) => (index < 20 ? '(' : ')').repeat(length)),
  filled('a<a<a::'),
  filled('a(a, '),
  filled('<a b="c" '),
  filled('1.0x1e1_'),
  filled(' \t'),
  filled('class a extends a : public a '),
  filled('@a $a %q{ $$ <<a '),
  filled('- * > # = ; '),
];

interface Waits {
  'times asked': number;
  'not well': number;
  'p99.9 ms': number;
  'longest ms': number;
}

interface CodeFile {
  path: string;
  number: number;
}

/**
 * Has a service show hostile code to strangers, and tells how it answered `/healthz` meanwhile, at rest, and while the same is
 * shown again, when nothing is left to highlight.
 */
export async function showHostileCode(
  isChosen: (language: string, index: number) => boolean,
): Promise<Record<'at rest' | 'hostile code' | 'shown again', Waits>> {
  const folder = mkdtempSync(join(tmpdir(), 'pullquote-hostile-code-'));
  const postgres = await startPostgres();
  const files = makeClone(join(folder, 'repos'), isChosen);
  const environment = {
    PULLQUOTE_DATA: join(folder, 'data'),
    GIT_REPOS: join(folder, 'repos'),
    DATABASE_URL: postgres.url,
  };
  const config = parseConfig(environment);
  prepareDataFolder(config.dataFolder);
  const expiresAt = new Date(Date.now() + 3_600_000);
  const token = mintLocalToken(loadSecretKeys(config), { name: 'bench', singleUse: false, expiresAt });
  const server = await runServer(service, { environment });
  try {
    await post(`${server.url}/auth/signup`, token);
    const numbers = [...new Set(files.map(({ number }) => number))];
    const article = `${server.url}/repos/some/where/pulls`;
    console.error(`writing ${numbers.length} articles about ${files.length} files`);
    await share(numbers, writers, (number) => post(`${article}/${number}/article`, token));
    const page = `${server.url}/r/some/where`;
    const pages = files.flatMap(({ path, number }, index) => [
      ...(files[index - 1]?.number === number ? [] : [`${page}/${number}`]),
      `${page}/${number}/lines?file=${encodeURIComponent(path)}&side=new&line=1&direction=below`,
    ]);
    console.error(`showing ${pages.length} pages`);
    const answers: Record<string, number> = {};
    const read = async (url: string): Promise<void> => {
      const reply = await fetch(url, { headers: { accept: 'text/html' } });
      await reply.arrayBuffer();
      answers[reply.status] = (answers[reply.status] ?? 0) + 1;
    };
    const atRest = await watchHealth(server.url, () => pause(10_000));
    const hostile = await watchHealth(server.url, () => share(pages, readers, read));
    const again = await watchHealth(server.url, () => share(pages, readers, read));
    console.error(`answers: ${JSON.stringify(answers)}`);
    return { 'at rest': atRest, 'hostile code': hostile, 'shown again': again };
  } finally {
    await server.stop();
    await postgres.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Every language that has a grammar, with a file for each shape. */
function makeClone(root: string, isChosen: (language: string, index: number) => boolean): CodeFile[] {
  const resolve = createRequire(import.meta.url).resolve;
  const hasGrammar = (language: string): boolean => {
    try {
      return resolve(`highlight.js/lib/languages/${grammarName(language)}`) !== '';
    } catch {
      return false;
    }
  };
  const nameIn = new Map<string, (shape: number) => string>();
  for (const [name, language] of languageByFileName) nameIn.set(language, (shape) => `part-${shape}/${name}`);
  for (const [ending, language] of languageByEnding)
    nameIn.set(language, (shape) => `part-${shape}/code.${ending}`);
  const languages = [...nameIn.keys()].filter(hasGrammar).filter(isChosen);
  console.error(`${languages.length} languages with a grammar, ${shapes.length} shapes each`);
  const changes = languages.flatMap((language) =>
    Array.from({ length: shapes.length / filesEach }, (_, part) => ({
      subject: `Add ${language} ${part + 1}`,
      body: '',
      files: shapes.slice(part * filesEach, (part + 1) * filesEach).map((content, index) => {
        const place = nameIn.get(language)?.(part * filesEach + index + 1) ?? '';
        return { path: `${language.replaceAll(/\W/g, '-')}/${place}`, content: `x\n${content}\n` };
      }),
    })),
  );
  importChanges(root, 'some/where', changes);
  return changes.flatMap(({ files }, index) => files.map(({ path }) => ({ path, number: index + 1 })));
}

async function share<One>(all: One[], atOnce: number, work: (one: One) => Promise<unknown>): Promise<void> {
  const left = all.values();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const one of left) await work(one);
    }),
  );
}

async function watchHealth(url: string, meanwhile: () => Promise<unknown>): Promise<Waits> {
  const health = new Worker(new URL('./ask-health.ts', import.meta.url), { workerData: `${url}/healthz` });
  await meanwhile();
  const told = once(health, 'message');
  health.postMessage('stop');
  const [{ milliseconds, unwell }] = (await told) as [Health];
  milliseconds.sort((one, other) => one - other);
  return {
    'times asked': milliseconds.length,
    'not well': unwell,
    'p99.9 ms': Math.round(milliseconds[Math.floor(milliseconds.length * 0.999)] ?? Number.NaN),
    'longest ms': Math.round(milliseconds.at(-1) ?? Number.NaN),
  };
}
