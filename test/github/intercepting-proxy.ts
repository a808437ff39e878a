import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import { Agent, request as ask, createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import { after } from 'node:test';
import { standInCertificate } from './stand-in.ts';

interface InterceptingProxy {
  url: string;
  /** The targets that clients requested through the proxy. */
  tunnels: string[];
  /** The number of connections it opened. */
  connections: () => number;
  /** Sets the actual target of all tunnels. */
  leadTo: (port: number) => void;
}

const certificates = join(import.meta.dirname, '../certificates');

/** The setting that trusts the authority of its certificates, and not the stand-in's own. */
export const proxyAuthority = join(certificates, 'proxy-authority.pem');

/** An intercepting proxy: it decrypts with its own certificate and encrypts again. */
export async function startInterceptingProxy(): Promise<InterceptingProxy> {
  const tunnels: string[] = [];
  const opened = new Set<Socket>();
  const agent = new Agent({ keepAlive: true, ca: readFileSync(standInCertificate) });
  let port = 0;
  const certified = {
    key: readFileSync(join(certificates, 'proxy.key')),
    cert: readFileSync(join(certificates, 'proxy.pem')),
  };
  const inside = createSecureServer(certified, (request, response) => {
    const { method, url: path, headers } = request;
    const servername = headers.host ?? '';
    const onward = ask({ host: '127.0.0.1', port, servername, method, path, headers, agent }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on('socket', (socket) => opened.add(socket));
    onward.on('error', () => response.destroy());
    request.pipe(onward);
  });
  const proxy = createServer();
  proxy.on('connect', (request: IncomingMessage, socket: Socket) => {
    tunnels.push(request.url ?? '');
    socket.on('error', () => socket.destroy());
    socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
    inside.emit('connection', socket);
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  after(() => {
    agent.destroy();
    inside.closeAllConnections();
    proxy.closeAllConnections();
    proxy.close();
  });
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    tunnels,
    connections: () => opened.size,
    leadTo(target) {
      port = target;
    },
  };
}
