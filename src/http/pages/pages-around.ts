import { Type } from '../../contract/type.ts';
import type { Pages } from '../../pages/pages-around.ts';

/** What pages that show a part of a list take: where it begins. */
export const offsetQuery = Type.Object({
  offset: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
});

export const pagesAround = (page: { limit: number; offset: number }, total: number): Pages => ({
  newer: page.offset > 0 ? Math.max(0, page.offset - page.limit) : null,
  older: page.offset + page.limit < total ? page.offset + page.limit : null,
});
