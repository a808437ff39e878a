import type { FastifyReply, FastifyRequest } from 'fastify';
import { defaultLimit } from '../../contract/pagination.ts';

interface Page {
  limit: number;
  offset: number;
}

/** The part of a list that was asked for. */
export function pageOf(query: { limit?: number; offset?: number }): Page {
  return { limit: query.limit ?? defaultLimit, offset: query.offset ?? 0 };
}

interface Listed<Item> {
  items: Item[];
  /** Null where it is not known. */
  total: number | null;
}

/** A list as the contract answers it, with links to the pages before and after it. */
export function listAnswer<Item>(
  request: FastifyRequest,
  reply: FastifyReply,
  page: Page,
  listed: Listed<Item>,
) {
  const links = linksAround(request.url, page, listed);
  if (links) reply.header('link', links);
  return pageAnswer(page, listed);
}

/** A list as the contract answers it. */
export function pageAnswer<Item>({ limit, offset }: Page, { items, total }: Listed<Item>) {
  return { items, pagination: { totalItems: total, limit, offset } };
}

/** The header that leads to the pages before and after one; empty for the only one. */
export function linksAround<Item>(
  asked: string,
  { limit, offset }: Page,
  { items, total }: Listed<Item>,
): string {
  const links: string[] = [];
  const link = (target: number, rel: string): void => {
    const url = new URL(asked, 'http://any');
    url.searchParams.set('limit', String(limit));
    url.searchParams.set('offset', String(target));
    links.push(`<${url.pathname}${url.search}>; rel="${rel}"`);
  };
  // Without a total, a full page may not be the last one.
  if (total === null ? items.length === limit : offset + limit < total) link(offset + limit, 'next');
  if (offset > 0) link(Math.max(0, offset - limit), 'prev');
  return links.join(', ');
}
