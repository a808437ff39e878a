import { parseArgs } from 'node:util';
import { Check } from 'typebox/value';
import { printRelease } from '../actions/releases/print-release.ts';
import { buildApp } from '../app.ts';
import { type Config, readConfig } from '../config.ts';
import { ArticleSummary } from '../contract/article.ts';
import { PullRequestSummary } from '../contract/pull-request.ts';
import { Release, ReleaseCommit, ReleaseMention } from '../contract/release.ts';
import { ChangeTypeEnum } from '../contract/told-parts.ts';
import { Type } from '../contract/type.ts';
import { StartupProblem } from '../domain/errors.ts';
import { isLanguageCode } from '../domain/languages.ts';
import { parsePastedAddress } from '../domain/parse-pasted-address.ts';
import { faultsOf, parseRange } from '../domain/release/ref-name.ts';
import { isBackwards } from '../domain/release/release-words.ts';
import { repositorySegments } from '../domain/repository-name.ts';
import { createEgressClient } from '../egress/egress-client.ts';
import { presentRelease } from '../http/answers/present-release.ts';
import { createLog } from '../log.ts';
import { version } from '../version.ts';
import { askLocalService, localOrigin } from './ask-service.ts';
import { chooseHost } from './choose-host.ts';
import { type Command, UsageProblem } from './command.ts';
import { print, printJson, printProblem } from './print.ts';

interface Asked {
  host: string;
  owner: string;
  name: string;
  from: string;
  to: string;
  language: string;
}

export const notes: Command = {
  help: [
    'Usage: pullquote notes OWNER/REPO FROM...TO [--language CODE] [--json] [--host ID]',
    '',
    'Prints release notes in Markdown: the pull requests whose commits TO has and FROM has not, each once, sorted by what they',
    'are, with what is written about them; what may break something comes first. What was reverted in between and copies of the',
    'same change are listed apart. FROM and TO are tags, branches or commits. Nothing is written for it: see pullquote import.',
    'On the embedded database it asks the service where that is running, which shows what is public; otherwise it reads what is',
    'stored itself, and all clones.',
    '',
    '  --language CODE   the language of articles where they are written in it, and of the headings; en where none is given',
    '  --json            all of it, for a program',
    '  --host ID         the code host, where it is not the first of CODE_HOST',
    '',
    'Examples:',
    '  pullquote notes fastify/fastify v5.1.0...v5.2.0',
    '  pullquote notes fastify/fastify v5.1.0...main --language ja > NOTES.md',
    '',
    'The notes are printed to standard output, all else to standard error.',
  ].join('\n'),
  async run(parameters) {
    const { values, positionals } = parseArgs({
      args: parameters,
      allowPositionals: true,
      options: {
        language: { type: 'string', default: 'en' },
        json: { type: 'boolean', default: false },
        host: { type: 'string' },
      },
    });
    const config = readConfig();
    const asked = readAsked(positionals, values.language, chooseHost(values.host, config));
    const release = (await askService(config, asked)) ?? (await readStored(config, asked));
    if (isBackwards(release)) throw backwards(release);
    if (values.json) printJson(release);
    else {
      const { language } = asked;
      // The last line break is that of the printer.
      print((await printRelease(release, { language, publicUrl: config.publicUrl })).trimEnd());
    }
  },
};

function readAsked([text = '', rangeText = '', ...more]: string[], language: string, host: string): Asked {
  const named = parsePastedAddress(text, [{ id: host, webUrl: null, isLocal: false }]);
  if (typeof named === 'string' || named.number !== null || more.length > 0)
    throw new UsageProblem('Name one repository as OWNER/REPO, and then FROM...TO.');
  const range = parseRange(rangeText);
  if (!range)
    throw new UsageProblem('Name two tags, branches or commits as FROM...TO, such as v1.4.0...v1.5.0.');
  if (faultsOf(range).length > 0)
    throw new UsageProblem('FROM and TO are the same: nothing lies between them.');
  if (!isLanguageCode(language)) throw new UsageProblem('--language must be a code such as en or ja.');
  return { host, owner: named.owner, name: named.repo, ...range, language };
}

const backwards = ({ owner, repo, from, to }: Release): StartupProblem =>
  new StartupProblem(
    `${from} comes after ${to} and has all of it. Name the older one first: pullquote notes ${owner}/${repo} ${to}...${from}`,
  );

const Told = Type.Object({ data: Release });
/** What a release refers to by name. */
const parts = Object.fromEntries(
  [ArticleSummary, ChangeTypeEnum, PullRequestSummary, ReleaseCommit, ReleaseMention].map((schema) => [
    `${schema.$id}#`,
    schema,
  ]),
);
const Refused = Type.Object({ error: Type.Object({ message: Type.String() }) });

/** A release takes as long as a host takes to tell of all its commits. */
const patienceMs = 120_000;
const mostBytes = 64 * 1024 * 1024;

/** What the service of this machine says; null where it does not run, or where both can read what is stored. */
async function askService(config: Config, asked: Asked): Promise<Release | null> {
  const origin = localOrigin(config);
  const answering = config.databaseUrl ? null : await askLocalService(origin);
  if (answering?.kind !== 'well') return null;
  const { host, owner, name, from, to, language } = asked;
  const way = createEgressClient({}, { origins: [origin], patienceMs, mostBytes, mayBePrivate: true });
  try {
    const query = new URLSearchParams({ host, from, to, language });
    const response = await way.fetch(`${origin}/repos/${repositorySegments(owner, name)}/release?${query}`, {
      signal: AbortSignal.timeout(patienceMs),
    });
    const answer: unknown = await response.json().catch(() => null);
    if (response.ok && Check(parts, Told, answer)) return answer.data;
    if (Check(Refused, answer)) throw new StartupProblem(answer.error.message);
    throw new StartupProblem(
      response.ok
        ? `The service at ${origin} is another version (${answering.version}) than this command (${version}), which cannot ` +
            'read its answer. Start the service again with the version of this command.'
        : `The service at ${origin} answered ${response.status}.`,
    );
  } finally {
    await way.close();
  }
}

async function readStored(config: Config, asked: Asked): Promise<Release> {
  const { host, owner, name, from, to, language } = asked;
  const log = await createLog(config.logLevel === 'info' ? 'warn' : config.logLevel);
  const app = await buildApp(config, { log, clock: () => new Date(), announce: printProblem });
  try {
    const codeHost = app.codeHosts.find(({ id }) => id === host);
    if (!codeHost) throw new StartupProblem(`The code host ${host} is not there.`);
    const wanted = { from, to, languages: [language] };
    const told = await app.releaseForOperator(
      { codeHost, owner, name },
      wanted,
      AbortSignal.timeout(patienceMs),
    );
    return presentRelease(told, asked);
  } finally {
    await app.close();
  }
}
