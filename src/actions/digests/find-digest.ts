import type { Digest } from '../../contract/digest.ts';
import type { Database } from '../../db/database.ts';
import { type DigestScope, type RepositoryFates, readDigest } from '../../db/digest-contents.ts';
import type { VisibilityViewer } from '../../db/visibility.ts';
import { type DigestPeriod, mostShown, restReasons, type Span } from '../../domain/digest.ts';
import { presentSummary } from '../articles/present-summary.ts';

export interface WantedDigest {
  scope: DigestScope;
  viewer: VisibilityViewer;
  language: string;
  period: DigestPeriod;
  span: Span;
}

type Counts = Pick<Digest, 'merged' | 'written' | 'shown' | 'rest'>;

/** What was merged in a period, and a selection of the articles about it. */
export async function findDigest(database: Database, wanted: WantedDigest): Promise<Digest> {
  const { period, language, span } = wanted;
  const { repositories, items } = await readDigest(database, { ...wanted, most: mostShown });
  return {
    period,
    language,
    from: span.from.toISOString(),
    to: span.to.toISOString(),
    ...countsOf(repositories),
    items: items.map(presentSummary),
    repositories: repositories.map((one) => {
      const { host, owner, repo, isComplete } = one;
      return { host, owner, repo, isComplete, ...countsOf([one]) };
    }),
  };
}

/** Every pull request has one fate, so that what is shown and what is not are all that was merged. */
function countsOf(repositories: Pick<RepositoryFates, 'fates'>[]): Counts {
  const sum = (fate: keyof RepositoryFates['fates']) =>
    repositories.reduce((total, { fates }) => total + (fates[fate] ?? 0), 0);
  const rest = restReasons.map((reason) => ({ reason, count: sum(reason) })).filter(({ count }) => count > 0);
  const shown = sum('shown');
  return {
    merged: rest.reduce((total, { count }) => total + count, shown),
    written: shown + sum('beyond'),
    shown,
    rest,
  };
}
