import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The whole description has 385 MB, so this script extracts what the tests need. */
const source = '@octokit/openapi@23.0.2';
const target = new URL('../test/github/description.json', import.meta.url);

const hosts = { 'github.com': 'api.github.com', 'enterprise-3.19': 'ghes-3.19' };

const operations = [
  'get /user',
  'get /user/{account_id}',
  'get /repos/{owner}/{repo}',
  'get /repos/{owner}/{repo}/pulls',
  'get /repos/{owner}/{repo}/pulls/{pull_number}',
  'get /repos/{owner}/{repo}/pulls/{pull_number}/commits',
  'get /repos/{owner}/{repo}/pulls/{pull_number}/files',
  'get /repos/{owner}/{repo}/pulls/{pull_number}/reviews',
  'get /repos/{owner}/{repo}/pulls/{pull_number}/comments',
  'get /repos/{owner}/{repo}/issues/{issue_number}',
  'get /repos/{owner}/{repo}/issues/{issue_number}/comments',
  'get /repos/{owner}/{repo}/compare/{basehead}',
  'post /applications/{client_id}/token',
];

type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

/** Texts that do not affect validation. */
const leftOut = new Set([
  'description',
  'example',
  'examples',
  'title',
  'x-github',
  'externalDocs',
  'deprecated',
]);

function main(): void {
  const folder = mkdtempSync(join(tmpdir(), 'github-description-'));
  try {
    const archive = execFileSync('npm', ['pack', source, '--silent'], { cwd: folder }).toString().trim();
    const members = Object.values(hosts).map((name) => `package/generated/${name}.json`);
    execFileSync('tar', ['xzf', archive, ...members], { cwd: folder });
    const extract = Object.fromEntries(
      Object.entries(hosts).map(([host, name]) => [
        host,
        extractFrom(JSON.parse(readFileSync(join(folder, `package/generated/${name}.json`), 'utf8'))),
      ]),
    );
    writeFileSync(target, `${JSON.stringify(extract)}\n`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The schemas of successful responses, and the definitions they refer to. */
function extractFrom(description: Json): Json {
  const definitions: Record<string, Json> = {};
  const simplify = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(simplify);
    if (value === null || typeof value !== 'object') return value;
    if (typeof value.$ref === 'string') {
      const name = value.$ref.split('/').at(-1) ?? '';
      if (!(name in definitions)) {
        definitions[name] = null;
        definitions[name] = simplify(at(description, value.$ref.slice(2).split('/')));
      }
      return { $ref: `#/definitions/${name}` };
    }
    const { nullable, ...schema } = value;
    const kept = Object.fromEntries(
      Object.entries(schema).flatMap(([key, inner]) =>
        leftOut.has(key) && typeof inner !== 'object'
          ? []
          : key === 'example' || key === 'examples'
            ? []
            : [[key, simplify(inner)]],
      ),
    );
    return nullable === true ? { anyOf: [kept, { type: 'null' }] } : kept;
  };
  const answers = Object.fromEntries(
    operations.map((operation) => {
      const [method = '', path = ''] = operation.split(' ');
      const responses = at(description, [
        'paths',
        path,
        method,
        'responses',
        '200',
        'content',
        'application/json',
      ]);
      return [operation, simplify(at(responses, ['schema']))];
    }),
  );
  return { answers, definitions };
}

function at(value: Json, path: string[]): Json {
  return path.reduce<Json>((inner, key) => {
    const next =
      inner !== null && typeof inner === 'object' && !Array.isArray(inner) ? inner[key] : undefined;
    if (next === undefined) throw new Error(`The description has no ${path.join(' ')}.`);
    return next;
  }, value);
}

main();
