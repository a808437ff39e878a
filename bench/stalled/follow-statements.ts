/** The position of a statement. */
export type StallPoint =
  | 'BEGIN'
  | 'a statement in the middle'
  | 'the last statement'
  | 'COMMIT'
  | 'ROLLBACK'
  | 'a statement alone'
  | 'LISTEN';

/**
 * Follows the wire protocol of PostgreSQL in one session, and reports the position of each statement. A statement is
 * known to be the last of its transaction if its text was before a COMMIT earlier; these texts are shared.
 */
export class StatementFollower {
  readonly #lastOnes: Set<string>;
  readonly #prepared = new Map<string, string>();
  /** The last statement in the open transaction. */
  #before: string | null = null;

  constructor(lastOnes: Set<string>) {
    this.#lastOnes = lastOnes;
  }

  /** The position that a message has reached; null if it only prepares a statement. */
  stallPointOf(message: Buffer): StallPoint | null {
    const type = String.fromCharCode(message[0] ?? 0);
    const [first = '', second = ''] = textsOf(message);
    if (type === 'P') this.#prepared.set(first, second);
    if (type === 'Q') return this.#place(first.trim());
    return type === 'B' ? this.#place(this.#prepared.get(second) ?? '') : null;
  }

  #place(text: string): StallPoint {
    const before = this.#before;
    if (text === 'BEGIN') {
      this.#before = '';
      return text;
    }
    if (/^listen\s/i.test(text)) return 'LISTEN';
    // The end of a script is sent even if the script has ended before.
    if (before === null) return 'a statement alone';
    if (text === 'COMMIT' || text === 'ROLLBACK') {
      this.#before = null;
      if (text === 'COMMIT') this.#lastOnes.add(before);
      return text;
    }
    this.#before = text;
    return this.#lastOnes.has(text) ? 'the last statement' : 'a statement in the middle';
  }
}

/** The first two texts of a message, which may have fewer. */
function textsOf(message: Buffer): string[] {
  const firstEnd = message.indexOf(0, 5);
  const secondEnd = message.indexOf(0, firstEnd + 1);
  return [message.toString('utf8', 5, firstEnd), message.toString('utf8', firstEnd + 1, secondEnd)];
}

/** Splits bytes into messages; the incomplete rest comes last. */
export function splitMessages(bytes: Buffer): { messages: Buffer[]; rest: Buffer } {
  const messages: Buffer[] = [];
  let at = 0;
  while (at + 5 <= bytes.length) {
    const end = at + 1 + bytes.readInt32BE(at + 1);
    if (end > bytes.length) break;
    messages.push(bytes.subarray(at, end));
    at = end;
  }
  return { messages, rest: bytes.subarray(at) };
}
