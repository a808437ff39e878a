import type { CodeHost } from '../../code-hosts/code-host.ts';
import { findNumbersWrittenIn, findWrittenFor } from '../../db/articles.ts';
import type { Database } from '../../db/database.ts';
import { findLearnedRemoval } from '../../db/removals.ts';
import { claimWork } from '../../db/writing-jobs.ts';
import { offlineLanguages } from '../../writing/languages.ts';
import type { Ingested } from '../pull-requests/ingest-pull-request.ts';
import { anonymousCaller, type RepositoryAddress } from '../repositories/find-on-host.ts';

interface Parts {
  database: Database;
  clock: () => Date;
  /** The host that shows samples. */
  codeHost: CodeHost;
  /** Fetches a public pull request on behalf of no user. */
  ingest: (address: RepositoryAddress, number: number) => Promise<Ingested>;
  untilOver: (jobId: string, signal: AbortSignal) => Promise<unknown>;
}

/** More pull requests than the samples have. */
const mostSamples = 100;

/**
 * Has the samples written about that have no article yet, without a model and on behalf of no user, so that there is
 * something to read. One at a time, the newest first: users who ask for an article have the other writers.
 */
export async function writeAboutSamples(parts: Parts, signal: AbortSignal): Promise<void> {
  const { codeHost, database, clock } = parts;
  const suggested = await codeHost.suggestPullRequest();
  const shown =
    suggested && (await codeHost.findRepository(suggested.owner, suggested.name, anonymousCaller(signal)));
  const removal = shown && (await findLearnedRemoval(database, { host: codeHost.id, ...shown }, clock()));
  if (!shown || !removal || removal.isWhole) return;
  const page = { state: 'all', limit: mostSamples, offset: 0, without: removal.numbers } as const;
  const { items } = await codeHost.listPullRequests(shown, page, anonymousCaller(signal));
  const written = await findNumbersWrittenIn(database, {
    host: codeHost.id,
    hostRepoId: shown.hostRepoId,
    languages: offlineLanguages,
  });
  const numbers = items.map(({ number }) => number).filter((number) => !written.has(number));
  for (const number of numbers) {
    if (signal.aborted) return;
    await writeAbout(parts, { codeHost, owner: shown.owner, name: shown.name }, number, signal);
  }
}

async function writeAbout(
  { database, clock, ingest, untilOver }: Parts,
  address: RepositoryAddress,
  number: number,
  signal: AbortSignal,
): Promise<void> {
  const { pullRequest } = await ingest(address, number);
  const { id: pullRequestId, baseSha, headSha } = pullRequest;
  for (const languageCode of offlineLanguages) {
    if (signal.aborted) return;
    const work = { pullRequestId, baseSha, headSha, languageCode, writer: 'offline' };
    if (await findWrittenFor(database, work)) continue;
    const jobId = await claimWork(database, work, clock());
    if (jobId) await untilOver(jobId, signal);
  }
}
