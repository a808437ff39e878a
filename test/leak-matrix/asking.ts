import { sql } from '../../src/db/sql.ts';
import type { TestApp } from '../build-app.ts';
import { ask, isAboutAnother } from './ask.ts';
import type { Probe, Written } from './probe.ts';
import { plainReads, readsAbout, withoutHost, writesAbout } from './questions.ts';
import { isTold, type Prepared } from './repositories.ts';
import { follows } from './rights.ts';
import type { Visitor } from './visitors.ts';

/** Chooses fewer questions, each in its simplest form. */
export type Choose = (probes: Probe[]) => Probe[];

export interface Asking {
  /** The process that receives webhooks and writes. */
  app: TestApp;
  /** The process that responds, which may be another one. */
  answering: TestApp;
  choose: Choose;
  /** Routes that show a repository to a viewer and are asked in every form; none if questions are chosen. */
  telling: Set<string>;
  /** The ETags of responses that showed the repository, by viewer. */
  tags: Map<string, string>;
}

/** The counted outcome of some questions. */
export interface Tally {
  probes: number;
  /** The number of probes by question. */
  byRoute: Map<string, number>;
  /**
   * The number of responses that showed the repository to viewers with access, so that the probes could have found a
   * leak.
   */
  told: number;
  leaks: string[];
}

export const emptyTally = (): Tally => ({ probes: 0, byRoute: new Map(), told: 0, leaks: [] });

/** By repository too, because a response about another visible repository is not a leak. */
const keyOf = ({ viewer }: Visitor, { method, path, accept = '' }: Probe, { canary }: Prepared) =>
  [viewer, method, path, accept, canary].join(' ');

function countProbe(tally: Tally, route: string): void {
  tally.probes += 1;
  tally.byRoute.set(route, (tally.byRoute.get(route) ?? 0) + 1);
}

/** Asks as all viewers at once, because simultaneous requests share lookups and caches, and counts the leaks. */
export async function askAll(
  asking: Asking,
  prepared: Prepared,
  which: (probe: Probe) => boolean,
  tally: Tally,
): Promise<void> {
  const { app, answering, choose, tags, telling } = asking;
  const reads = choose(readsAbout(app.server, prepared, telling));
  const write = (written: Written) => writesAbout(app.server, written);
  // An article about a repository that took over the name could not be told from the old one.
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

/** Marks everything as read, in both ways; articles without access must not be marked. */
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
      // A user whose token is refused has no account here.
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

/** Asks everything while access is given, and records the ETags of responses that show the repository. */
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
