import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { commandsAsMarkdown } from '../../scripts/commands-as-markdown.ts';
import type { Command } from '../../src/cli/command.ts';
import { listCommands, overview } from '../../src/cli/run-command.ts';
import { settings } from '../../src/config.ts';
import { errorCodes } from '../../src/domain/errors.ts';
import { freshDatabase } from '../build-app.ts';
import { projectFolder, runToEnd, startService } from '../start-service.ts';

const read = (path: string): string => readFileSync(join(projectFolder, path), 'utf8');
const pagesIn = (folder: string): string[] =>
  readdirSync(join(projectFolder, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`);

/** Guides for users; every command and setting in them is compared with the program. */
const guides = ['README.md', ...pagesIn('docs')];
const documents = [
  ...guides,
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  ...pagesIn('docs/decisions'),
];

const tourPage = 'docs/api.md';

const shellBlocks = (text: string): string[] =>
  Array.from(text.matchAll(/^```sh\n([\s\S]*?)^```/gm), ([, block = '']) => block);
const withoutBlocks = (text: string): string => text.replace(/^```[\s\S]*?^```/gm, '');
const inlineCode = (text: string): string[] =>
  Array.from(withoutBlocks(text).matchAll(/`([^`\n]+)`/g), ([, code = '']) => code);
/** Lines as a shell joins them, without comments and here-documents. */
const linesOf = (block: string): string[] =>
  block
    .replace(/<<'?(\w+)'?.*\n[\s\S]*?^\1$/gm, '')
    .replaceAll('\\\n', ' ')
    .split('\n')
    .map((line) => line.replace(/(?:^|\s)#.*/, '').trim())
    .filter(Boolean);

const commands = new Map<string, Command>((await listCommands()).map((command) => [command.name, command]));
const knownSettings = new Set(Object.values(settings).map(({ name }) => name));
const { scripts } = JSON.parse(read('package.json'));

/** Whether a command's parser accepts an option: parsers report the first unknown one. */
async function takes(command: Command, option: string): Promise<boolean> {
  if (option === 'help') return true;
  const complaint: Error = await command.run([`--${option}=x`, '--no-such-option']).then(
    () => assert.fail('no parser takes --no-such-option'),
    (error) => error,
  );
  assert.match(String('code' in complaint && complaint.code), /^ERR_PARSE_ARGS/, complaint.message);
  return !complaint.message.includes(`'--${option}'`) || !complaint.message.startsWith('Unknown');
}

/** Names in capitals that are placeholders or belong to other programs. */
const placeholders = new Set(
  'OWNER REPO NUMBER NAME ID COMMAND PROVIDER PROJECT TENANT HOST REALM REF SECRET FOLDER URL CODE DAY'.split(
    ' ',
  ),
);
const ofOtherPrograms = new Set([
  'CI',
  'CHROME_PATH',
  'NODE_OPTIONS',
  'PATH',
  'SIGTERM',
  'SIGINT',
  'POSTGRES_PASSWORD',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'NO_COLOR',
  'PAGER',
  'LANG',
  'COLUMNS',
]);

const programs = new Set(
  'npm npx node pullquote git gh curl openssl docker psql createdb tar systemctl promtool echo cat cp mkdir chmod export sudo'.split(
    ' ',
  ),
);

test('the API tour runs as printed, and every API path named in the guides is in the OpenAPI document', async () => {
  const page = read(tourPage);
  const blocks = Array.from(
    page.matchAll(/<!-- run -->\n\n```sh\n([\s\S]*?)^```/gm),
    ([, block = '']) => block,
  );
  assert.equal(blocks.length, shellBlocks(page).length, 'every block of this page is run');
  const tour = blocks.join('\n');
  const database = await freshDatabase();
  // With webhooks, so that their path is in the document.
  const environment = { ...database, CODE_HOST: 'git,github', GITHUB_WEBHOOK_SECRETS: 'x'.repeat(16) };
  const service = await startService({ environment, asNewcomer: true });
  const document = JSON.parse(await (await fetch(`${service.url}/openapi.json`)).text());
  const { code, stdout, stderr } = await runToEnd({
    command: ['bash', '-euo', 'pipefail', '-c', tour.replace('http://127.0.0.1:8080', service.url)],
    environment,
  });
  await service.stop();
  assert.equal(code, 0, stderr);
  assert.match(
    service.output().stdout,
    /^A pull request to try: http:\/\/127\.0\.0\.1:\d+\/r\/harborline\/parcel\/\d+$/m,
  );
  // The diff, the article and the facts are plain text; every other line is an API response.
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

  const operations = Object.entries<Record<string, unknown>>(document.paths).map(([path, methods]) => ({
    path: new RegExp(`^${path.replace(/\{[^}]+\}/g, '[^/]+')}$`),
    // Beside Markdown, pages are below /r/.
    first: path.endsWith('.md') ? undefined : path.split('/')[1],
    methods: Object.keys(methods),
  }));
  for (const guide of guides) {
    for (const code of [...inlineCode(read(guide)), ...shellBlocks(read(guide)).flatMap(requestsIn)]) {
      const [, method, path = ''] =
        /^(?:(GET|POST|PUT|PATCH|DELETE) )?(\/[\w/{}$.-]*)(?:\?.*)?$/.exec(code) ?? [];
      const isOfApi =
        method !== undefined || operations.some(({ first }) => first && path.split('/')[1] === first);
      if (!path || !isOfApi) continue;
      const found = operations.some(
        (one) => one.path.test(path) && (!method || one.methods.includes(method.toLowerCase())),
      );
      assert.ok(found, `${guide} names ${code}, which is not in the OpenAPI document`);
    }
  }
});

/** The requests that a block sends with curl, as path and, if given, method. */
const requestsIn = (block: string): string[] =>
  linesOf(block).flatMap((line) =>
    Array.from(
      line.matchAll(
        /curl (?:[^|]*?-X ([A-Z]+) )?[^|]*?["' ](?:\$URL|http:\/\/127\.0\.0\.1:8080)(\/[^"'\s?]*)/g,
      ),
      ([, method, path]) => [method, path].filter(Boolean).join(' '),
    ),
  );

/** The programs that a line runs, without assignments and loops. */
const programsIn = (line: string): string[] =>
  line
    .split(/&&|\|\|?|;/)
    .map((part) =>
      part
        .trim()
        .replace(/^(?:do |(?:for \w+ in .*|done)$)/, '')
        .replace(/^(?:[A-Z_]+=(?:'[^']*'|"[^"]*"|\$\([^)]*\)|\S*)\s*)*/, ''),
    )
    .filter(Boolean)
    .map((part) => part.split(' ')[0] ?? '');

test('every command, option and npm script in the documentation exists, and every shell block parses', async () => {
  const known = new Set(['help']);
  for (const command of commands.values())
    for (const [, option = ''] of command.help.matchAll(/--([a-z-]+)/g))
      if (await takes(command, option)) known.add(option);
  for (const guide of guides) {
    const blocks = shellBlocks(read(guide));
    const codes = inlineCode(read(guide));
    for (const [index, block] of blocks.entries()) {
      const { status, stderr } = spawnSync('bash', ['-n'], { input: block, encoding: 'utf8' });
      assert.equal(status, 0, `${guide}, block ${index + 1}: ${stderr}`);
    }
    const called = [...blocks.flatMap(linesOf), ...codes].flatMap((line) =>
      Array.from(
        line.matchAll(/(?:(?<![/\w.-])pullquote|pullquote\.cjs) (?:-- )?([a-z]+)\b([^|;&)]*)/g),
        ([, name = '', rest = '']) => ({
          name,
          rest,
        }),
      ),
    );
    for (const { name, rest } of called) {
      const command =
        commands.get(name) ?? assert.fail(`${guide} names pullquote ${name}, which is no command`);
      for (const [, option = ''] of rest.matchAll(/ --([a-z-]+)/g))
        assert.ok(await takes(command, option), `${guide} names pullquote ${name} --${option}`);
    }
    for (const code of codes)
      if (/^--[a-z-]+$/.test(code))
        assert.ok(known.has(code.slice(2)), `${guide} names ${code}, which no command takes`);
    // The tour is run, which proves its programs.
    for (const program of guide === tourPage ? [] : blocks.flatMap(linesOf).flatMap(programsIn))
      assert.ok(
        programs.has(program) || (program.includes('/') && existsSync(join(projectFolder, program))),
        `${guide} runs ${program}, which no test knows`,
      );
  }
  for (const document of documents)
    for (const [, name = ''] of read(document).matchAll(/npm run (?:-s )?([\w:]+)/g))
      assert.ok(name in scripts, `${document} names npm run ${name}`);
});

test('every setting in the guides exists', () => {
  for (const guide of guides) {
    const text = read(guide);
    const blocks = shellBlocks(text).join('\n');
    const isVariable = (name: string) => new RegExp(`\\$\\{?${name}\\b`).test(blocks);
    for (const [, name = ''] of blocks.matchAll(/(?:^|\s)([A-Z][A-Z0-9_]+)=/gm))
      assert.ok(
        knownSettings.has(name) || isVariable(name) || ofOtherPrograms.has(name),
        `${guide} sets ${name}, which is not a setting`,
      );
    for (const code of inlineCode(text)) {
      const [, name] = /^([A-Z][A-Z0-9_]+)(?:=.*)?$/.exec(code) ?? [];
      // NO_ANSWER is the client's own code.
      const others = [placeholders, ofOtherPrograms, new Set<string>([...errorCodes, 'NO_ANSWER'])];
      if (name && !others.some((some) => some.has(name)))
        assert.ok(knownSettings.has(name), `${guide} names ${code}, which is not a setting`);
    }
  }
});

/** Heading anchors as GitHub makes them. */
const anchorsOf = (text: string): string[] =>
  Array.from(withoutBlocks(text).matchAll(/^#+ (.+)$/gm), ([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );

test('every link in the documentation leads to an existing file and heading, and every named path exists', () => {
  for (const document of documents) {
    const text = read(document);
    for (const [, link = ''] of withoutBlocks(text).matchAll(/\]\((?!https?:)([^)]+)\)/g)) {
      const [path = '', anchor] = link.split('#');
      const target = path === '' ? document : join(dirname(document), path);
      assert.ok(existsSync(join(projectFolder, target)), `${document} links to ${link}`);
      if (anchor) assert.ok(anchorsOf(read(target)).includes(anchor), `${document} links to ${link}`);
    }
    for (const [, path = ''] of text.matchAll(
      /`((?:src|test|bench|scripts|docs|web|bin|samples|migrations|prompts|ops)\/[\w./-]*)`/g,
    ))
      assert.ok(existsSync(join(projectFolder, path)), `${document} names ${path}`);
  }
});

test('the README has at most 150 lines, a picture below 150 kB with alternative text, and links to every page in docs/', () => {
  const readme = read('README.md');
  assert.ok(readme.split('\n').length <= 150);
  for (const page of pagesIn('docs'))
    assert.ok(readme.includes(`](${page}`), `README.md does not lead to ${page}`);
  const [, words = '', picture = ''] = /!\[([^\]]+)\]\(([^)]+)\)/.exec(readme) ?? [];
  assert.ok(words.length > 40, 'the picture is told in words');
  assert.ok(statSync(join(projectFolder, picture)).size <= 150_000);
});

test('docs/command-line.md matches the help of the commands, whose parsers accept every option it names', async () => {
  const page = read('docs/command-line.md');
  assert.ok(
    page.endsWith(`<!-- commands -->\n\n${await commandsAsMarkdown()}\n`),
    'npm run docs brings it up to date',
  );
  for (const [name, command] of commands) {
    assert.ok(overview().includes(`  ${name} `), name);
    assert.match(command.help, new RegExp(`^Usage: pullquote ${name}\\b`));
    for (const [, option = ''] of command.help.matchAll(/^ {2}--([a-z-]+)/gm))
      assert.ok(await takes(command, option), `the help of ${name} names --${option}`);
    const usage = command.help.split('\n\n')[0] ?? '';
    for (const [, option = ''] of usage.matchAll(/--([a-z-]+)/g))
      assert.match(command.help, new RegExp(`^ {2}--${option}\\b`, 'm'), `${name} explains --${option}`);
  }
});
