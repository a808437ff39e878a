import type { Listener } from '../database.ts';
import { connectionEnded } from '../patience.ts';
import { type Client, createClient, type ServerAccess } from './connection.ts';

/** What other processes say through the database, on a connection of its own, which the driver opens anew when it is lost. */
export class Notifications {
  readonly #client: Client;
  readonly #listening = new Set<Promise<() => Promise<void>>>();
  #isClosed = false;

  constructor(access: ServerAccess) {
    this.#client = createClient(access);
  }

  async listen(channel: string, { onMessage, onListening }: Listener): Promise<() => Promise<void>> {
    if (this.#isClosed) throw connectionEnded();
    const begun = this.#client.listen(channel, onMessage, onListening).then(({ unlisten }) => unlisten);
    this.#listening.add(begun);
    const unlisten = await begun;
    return async () => {
      if (this.#listening.delete(begun)) await unlisten();
    };
  }

  /** The driver would connect anew for as long as a channel is listened to, and the process would not end. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const begun = [...this.#listening];
    this.#listening.clear();
    await Promise.all(begun.map((one) => one.then((unlisten) => unlisten()).catch(() => {})));
    await this.#client.end({ timeout: 5 });
  }
}
