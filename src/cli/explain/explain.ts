import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, writeFileSync } from 'node:fs';
import { networkHosts } from '../../code-hosts/known-hosts.ts';
import { pagerEnvironment, readHostAccess, terminalEnvironment } from '../../config.ts';
import type { PublishedContent } from '../../db/articles.ts';
import { StartupProblem } from '../../domain/errors.ts';
import { anyOf } from '../../domain/text.ts';
import { offlineLanguages } from '../../writing/articles.ts';
import { defineCommand, flag, print, printJson, printProblem, text, UsageProblem } from '../command.ts';
import { parseTarget, webHosts } from './parse-target.ts';
import { type FoundChange, readTarget } from './read-target.ts';
import type { Terminal } from './terminal-article.ts';
import {
  asMarkdown,
  asSavedPage,
  explainedChange,
  requireExplainLanguage,
  writeAbout,
} from './write-about.ts';

/** Narrower terminals cannot show code, and longer lines are hard to read. Piped output is not wrapped. */
const columns = { least: 20, most: 100, usual: 80 };

export function describeTerminal(output: NodeJS.WriteStream): Terminal {
  const { wantsNoColours, columns: wide, locale } = terminalEnvironment();
  const wanted = (output.isTTY && output.columns) || wide || columns.usual;
  return {
    columns:
      output.isTTY || wide
        ? Math.min(columns.most, Math.max(columns.least, wanted))
        : Number.POSITIVE_INFINITY,
    hasColours: output.isTTY === true && !wantsNoColours,
    isUnicode: locale === '' || /utf-?8/i.test(locale),
  };
}

/** If the reader closes the pipe early, like head, this process exits without an error. */
function endWithReader(output: NodeJS.WriteStream): void {
  output.on('error', (error: Error & { code?: string }) => {
    if (error.code === 'EPIPE') process.exit(0);
    throw error;
  });
}

/** Prints lines for the terminal, through a pager if they do not fit on the screen. */
export async function showLines(lines: string[], output: NodeJS.WriteStream): Promise<void> {
  const text = `${lines.join('\n')}\n`;
  const { pager } = terminalEnvironment();
  const fits = lines.length < (output.rows ?? 24);
  if (!output.isTTY || fits || ['', 'cat'].includes(pager.trim()) || !(await showInPager(pager, text)))
    output.write(text);
}

async function showInPager(pager: string, text: string): Promise<boolean> {
  // Only the pager handles Ctrl-C: it runs until its user quits, and restores the terminal.
  const ignore = (): void => {};
  process.on('SIGINT', ignore);
  try {
    const child = spawn('sh', ['-c', pager], {
      stdio: ['pipe', 'inherit', 'inherit'],
      env: pagerEnvironment(),
    });
    child.stdin.on('error', () => {});
    child.stdin.end(text);
    const [code] = await once(child, 'close');
    return code !== 126 && code !== 127;
  } catch {
    return false;
  } finally {
    process.off('SIGINT', ignore);
  }
}

const hosts = Object.values(networkHosts).map(({ id, name, web }) => ({ id, name, ...web }));
const [first] = hosts;
const nesting = hosts.find(({ ownersNest }) => ownersNest);

export const helpOfChanges = {
  targets: [
    '  (nothing)         your branch and uncommitted changes, compared with the branch it will be merged into',
    '  7                 pull request 7 of this clone',
    '  main...topic      the commits on topic that are not on main; topic alone is compared with the default branch',
    `  OWNER/REPO#7      a pull request on ${first?.name}, or on the host given by --host; for ${nesting?.name}, write GROUP/SUBGROUP/PROJECT!7`,
    `  URL               a pull request on the host in ${anyOf(hosts.map(({ urlSetting }) => urlSetting))}`,
    '  -                 a diff on standard input, from git diff, git format-patch, svn or hg',
  ],
  committed: '  --committed       leave out uncommitted changes',
  language: `  --language CODE   ${anyOf(offlineLanguages)} (default en); more languages with --ai`,
  host: `  --host ID         the host of OWNER/REPO#7: ${anyOf(hosts.map(({ id }) => id))} (default ${first?.id})`,
  settings: [
    `For private repositories, set ${anyOf(hosts.map(({ tokenSetting }) => tokenSetting))}.`,
    'Settings come from the environment only; .env files are not read. NO_COLOR and PAGER are respected.',
  ],
};

export const explain = defineCommand({
  help: [
    'Usage: pullquote explain [TARGET] [--brief | --markdown | --json | --html FILE] [--language CODE] [--ai]',
    '                         [--host ID] [--committed]',
    '',
    'Prints an article about a change. Every sentence is compared with the diff. It needs no server, account or database.',
    '',
    'TARGET is one of:',
    ...helpOfChanges.targets,
    '',
    '  --brief           print only the title, the lead and the first risks, or the changes by file if there is no title',
    '  --markdown        print Markdown',
    '  --json            print JSON',
    '  --html FILE       write an HTML file to read offline, with the evidence and the diff in it; - for standard output',
    helpOfChanges.committed,
    helpOfChanges.language,
    '  --ai              have the model in AI_MODEL write it; this sends the change to the model, even if it is private',
    helpOfChanges.host,
    '',
    'Examples:',
    '  pullquote explain',
    '  pullquote explain https://github.com/fastify/fastify/pull/6000',
    '  git diff | pullquote explain - --brief',
    '  pullquote explain 7 --html article.html',
    '',
    ...helpOfChanges.settings,
    '',
    'Exit codes: 0 explained, 1 failed, 2 invalid arguments, 4 the host needs a token, 130 stopped with Ctrl-C.',
  ],
  allowPositionals: true,
  options: {
    brief: flag,
    markdown: flag,
    json: flag,
    html: text,
    language: { type: 'string', default: 'en' },
    ai: flag,
    committed: flag,
    host: text,
  },
  async run(values, positionals) {
    const { brief, markdown, json, html, language, ai, host, committed } = values;
    if (positionals.length > 1) throw new UsageProblem('Pass one change to explain.');
    if ([brief, markdown, json, html !== undefined].filter(Boolean).length > 1)
      throw new UsageProblem('Pass only one of --brief, --markdown, --json and --html.');
    if (html !== undefined && html !== '-' && existsSync(html)) throw alreadyThere(html);
    requireExplainLanguage(language, ai, { language: '--language', model: '--ai' });
    const { found, models } = await openChange(positionals[0], { host, ai, committed });
    const explained = await writeAbout(found, language, models);
    const { content } = explained;
    if (json) printJson({ ...explainedChange(found), ...content });
    else if (html !== undefined) saveTo(html, await asSavedPage(found, explained));
    else if (markdown) print(await asMarkdown(found, content));
    else await showArticle(found, content, brief);
  },
});

const alreadyThere = (file: string) =>
  new StartupProblem(`${file} already exists. Choose another name; --html never overwrites anything.`);

function saveTo(file: string, page: string): void {
  if (file === '-') {
    process.stdout.write(page);
    return;
  }
  try {
    writeFileSync(file, page, { flag: 'wx' });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') throw alreadyThere(file);
    throw new StartupProblem(`${file} cannot be written: ${(error as Error).message}.`);
  }
  print(`${file}: ${Math.ceil(Buffer.byteLength(page) / 1024)} KiB.`);
}

export async function openChange(
  given: string | undefined,
  { host, ai, committed }: { host?: string | undefined; ai: boolean; committed: boolean },
) {
  const target = parseTarget(given, webHosts(readHostAccess()), host);
  endWithReader(process.stdout);
  if (target.kind === 'patch' && process.stdin.isTTY)
    printProblem(
      'Reading a diff from this terminal; end it with Ctrl-D. To pipe one: git diff | pullquote explain -',
    );
  const models = ai ? (await import('../models.ts')).openWantedModels() : null;
  const found = await readTarget(target, process.stdin, committed);
  if (found.range?.isUncommitted)
    printProblem(
      'Uncommitted changes are included, new files only after git add. To leave them all out, pass --committed.',
    );
  return { found, models };
}

async function showArticle(found: FoundChange, content: PublishedContent, isBrief: boolean): Promise<void> {
  const { TerminalArticle } = await import('./terminal-article.ts');
  const { state, pullRequest } = found;
  const { title, authorLogin: author, url } = pullRequest;
  const subject = { name: changeName(found), title, author, state, url };
  const article = new TerminalArticle(describeTerminal(process.stdout), content.languageCode);
  await showLines(article.print(subject, content, isBrief), process.stdout);
}

export const changeName = ({ owner, repo, number }: FoundChange): string =>
  [owner, repo].filter(Boolean).join('/') + (number === null ? '' : `#${number}`);
