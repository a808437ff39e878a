import type { BaseLogger } from 'pino';
import { writeAboutSamples } from '../actions/articles/write-about-samples.ts';
import { type IngestParts, ingestPullRequest } from '../actions/pull-requests/ingest-pull-request.ts';
import type { CodeHost } from '../code-hosts/code-host.ts';
import { Semaphore } from '../domain/concurrency.ts';
import type { JobWatch } from './watch-jobs.ts';

interface SampleDeps extends Omit<IngestParts, 'semaphore' | 'share'> {
  /** The host that shows samples; none where there are clones to show. */
  codeHost: CodeHost | undefined;
  jobs: JobWatch;
  log: BaseLogger;
}

interface SampleFilling {
  begin: () => void;
  stop: () => Promise<void>;
}

/** Has the samples written about in the background, once; what is interrupted goes on with the next start. */
export function fillWithSamples({ codeHost, jobs, log, ...deps }: SampleDeps): SampleFilling {
  const stopping = new AbortController();
  let running: Promise<void> | null = null;
  const ingestParts: IngestParts = { ...deps, semaphore: new Semaphore(), share: (_key, work) => work() };
  const fill = async (shown: CodeHost): Promise<void> => {
    try {
      await writeAboutSamples(
        {
          ...deps,
          codeHost: shown,
          ingest: (address, number) => ingestPullRequest(ingestParts, address, number, null),
          untilOver: jobs.untilOver,
        },
        stopping.signal,
      );
    } catch (error) {
      if (stopping.signal.aborted) return;
      log.warn(
        { err: error },
        'the samples could not all be written about; it is tried again with the next start',
      );
    }
  };
  return {
    begin() {
      if (codeHost) running ??= fill(codeHost);
    },
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
