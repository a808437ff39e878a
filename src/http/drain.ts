import type { Socket } from 'node:net';
import { Server } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';

declare module 'fastify' {
  interface FastifyInstance {
    /** Whether the process is about to end: it says that it is not well, and each answer is the last on its connection. */
    isStopping: boolean;
    /**
     * Lets clients go, to be called before the server closes. For a while new ones are still answered, so that a proxy can
     * notice that the process is stopping; then no more are let in, and those that are there may ask once more.
     */
    drain: (noticeMs: number) => Promise<void>;
  }
}

/** Counted in looks and not in time, so that a process that stood still reads what has arrived meanwhile. */
const lookEveryMs = 20;
const quietLooks = 12;

/** Clients that keep asking on ever more of their connections are not waited for any longer than this. */
const mostLooks = 150;

/**
 * A request that is on its way when its connection is closed is lost, and clients may not send one again that stores something.
 * So an idle connection is closed after its next answer, which says so, or when none was asked for during a moment.
 */
export function drainConnections(app: FastifyInstance): void {
  const open = new Set<Socket>();
  const silent = new Set<Socket>();
  app.server.on('connection', (socket) => {
    open.add(socket);
    silent.add(socket);
    socket.once('close', () => {
      open.delete(socket);
      silent.delete(socket);
    });
  });
  app.server.on('request', ({ socket }) => silent.delete(socket));
  app.decorate('isStopping', false);
  app.decorate('drain', async (noticeMs: number) => {
    app.isStopping = true;
    await wait(noticeMs);
    // That of HTTP would close idle connections as well.
    Server.prototype.close.call(app.server);
    await untilQuiet(app.server, open);
  });
  app.addHook('preClose', async () => {
    app.isStopping = true;
    // A connection on which nothing was asked for yet would hold the end up.
    for (const socket of silent) socket.destroy();
  });
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (app.isStopping) reply.header('connection', 'close');
    done(null, payload);
  });
}

/** Until all connections are closed, or nothing is asked for on those that are left. */
async function untilQuiet(server: Server, open: Set<Socket>): Promise<void> {
  let quiet = 0;
  server.on('request', () => {
    quiet = 0;
  });
  for (let looks = 0; looks < mostLooks && quiet < quietLooks && open.size > 0; looks += 1) {
    await wait(lookEveryMs);
    quiet += 1;
  }
}
