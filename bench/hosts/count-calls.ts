import type { BenchHost } from './network-hosts.ts';
import type { Running } from './run-service.ts';

/** What one ingest asked a host. */
interface Calls {
  calls: number;
  /** Of these, those answered with 304. */
  unchanged: number;
  /** How many times git fetched, and in how many calls. */
  fetches: number;
  callsOfGit: number;
}

/** Counts what a first ingest of a small pull request asks, one of the same again, and one after a push. */
export async function countCalls(host: BenchHost, { call }: Running): Promise<Record<string, Calls>> {
  const counted: Record<string, Calls> = {};
  const ingest = async (name: string, expected: number) => {
    const now: Calls = { calls: 0, unchanged: 0, fetches: 0, callsOfGit: 0 };
    const stop = host.script(/./, async (response, pass, { url = '' }) => {
      await pass();
      if (url.includes('.git/')) {
        now.callsOfGit += 1;
        now.fetches += Number(url.includes('/info/refs'));
      } else {
        now.calls += 1;
        now.unchanged += Number(response.statusCode === 304);
      }
    });
    const answer = await call('POST', '/repos/acme/small/pulls/1/ingest');
    stop();
    const { data } = (await answer.json()) as { data: { comments: unknown[]; commits: unknown[] } };
    if (answer.status !== expected) throw new Error(`${host.id}: ${name} answered ${answer.status}.`);
    counted[`${host.id}, ${name}`] = now;
    return [data.comments.length, data.commits.length].join();
  };
  const heard = [await ingest('first', 201), await ingest('unchanged', 200)];
  host.push();
  heard.push(await ingest('changed', 200));
  if (heard.join(' ') !== '5,2 5,2 5,3') throw new Error(`${host.id} was heard to say ${heard.join(' ')}.`);
  return counted;
}
