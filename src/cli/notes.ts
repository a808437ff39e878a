import { printRelease, releaseForOperator } from '../actions/releases/read-release.ts';
import { type Config, readConfig } from '../config.ts';
import type { Release } from '../contract/releases.ts';
import { StartupProblem } from '../domain/errors.ts';
import { isLanguageCode } from '../domain/languages.ts';
import { faultsOf, isBackwards, parseRange } from '../domain/releases.ts';
import { presentRelease } from '../http/responses/present.ts';
import {
  chooseHost,
  defineCommand,
  flag,
  parseShortName,
  print,
  printJson,
  text,
  UsageProblem,
} from './command.ts';
import { useApp } from './import.ts';

interface NotesRequest {
  host: string;
  owner: string;
  name: string;
  from: string;
  to: string;
  language: string;
}

/** Without articles, only authors say what breaks. */
function missing({ unwritten, owner, repo }: Release): string {
  const numbers = unwritten.slice(0, 200).join(',');
  return `${unwritten.length} of these pull requests have no article, so breaking changes may be missing. Write them with: pullquote import ${owner}/${repo} --numbers ${numbers}`;
}

export const notes = defineCommand({
  help: [
    'Usage: pullquote notes OWNER/REPO FROM...TO [--language CODE] [--json] [--host ID]',
    '',
    'Prints release notes in Markdown: the pull requests that are in TO but not in FROM, grouped by type or by the headings of',
    'the changelog, breaking changes first, with the first sentence of their articles, then contributors. Reverted and',
    'backported changes are listed separately. FROM and TO are tags, branches or commits. It includes private clones. It',
    'writes no articles: use pullquote import for that. You can run it while the service is running.',
    '',
    '  --language CODE   language of the notes, and of articles where available (default en)',
    '  --json            print JSON',
    '  --host ID         the code host (default: the first of CODE_HOST)',
    '',
    'Examples:',
    '  pullquote notes fastify/fastify v5.1.0...v5.2.0',
    '  pullquote notes fastify/fastify v5.1.0...main --language ja > NOTES.md',
  ],
  allowPositionals: true,
  options: { language: { type: 'string', default: 'en' }, json: flag, host: text },
  async run(values, positionals) {
    const config = readConfig();
    const request = readRequest(positionals, values.language, chooseHost(values.host, config));
    const release = await readStored(config, request);
    if (isBackwards(release)) throw backwards(release);
    if (values.json) printJson(release);
    else {
      const { language } = request;
      print((await printRelease(release, { language, publicUrl: config.publicUrl })).trimEnd());
    }
    if (release.unwritten.length > 0) process.stderr.write(`${missing(release)}\n`);
  },
});

function readRequest(
  [text = '', rangeText = '', ...more]: string[],
  language: string,
  host: string,
): NotesRequest {
  const named = parseShortName(text, host);
  if (!named || named.number !== null || more.length > 0)
    throw new UsageProblem('Pass one repository as OWNER/REPO, then FROM...TO.');
  const range = parseRange(rangeText);
  if (!range)
    throw new UsageProblem('Pass two tags, branches or commits as FROM...TO, such as v1.4.0...v1.5.0.');
  if (faultsOf(range).length > 0) throw new UsageProblem('FROM and TO are the same commit.');
  if (!isLanguageCode(language)) throw new UsageProblem('--language must be a code such as en or ja.');
  return { host, owner: named.owner, name: named.repo, ...range, language };
}

const backwards = ({ owner, repo, from, to }: Release): StartupProblem =>
  new StartupProblem(
    `${from} comes after ${to} and contains all of its commits. Pass the older one first: pullquote notes ${owner}/${repo} ${to}...${from}`,
  );

/** The time that a host takes to list all commits of a release. */
const patienceMs = 120_000;

const readStored = (config: Config, request: NotesRequest): Promise<Release> =>
  useApp('notes', config, request.host, async ({ deps }, codeHost) => {
    const { owner, name, from, to, language } = request;
    const wanted = { from, to, languages: [language] };
    const signal = AbortSignal.timeout(patienceMs);
    return presentRelease(
      deps.codeHosts,
      await releaseForOperator(deps, { codeHost, owner, name }, wanted, signal),
      request,
    );
  });
