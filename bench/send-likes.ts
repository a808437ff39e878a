import { Agent, request } from 'node:http';

// The clients of bench/likes.ts, in their own process: each waits for the response to a like before the next.

export interface Sending {
  url: string;
  /** A session each; there are as many clients as tokens. */
  tokens: string[];
  articles: { id: string; languageCode: string }[];
  seconds: number;
}

export interface Sent {
  acknowledged: number;
  others: Record<string, number>;
  p50: number;
  p99: number;
}

const agent = new Agent({ keepAlive: true });

function like(url: string, token: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      { method: 'POST', agent, headers: { authorization: `Bearer ${token}` } },
      (response) => {
        response.resume();
        response.on('end', () => resolve(response.statusCode ?? 0));
      },
    );
    sent.on('error', reject);
    sent.end();
  });
}

process.once('message', async ({ url, tokens, articles, seconds }: Sending) => {
  const end = performance.now() + seconds * 1000;
  const times: number[] = [];
  const others: Record<string, number> = {};
  await Promise.all(
    tokens.map(async (token, client) => {
      for (let turn = 0; turn < articles.length && performance.now() < end; turn += 1) {
        // The clients begin with different articles, because otherwise they would all wait for one lock.
        const article = articles[(turn + client * 31) % articles.length];
        const start = performance.now();
        const status = await like(
          `${url}/articles/${article?.id}/language/${article?.languageCode}/like`,
          token,
        );
        if (status === 201) times.push(performance.now() - start);
        else others[status] = (others[status] ?? 0) + 1;
      }
    }),
  );
  times.sort((one, other) => one - other);
  const at = (part: number) => times[Math.floor(times.length * part)] ?? 0;
  const sent: Sent = { acknowledged: times.length, others, p50: at(0.5), p99: at(0.99) };
  process.send?.(sent, () => process.exit(0));
});
