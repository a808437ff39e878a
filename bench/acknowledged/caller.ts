import { setTimeout as wait } from 'node:timers/promises';

export interface Answer {
  status: number;
  /** Whether it says that what was asked for is done. */
  isOk: boolean;
  text: string;
}

interface Call {
  /** What is being done, under which its answer is counted. */
  kind: string;
  method: string;
  path: string;
  token?: string | undefined;
  body?: object;
  headers?: Record<string, string>;
  /** Longer than the answer may take, where that is longer than usual. */
  limitMs?: number;
}

interface Calling {
  /** Where to call next. */
  url: () => string | Promise<string>;
  /** Longer than answers usually may take. */
  limitMs: number;
  note: Note;
}

/** Told what came of each call, and after how long: a status, "no answer" from a connection that was lost, or "hung". */
export type Note = (kind: string, outcome: string, ms: number) => void;

/** How often something is looked up before that is given up, and how long is waited in between. */
const mostLooks = 40;
const pauseMs = 250;

/** Calls a service, or several, over HTTP. */
export class Caller {
  readonly #calling: Calling;

  constructor(calling: Calling) {
    this.#calling = calling;
  }

  /** The answer, unless none came, or one that does not say whether anything was done. */
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

  /** Reads something until it is answered. */
  async look(path: string, token?: string): Promise<Answer> {
    for (let looks = 0; looks < mostLooks; looks += 1) {
      const answer = await this.call({ kind: 'looked up', method: 'GET', path, token });
      if (answer) return answer;
      await wait(pauseMs);
    }
    throw new Error(`${path} was not answered ${mostLooks} times in a row.`);
  }
}

/** What is found of all that was acknowledged. */
export interface Findings {
  acknowledged: number;
  /** Acknowledged and not there, or not as it was acknowledged. */
  lost: number;
  /** Acknowledged as taken away, or known to be undone, and there. */
  'still there': number;
}

/** Writes one kind of thing through a service, one after the other, and remembers what was acknowledged. */
export interface Writer {
  kind: string;
  /** Writes the next one; answers whether that was acknowledged. */
  write: () => Promise<boolean>;
  find: () => Promise<Findings>;
}

/** Does some work for each of many, a few at a time. */
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

/** What is found of all that any of them wrote, by kind. */
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

/** How many are not as they were acknowledged. */
export const countWrong = (byKind: Record<string, Findings>): number =>
  Object.values(byKind).reduce((sum, found) => sum + found.lost + found['still there'], 0);
