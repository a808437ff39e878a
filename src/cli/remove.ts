import { removeRepository } from '../actions/repositories/remove-repository.ts';
import { readConfig } from '../config.ts';
import type { Database } from '../db/database.ts';
import { countStoredForRemoval, deleteRemoval, type RemovalTarget } from '../db/removals.ts';
import { StartupProblem } from '../domain/errors.ts';
import { joinNames } from '../domain/text.ts';
import {
  chooseHost,
  defineCommand,
  flag,
  isConfirmed,
  parseShortName,
  print,
  text,
  UsageProblem,
} from './command.ts';
import { useDatabase } from './database.ts';

export const remove = defineCommand({
  help: [
    'Usage: pullquote remove OWNER/REPO[#NUMBER] [--host ID] [--undo] [--yes]',
    '',
    'Removes a repository, or one of its pull requests, with its diffs, articles, likes and jobs. The service then responds as',
    'if it did not exist, and does not fetch it again until you run the command with --undo. You can run it while the service',
    'is running.',
    '',
    '  --host ID   the code host (default: the first of CODE_HOST)',
    '  --undo      allow fetching it again; removed articles do not come back',
    '  --yes       do not ask for confirmation',
    '',
    'Exit codes: 0 removed, 1 nothing to remove.',
  ],
  allowPositionals: true,
  options: { host: text, undo: flag, yes: flag },
  async run(values, positionals) {
    const config = readConfig();
    const target = removalTargetOf(positionals, chooseHost(values.host, config));
    const asks = !values.undo && !values.yes;
    if (asks && !process.stdin.isTTY)
      throw new UsageProblem('Cannot ask for confirmation without a terminal. Pass --yes to skip it.');
    await useDatabase('remove', config, (database) =>
      values.undo ? undo(database, target) : removeNow(database, target, { asks }),
    );
  },
});

function removalTargetOf(positionals: string[], host: string): RemovalTarget {
  const [text = '', ...more] = positionals;
  const named = parseShortName(text, host);
  if (!named || more.length > 0)
    throw new UsageProblem('Pass a repository as OWNER/REPO, or a pull request as OWNER/REPO#NUMBER.');
  return { host, owner: named.owner, name: named.repo, number: named.number };
}

const removalName = ({ host, owner, name, number }: RemovalTarget): string =>
  `${owner}/${name}${number === null ? '' : `#${number}`} on ${host}`;

async function removeNow(
  database: Database,
  target: RemovalTarget,
  { asks }: { asks: boolean },
): Promise<void> {
  const { isKnown, pullRequests, articles, likes } = await countStoredForRemoval(database, target);
  const stored = joinNames([
    countOfNoun(pullRequests, 'pull request'),
    countOfNoun(articles, 'article'),
    countOfNoun(likes, 'like'),
  ]);
  if (asks && !(await isConfirmed(`Remove ${removalName(target)}, with ${stored}?`, process.stdout))) {
    print('Nothing was removed.');
    return;
  }
  const isNew = await removeRepository({ database, clock: () => new Date() }, target);
  // The repository may be stored under another name, which its host tells later, so the removal is stored in any case.
  if (isNew && !isKnown)
    throw new StartupProblem(
      `There is no stored data about ${removalName(target)}, so nothing was removed. If you expected some, check ` +
        'the spelling and --host. From now on, nothing is fetched under this name; --undo allows it again.',
    );
  print(`${removalName(target)} ${isNew ? `is removed, with ${stored}` : 'was already removed'}.`);
  print('It will not be fetched again until you run the command with --undo.');
}

async function undo(database: Database, target: RemovalTarget): Promise<void> {
  if (!(await database.transaction((tx) => deleteRemoval(tx, target))))
    throw new StartupProblem(
      `${removalName(target)} was not removed under this name. Check the spelling and --host.`,
    );
  print(`${removalName(target)} can be fetched again.`);
}

const countOfNoun = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`;
