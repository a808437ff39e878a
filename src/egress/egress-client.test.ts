import assert from 'node:assert/strict';
import { copyFileSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { projectFolder } from '../../test/start-service.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { EgressProblem, type EgressRule } from '../domain/errors.ts';
import { createEgressClient, type EgressRules, type Network } from './egress-client.ts';

const mebibyte = 1024 * 1024;
const certificates = join(projectFolder, 'test/certificates');
const certificate = join(certificates, 'localhost.pem');

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

async function serve(answer: RequestListener) {
  const heard: IncomingMessage[] = [];
  let connections = 0;
  const server = createServer((request, response) => {
    heard.push(request);
    answer(request, response);
  });
  server.on('connection', () => {
    connections += 1;
  });
  const port = await listen(server);
  return { origin: `http://127.0.0.1:${port}`, port, heard, connections: () => connections };
}

function serveSecurely(answer: RequestListener) {
  const key = readFileSync(join(certificates, 'localhost.key'));
  return listen(createSecureServer({ key, cert: readFileSync(certificate) }, answer));
}

/** A proxy that tunnels and records its targets. */
async function serveAsProxy() {
  const tunnels: string[] = [];
  const server = createServer((request, response) => {
    tunnels.push(request.url ?? '');
    response.end('from the proxy');
  });
  server.on('connect', (request: IncomingMessage, socket: Socket) => {
    tunnels.push(request.url ?? '');
    const [host, port] = (request.url ?? '').split(':');
    const upstream = connect(Number(port), host === 'model.example' ? '127.0.0.1' : host, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      upstream.pipe(socket).pipe(upstream);
    });
    for (const end of [socket, upstream]) end.on('error', () => end.destroy());
  });
  return { url: `http://127.0.0.1:${await listen(server)}`, tunnels };
}

function clientFor(rules: Partial<EgressRules> & { origins: string[] }, network: Network = {}) {
  const client = createEgressClient(network, {
    mayBePrivate: true,
    patienceMs: 10_000,
    mostBytes: mebibyte,
    ...rules,
  });
  after(client.close);
  return client;
}

/** The egress rule in the chain of causes of a rejected call, or null when the call succeeds. */
async function ruleBrokenBy(call: Promise<unknown>): Promise<EgressRule | null> {
  try {
    await call;
    return null;
  } catch (error) {
    let cause = error;
    while (cause instanceof Error && !(cause instanceof EgressProblem)) cause = cause.cause;
    if (cause instanceof EgressProblem) return cause.rule;
    throw error;
  }
}

test('a client calls only its origins and opens no connection to others', async () => {
  const model = await serve((_, response) => response.end('answer'));
  const other = await serve((_, response) => response.end('answer'));
  const { fetch } = clientFor({ origins: [model.origin] });
  assert.equal(await (await fetch(`${model.origin}/v1`)).text(), 'answer');
  assert.equal(await ruleBrokenBy(fetch(`${other.origin}/v1`)), 'origin');
  assert.equal(await ruleBrokenBy(fetch(`http://localhost:${model.port}/`)), 'origin');
  assert.equal(other.connections(), 0);
});

test('loopback is refused without a connection, by name or number, where addresses must be public', async () => {
  const inside = await serve((_, response) => response.end('secret'));
  const names = ['127.0.0.1', 'localhost', '[::ffff:7f00:1]', '2130706433', '0x7f.1'];
  const origins = names.map((name) => new URL(`http://${name}:${inside.port}`).origin);
  const { fetch } = clientFor({ origins, mayBePrivate: false });
  for (const origin of origins) assert.equal(await ruleBrokenBy(fetch(origin)), 'address', origin);
  assert.equal(inside.connections(), 0);
});

test('localhost can be called where addresses may be private', async () => {
  const inside = await serve((_, response) => response.end('answer'));
  const origin = `http://localhost:${inside.port}`;
  const { fetch } = clientFor({ origins: [origin] });
  assert.equal(await (await fetch(origin)).text(), 'answer');
});

test('a cloud metadata address is refused even where addresses may be private', async () => {
  const origin = 'http://169.254.169.254';
  const { fetch } = clientFor({ origins: [origin] });
  assert.equal(await ruleBrokenBy(fetch(`${origin}/latest/meta-data`)), 'address');
});

test('a GET follows up to three redirects within its origin, and other redirects are refused', async () => {
  const other = await serve((_, response) => response.end('elsewhere'));
  const server = await serve((request, response) => {
    const [, left] = /^\/(\d+)$/.exec(request.url ?? '') ?? [];
    if (left === '0') return void response.end('there');
    const location = left ? `/${Number(left) - 1}` : `${other.origin}/`;
    response.writeHead(request.method === 'GET' ? 301 : 307, { location }).end();
  });
  const { fetch } = clientFor({ origins: [server.origin, other.origin], mostRedirects: 3 });
  assert.equal(await (await fetch(`${server.origin}/3`)).text(), 'there');
  assert.equal(await ruleBrokenBy(fetch(`${server.origin}/4`)), 'redirect');
  assert.equal(await ruleBrokenBy(fetch(`${server.origin}/1`, { method: 'POST', body: 'x' })), 'redirect');
  assert.equal(await ruleBrokenBy(fetch(`${server.origin}/away`)), 'redirect');
  assert.equal(other.connections(), 0);
});

test('a client limited to a folder calls no path outside it, directly or by redirect', async () => {
  const server = await serve((request, response) => {
    const location = new URL(request.url ?? '', 'http://any').searchParams.get('to');
    response.writeHead(location === null ? 200 : 302, location === null ? {} : { location }).end('there');
  });
  const { fetch } = clientFor({ origins: [server.origin], folder: '/forge', mostRedirects: 1 });
  const inside = [
    '/forge',
    '/forge?x',
    '/forge/',
    '/forge/api/a%2Fb',
    '/other/../forge/x',
    '/forge/a..b/...',
  ];
  const outside = ['/', '/forger', '/other/x', '/forge/../x', '/forge/%2e%2E/x', '/Forge/x', '/%66orge/x'];
  const disguised = [
    '/forge/..%2Fx',
    '/forge/%252e%252e%255cx',
    '/forge/a/..%2f..%2F../x',
    '/forge/%2e%2e%2fforge/x',
  ];
  const ways = async (path: string) => [
    await ruleBrokenBy(fetch(`${server.origin}${path}`)),
    await ruleBrokenBy(fetch(`${server.origin}/forge?to=${encodeURIComponent(path)}`)),
  ];
  for (const path of inside) assert.deepEqual(await ways(path), [null, null], path);
  for (const path of [...outside, ...disguised])
    assert.deepEqual(await ways(path), ['origin', 'redirect'], path);
  const heard = server.heard.map(({ url }) => url ?? '');
  assert.deepEqual(
    heard.filter((url) => !/^\/forge(?:[/?]|$)/.test(url)),
    [],
  );
});

test('redirects are refused by default, even within the same origin', async () => {
  const server = await serve((_, response) => response.writeHead(302, { location: '/elsewhere' }).end());
  const { fetch } = clientFor({ origins: [server.origin] });
  assert.equal(await ruleBrokenBy(fetch(server.origin)), 'redirect');
  assert.deepEqual(
    server.heard.map(({ url }) => url),
    ['/'],
  );
});

test('a response that decompresses beyond the limit is aborted', async () => {
  const bomb = gzipSync(Buffer.alloc(64 * mebibyte));
  assert.ok(bomb.length < mebibyte);
  const server = await serve((request, response) => {
    if (request.url === '/bomb') response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
    else response.end(Buffer.alloc(mebibyte));
  });
  const { fetch } = clientFor({ origins: [server.origin] });
  const fits = await fetch(`${server.origin}/fits`);
  assert.equal((await fits.arrayBuffer()).byteLength, mebibyte);
  const large = await fetch(`${server.origin}/bomb`);
  assert.equal(await ruleBrokenBy(large.text()), 'size');
});

test('method, headers and body reach the server, and status, headers and body come back', async () => {
  const server = await serve(async (request, response) => {
    const body = Buffer.concat(await Array.fromAsync(request)).toString();
    response.writeHead(429, { 'retry-after': '7', 'x-key': String(request.headers['x-api-key']) });
    response.end(`${request.method} ${body}`);
  });
  const { fetch } = clientFor({ origins: [server.origin] });
  const response = await fetch(server.origin, {
    method: 'POST',
    headers: { 'x-api-key': 'k' },
    body: 'hello',
  });
  assert.equal(response.status, 429);
  assert.equal(response.headers.get('retry-after'), '7');
  assert.equal(response.headers.get('x-key'), 'k');
  assert.equal(await response.text(), 'POST hello');
});

test('a call whose response or body stalls is rejected', async () => {
  const server = await serve((request, response) => {
    if (request.url === '/begun') response.write('some');
  });
  const { fetch } = clientFor({ origins: [server.origin], patienceMs: 100 });
  await assert.rejects(fetch(server.origin));
  await assert.rejects(async () => (await fetch(`${server.origin}/begun`)).text());
});

test('a call is aborted when its caller aborts', async () => {
  const server = await serve(() => {});
  const { fetch } = clientFor({ origins: [server.origin] });
  const caller = new AbortController();
  const call = fetch(server.origin, { signal: caller.signal });
  caller.abort();
  await assert.rejects(call, { name: 'AbortError' });
});

test('a private certificate authority is trusted only by a client that names it', async () => {
  const port = await serveSecurely((_, response) => response.end('answer'));
  const origin = `https://localhost:${port}`;
  const trusting = clientFor({ origins: [origin] }, { extraCaFile: certificate });
  assert.equal(await (await trusting.fetch(origin)).text(), 'answer');
  const strict = clientFor({ origins: [origin] });
  await assert.rejects(strict.fetch(origin));
});

test('a client whose certificate file was missing works once the file exists', async () => {
  const port = await serveSecurely((_, response) => response.end('answer'));
  const origin = `https://localhost:${port}`;
  const extraCaFile = join(temporaryFolder(), 'authority.pem');
  const { fetch } = clientFor({ origins: [origin] }, { extraCaFile });
  await assert.rejects(fetch(origin), { code: 'ENOENT' });
  copyFileSync(certificate, extraCaFile);
  assert.equal(await (await fetch(origin)).text(), 'answer');
});

test('a proxy carries all calls except those to NO_PROXY names and to this machine', async () => {
  const port = await serveSecurely((_, response) => response.end('answer'));
  const plain = await serve((_, response) => response.end('answer'));
  const proxy = await serveAsProxy();
  const network = { httpsProxy: proxy.url, httpProxy: proxy.url, extraCaFile: certificate };
  const away = { origins: ['http://model.example', `https://model.example:${port}`], mayBePrivate: false };
  const proxied = clientFor(away, network);
  assert.equal(await (await proxied.fetch('http://model.example/v1')).text(), 'from the proxy');
  assert.equal(await (await proxied.fetch(`https://model.example:${port}/`)).text(), 'answer');
  assert.deepEqual(proxy.tunnels, ['http://model.example/v1', `model.example:${port}`]);

  const here = clientFor({ origins: [`https://localhost:${port}`, plain.origin] }, network);
  assert.equal(await (await here.fetch(`https://localhost:${port}`)).text(), 'answer');
  assert.equal(await (await here.fetch(plain.origin)).text(), 'answer');
  const excepted = clientFor({ origins: ['http://unknown.invalid'] }, { ...network, noProxy: '.invalid' });
  await assert.rejects(excepted.fetch('http://unknown.invalid'));
  assert.equal(proxy.tunnels.length, 2);
});
