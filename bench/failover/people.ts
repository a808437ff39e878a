import { checkLikes } from '../../src/actions/likes/likes.ts';
import { openPostgres } from '../../src/db/postgres.ts';
import { sql } from '../../src/db/sql.ts';
import type { SecretKeys } from '../../src/domain/secrets.ts';
import type { GitHubStandIn } from '../../test/github/stand-in.ts';
import { Articles } from '../acknowledged/articles.ts';
import { type Findings, findAll, type Note } from '../acknowledged/caller.ts';
import { Keepers, sessionsThrough, tokensThrough } from '../acknowledged/keepers.ts';
import { fillArticles } from '../fill-likes.ts';
import { fillingPatienceMs } from '../growth.ts';
import { countRevisions, createLoad, type Loading } from '../topology/load.ts';
import type { Processes } from '../topology/processes.ts';

/** Repositories with pull requests in GIT_REPOS. */
export const asked = { articles: 'rocket', answers: 'comet' };
export const pullRequests = 3_000;

const question = 'Which item is priced by its weight now?';

/** The time of three statements of one request, which is as long as a request waits for the database. */
export const limitMs = 30_000;

/** Fills a database, and returns articles that can be liked, each as "id/language/code". */
export async function fillPair(url: string): Promise<string[]> {
  const database = await openPostgres(url);
  try {
    await fillArticles(database, { repositories: 20, articles: 150, users: 1 });
    return await database.values<string>(
      sql`SELECT article_id || '/language/' || language_code AS name FROM article_contents`,
    );
  } finally {
    await database.close();
  }
}

const readEveryMs = 100;

interface Reads {
  answered: number;
  'not answered': number;
  outcomes: Record<string, number>;
  'slowest, ms': number;
}

interface Setting {
  processes: Processes;
  keys: SecretKeys;
  liked: string[];
  github: GitHubStandIn;
}

/** People who like, sign up, open sessions, save tokens and request articles and answers, and others who read. */
export class People {
  readonly reads: Reads = { answered: 0, 'not answered': 0, outcomes: {}, 'slowest, ms': 0 };
  readonly outcomes: Record<string, Record<string, number>> = {};
  /** The time of each acknowledged change. */
  readonly acknowledged: number[] = [];
  hung = 0;
  slowest = { kind: '', outcome: '', ms: 0 };
  readonly #load: ReturnType<typeof createLoad>;

  constructor({ processes, keys, liked, github }: Setting) {
    this.#load = createLoad({
      url: () => {
        const urls = processes.urls();
        return urls[Math.floor(Math.random() * urls.length)] ?? '';
      },
      ...{ keys, liked, pullRequests, limitMs, readEveryMs },
      note: this.#note,
      noteRead: this.#noteRead,
      pages: ['/', '/?language=ja', '/search?q=change'],
      more: (caller, signUps) => [
        new Articles(caller, signUps, {
          ...{ owner: 'acme', repo: asked.answers, pullRequests, waiting: 0.2, question },
        }),
        new Keepers(sessionsThrough(caller, ['phone', 'laptop']), signUps),
        new Keepers(tokensThrough(caller, github), signUps),
      ],
    });
  }

  /** Lets them act during some work, and looks for what was acknowledged. */
  async during(work: () => Promise<unknown>): Promise<Record<string, Findings>> {
    const stopping = new AbortController();
    const running = this.#load.run(stopping.signal);
    try {
      await work();
    } finally {
      stopping.abort();
      await running;
    }
    return findAll(this.#load.writers);
  }

  /** The longest time without an acknowledged change within a period. */
  longestGapMs(from: number, until: number): number {
    const times = [from, ...this.acknowledged.filter((at) => at > from && at < until), until];
    return Math.max(...times.slice(1).map((at, place) => at - (times[place] ?? at)));
  }

  readonly #note: Note = (kind, outcome, ms) => {
    const ofKind = this.outcomes[kind] ?? {};
    this.outcomes[kind] = { ...ofKind, [outcome]: (ofKind[outcome] ?? 0) + 1 };
    if (outcome === 'hung') this.hung += 1;
    // Writing an article takes longer than the database may.
    if (kind !== 'articles' && kind !== 'answers' && ms > this.slowest.ms)
      this.slowest = { kind, outcome, ms: Math.round(ms) };
    if (outcome.startsWith('2') && kind !== 'looked up') this.acknowledged.push(performance.now());
  };

  readonly #noteRead: Loading['noteRead'] = ({ from, until, status }) => {
    const { reads } = this;
    reads['slowest, ms'] = Math.round(Math.max(reads['slowest, ms'], until - from));
    reads[status === 200 ? 'answered' : 'not answered'] += 1;
    if (status !== 200) reads.outcomes[status] = (reads.outcomes[status] ?? 0) + 1;
  };
}

/** Items that exist twice, and counts that differ from what they count. */
export async function countDoubled(settings: Record<string, string>): Promise<Record<string, number>> {
  const revisions = await countRevisions(settings);
  const database = await openPostgres(settings.DATABASE_URL ?? '', { patienceMs: fillingPatienceMs });
  try {
    const { counters, totals } = await checkLikes(database, { repair: false });
    return {
      'articles written twice': revisions.filter(({ times }) => times > 1).length,
      'answers written twice': await database.count(sql`
        SELECT count(*) FROM (SELECT 1 FROM answers GROUP BY question_key, question HAVING count(*) > 1) AS doubled`),
      'people signed up twice': await database.count(sql`
        SELECT count(*) FROM (SELECT 1 FROM identities GROUP BY host, host_user_id HAVING count(*) > 1) AS doubled`),
      'counts of likes that are wrong': counters.length + totals.length,
    };
  } finally {
    await database.close();
  }
}
