import { setTimeout as wait } from 'node:timers/promises';

export interface Answer {
  status: number;
  /** Whether the response says that the request was carried out. */
  isOk: boolean;
  text: string;
}

interface Call {
  /** The operation, under which its response is counted. */
  kind: string;
  method: string;
  path: string;
  token?: string | undefined;
  body?: object;
  headers?: Record<string, string>;
  /** A longer timeout for responses that may take longer. */
  limitMs?: number;
}

interface Calling {
  /** The address of the next call. */
  url: () => string | Promise<string>;
  /** The usual timeout of a response. */
  limitMs: number;
  note: Note;
}

/** Called with the result and duration of each call: a status, "no answer" for a lost connection, or "hung". */
export type Note = (kind: string, outcome: string, ms: number) => void;

/** How often a lookup is tried before it is given up, and the wait between attempts. */
const mostLooks = 40;
const pauseMs = 250;

/** Calls one or several services over HTTP. */
export class Caller {
  readonly #calling: Calling;

  constructor(calling: Calling) {
    this.#calling = calling;
  }

  /** The response; null if there was none, or it does not say whether anything was done. */
  async call({ kind, method, path, token, body, headers = {}, ...own }: Call): Promise<Answer | null> {
    const { limitMs, note } = { ...this.#calling, ...own };
    const url = await this.#calling.url();
    const signal = AbortSignal.timeout(limitMs);
    const begun = performance.now();
    const tell = (outcome: string) => note(kind, outcome, performance.now() - begun);
    try {
      const reply = await fetch(`${url}${path}`, {
        method,
        signal,
        headers: {
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
          ...(body && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await reply.text();
      tell(String(reply.status));
      return reply.status < 500 ? { status: reply.status, isOk: reply.ok, text } : null;
    } catch {
      tell(signal.aborted ? 'hung' : 'no answer');
      return null;
    }
  }

  /** Repeats a read until it gets a response. */
  async look(path: string, token?: string): Promise<Answer> {
    for (let looks = 0; looks < mostLooks; looks += 1) {
      const answer = await this.call({ kind: 'looked up', method: 'GET', path, token });
      if (answer) return answer;
      await wait(pauseMs);
    }
    throw new Error(`${path} was not answered ${mostLooks} times in a row.`);
  }
}

/** The result of checking all acknowledged changes. */
export interface Findings {
  acknowledged: number;
  /** Acknowledged changes that are missing or different. */
  lost: number;
  /** Items that were acknowledged as removed, or are known to be undone, and still exist. */
  'still there': number;
}

/** Writes one kind of item through a service, one after another, and remembers the acknowledged ones. */
export interface Writer {
  kind: string;
  /** Writes the next item; returns whether it was acknowledged. */
  write: () => Promise<boolean>;
  find: () => Promise<Findings>;
}

/** Runs some work for each item, a few at a time. */
export async function forEach<Item>(
  items: Iterable<Item>,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const left = items[Symbol.iterator]();
  const take = async (): Promise<void> => {
    for (let next = left.next(); !next.done; next = left.next()) await work(next.value);
  };
  await Promise.all(Array.from({ length: 8 }, take));
}

/** The results of all writers, by kind. */
export async function findAll(writers: Writer[]): Promise<Record<string, Findings>> {
  const byKind: Record<string, Findings> = {};
  for (const writer of writers) {
    const found = await writer.find();
    const sum = byKind[writer.kind] ?? { acknowledged: 0, lost: 0, 'still there': 0 };
    byKind[writer.kind] = {
      acknowledged: sum.acknowledged + found.acknowledged,
      lost: sum.lost + found.lost,
      'still there': sum['still there'] + found['still there'],
    };
  }
  return byKind;
}

/** The number of items that differ from what was acknowledged. */
export const countWrong = (byKind: Record<string, Findings>): number =>
  Object.values(byKind).reduce((sum, found) => sum + found.lost + found['still there'], 0);
