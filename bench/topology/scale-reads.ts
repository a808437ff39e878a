import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { Read, Reading } from '../send-reads.ts';

const senders = new URL('../send-reads.ts', import.meta.url);

/** Shared by all processes, so that more of them are not asked by more clients. */
const connections = 32;

async function readFrom(url: string, ofConnections: number): Promise<number> {
  const child = fork(senders);
  const reading: Reading = { servers: [[url]], connections: ofConnections, turns: 15, turnMs: 200 };
  child.send(reading);
  const [[read]]: [Read[]] = (await once(child, 'message')) as [Read[]];
  const sorted = read?.perSecond.toSorted((one, other) => one - other) ?? [];
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** How many reads of an article all of them answer in a second, asked at the same time. */
export async function readFromAll(urls: string[], path: string): Promise<number> {
  const each = Math.floor(connections / urls.length);
  const rates = await Promise.all(urls.map((url) => readFrom(`${url}${path}`, each)));
  return rates.reduce((sum, rate) => sum + rate, 0);
}
