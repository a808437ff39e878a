import type { Queries } from '../database.ts';
import { unanswered } from '../patience.ts';
import type { Sql } from '../sql.ts';
import { runTransaction } from '../transaction.ts';
import { type RoomNeeded, roomNeeded } from './room-needed.ts';
import { SessionLock } from './session-lock.ts';
import type { Sending, ThreadConnection } from './thread-connection.ts';
import { type Answer, type Notification, readAnswer } from './wire-answers.ts';
import { WireMessages } from './wire-messages.ts';
import { bytesType, type Column } from './wire-values.ts';

interface Prepared {
  name: string;
  columns: Column[];
}

/** More than there are statements. */
const mostPrepared = 400;

interface Asking extends Sending {
  jsonAsBytes?: boolean;
}

interface Asked extends Asking {
  needs?: RoomNeeded;
  onPrepared?: (columns: Column[]) => void;
}

/** The session of the database in a thread: what is asked, in PostgreSQL's own protocol, and whose turn it is. */
export class Session {
  readonly thread: ThreadConnection;
  readonly #lock: SessionLock;
  readonly #prepared = new Map<string, Prepared>();
  readonly #onNotification: (notification: Notification) => void;
  #names = 0;

  /** Statements that stand alone. */
  readonly queries: Queries = this.#queriesThrough((ask) => this.#lock.whenFree(ask));

  constructor(
    thread: ThreadConnection,
    patienceMs: number,
    onNotification: (notification: Notification) => void,
  ) {
    this.thread = thread;
    this.#lock = new SessionLock(patienceMs, unanswered);
    this.#onNotification = onNotification;
  }

  get load(): { inUse: number; waiting: number } {
    return this.#lock.load;
  }

  /**
   * The next caller's statements run after the COMMIT or ROLLBACK, which is always sent: they need not wait for its answer,
   * and never run inside the transaction.
   */
  async transaction<Result>(
    work: (tx: Queries) => Promise<Result>,
    { hurry = true }: Asking = {},
  ): Promise<Result> {
    const release = await this.#lock.acquire();
    const end = (command: string): Promise<Answer> => {
      const ended = this.#run(command, { hurry, always: true });
      release();
      return ended;
    };
    const queries = this.#queriesThrough((ask) => ask(), { hurry });
    try {
      this.thread.requireAnswers(hurry);
    } catch (error) {
      release();
      throw error;
    }
    return runTransaction(
      {
        queries,
        // What follows is done after it, and fails with it.
        begin: async () => void this.#run('BEGIN', { hurry, always: true }).catch(() => {}),
        commit: async () => (await end('COMMIT')).command,
        rollBack: async () => void end('ROLLBACK').catch(() => {}),
      },
      work,
    );
  }

  /** Statements without values. A block that fails half-way is rolled back before another caller's statement gets in. */
  runScript(text: string, { hurry = true }: Asking = {}): Promise<unknown[]> {
    return this.#lock.whenFree(async () => {
      const asked = this.#run(text, { hurry, needs: roomNeeded(text, []) });
      if (/^\s*BEGIN\b/i.test(text)) this.#run('ROLLBACK', { hurry, always: true }).catch(() => {});
      return (await asked).rows;
    });
  }

  #run(text: string, asked: Asked): Promise<Answer> {
    return this.#ask(new WireMessages().query(text), asked);
  }

  #queriesThrough(turn: (ask: () => Promise<unknown[]>) => Promise<unknown[]>, asking: Asking = {}): Queries {
    const run = async <Row>(statement: Sql, more: Asking): Promise<Row[]> => {
      const { text, parameters } = statement.render();
      const needs = roomNeeded(text, parameters, statement);
      return (await turn(() => this.#runPrepared(text, parameters, { ...asking, ...more, needs }))) as Row[];
    };
    return {
      query: (statement) => run(statement, {}),
      queryBytes: (statement) => run(statement, { jsonAsBytes: true }),
      runScript: (text) =>
        turn(async () => (await this.#run(text, { ...asking, needs: roomNeeded(text, []) })).rows),
    };
  }

  /** Prepares a statement that has not been seen lately, and runs it, in one go. */
  async #runPrepared(text: string, parameters: unknown[], asking: Asked): Promise<unknown[]> {
    const known = this.#prepared.get(text);
    if (known) {
      this.#prepared.delete(text);
      this.#prepared.set(text, known);
      const messages = new WireMessages().run(known.name, parameters, known.columns).sync();
      return (await this.#ask(messages, asking, known.columns)).rows;
    }
    this.#names += 1;
    const name = `s${this.#names}`;
    const messages = new WireMessages().parse(name, text).describe(name).run(name, parameters, []).sync();
    const { rows } = await this.#ask(messages, {
      ...asking,
      onPrepared: (columns) => this.#keep(text, { name, columns }),
    });
    return rows;
  }

  /** Keeps what was prepared, and forgets what was not used for longest. */
  #keep(text: string, { name, columns }: Prepared): void {
    const forget = (gone: string): void => {
      this.#ask(new WireMessages().close(gone).sync(), {}).catch(() => {});
    };
    // Another caller may have prepared the same at the same time.
    if (this.#prepared.has(text)) {
      forget(name);
      return;
    }
    const asTheyCome = columns.map((column) => ({ ...column, isBinary: column.type === bytesType }));
    this.#prepared.set(text, { name, columns: asTheyCome });
    const [oldest] = this.#prepared;
    if (!oldest || this.#prepared.size <= mostPrepared) return;
    this.#prepared.delete(oldest[0]);
    forget(oldest[1].name);
  }

  async #ask(
    messages: WireMessages,
    { jsonAsBytes = false, hurry = true, always = false, needs = 'none', onPrepared }: Asked,
    columns: readonly Column[] = [],
  ): Promise<Answer> {
    const asked = { kind: 'messages', bytes: messages.take(), needs } as const;
    // What the database tells beside its answer is heard also when the asker has given up.
    const answered = this.thread.send(asked, { hurry, always }).then(({ bytes, isFull }) => {
      if (isFull) throw Object.assign(new Error('there is no room left on the disk'), { code: 'ENOSPC' });
      const answer = readAnswer(Buffer.from(bytes.buffer), { columns, jsonAsBytes });
      for (const notification of answer.notifications) this.#onNotification(notification);
      if (answer.prepared) onPrepared?.(answer.prepared);
      if (answer.error) throw answer.error;
      return answer;
    });
    return hurry ? this.thread.inPatience(answered) : answered;
  }
}
