/** More feeds than these are forgotten together, at the price of being sent once more. */
const mostFeeds = 10_000;

/**
 * Since when each feed is as it is, for readers that know no tags. When its newest article was written says too little: articles
 * also go, and change places. So this is when the process first saw it so, which no other says but by chance.
 */
export class ModifiedTimes {
  readonly #seen = new Map<string, { tag: string; at: number }>();

  /** As a header says it, to the second: no two forms of a feed have the same. */
  note(feed: string, tag: string, now: Date): string {
    const known = this.#seen.get(feed);
    const second = Math.floor(now.getTime() / 1000) * 1000;
    const at = known?.tag === tag ? known.at : Math.max(second, (known?.at ?? 0) + 1000);
    if (this.#seen.size >= mostFeeds) this.#seen.clear();
    this.#seen.set(feed, { tag, at });
    return new Date(at).toUTCString();
  }
}
