import type { Revocations, TokenIssuer } from '../actions/accounts/sessions.ts';
import type { CardPictures } from '../actions/articles/card-pictures.ts';
import type { WriteWithoutModel } from '../actions/articles/without-model.ts';
import type { Deps as ActionDeps } from '../actions/deps.ts';
import type { StoreLikes } from '../actions/likes/likes.ts';
import type { ConnectDeps } from '../actions/models/connect-model.ts';
import type { ModelSource } from '../actions/models/model-settings.ts';
import type { Ingest } from '../actions/pull-requests/ingest-pull-request.ts';
import type { FindListScope } from '../actions/repositories/list-repositories.ts';
import type { Operator } from '../domain/accounts.ts';
import type { MailClient } from '../domain/digests.ts';
import type { LocalModels, ModelLimits } from '../domain/model-providers.ts';
import type { JobWatch } from '../jobs/listen.ts';
import type { Housekeeping } from '../jobs/periodic-jobs.ts';
import type { Workers } from '../jobs/work.ts';
import type { RequestMetrics } from '../metrics/metrics.ts';
import type { ModifiedTimes } from './cache/cache-policy.ts';
import type { PublicCache } from './cache/public-cache.ts';
import type { Highlighter } from './pages/highlight.ts';
import type { PageContexts } from './pages/page-contexts.ts';
import type { RateLimit } from './requests/limit-rate.ts';

export interface Patience {
  ingestMs?: number;
  idleReaderMs?: number;
  heartbeatMs?: number;
  hostMs?: number;
  questionMs?: number;
}

export const idleReaderMs = 30_000;

export const requestMs = 30_000;

export const headersMs = 10_000;

export const lookForSlowMs = 5_000;

export interface Deps
  extends Omit<ActionDeps, 'log' | 'confirmedWithinMs' | 'runReader' | 'runWriter' | 'recordings'> {
  revocations: Revocations;
  issuer: TokenIssuer | null;
  listViewer: FindListScope;
  watchesPerUser: number;
  operators: Operator[];
  mail: MailClient | null;
  housekeeping: Housekeeping;
  writing: Pick<Workers, 'isHealthy'>;
  jobs: JobWatch;
  patience?: Patience | undefined;
  cache: PublicCache;
  publicUrl: string | undefined;
  corsOrigins: string[];
  modelSource: () => ModelSource;
  environmentLimits: Partial<ModelLimits>;
  /** Whether a repository is one of the samples that are shown. */
  isSample: (place: { host: string; owner: string; repo: string }) => Promise<boolean>;
  /** Reads the settings of models again, which other processes do when they are notified. */
  reloadModels: () => Promise<void>;
  findLocalModels: () => Promise<LocalModels[]>;
  listModels: ConnectDeps['listModels'];
  /** The languages in which articles can be requested. */
  languages: () => string[];
  storeLikes: StoreLikes;
  writeWithoutModel: WriteWithoutModel;
  ingest: Ingest;
  contexts: PageContexts;
  feedTimes: ModifiedTimes;
  cards: CardPictures;
  highlighter: Highlighter;
  rateLimit: RateLimit;
  metrics: RequestMetrics | null;
}
