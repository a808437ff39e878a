import type { SignedUpViewer, Viewer } from '../actions/accounts/identify-bearer.ts';
import type { FindListViewer } from '../actions/repositories/list-viewer.ts';
import type { RepositoryRenewals } from '../actions/repositories/renew-repositories.ts';
import type { CodeHost } from '../code-hosts/code-host.ts';
import type { ArticleSummary } from '../contract/article.ts';
import type { StoredArticle } from '../db/articles.ts';
import type { Database } from '../db/database.ts';
import type { ErrorDetail } from '../domain/errors.ts';

interface AskedSearch {
  q: string;
  language?: string;
}

interface AskedArticle {
  codeHost: CodeHost;
  owner: string;
  name: string;
  number: number;
  language: string;
}

/** What tools are made of: what the operations of the API are made of, or the operations themselves. */
export interface AgentParts {
  database: Database;
  codeHosts: CodeHost[];
  renewals: RepositoryRenewals;
  listViewer: FindListViewer;
  clock: () => Date;
  /** What `GET /search` finds, with the sentences that show why; those of an article have an id. */
  search: (
    asked: AskedSearch,
    viewer: Viewer | null,
    page: { limit: number; offset: number },
  ) => Promise<{
    articles: {
      article: ArticleSummary;
      matches: { section: { kind: string; text: string; id?: string } }[];
    }[];
    total: number | null;
    indexedShare: number;
  }>;
  /** `POST …/article`: what is written, or null where that is not done when the signal is aborted. */
  writeArticle: (
    asked: AskedArticle,
    viewer: SignedUpViewer,
    signal: AbortSignal,
  ) => Promise<StoredArticle | null>;
  /** What is wrong with something by a schema, field by field. */
  compile: (schema: object) => (given: unknown) => ErrorDetail[];
}
