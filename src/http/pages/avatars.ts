import type { FastifyInstance } from 'fastify';
import { Uuid } from '../../contract/formats.ts';
import { Type } from '../../contract/type.ts';
import { drawAvatar } from '../../domain/draw-avatar.ts';

/** Pictures for those whose host has none of them. */
export function serveAvatars(app: FastifyInstance): void {
  const params = Type.Object({ id: Uuid() });
  app.get<{ Params: { id: string } }>(
    '/avatars/:id.svg',
    { schema: { hide: true, params } },
    (request, reply) =>
      reply
        .type('image/svg+xml')
        .header('cache-control', 'public, max-age=31536000, immutable')
        .send(drawAvatar(request.params.id.toLowerCase())),
  );
}
