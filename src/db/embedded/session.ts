import type { Queries } from '../database.ts';
import type { Sql } from '../sql.ts';
import { bytesStored } from './bytes-stored.ts';
import { patienceMs, type ThreadConnection, unanswered } from './thread-connection.ts';
import { Turns } from './turns.ts';
import { type Answer, type Notification, readAnswer } from './wire-answers.ts';
import { WireMessages } from './wire-messages.ts';
import { bytesType, type Column } from './wire-values.ts';

interface Prepared {
  name: string;
  columns: Column[];
}

/** More than there are statements of ours; the queue's, which are not kept, come beside them. */
const mostPrepared = 400;

interface Asking {
  jsonAsBytes?: boolean;
  hurry?: boolean;
}

interface Asked extends Asking {
  /** How much is stored, in bytes; null where that is nothing, or may use the reserve. */
  stores?: number | null;
  onPrepared?: (columns: Column[]) => void;
}

/** The session of the database in a thread: what is asked, in PostgreSQL's own protocol, and whose turn it is. */
export class Session {
  readonly thread: ThreadConnection;
  readonly #turns = new Turns(patienceMs, unanswered);
  readonly #prepared = new Map<string, Prepared>();
  readonly #onNotification: (notification: Notification) => void;
  #names = 0;

  constructor(thread: ThreadConnection, onNotification: (notification: Notification) => void) {
    this.thread = thread;
    this.#onNotification = onNotification;
  }

  /** Statements that stand alone. */
  readonly queries: Queries = this.#queriesThrough((ask) => this.#turns.next(ask));

  /** Commits when the work is done and rolls back when it throws. */
  async transaction<Result>(work: (tx: Queries) => Promise<Result>, asking: Asking = {}): Promise<Result> {
    const giveBack = await this.#turns.take();
    let isOver = false;
    const tx = this.#queriesThrough(async (ask) => {
      if (isOver) throw new Error('The transaction is over.');
      return ask();
    }, asking);
    // What follows is done after it, and fails with it.
    this.#ask(new WireMessages().query('BEGIN'), asking).catch(() => {});
    /** Whoever comes next is answered after this, so that they need not wait for its answer. */
    const end = (command: string): Promise<Answer> => {
      isOver = true;
      const ended = this.#ask(new WireMessages().query(command), asking);
      giveBack();
      return ended;
    };
    let result: Result;
    try {
      result = await work(tx);
    } catch (error) {
      end('ROLLBACK').catch(() => {});
      throw error;
    }
    const { command } = await end('COMMIT');
    if (command === 'COMMIT') return result;
    throw Object.assign(new Error('The transaction was rolled back, because a statement in it had failed.'), {
      code: '25P02',
    });
  }

  /** Statements without values. A block that fails half-way is rolled back before anybody else's statement gets in. */
  runScript(text: string, asking: Asking = {}): Promise<unknown[]> {
    return this.#turns.next(async () => {
      const asked = this.#ask(new WireMessages().query(text), { ...asking, stores: bytesStored(text, []) });
      if (/^\s*BEGIN\b/i.test(text)) this.#ask(new WireMessages().query('ROLLBACK'), asking).catch(() => {});
      return (await asked).rows;
    });
  }

  #queriesThrough(turn: (ask: () => Promise<unknown[]>) => Promise<unknown[]>, asking: Asking = {}): Queries {
    const run = async <Row>(statement: Sql, more: Asking): Promise<Row[]> => {
      const { text, parameters } = statement.render();
      const stores = statement.mayUseReserve ? null : bytesStored(text, parameters);
      return (await turn(() => this.#runPrepared(text, parameters, { ...asking, ...more, stores }))) as Row[];
    };
    return {
      query: (statement) => run(statement, {}),
      queryBytes: (statement) => run(statement, { jsonAsBytes: true }),
      runText: async (text, values = []) =>
        turn(async () => {
          const messages = new WireMessages();
          if (values.length === 0) messages.query(text);
          else messages.parse('', text).describe('').run('', values, []).sync();
          return (await this.#ask(messages, { ...asking, stores: bytesStored(text, values) })).rows;
        }),
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
    // Somebody else may have prepared the same at the same time.
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
    { jsonAsBytes = false, hurry = true, stores = null, onPrepared }: Asked,
    columns: readonly Column[] = [],
  ): Promise<Answer> {
    const asked = { kind: 'messages', bytes: messages.take(), stores } as const;
    const { bytes, isFull } = await this.thread.ask(asked, { hurry });
    if (isFull) throw Object.assign(new Error('there is no room left on the disk'), { code: 'ENOSPC' });
    const answer = readAnswer(Buffer.from(bytes.buffer), { columns, jsonAsBytes });
    for (const notification of answer.notifications) this.#onNotification(notification);
    if (answer.prepared) onPrepared?.(answer.prepared);
    if (answer.error) throw answer.error;
    return answer;
  }
}
