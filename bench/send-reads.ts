import { connect } from 'node:net';

/** What to ask for, and how. */
export interface Reading {
  /** Their answers are all of one length. */
  urls: string[];
  connections: number;
  warmMs: number;
  measuredMs: number;
}

export interface Read {
  perSecond: number;
  p50Ms: number;
  p99Ms: number;
  bytes: number;
}

/**
 * Asks for addresses in turn on many connections, one request at a time on each. Answers are counted by their length
 * alone, so that the asking costs as little as it can beside the answering.
 */
async function read({ urls, connections, warmMs, measuredMs }: Reading): Promise<Read> {
  const [{ hostname, port } = new URL('http://nowhere')] = urls.map((url) => new URL(url));
  const requests = urls.map((url) => {
    const { pathname, search } = new URL(url);
    return `GET ${pathname}${search} HTTP/1.1\r\nHost: ${hostname}\r\nAccept: application/json\r\n\r\n`;
  });
  let turn = 0;
  const good = Buffer.from('HTTP/1.1 200');
  const start = performance.now();
  const latencies: number[] = [];
  let bytes = 0;
  await Promise.all(
    Array.from({ length: connections }, () => {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const socket = connect(Number(port), hostname, () => ask());
      let asked = 0;
      let missing = 0;
      let whole = 0;
      const ask = () => {
        asked = performance.now();
        socket.write(requests[turn++ % requests.length] ?? '');
      };
      socket.on('error', reject);
      socket.on('data', (chunk) => {
        if (missing === 0) {
          if (!chunk.subarray(0, good.length).equals(good))
            return reject(new Error(chunk.toString('latin1', 0, 500)));
          // Every answer is as long as the first: looking at each head would cost more than some servers take to send it.
          if (whole === 0) {
            const end = chunk.indexOf('\r\n\r\n') + 4;
            bytes = Number(/content-length: (\d+)/i.exec(chunk.toString('latin1', 0, end))?.[1]);
            whole = end + bytes;
          }
          missing = whole;
        }
        missing -= chunk.length;
        if (missing > 0) return;
        const now = performance.now();
        if (now - start > warmMs) latencies.push(now - asked);
        if (now - start < warmMs + measuredMs) return ask();
        socket.destroy();
        resolve();
      });
      return promise;
    }),
  );
  latencies.sort((one, other) => one - other);
  const at = (part: number) => latencies[Math.floor(latencies.length * part)] ?? 0;
  return { perSecond: (latencies.length * 1000) / measuredMs, p50Ms: at(0.5), p99Ms: at(0.99), bytes };
}

process.once('message', async (reading: Reading) => {
  process.send?.(await read(reading));
  process.disconnect();
});
