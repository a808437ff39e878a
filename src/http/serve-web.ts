import { readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { Type } from 'typebox';
import { Uuid } from '../contract/formats.ts';
import { drawAvatar } from '../domain/draw-avatar.ts';
import { pageHeaders } from './answers/security-headers.ts';

const folder = new URL('../../web/', import.meta.url);

const pages = [
  { path: '/', file: 'home.html' },
  { path: '/sign-in', file: 'sign-in.html' },
];
const files = [
  { path: '/assets/style.css', file: 'style.css', type: 'text/css; charset=utf-8' },
  { path: '/assets/call.js', file: 'call.js', type: 'text/javascript; charset=utf-8' },
  { path: '/assets/home.js', file: 'home.js', type: 'text/javascript; charset=utf-8' },
  { path: '/assets/sign-in.js', file: 'sign-in.js', type: 'text/javascript; charset=utf-8' },
  { path: '/favicon.svg', file: 'favicon.svg', type: 'image/svg+xml' },
];

const notFoundPage = readFileSync(new URL('not-found.html', folder));

export const sendNotFoundPage = (reply: FastifyReply) => sendPage(reply.code(404), notFoundPage);

const sendPage = (reply: FastifyReply, page: Buffer) =>
  reply.headers(pageHeaders).type('text/html; charset=utf-8').send(page);

/** What browsers show: the pages, what they load, and drawn avatars. */
export function servePages(app: FastifyInstance): void {
  const open = { schema: { hide: true } } as const;
  for (const { path, file } of pages) {
    const page = readFileSync(new URL(file, folder));
    app.get(path, open, (_request, reply) => sendPage(reply, page));
  }
  for (const { path, file, type } of files) {
    const content = readFileSync(new URL(file, folder));
    app.get(path, open, (_request, reply) => reply.type(type).send(content));
  }
  const params = Type.Object({ id: Uuid() });
  app.get<{ Params: { id: string } }>(
    '/avatars/:id.svg',
    { ...open, schema: { hide: true, params } },
    (request, reply) =>
      reply
        .type('image/svg+xml')
        .header('cache-control', 'public, max-age=31536000, immutable')
        .send(drawAvatar(request.params.id.toLowerCase())),
  );
}
