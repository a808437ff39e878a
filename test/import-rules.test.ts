import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { temporaryFolder } from './temporary-folder.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Files of src and modules that they may not import. */
const forbidden: [file: string, module: string][] = [
  ['domain/a.ts', '../reading/facts.ts'],
  ['domain/a.ts', '../contract/accounts.ts'],
  ['domain/a.ts', '../config.ts'],
  ['domain/a.ts', 'node:fs'],
  ['domain/a.ts', '../metrics/metrics.ts'],
  ['metrics/a.ts', '../domain/errors.ts'],
  ['metrics/a.ts', '../db/database.ts'],
  ['reading/a.ts', '../metrics/metrics.ts'],
  ['client/a.ts', '../contract/job.ts'],
  ['client/a.ts', 'node:timers'],
  ['http/a.ts', '@prometheus-io/client'],
  ['jobs/a.ts', '@opentelemetry/api'],
  ['reading/a.ts', '../contract/article.ts'],
  ['reading/a.ts', '../config.ts'],
  ['reading/symbols/a.ts', '../../config.ts'],
  ['reading/symbols/languages/a.ts', '../../../contract/article.ts'],
  ['reading/a.ts', 'node:fs/promises'],
  ['contract/a.ts', '../reading/facts.ts'],
  ['contract/a.ts', '../db/accounts.ts'],
  ['db/a.ts', '../code-hosts/code-host.ts'],
  ['db/a.ts', '../writing/draft.ts'],
  ['db/a.ts', '../actions/sign-up.ts'],
  ['db/a.ts', '../config.ts'],
  ['code-hosts/git/a.ts', '../../db/accounts.ts'],
  ['code-hosts/a.ts', '../writing/draft.ts'],
  ['writing/a.ts', '../db/articles.ts'],
  ['writing/tour/languages/a.ts', '../../../code-hosts/code-host.ts'],
  ['writing/tour/a.ts', '../../config.ts'],
  ['writing/a.ts', 'node:child_process'],
  ['egress/a.ts', '../code-hosts/code-host.ts'],
  ['pages/a.ts', '../db/articles.ts'],
  ['pages/a.ts', '../http/endpoint.ts'],
  ['actions/a.ts', '../http/endpoint.ts'],
  ['actions/a.ts', '../jobs/watch-jobs.ts'],
  ['actions/a.ts', '../code-hosts/git/git-host.ts'],
  ['actions/a.ts', '../egress/fetch.ts'],
  ['actions/a.ts', '../config.ts'],
  ['actions/a.ts', 'fastify'],
  ['actions/a.ts', 'postgres'],
  ['jobs/a.ts', '../http/server.ts'],
  ['jobs/a.ts', '../code-hosts/git/git-host.ts'],
  ['jobs/a.ts', 'postgres'],
  ['mcp/a.ts', '../http/search.ts'],
  ['mcp/tools/a.ts', '../../writing/article-markdown.ts'],
  ['mcp/a.ts', 'fastify'],
  ['http/a.ts', '@modelcontextprotocol/server'],
  ['threads/a.ts', '../db/articles.ts'],
  ['threads/a.ts', '../http/server.ts'],
  ['http/a.ts', '../app.ts'],
  ['http/a.ts', '../config.ts'],
  ['http/a.ts', '../cli/serve.ts'],
  ['http/responses/a.ts', '../../writing/article-markdown.ts'],
  ['http/a.ts', '../code-hosts/git/git-host.ts'],
  ['http/a.ts', 'postgres'],
  ['writing/a.ts', 'ai'],
  ['http/a.ts', '@ai-sdk/anthropic'],
  ['config.ts', './db/connect.ts'],
  ['settings/a.ts', '../config.ts'],
  ['http/a.ts', '../settings/model-settings.ts'],
  ['log.ts', 'node:process'],
];

const allowed: [file: string, module: string][] = [
  ['domain/a.ts', './errors.ts'],
  ['domain/a.ts', 'node:crypto'],
  ['metrics/a.ts', '@prometheus-io/client'],
  ['db/a.ts', '../metrics/metrics.ts'],
  ['writing/ai/a.ts', '../../metrics/spans.ts'],
  ['reading/a.ts', '../domain/errors.ts'],
  ['reading/symbols/languages/a.ts', '../../facts.ts'],
  ['reading/symbols/languages/a.ts', '../../../domain/errors.ts'],
  ['contract/a.ts', '../domain/errors.ts'],
  ['db/a.ts', '../contract/article.ts'],
  ['db/a.ts', 'postgres'],
  ['code-hosts/git/a.ts', '../../reading/file-diff.ts'],
  ['writing/tour/a.ts', '../draft.ts'],
  ['writing/tour/languages/a.ts', '../../../reading/facts.ts'],
  ['writing/ai/a.ts', 'ai'],
  ['egress/a.ts', '../domain/errors.ts'],
  ['egress/a.ts', 'node:https'],
  ['actions/a.ts', '../code-hosts/code-host.ts'],
  ['actions/a.ts', '../db/articles.ts'],
  ['jobs/a.ts', '../actions/write-article.ts'],
  ['http/cache/a.ts', '../../actions/sign-up.ts'],
  ['http/a.ts', '../code-hosts/code-host.ts'],
  ['http/a.ts', '../code-hosts/known-hosts.ts'],
  ['http/a.ts', 'fastify'],
  ['http/a.ts', '../mcp/answer-message.ts'],
  ['mcp/tools/a.ts', '../../actions/sign-up.ts'],
  ['mcp/a.ts', '@modelcontextprotocol/server'],
  ['app.ts', './http/server.ts'],
  ['open-storage.ts', './db/connect.ts'],
  ['config.ts', './settings/model-settings.ts'],
  ['settings/a.ts', '../domain/errors.ts'],
  ['cli/a.ts', '../app.ts'],
  ['cli/a.ts', '../code-hosts/git/local-token.ts'],
  ['reading/a.test.ts', '../config.ts'],
];

/** The four ways to import something. */
const waysToImport = [
  (module: string) => `import { something } from '${module}';\nexport const made = something;\n`,
  (module: string) => `export type { Something } from '${module}';\n`,
  (module: string) => `export const loading = import('${module}');\n`,
  (module: string) => `export type Taken = import('${module}').Something;\n`,
];

/** A project with the rules of this one, and these files. */
function writeProject(files: Map<string, string>): string {
  const folder = temporaryFolder();
  for (const name of ['biome.json', 'lint', '.gitignore']) {
    cpSync(join(root, name), join(folder, name), { recursive: true });
  }
  for (const [path, text] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

interface Report {
  diagnostics: { category: string; location: { path: string } }[];
}

/** The files that the linter rejects by rules of a category. */
async function lint(folder: string, category: string): Promise<Set<string>> {
  const biome = join(root, 'node_modules/.bin/biome');
  const run = promisify(execFile)(biome, ['lint', '--reporter=json', '--max-diagnostics=none'], {
    cwd: folder,
  });
  const { stdout } = await run.catch((failed: { stdout: string }) => failed);
  const { diagnostics }: Report = JSON.parse(stdout);
  return new Set(diagnostics.filter((one) => one.category === category).map(({ location }) => location.path));
}

test('the linter rejects every forbidden import in each of four forms, and accepts every allowed one', async () => {
  const files = new Map<string, string>();
  const expected = new Set<string>();
  // Each import has a project of its own inside the folder, so that they do not share a file.
  const add = ([file, module]: [string, string], isForbidden: boolean) => {
    for (const write of waysToImport) {
      const path = `${files.size}/src/${file}`;
      files.set(path, write(module));
      if (isForbidden) expected.add(path);
    }
  };
  for (const one of forbidden) add(one, true);
  for (const one of allowed) add(one, false);
  const refused = await lint(writeProject(files), 'plugin');
  const describe = (path: string) => `${path}: ${files.get(path)}`;
  assert.deepEqual([...refused].map(describe).sort(), [...expected].map(describe).sort());
});

test('the linter lets only egress open connections; other folders may import types of node:net', async () => {
  const files = new Map([
    ['src/actions/one.ts', "import { connect } from 'node:net';\nexport const made = connect(80);\n"],
    ['src/actions/two.ts', "export const answer = fetch('https://example.org');\n"],
    ['src/http/three.ts', "import type { Socket } from 'node:net';\nexport type Connection = Socket;\n"],
    ['src/cli/five.ts', "import { createServer } from 'node:net';\nexport const made = createServer();\n"],
    ['src/egress/four.ts', "import { connect } from 'node:net';\nexport const made = connect(80);\n"],
  ]);
  const project = writeProject(files);
  assert.deepEqual(await lint(project, 'plugin'), new Set(['src/actions/one.ts']));
  assert.deepEqual(await lint(project, 'lint/style/noRestrictedGlobals'), new Set(['src/actions/two.ts']));
});

test("the linter lets only a host's own folder compare with its name", async () => {
  const asking = [
    "host === 'git'",
    "'github' !== host",
    "[host].includes('gitlab')",
    "host === 'other'",
    "host === String('git')",
  ].map((asked) => `export const isMeant = (host: string) => ${asked};\n`);
  asking.push(
    "export function pick(host: string) {\n  switch (host) {\n    case 'gitea':\n      return 1;\n  }\n}\n",
  );
  const files = new Map(asking.map((text, place) => [`src/http/${place}.ts`, text]));
  for (const [place, text] of asking.entries()) files.set(`src/code-hosts/github/${place}.ts`, text);
  const refused = await lint(writeProject(files), 'plugin');
  assert.deepEqual(refused, new Set([0, 1, 2, 5].map((place) => `src/http/${place}.ts`)));
});

test('the linter rejects a circle of imports, even of types alone', async () => {
  const files = new Map([
    ['src/domain/one.ts', "import type { Other } from './other.ts';\nexport type One = Other;\n"],
    ['src/domain/other.ts', "import type { One } from './one.ts';\nexport type Other = One;\n"],
  ]);
  const refused = await lint(writeProject(files), 'lint/suspicious/noImportCycles');
  assert.deepEqual(refused, new Set(files.keys()));
});
