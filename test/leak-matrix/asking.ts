import { sql } from '../../src/db/sql.ts';
import type { TestApp } from '../build-app.ts';
import { ask, isAboutAnother } from './ask.ts';
import type { Probe, Written } from './probe.ts';
import { plainReads, readsAbout, withoutHost, writesAbout } from './questions.ts';
import { isTold, type Prepared } from './repositories.ts';
import { follows } from './rights.ts';
import type { Visitor } from './visitors.ts';

/** Which of the questions are asked, to ask fewer of them; each then in its simplest form. */
export type Choose = (probes: Probe[]) => Probe[];

export interface Asking {
  /** The process that is told by webhooks, and written to. */
  app: TestApp;
  /** The process that answers, which may be another. */
  answering: TestApp;
  choose: Choose;
  /** Routes that tell a viewer of a repository, which are asked in every form; none where questions are chosen. */
  telling: Set<string>;
  /** What each viewer's answers were tagged with while they told of a repository. */
  tags: Map<string, string>;
}

/** What came of some questions. */
export interface Tally {
  probes: number;
  /** The same by what was asked. */
  byRoute: Map<string, number>;
  /** Answers that told something to those who may know it. */
  told: number;
  leaks: string[];
}

export const emptyTally = (): Tally => ({ probes: 0, byRoute: new Map(), told: 0, leaks: [] });

/** By the repository, too: what tells of another one that the viewer may see is no leak of this one. */
const keyOf = ({ viewer }: Visitor, { method, path, accept = '' }: Probe, { canary }: Prepared) =>
  [viewer, method, path, accept, canary].join(' ');

function countProbe(tally: Tally, route: string): void {
  tally.probes += 1;
  tally.byRoute.set(route, (tally.byRoute.get(route) ?? 0) + 1);
}

/** Asks as everybody at once, because answers are looked up together and kept, and counts those that tell too much. */
export async function askAll(
  asking: Asking,
  prepared: Prepared,
  which: (probe: Probe) => boolean,
  tally: Tally,
): Promise<void> {
  const { app, answering, choose, tags, telling } = asking;
  const reads = choose(readsAbout(app.server, prepared, telling));
  const write = (written: Written) => writesAbout(app.server, written);
  // What is written about one that took over the name could not be told from what stands.
  const writes = choose([...write(prepared), ...withoutHost(write, prepared)]).filter(
    (probe) => prepared.state !== 'replaced' || !isAboutAnother(probe, prepared),
  );
  const askAs = async (visitor: Visitor): Promise<void> => {
    const isAllowed = isTold(prepared, visitor);
    const asked = (isAllowed ? reads : [...reads, ...writes]).filter(
      (probe) => which(probe) && !(probe.isOfOthers && follows(visitor.viewer)),
    );
    for (const probe of asked) {
      const tag = tags.get(keyOf(visitor, probe, prepared));
      for (const known of tag === undefined ? [undefined] : [undefined, tag]) {
        const { status, tells } = await ask(answering, visitor, probe, prepared, known);
        countProbe(tally, `${probe.method === 'HEAD' ? 'GET' : probe.method} ${probe.route}`);
        const isSame = known !== undefined && status === 304;
        if (isAllowed) tally.told += Number(tells || isSame);
        else if (tells || isSame || (probe.isDetail && status < 400 && !isAboutAnother(probe, prepared)))
          tally.leaks.push(leakOf(visitor, probe, `${status} ${known ?? ''}`));
      }
    }
  };
  await Promise.all(prepared.visitors.map(askAs));
}

const leakOf = ({ viewer }: Visitor, { method, path, accept = '', body }: Probe, answered: string): string =>
  [`${viewer}:`, method, path, accept, path === '/mcp' ? JSON.stringify(body) : '', answered].join(' ');

/** Has those who follow it mark everything as read, in both ways. What they may not see must not be marked. */
export async function markAllRead(
  { app, answering }: Asking,
  prepared: Prepared,
  tally: Tally,
): Promise<void> {
  const { articleId } = prepared;
  for (const visitor of prepared.visitors.filter(({ viewer }) => follows(viewer)))
    for (const path of ['/users/me/feed/read', '/new/read']) {
      await app.database.query(sql`DELETE FROM read_marks WHERE article_id = ${articleId}`);
      const { token, viewer } = visitor;
      const until = app.now().toISOString();
      const headers = { origin: new URL(answering.config.publicUrl ?? answering.url).origin };
      const { status, text } = await answering.call('POST', path, { token, body: { until }, headers });
      // Whose token is refused is nobody here.
      if (status >= 400 && viewer !== 'shut out') throw new Error(`${path} answered ${status}: ${text}`);
      const marks = await app.database.query(sql`SELECT 1 FROM read_marks WHERE article_id = ${articleId}`);
      countProbe(tally, `POST ${path}`);
      if (isTold(prepared, visitor)) tally.told += marks.length;
      else if (marks.length > 0) tally.leaks.push(`${viewer}: POST ${path} marked what they may not see`);
    }
}

export async function findTelling(asking: Asking, prepared: Prepared): Promise<void> {
  const askAs = async (visitor: Visitor): Promise<void> => {
    for (const probe of plainReads(asking.app.server, prepared)) {
      const { status, tells } = await ask(asking.app, visitor, probe, prepared);
      if (tells || (probe.isDetail && status < 400)) asking.telling.add(probe.route);
    }
  };
  await Promise.all(prepared.visitors.map(askAs));
}

/** Asks everything while it may be told, and remembers the tags of what tells something. */
export async function rememberTags(asking: Asking, prepared: Prepared): Promise<void> {
  const reads = asking.choose(readsAbout(asking.app.server, prepared, asking.telling));
  const askAs = async (visitor: Visitor): Promise<void> => {
    for (const probe of reads) {
      const { tag, tells } = await ask(asking.answering, visitor, probe, prepared);
      if (tag !== null && tells) asking.tags.set(keyOf(visitor, probe, prepared), tag);
    }
  };
  await Promise.all(prepared.visitors.map(askAs));
}
