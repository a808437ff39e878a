interface Done {
  done: number;
  total: number;
}

/** Where and when counting began. */
interface Pace {
  from: number;
  since: number;
}

const dollars = (costUsd: number): string => `about $${costUsd.toFixed(2)}`;

/** How quickly it goes, how long it takes at that pace, and what it has cost so far. */
export function describePace(
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

/** What has come of an import. */
export function describeImport(outcome: {
  written: number;
  standing: number;
  failed: number;
  costUsd: number | null;
  /** The address of the page that lists them; null where no service is known to run. */
  page: string | null;
}): string {
  const { written, standing, failed, costUsd, page } = outcome;
  const articles = `${written} ${written === 1 ? 'article' : 'articles'} written`;
  const cost = costUsd === null ? '' : ` for ${dollars(costUsd)}`;
  const done = `${articles}${cost}, ${standing} already written, ${failed} skipped.`;
  return page && written + standing > 0 ? `${done}\nRead them at ${page}` : done;
}
