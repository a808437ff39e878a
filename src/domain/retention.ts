const hour = 60 * 60 * 1000;
const day = 24 * hour;

/** How long what is stored is kept, after which housekeeping removes it. */
export const retentionMs = {
  /** A finished job can be asked about. */
  finishedJobs: day,
  /** A client that began to read a diff may go on when it was replaced or has gone: the largest, on a slow line. */
  replacedDiffs: hour,
  /** Longer than any request to a host takes. */
  withdrawnGrants: day,
  /** Since a pull request without an article was last fetched or read. */
  unusedPullRequests: 7 * day,
  /** After it, what could not be read may be tried once more, which costs what `WRITING_SECONDS` allows. */
  unreadableDiffs: 7 * day,
  /** Pictures beside links are looked at in the days after these are shared, and can be drawn again. */
  cards: 30 * day,
  /** Twice as long as GitHub lets a delivery be sent again. */
  webhookDeliveries: 6 * day,
  /** Digests of the last year can be asked for, and ended from within their mails. */
  digests: 380 * day,
};

/** A read is noted when the last one that was noted is so old, so that reading does not become writing. */
export const useNotedAfterMs = hour;

/** The moment before which something has been kept long enough. */
export const retentionCutoff = (what: keyof typeof retentionMs, now: Date): Date =>
  new Date(now.getTime() - retentionMs[what]);
