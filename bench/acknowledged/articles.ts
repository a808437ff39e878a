import { setTimeout as wait } from 'node:timers/promises';
import type { Answer, Caller } from './caller.ts';
import { type Findings, forEach, type Writer } from './caller.ts';
import type { SignUps } from './keepers.ts';

/** A dead worker is noticed within half a minute; its job and those behind it are then done. */
const writtenWithinMs = 600_000;
const lookEveryMs = 500;

/** Fetching a pull request takes a minute at most, and a request waits as long for an article. */
const limitMs = 130_000;

interface Asking {
  owner: string;
  repo: string;
  /** The number of pull requests, numbered from 1. */
  pullRequests: number;
  /** The share of requesters who wait for the article; the others poll the job. */
  waiting: number;
  /** Asked about each pull request; without it, articles are requested. */
  question?: string;
}

interface Job {
  id: string;
  state: string;
}

const isWritten = (answer: Answer | null): boolean => answer?.status === 200 || answer?.status === 201;

/** Requests articles or answers, one about each pull request. */
export class Articles implements Writer {
  readonly kind: string;
  /** The final states of jobs. */
  readonly ends: Record<string, number> = {};
  readonly #caller: Caller;
  readonly #signUps: SignUps;
  readonly #asking: Asking;
  readonly #written = new Set<number>();
  readonly #jobs = new Map<number, { id: string; token: string }>();
  readonly #again: number[] = [];
  #token: string | null = null;
  #next = 1;

  constructor(caller: Caller, signUps: SignUps, asking: Asking) {
    this.#caller = caller;
    this.#signUps = signUps;
    this.#asking = asking;
    this.kind = asking.question === undefined ? 'articles' : 'answers';
  }

  /** The number of acknowledged requests. */
  get asked(): number {
    return this.#written.size + this.#jobs.size;
  }

  async write(): Promise<boolean> {
    const token = this.#token ?? (await this.#signUps.signUp());
    this.#token = token;
    const number = this.#again.shift() ?? this.#next;
    if (!token || number > this.#asking.pullRequests) return false;
    if (number === this.#next) this.#next += 1;
    const answer = await this.#ask(number, token, Math.random() < this.#asking.waiting);
    if (isWritten(answer)) this.#written.add(number);
    else if (answer?.status === 202) {
      const { data }: { data: Job } = JSON.parse(answer.text);
      this.#jobs.set(number, { id: data.id, token });
    } else this.#again.push(number);
    return answer?.isOk ?? false;
  }

  async find(): Promise<Findings> {
    const end = performance.now() + writtenWithinMs;
    let lost = 0;
    for (const state of Object.keys(this.ends)) delete this.ends[state];
    await forEach(this.#jobs, async ([number, { id, token }]) => {
      const state = await this.#untilOver(id, token, end);
      this.ends[state] = (this.ends[state] ?? 0) + 1;
      // A job that failed three times is reported as failed, and can be requested again.
      const isThere = state === 'done' || (state === 'failed' && (await this.#askAgain(number, token, end)));
      if (isThere) this.#written.add(number);
      else lost += 1;
    });
    await forEach(this.#written, async (number) => {
      if (!(await this.#isFound(number))) lost += 1;
    });
    return { acknowledged: new Set([...this.#jobs.keys(), ...this.#written]).size, lost, 'still there': 0 };
  }

  async #isFound(number: number): Promise<boolean> {
    const path = this.#path(number);
    const { question } = this.#asking;
    if (question === undefined)
      return (await this.#caller.look(`${path}/article?language=en`)).status === 200;
    const { status, text } = await this.#caller.look(`${path}/questions`, this.#token ?? undefined);
    return status === 200 && text.split(JSON.stringify(question)).length === 2;
  }

  #ask(number: number, token: string, isWaiting: boolean): Promise<Answer | null> {
    const { question } = this.#asking;
    return this.#caller.call({
      kind: this.kind,
      method: 'POST',
      path: `${this.#path(number)}/${question === undefined ? 'article' : 'questions'}`,
      limitMs,
      token,
      body: { language: 'en', ...(question !== undefined && { question }) },
      headers: isWaiting ? {} : { prefer: 'respond-async' },
    });
  }

  async #askAgain(number: number, token: string, end: number): Promise<boolean> {
    while (performance.now() < end) {
      if (isWritten(await this.#ask(number, token, true))) return true;
      await wait(lookEveryMs);
    }
    return false;
  }

  #path(number: number): string {
    const { owner, repo } = this.#asking;
    return `/repos/${owner}/${repo}/pulls/${number}`;
  }

  async #untilOver(id: string, token: string, end: number): Promise<string> {
    for (;;) {
      const { status, text } = await this.#caller.look(`/jobs/${id}`, token);
      if (status !== 200) return `answered ${status}`;
      const { data }: { data: Job } = JSON.parse(text);
      const isOver = data.state !== 'queued' && data.state !== 'running';
      if (isOver || performance.now() > end) return data.state;
      await wait(lookEveryMs);
    }
  }
}
