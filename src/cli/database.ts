import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { checkLikes, type LikesReport } from '../actions/likes/likes.ts';
import { type Config, environmentWith, readConfig } from '../config.ts';
import { prepareDataFolder } from '../data-folder.ts';
import { connectDatabase } from '../db/connect.ts';
import { checkArticleCounts, checkFacets, type WrongArticleCount, type WrongFacets } from '../db/counters.ts';
import type { Database } from '../db/database.ts';
import { measureStorage, type StoredKind } from '../db/figures.ts';
import { openLocalServer } from '../db/local-server/local-server.ts';
import { takePassword } from '../domain/database-address.ts';
import { type Command, defineCommand, flag, print, printProblem, stopOnSignals } from './command.ts';

export async function useDatabase<Result>(
  command: string,
  config: Config,
  work: (database: Database) => Promise<Result>,
  { migrates = true } = {},
): Promise<Result> {
  prepareDataFolder(config.dataFolder);
  const database = await connectDatabase(config, { command, announce: printProblem, migrates });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** If more is wrong than this, listing all of it does not help the operator. */
const shownAtMost = 50;

export const check = defineCommand({
  help: [
    'Usage: pullquote check [--dry-run]',
    '',
    'Shows how much data of each kind is stored and how much of it will be deleted soon. Then it recounts likes, rankings and',
    'list totals from the stored rows, and corrects stored counts that differ. You can run it while the service is running.',
    '',
    '  --dry-run   change nothing; exit with 1 if something differs',
  ],
  options: { 'dry-run': flag },
  async run(values) {
    const repair = !values['dry-run'];
    await useDatabase('check', readConfig(), (database) => checkAll(database, repair));
  },
});

async function checkAll(database: Database, repair: boolean): Promise<void> {
  print(`${describeStorage(await measureStorage(database, new Date()))}\n`);
  const likes = await checkLikes(database, { repair });
  const articleCounts = await checkArticleCounts(database, { repair });
  const facets = await checkFacets(database, { repair });
  const wrong = [
    ...describeLikes(likes),
    ...articleCounts.map(describeArticleCount),
    ...facets.map(describeFacets),
  ];
  print(describeCheck({ checked: likes.checked, wrong, repair }));
  if (!repair && wrong.length > 0) process.exitCode = 1;
}

function describeLikes({ counters, totals }: LikesReport): string[] {
  return [
    ...counters.map(({ articleId, languageCode, counter, is, shouldBe }) => {
      const name = counter === 'article' ? 'like count' : `${counter} ranking`;
      return `${name} of article ${articleId} in ${languageCode}: ${is} instead of ${shouldBe}`;
    }),
    ...totals.map(({ repositoryId, part, languageCode, period, is, shouldBe }) => {
      const whole = describeWhole({ repositoryId, part });
      return `total of the ${period} ranking of ${whole} in ${languageCode}: ${is} instead of ${shouldBe}`;
    }),
  ];
}

function describeArticleCount({ languageCode, is, shouldBe, ...of }: WrongArticleCount): string {
  const languages = languageCode === '*' ? 'any language' : languageCode;
  return `number of articles of ${describeWhole(of)} in ${languages}: ${is} instead of ${shouldBe}`;
}

const describeFacets = ({ differ, ...of }: WrongFacets): string =>
  `lists of authors and types of ${describeWhole(of)}: ${differ} entries or counts differ`;

const describeWhole = ({ repositoryId, part }: { repositoryId: string | null; part: number | null }) =>
  repositoryId === null ? `part ${part} of all repositories` : `repository ${repositoryId}`;

function describeCheck({
  checked,
  wrong,
  repair,
}: {
  checked: number;
  wrong: string[];
  repair: boolean;
}): string {
  const shown = wrong.slice(0, shownAtMost);
  const more = wrong.length - shown.length;
  const found = `Checked ${checked} article texts: `;
  if (wrong.length === 0) return `${found}every count matches the likes and articles.`;
  return [
    ...shown,
    ...(more > 0 ? [`and ${more} more`] : []),
    `${found}${wrong.length} wrong, ${repair ? 'all corrected' : 'nothing changed'}.`,
  ].join('\n');
}

export const psql: Command = {
  help: [
    'Usage: pullquote psql [ARGUMENT …]',
    '',
    'Opens psql on the database of the service and passes the arguments to it. If psql is not installed, it prints the',
    'connection string for another client. If the service is not running, the local database runs until you leave psql or',
    'press Ctrl-C.',
    '',
    'Examples:',
    '  pullquote psql',
    '  pullquote psql -c "SELECT count(*) FROM articles"',
  ].join('\n'),
  async run(parameters) {
    const { databaseUrl, dataFolder, postgresBin } = readConfig();
    if (databaseUrl) return openPsql(databaseUrl, parameters);
    prepareDataFolder(dataFolder);
    const server = await openLocalServer({
      dataFolder,
      postgresBin,
      command: 'psql',
      announce: printProblem,
    });
    try {
      await openPsql(server.url, parameters, server.isOwn);
    } finally {
      await server.stop();
    }
  },
};

async function openPsql(url: string, parameters: string[], endsWithThis = false): Promise<void> {
  const stopped = new AbortController();
  // In psql, Ctrl-C cancels a statement, so this process must ignore it.
  const forget = stopOnSignals(stopped);
  try {
    const { address, password } = takePassword(url);
    const env = environmentWith(password ? { PGPASSWORD: password } : {});
    const child = spawn('psql', [address, ...parameters], { stdio: 'inherit', env });
    const [code] = await once(child, 'exit');
    process.exitCode = code ?? 1;
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    print(url);
    if (!endsWithThis) return;
    printProblem(
      'psql is not installed. The database runs until you press Ctrl-C; use this connection string in another client.',
    );
    const waiting = setInterval(() => {}, 60_000);
    if (!stopped.signal.aborted) await once(stopped.signal, 'abort');
    clearInterval(waiting);
  } finally {
    forget();
  }
}

const inMebibytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
const inThousands = (count: number): string => count.toLocaleString('en-US');

function describeStorage({ kinds, diskBytes }: { kinds: StoredKind[]; diskBytes: number }): string {
  const sum = (of: (kind: StoredKind) => number) => kinds.reduce((total, kind) => total + of(kind), 0);
  const rows = [
    ['stored', 'rows', 'bytes', 'on disk', 'deleted soon', 'bytes'],
    ...kinds.map(({ kind, rows, bytes, due, ...taken }) => [
      kind,
      inThousands(rows),
      inMebibytes(bytes),
      inMebibytes(taken.diskBytes),
      due ? inThousands(due.rows) : '',
      due ? inMebibytes(due.bytes) : '',
    ]),
    ['everything else', '', '', inMebibytes(diskBytes - sum((kind) => kind.diskBytes)), '', ''],
    [
      'all',
      '',
      inMebibytes(sum(({ bytes }) => bytes)),
      inMebibytes(diskBytes),
      '',
      inMebibytes(sum(({ due }) => due?.bytes ?? 0)),
    ],
  ];
  const widthOf = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0));
  const align = (cell: string, column: number) =>
    column === 0 ? cell.padEnd(widthOf(column)) : cell.padStart(widthOf(column));
  return [
    ...rows.map((row) => row.map(align).join('  ').trimEnd()),
    '"On disk" includes indexes and reusable space. "Deleted soon" is deleted by the next housekeeping run.',
  ].join('\n');
}
