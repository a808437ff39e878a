import { Worker } from 'node:worker_threads';
import { WireMessages } from '../src/db/embedded/wire-messages.ts';

// Loaded into a service before its own code, by --import: the embedded database hangs from SIGUSR2 on, as it would on a
// statement that never ends.

const { postMessage } = Worker.prototype;
let database: Worker | null = null;

Worker.prototype.postMessage = function (this: Worker, message, ...rest) {
  if (message?.kind === 'messages') database = this;
  return postMessage.call(this, message, ...rest);
};

process.on('SIGUSR2', () => {
  const bytes = new WireMessages().query('SELECT pg_sleep(3600)').take();
  if (database) postMessage.call(database, { kind: 'messages', bytes, needs: 'none' });
  process.stdout.write('The database hangs.\n');
});
