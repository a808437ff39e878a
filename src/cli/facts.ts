import { parseArgs } from 'node:util';
import { fetchTexts } from '../actions/pull-requests/fetch-texts.ts';
import { openGitHost } from '../code-hosts/git/open-git-host.ts';
import { programSearchPath, readConfig } from '../config.ts';
import { prepareDataFolder } from '../data-folder.ts';
import { StartupProblem } from '../domain/errors.ts';
import { boundWords } from '../domain/pull-request-bounds.ts';
import { loadSecretKeys } from '../load-secret-keys.ts';
import type { Facts } from '../reading/facts.ts';
import { ThreadPool } from '../threads/thread-pool.ts';
import { type Command, UsageProblem } from './command.ts';
import { describeFacts } from './describe-facts.ts';
import { print, printJson } from './print.ts';

export const factsCommand: Command = {
  help: [
    'Usage: pullquote facts OWNER/REPO NUMBER [--json]',
    '',
    'Reads a pull request of a clone and prints what can be said of it: what kind of change it is, what changed in',
    'which file, what deserves attention, and what the author says. It works beside a running service. Of what is',
    'too much to read, the first is printed, and how much more there is.',
    '',
    '  --json   all of it, for a program',
  ].join('\n'),
  async run(parameters) {
    const { values, positionals } = parseArgs({
      args: parameters,
      allowPositionals: true,
      options: { json: { type: 'boolean', default: false } },
    });
    const [fullName = '', numberText = '', ...more] = positionals;
    const [owner = '', name = '', ...rest] = fullName.split('/');
    const number = Number(numberText);
    if (!owner || !name || rest.length > 0 || more.length > 0)
      throw new UsageProblem('Name a repository as OWNER/REPO.');
    if (!Number.isSafeInteger(number) || number < 1)
      throw new UsageProblem('The number must be a whole number from 1 on.');
    const { title, facts } = await readFactsOfClone(owner, name, number);
    if (values.json) printJson(facts);
    else print(describeFacts(`${owner}/${name}#${number}`, title, facts));
  },
};

/** An operator who can run this can read the clones anyway, so that no repository is private here. */
async function readFactsOfClone(
  owner: string,
  name: string,
  number: number,
): Promise<{ title: string; facts: Facts }> {
  const config = readConfig();
  prepareDataFolder(config.dataFolder);
  const host = await openGitHost(
    { ...config, gitPrivate: [] },
    {
      searchPath: programSearchPath(),
      secretKeys: loadSecretKeys(config),
      clock: () => new Date(),
      announce: () => {},
    },
  );
  const caller = { identity: null, token: null, signal: new AbortController().signal };
  const onHost = await host.findPullRequest(owner, name, number, caller);
  if (!onHost)
    throw new StartupProblem(
      `There is no clone ${owner}/${name} in ${config.gitRepos ?? 'the samples'} that can be read. Check the spelling.`,
    );
  const found = await onHost.pullRequest?.read();
  if (!found)
    throw new StartupProblem(
      `${owner}/${name} has no pull request ${number}. Check the number. ${host.pullRequestHint}`,
    );
  const { title, body, labels, commits } = boundWords(found);
  const commitMessages = commits.map(({ message }) => message);
  const text = { repository: `${owner}/${name}`, title, body, labels, commitMessages };
  const chunks = found.diff()[Symbol.asyncIterator]();
  const threads = new ThreadPool({
    most: 1,
    limits: { workMs: config.writingMs, memoryBytes: config.writingBytes },
  });
  const nextChunk = async () => (await chunks.next()).value ?? null;
  const { close, ...texts } = fetchTexts(found.fileTexts);
  try {
    return { title, facts: await threads.run('readFacts', text, { nextChunk, ...texts }) };
  } finally {
    await close();
  }
}
