import { type CardKey, findArticleCard, saveArticleCard } from '../../db/article-pages.ts';
import { isUnstorable } from '../../db/failures.ts';
import { currentClient } from '../../domain/concurrency.ts';
import { Failure } from '../../domain/errors.ts';
import type { Deps } from '../deps.ts';
import type { RunInThread } from './thread-tasks.ts';

type CardDeps = Pick<Deps, 'database' | 'clock'> & { runInThread: RunInThread };

/** A picture takes a tenth of a second; clients beyond the limit get a retry-after. */
const mostWaiting = 40;
const retrySeconds = 5;

/** Draws the preview picture of an article once, and stores it for all processes. */
export class CardPictures {
  readonly #deps: CardDeps;
  readonly #underWay = new Map<string, Promise<Uint8Array>>();

  constructor(deps: CardDeps) {
    this.#deps = deps;
  }

  /** The picture of an article that the viewer may see. Concurrent requests share one drawing. */
  async get(key: CardKey, describe: () => Promise<string>): Promise<Uint8Array> {
    const kept = await findArticleCard(this.#deps.database, key);
    if (kept) return kept;
    // Counted before the drawing is shared, so that the limit of one client does not refuse the others.
    currentClient().beginSlowWork();
    const name = `${key.articleId} ${key.languageCode} ${key.version}`;
    const begun = this.#underWay.get(name);
    if (begun) return begun;
    if (this.#underWay.size >= mostWaiting)
      throw new Failure('UNAVAILABLE', 'Too many pictures are being created. Try again in a few seconds.', {
        headers: { 'retry-after': String(retrySeconds) },
      });
    const drawing = this.#draw(key, describe).finally(() => this.#underWay.delete(name));
    this.#underWay.set(name, drawing);
    return drawing;
  }

  async #draw(key: CardKey, describe: () => Promise<string>): Promise<Uint8Array> {
    const { database, clock, runInThread } = this.#deps;
    const png = await runInThread('drawCard', await describe(), {});
    await saveArticleCard(database, key, { png, now: clock() }).catch((error) => {
      // A full disk only keeps the picture from being stored.
      if (!isUnstorable(error)) throw error;
    });
    return png;
  }
}
