import { setTimeout } from 'node:timers/promises';
import type { Listener } from '../database.ts';
import { connectionEnded } from '../patience.ts';
import type { ThreadSettings } from './database-thread.ts';
import { Session } from './session.ts';
import { ThreadConnection } from './thread-connection.ts';
import type { Notification } from './wire-answers.ts';

/** How long to wait before a database that could not be opened is tried again. */
const pauseMs = 1_000;

/** The session of the database, and another one when its thread has ended by itself. Listeners stay subscribed. */
export class ReopenedSession {
  readonly #settings: ThreadSettings;
  readonly #patienceMs: number;
  readonly #announce: (sentence: string) => void;
  readonly #listeners = new Map<string, Set<Listener>>();
  #current: Session | null = null;
  #reopening: Promise<void> | null = null;
  #isClosed = false;

  constructor(settings: ThreadSettings, patienceMs: number, announce: (sentence: string) => void) {
    this.#settings = settings;
    this.#patienceMs = patienceMs;
    this.#announce = announce;
  }

  /** The newest; while another is being opened, the ended one. */
  get session(): Session {
    if (!this.#current) throw new Error('The database was not waited for.');
    return this.#current;
  }

  /** Another thread is started when this one has ended, never before: two on one folder would destroy it. */
  async open(): Promise<Session> {
    const session = await this.#startThread();
    this.#current = session;
    session.thread.exit.then(() => {
      this.#reopening = this.#reopen();
    });
    for (const { onListening } of [...this.#listeners.values()].flatMap((some) => [...some])) onListening?.();
    return session;
  }

  async listen(channel: string, listener: Listener): Promise<() => Promise<void>> {
    const others = this.#listeners.get(channel) ?? new Set();
    this.#listeners.set(channel, others.add(listener));
    // A channel without listeners costs nothing, so no UNLISTEN is sent.
    const stop = async () => void others.delete(listener);
    try {
      await this.session.runScript(`LISTEN "${channel}"`);
    } catch (error) {
      await stop();
      throw error;
    }
    listener.onListening?.();
    return stop;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#current?.thread.close();
    await this.#reopening;
  }

  /**
   * A thread whose database listens, however long that takes: opening another would take longer. One that does not get that
   * far has ended when this rejects.
   */
  async #startThread(): Promise<Session> {
    const thread = await ThreadConnection.open(this.#settings, this.#patienceMs);
    const session = new Session(thread, this.#patienceMs, (notification) => this.#tell(notification));
    try {
      if (this.#isClosed) throw connectionEnded();
      await Promise.all(
        [...this.#listeners.keys()].map((channel) =>
          session.runScript(`LISTEN "${channel}"`, { hurry: false }),
        ),
      );
    } catch (error) {
      await thread.close();
      await thread.exit;
      throw error;
    }
    return session;
  }

  #tell({ channel, message }: Notification): void {
    for (const { onMessage } of this.#listeners.get(channel) ?? []) onMessage(message);
  }

  async #reopen(): Promise<void> {
    if (this.#isClosed) return;
    this.#announce('The embedded database has ended by itself; it is opened again.');
    while (!this.#isClosed) {
      try {
        await this.open();
        return;
      } catch {
        // Until it opens, callers are told that the database cannot be reached.
        await setTimeout(pauseMs, undefined, { ref: false });
      }
    }
  }
}
