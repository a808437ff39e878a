import type { FastifyReply, FastifyRequest } from 'fastify';
import { defaultLimit } from '../contract/pagination.ts';

interface Page {
  limit: number;
  offset: number;
}

/** The part of a list that was asked for. */
export function pageOf(query: { limit?: number; offset?: number }): Page {
  return { limit: query.limit ?? defaultLimit, offset: query.offset ?? 0 };
}

/** A list as the contract answers it, with links to the pages before and after it. */
export function listAnswer<Item>(
  request: FastifyRequest,
  reply: FastifyReply,
  { limit, offset }: Page,
  { items, total }: { items: Item[]; total: number | null },
) {
  const links: string[] = [];
  const link = (target: number, rel: string): void => {
    const url = new URL(request.url, 'http://any');
    url.searchParams.set('limit', String(limit));
    url.searchParams.set('offset', String(target));
    links.push(`<${url.pathname}${url.search}>; rel="${rel}"`);
  };
  // Without a total, a full page may not be the last one.
  if (total === null ? items.length === limit : offset + limit < total) link(offset + limit, 'next');
  if (offset > 0) link(Math.max(0, offset - limit), 'prev');
  if (links.length > 0) reply.header('link', links.join(', '));
  return { items, pagination: { totalItems: total, limit, offset } };
}
