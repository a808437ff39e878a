import type { SignUps } from './sign-ups.ts';
import { type Findings, forEach, type Writer } from './writer.ts';

/** Things of people that they can have or not have. A user is named by their token. */
export interface Having {
  kind: string;
  /** What there is to have. */
  things: readonly string[];
  /** After how many of them another user goes on; without it, none does. */
  mostTurns?: number;
  /** Adds one; answers what is then to be found of it, or null where the service did not say that it is there. */
  add: (token: string, thing: string) => Promise<string | null>;
  /** Takes one away; answers whether the service said so. */
  remove: (token: string, thing: string, value: string) => Promise<boolean>;
  /** What a user has. */
  find: (token: string) => Promise<Map<string, string>>;
}

interface Person {
  token: string;
  turns: number;
  /** What was acknowledged last, by thing; null where that is that it is gone. */
  acknowledged: Map<string, string | null>;
}

/** Of those who have something, how many take it away again instead of adding it once more. */
const removing = 0.6;

/** How often it is something that was added or taken away before. */
const returning = 0.4;

const pickOne = (things: readonly string[]): string =>
  things[Math.floor(Math.random() * things.length)] ?? '';

/**
 * A user who adds things and takes them away again. Once an answer does not come, it is not known whether the thing is
 * there, nor when that will be decided: another user goes on, so that all that is acknowledged can be relied upon.
 */
export class Keepers implements Writer {
  readonly kind: string;
  readonly #having: Having;
  readonly #signUps: SignUps;
  readonly #people: Person[] = [];
  #current: Person | null = null;
  #answers = 0;

  constructor(having: Having, signUps: SignUps) {
    this.kind = having.kind;
    this.#having = having;
    this.#signUps = signUps;
  }

  async write(): Promise<boolean> {
    this.#current ??= await this.#join();
    if (!this.#current) return false;
    const { things, mostTurns = Number.POSITIVE_INFINITY, add, remove } = this.#having;
    const { token, acknowledged } = this.#current;
    this.#current.turns += 1;
    const isFamiliar = acknowledged.size > 0 && Math.random() < returning;
    const thing = pickOne(isFamiliar ? [...acknowledged.keys()] : things);
    const known = acknowledged.get(thing) ?? null;
    const isRemoving = known !== null && Math.random() < removing;
    // Until it is answered, and if it never is, nothing is known of it.
    acknowledged.delete(thing);
    const value = isRemoving ? null : await add(token, thing);
    const isAcknowledged = isRemoving ? await remove(token, thing, known) : value !== null;
    if (isAcknowledged) {
      acknowledged.set(thing, value);
      this.#answers += 1;
    }
    if (!isAcknowledged || this.#current.turns >= mostTurns) this.#current = null;
    return isAcknowledged;
  }

  async find(): Promise<Findings> {
    const findings = { acknowledged: this.#answers, lost: 0, 'still there': 0 };
    await forEach(this.#people, async ({ token, acknowledged }) => {
      const found = await this.#having.find(token);
      for (const [thing, value] of acknowledged) {
        if (value !== null && found.get(thing) !== value) findings.lost += 1;
        if (value === null && found.has(thing)) findings['still there'] += 1;
      }
    });
    return findings;
  }

  async #join(): Promise<Person | null> {
    const token = await this.#signUps.signUp();
    if (token === null) return null;
    const person = { token, turns: 0, acknowledged: new Map() };
    this.#people.push(person);
    return person;
  }
}
