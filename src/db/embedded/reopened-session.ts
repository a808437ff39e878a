import { setTimeout } from 'node:timers/promises';
import type { Listener } from '../database.ts';
import type { ThreadSettings } from './database-thread.ts';
import { Session } from './session.ts';
import { ThreadConnection } from './thread-connection.ts';
import type { Notification } from './wire-answers.ts';

/** How long to wait before a database that could not be opened is tried again. */
const pauseMs = 1_000;

/** The session of the database, and another one when its thread has ended by itself. Whoever listened goes on hearing. */
export class ReopenedSession {
  readonly #settings: ThreadSettings;
  readonly #announce: (sentence: string) => void;
  readonly #listeners = new Map<string, Set<Listener>>();
  #current: Session | null = null;
  #reopening: Promise<void> | null = null;
  #isClosed = false;

  constructor(settings: ThreadSettings, announce: (sentence: string) => void) {
    this.#settings = settings;
    this.#announce = announce;
  }

  /** The newest; while another is being opened, one that answers to nobody any more. */
  get session(): Session {
    if (!this.#current) throw new Error('The database was not waited for.');
    return this.#current;
  }

  async open(): Promise<Session> {
    const thread = await ThreadConnection.open(this.#settings);
    if (this.#isClosed) await thread.close();
    thread.exit.then(() => {
      this.#reopening = this.#reopen();
    });
    const session = new Session(thread, (notification) => this.#tell(notification));
    await Promise.all([...this.#listeners.keys()].map((channel) => session.runScript(`LISTEN "${channel}"`)));
    this.#current = session;
    for (const { onListening } of [...this.#listeners.values()].flatMap((some) => [...some])) onListening?.();
    return session;
  }

  async listen(channel: string, listener: Listener): Promise<() => Promise<void>> {
    const others = this.#listeners.get(channel) ?? new Set();
    this.#listeners.set(channel, others.add(listener));
    await this.session.runScript(`LISTEN "${channel}"`);
    listener.onListening?.();
    // A channel that nobody hears any more costs nothing, so that the database is not asked to be silent on it.
    return async () => void others.delete(listener);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#current?.thread.close();
    await this.#reopening;
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
        // Whoever asks is told that it cannot be reached, for as long as that is so.
        await setTimeout(pauseMs, undefined, { ref: false });
      }
    }
  }
}
