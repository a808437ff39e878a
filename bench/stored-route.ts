import Fastify from 'fastify';
import { connectDatabase } from '../src/db/connect.ts';
import { sql } from '../src/db/sql.ts';

// A baseline of bench/reads.ts: a bare route that reads the stored bytes of an article by its key, through the same
// driver, from the database of the service.
const [, , dataFolder = ''] = process.argv;
const database = await connectDatabase(
  { dataFolder, databaseUrl: undefined },
  { command: 'bench', announce: () => {} },
);
const app = Fastify();
app.get<{ Params: { id: string } }>('/stored/:id', async ({ params }, reply) => {
  const rows = await database.queryBytes<{ body: Buffer }>(
    sql`SELECT body FROM article_contents WHERE article_id = ${params.id}`,
  );
  return reply.type('application/json; charset=utf-8').send(Buffer.concat(rows.map(({ body }) => body)));
});
console.log(`Serving at ${await app.listen({ host: '127.0.0.1', port: 0 })}`);
process.on('SIGTERM', () => void database.close().then(() => process.exit(0)));
