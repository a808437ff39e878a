import { readFileSync } from 'node:fs';
import Fastify from 'fastify';

// The baseline of bench/reads.ts: a bare route that returns the bytes of a file.
const [, , file = ''] = process.argv;
const body = readFileSync(file);
const app = Fastify();
app.get('/bare', (_request, reply) => reply.type('application/json; charset=utf-8').send(body));
console.log(`Serving at ${await app.listen({ host: '127.0.0.1', port: 0 })}`);
