import { availableParallelism } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { type ImportWish, importForOperator } from '../actions/imports/import-pull-requests.ts';
import { buildServicesForImport } from '../app.ts';
import { type Config, readConfig } from '../config.ts';
import { findImportProgress, listImportFailures, sumImportCost } from '../db/imports.ts';
import { cancelJob } from '../db/jobs.ts';
import { Failure, StartupProblem } from '../domain/errors.ts';
import { isOver } from '../domain/jobs.ts';
import { parseMoment } from '../domain/time.ts';
import { createLog } from '../log.ts';
import { repositoryLink } from '../pages/links.ts';
import { askLocalService, localOrigin } from './call-service.ts';
import {
  chooseHost,
  createProgressBar,
  defineCommand,
  parseShortName,
  print,
  printProblem,
  stopOnSignals,
  text,
  UsageProblem,
} from './command.ts';

interface Done {
  done: number;
  total: number;
}

interface Pace {
  from: number;
  since: number;
}

const dollars = (costUsd: number): string => `about $${costUsd.toFixed(2)}`;

function describePace(
  { done, total }: Done,
  { from, since }: Pace,
  now: number,
  costUsd: number | null,
): string {
  const seconds = (now - since) / 1000;
  const rate = seconds > 0 ? (done - from) / seconds : 0;
  const pace =
    rate === 0 ? ['…'] : [`${rate.toFixed(1)} a second`, `${duration((total - done) / rate)} left`];
  return [...pace, ...(costUsd === null ? [] : [dollars(costUsd)])].join(', ');
}

function duration(seconds: number): string {
  if (seconds < 60) return `${Math.ceil(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

function describeImport(outcome: {
  written: number;
  existing: number;
  failed: number;
  costUsd: number | null;
  page: string | null;
}): string {
  const { written, existing, failed, costUsd, page } = outcome;
  const articles = `${written} ${written === 1 ? 'article' : 'articles'} written`;
  const cost = costUsd === null ? '' : ` for ${dollars(costUsd)}`;
  const done = `${articles}${cost}, ${existing} already written, ${failed} skipped.`;
  return page && written + existing > 0 ? `${done}\nRead them at ${page}` : done;
}

const usualLast = 50;

const mostLast = 100_000;

const lookMs = 200;

export const importCommand = defineCommand({
  help: [
    'Usage: pullquote import OWNER/REPO [--last N | --since DAY | --numbers N,N…] [--language CODE] [--host ID]',
    '',
    'Writes articles about many merged pull requests. Pull requests that already have one are skipped, so you can stop it with',
    "Ctrl-C and run it again. You can run it while the service is running. It doesn't count against any user's quota; model",
    'tokens count towards AI_TOKENS_PER_DAY. Private repositories are covered only if they are read from clones. On code hosts',
    'such as GitHub, only public repositories are.',
    '',
    `  --last N          the N most recently opened pull requests (default ${usualLast})`,
    '  --since DAY       all pull requests merged since a date, such as 2026-01-01, or an ISO 8601 time',
    '  --numbers N,N…    these pull requests, by number',
    '  --language CODE   language of the articles (default en)',
    '  --host ID         the code host (default: the first of CODE_HOST)',
    '',
    'Examples:',
    '  pullquote import fastify/fastify',
    '  pullquote import fastify/fastify --since 2026-01-01 --language ja',
    '',
    'Exit codes: 0 all articles exist, 1 some are missing (the reasons are printed), 130 stopped with Ctrl-C.',
  ],
  allowPositionals: true,
  options: {
    last: text,
    since: text,
    numbers: text,
    language: { type: 'string', default: 'en' },
    host: text,
  },
  async run(values, positionals) {
    const config = readConfig();
    const host = chooseHost(values.host, config);
    const { owner, name } = repositoryArgument(positionals, host);
    const wish = wishOf(values, new Date());
    // One core is left for git and the database.
    const writers = Math.max(1, Math.min(config.writers, availableParallelism() - 1));
    const writing = { ...config, writers };
    boundYoungObjects();
    await useApp('import', writing, host, async (app, codeHost) => {
      const address = { codeHost, owner, name };
      const link = repositoryLink({ host, owner, repo: name }, app.codeHosts[0]?.id ?? host);
      const hasModel = config.aiModel !== undefined;
      if (!hasModel) app.warmUp();
      // Started while articles are written, because loading the modules takes a while.
      const findPage = async () => {
        const origin = config.publicUrl ?? (await findService(config));
        return origin && origin + link;
      };
      await importNow(app, { address, wish, language: values.language }, { hasModel, findPage });
    });
  },
});

/**
 * V8 would let short-lived objects take 64 MB of the main thread before collecting them. Threads have their own limits.
 */
function boundYoungObjects(): void {
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--min-semi-space-size=8');
}

type Services = Awaited<ReturnType<typeof buildServicesForImport>>;

export const withSettingsOfService =
  'If the service shows it, run this command with the settings of the service, such as PULLQUOTE_DATA.';

export async function useApp<Result>(
  command: 'import' | 'notes' | 'facts',
  config: Config,
  host: string,
  work: (services: Services, codeHost: Services['codeHosts'][number]) => Promise<Result>,
): Promise<Result> {
  const log = await createLog(config.logLevel === 'info' ? 'warn' : config.logLevel);
  const app = await buildServicesForImport(config, {
    log,
    clock: () => new Date(),
    command,
    announce: printProblem,
  });
  try {
    const codeHost = app.codeHosts.find(({ id }) => id === host);
    if (!codeHost) throw new StartupProblem(`The code host ${host} is not configured.`);
    return await work(app, codeHost);
  } catch (error) {
    if (!(error instanceof Failure) || error.code !== 'REPOSITORY_NOT_FOUND') throw error;
    throw new StartupProblem(error.message, { remedy: withSettingsOfService });
  } finally {
    await app.close();
  }
}

async function findService(config: Config): Promise<string | null> {
  const origin = localOrigin(config);
  return (await askLocalService(origin)).kind === 'well' ? origin : null;
}

function repositoryArgument([text = '', ...more]: string[], host: string): { owner: string; name: string } {
  const named = parseShortName(text, host);
  if (!named || named.number !== null || more.length > 0)
    throw new UsageProblem('Pass one repository as OWNER/REPO.');
  return { owner: named.owner, name: named.repo };
}

interface GivenWish {
  last?: string | undefined;
  since?: string | undefined;
  numbers?: string | undefined;
}

function wishOf({ last, since, numbers }: GivenWish, now: Date): ImportWish {
  if ([last, since, numbers].filter((given) => given !== undefined).length > 1)
    throw new UsageProblem('Pass one of --last, --since and --numbers.');
  if (since !== undefined) {
    const moment = parseMoment(since);
    if (!moment || moment > now)
      throw new UsageProblem('--since must be a past date, such as 2026-01-01, or an ISO 8601 time.');
    return { since: moment };
  }
  if (numbers !== undefined)
    return { numbers: numbers.split(',').map((text) => wholeNumberOption('--numbers', text)) };
  return { last: last === undefined ? usualLast : wholeNumberOption('--last', last, mostLast) };
}

function wholeNumberOption(option: string, text: string, most = Number.MAX_SAFE_INTEGER): number {
  const number = /^\s*[1-9]\d{0,15}\s*$/.test(text) ? Number(text) : Number.NaN;
  if (number <= most) return number;
  const what =
    option === '--numbers' ? 'pull request numbers separated by commas' : `a whole number from 1 to ${most}`;
  throw new UsageProblem(`${option} must be ${what}.`);
}

async function importNow(
  app: Services,
  wanted: Parameters<typeof importForOperator>[1],
  { hasModel, findPage }: { hasModel: boolean; findPage: () => Promise<string | null> },
): Promise<void> {
  const stopped = new AbortController();
  const forget = stopOnSignals(stopped);
  const bar = createProgressBar(process.stderr);
  try {
    const {
      importId,
      userId,
      standing: existing,
    } = await importForOperator(app.deps, wanted, stopped.signal);
    const started = await findImportProgress(app.database, importId);
    const { owner, name } = wanted.address;
    printProblem(
      `${owner}/${name}: ${(started?.total ?? 0) - (started?.done ?? 0)} to write, ${existing} already written.`,
    );
    if (!started?.total && !existing) printProblem(whyNothingToImport(wanted));
    app.startWriting();
    const page = findPage();
    const pace = { from: started?.done ?? 0, since: performance.now() };
    for (;;) {
      const progress = await findImportProgress(app.database, importId);
      if (!progress) throw new StartupProblem('The import was deleted while it was running.');
      const costUsd = hasModel ? await sumImportCost(app.database, importId) : null;
      bar.show(progress.done, progress.total, describePace(progress, pace, performance.now(), costUsd));
      if (stopped.signal.aborted || isOver(progress.state)) break;
      await sleepFor(lookMs, stopped.signal);
    }
    if (stopped.signal.aborted)
      await app.database.transaction((tx) => cancelJob(tx, { jobId: importId, userId, now: new Date() }));
    const ended = await findImportProgress(app.database, importId);
    const failures = await listImportFailures(app.database, importId);
    const costUsd = hasModel ? await sumImportCost(app.database, importId) : null;
    bar.clear();
    for (const { prNumber, error } of failures) printProblem(`Skipped #${prNumber}: ${error.message}`);
    const written = (ended?.done ?? 0) - failures.length;
    print(describeImport({ written, existing, failed: failures.length, costUsd, page: await page }));
    if (stopped.signal.aborted) {
      printProblem('Stopped. Finished articles are kept. Run the same command again to continue.');
      process.exitCode = 130;
    } else if (failures.length > 0) process.exitCode = 1;
  } catch (error) {
    bar.clear();
    if (!(stopped.signal.aborted && error instanceof Failure)) throw error;
    printProblem('Stopped before anything was written.');
    process.exitCode = 130;
  } finally {
    forget();
  }
}

function whyNothingToImport({ address, wish }: Parameters<typeof importForOperator>[1]): string {
  const { codeHost, owner, name } = address;
  if ('since' in wish)
    return `No pull request of ${owner}/${name} was merged since ${wish.since.toISOString()}. Pass an earlier --since, or --last.`;
  return [`${owner}/${name} has no merged pull request.`, codeHost.pullRequestHint].filter(Boolean).join(' ');
}

async function sleepFor(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  signal.addEventListener('abort', () => resolve(), { once: true });
  await promise;
  clearTimeout(timer);
}
