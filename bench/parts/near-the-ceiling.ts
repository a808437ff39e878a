import postgres from 'postgres';
import { makeClone } from '../../test/make-clone.ts';
import { makeLargePullRequest } from '../../test/make-large-pull-request.ts';
import type { Bench } from './bench-service.ts';
import { noteParts } from './note-parts.ts';

interface Ceiling {
  written: number;
  refused: number;
  calls: number;
  tokensUsed: number;
  tokensCounted: number;
  articlesCounted: number;
}

/** Many large pull requests at once on two processes: what the models were paid, and what was counted. */
export async function nearTheCeiling(bench: Bench, many: number, ceiling: number): Promise<Ceiling> {
  const { model, repos, start, ask, call, waitForEnd, databaseUrl } = bench;
  for (let one = 0; one < many; one += 1)
    makeLargePullRequest(makeClone(repos, `acme/many-${ceiling}-${one}`), 2, 8);
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => {} });
  await sql`TRUNCATE ai_tokens, ai_quotas`;
  let tokensUsed = 0;
  model.play((request) => {
    const reply = noteParts(request);
    tokensUsed += (reply.usage?.input ?? 0) + (reply.usage?.output ?? 0);
    return reply;
  });
  const limited = {
    AI_TOKENS_PER_DAY: String(ceiling),
    AI_PART_TOKENS: '4000',
    AI_OUTPUT_TOKENS: '1000',
    WRITERS: String(Math.ceil(many / 2)),
  };
  const services = [await start(limited), await start(limited)];
  await call('POST', `${services[0]?.url}/auth/signup`);
  const before = model.heard.length;
  const states = await Promise.all(
    Array.from({ length: many }, async (_, one) => {
      const url = services[one % 2]?.url ?? '';
      return waitForEnd(url, (await ask(url, `many-${ceiling}-${one}`)).id);
    }),
  );
  await Promise.all(services.map((one) => one.stop()));
  const [tokens] = await sql`SELECT coalesce(sum(tokens), 0)::int AS sum FROM ai_tokens`;
  const [articles] = await sql`SELECT coalesce(sum(articles), 0)::int AS sum FROM ai_quotas`;
  await sql.end();
  model.play(noteParts);
  const written = states.filter((state) => state === 'done').length;
  return {
    written,
    refused: states.length - written,
    calls: model.heard.length - before,
    tokensUsed,
    tokensCounted: tokens?.sum,
    articlesCounted: articles?.sum,
  };
}
