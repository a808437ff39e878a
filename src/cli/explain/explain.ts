import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { networkHosts } from '../../code-hosts/known-hosts.ts';
import { pagerEnvironment, readHostAccess, terminalEnvironment } from '../../config.ts';
import type { PublishedContent } from '../../db/articles.ts';
import { offlineLanguages } from '../../writing/written-article.ts';
import { defineCommand, flag, print, printJson, printProblem, text, UsageProblem } from '../command.ts';
import { parseTarget, webHosts } from './parse-target.ts';
import { type FoundChange, readTarget } from './read-target.ts';
import type { Terminal } from './terminal-article.ts';
import { asMarkdown, requireLanguage, subjectOf, writeAbout } from './write-about.ts';

/** Narrower ones cannot show code, and wider lines are hard to read. */
const columns = { least: 20, most: 100, usual: 80 };

function describeTerminal(output: NodeJS.WriteStream): Terminal {
  const { wantsNoColours, columns: wide, locale } = terminalEnvironment();
  const wanted = (output.isTTY && output.columns) || wide || columns.usual;
  return {
    columns: Math.min(columns.most, Math.max(columns.least, wanted)),
    hasColours: output.isTTY === true && !wantsNoColours,
    isUnicode: locale === '' || /utf-?8/i.test(locale),
  };
}

/** A reader that has seen enough, such as head, ends this process without a complaint. */
function endWithReader(output: NodeJS.WriteStream): void {
  output.on('error', (error: Error & { code?: string }) => {
    if (error.code === 'EPIPE') process.exit(0);
    throw error;
  });
}

/** Prints lines that are fit for the terminal, through a pager where they are more than it shows at once. */
export async function showLines(lines: string[], output: NodeJS.WriteStream): Promise<void> {
  const text = `${lines.join('\n')}\n`;
  const { pager } = terminalEnvironment();
  const fits = lines.length < (output.rows ?? 24);
  if (!output.isTTY || fits || ['', 'cat'].includes(pager.trim()) || !(await page(pager, text)))
    output.write(text);
}

async function page(pager: string, text: string): Promise<boolean> {
  // The pager alone hears ctrl-C: it goes on until its reader quits, and puts the terminal right.
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
const anyOf = (names: string[]): string => names.join(' or ');

export const explain = defineCommand({
  help: [
    'Usage: pullquote explain [TARGET] [--brief | --markdown | --json] [--language CODE] [--ai] [--host ID]',
    '',
    'Explains a change in this terminal: reads it, writes the article that the service would write without a model, and',
    'checks every sentence against the diff. Needs no server, account or database, and no network but for code hosts.',
    '',
    'TARGET is one of:',
    '  (nothing)         the branch that is checked out, against the branch it is to be merged into',
    '  7                 pull request 7 of the clone that you are in',
    '  main...topic      what topic has that main has not; topic alone is held against the default branch',
    `  OWNER/REPO#7      a pull request on ${first?.name}, or on the host that --host names; GROUP/SUBGROUP/PROJECT!7 is on ${nesting?.name}`,
    `  an address        a pull request on a host that is where ${anyOf(hosts.map(({ urlSetting }) => urlSetting))} says`,
    '  -                 a diff on standard input, also of git format-patch, svn or hg',
    '',
    '  --brief           the title, what it is about, and what to watch for; without a title, what changed in which file',
    '  --markdown        as a page of Markdown',
    '  --json            all of it, for a program',
    `  --language CODE   ${offlineLanguages.join(' or ')}; en where none is given`,
    '  --ai              have the model write that AI_MODEL names, in more languages; sends the change to it, private or not',
    `  --host ID         where OWNER/REPO#7 is: ${anyOf(hosts.map(({ id }) => id))}; ${first?.id} where none is given`,
    '',
    'Examples:',
    '  pullquote explain',
    '  pullquote explain https://github.com/fastify/fastify/pull/6000',
    '  git diff | pullquote explain - --brief',
    '',
    `What is private needs ${anyOf(hosts.map(({ tokenSetting }) => tokenSetting))}.`,
    'Settings come from the environment alone: the file .env is not read.',
    'NO_COLOR and PAGER are heeded. Where a model fails, it is written without one, and standard error says why.',
    'Ends with 0 when it has explained it, 1 when it could not, 2 for parameters that make no sense, 4 when a host wants a token.',
  ],
  allowPositionals: true,
  options: {
    brief: flag,
    markdown: flag,
    json: flag,
    language: { type: 'string', default: 'en' },
    ai: flag,
    host: text,
  },
  async run(values, positionals) {
    const { brief, markdown, json, language, ai, host } = values;
    if (positionals.length > 1) throw new UsageProblem('Name one change to explain.');
    if ([brief, markdown, json].filter(Boolean).length > 1)
      throw new UsageProblem('Choose one of --brief, --markdown and --json.');
    requireLanguage(language, ai, { language: '--language', model: '--ai' });
    const target = parseTarget(positionals[0], webHosts(readHostAccess()), host);
    endWithReader(process.stdout);
    if (target.kind === 'patch' && process.stdin.isTTY)
      printProblem(
        'Reading a diff from this terminal; ctrl-D ends it. Usually it is piped: git diff | pullquote explain -',
      );
    const models = ai ? (await import('../models.ts')).openWantedModels() : null;
    const found = await readTarget(target, process.stdin);
    const content = await writeAbout(found, language, models);
    if (json) printJson({ ...subjectOf(found), ...content });
    else if (markdown) print(await asMarkdown(found, content));
    else await showArticle(found, content, brief);
  },
});

async function showArticle(found: FoundChange, content: PublishedContent, isBrief: boolean): Promise<void> {
  const { TerminalArticle } = await import('./terminal-article.ts');
  const { owner, repo, number, state, pullRequest } = found;
  const name = [owner, repo].filter(Boolean).join('/') + (number === null ? '' : `#${number}`);
  const { title, authorLogin: author, url } = pullRequest;
  const subject = { name, title, author, state, url };
  const article = new TerminalArticle(describeTerminal(process.stdout), content.languageCode);
  await showLines(article.print(subject, content, isBrief), process.stdout);
}
