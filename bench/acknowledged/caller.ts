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
