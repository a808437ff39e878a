import { readFileSync } from 'node:fs';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { Uuid } from '../contract/formats.ts';
import { drawAvatar } from '../domain/draw-avatar.ts';

const folder = new URL('../../web/', import.meta.url);

const files = [
  { path: '/', file: 'home.html', type: 'text/html; charset=utf-8' },
  { path: '/sign-in', file: 'sign-in.html', type: 'text/html; charset=utf-8' },
  { path: '/assets/style.css', file: 'style.css', type: 'text/css; charset=utf-8' },
  { path: '/assets/call.js', file: 'call.js', type: 'text/javascript; charset=utf-8' },
  { path: '/assets/home.js', file: 'home.js', type: 'text/javascript; charset=utf-8' },
  { path: '/assets/sign-in.js', file: 'sign-in.js', type: 'text/javascript; charset=utf-8' },
  { path: '/favicon.svg', file: 'favicon.svg', type: 'image/svg+xml' },
];

export const notFoundPage = readFileSync(new URL('not-found.html', folder));

/** What browsers show: the pages, what they load, and drawn avatars. */
export function servePages(app: FastifyInstance): void {
  const open = { schema: { hide: true } } as const;
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
