import { Timestamp } from '../../contract/formats.ts';
import { Type } from '../../contract/type.ts';
import type { Database } from '../../db/database.ts';
import { listFeed, markAllRead } from '../../db/following.ts';
import type { ListViewer } from '../../db/visibility.ts';
import { type NewForMe, newForMePage as show } from '../../pages/new-for-me.ts';
import type { Deps } from '../deps.ts';
import { presentFeedEntry } from '../feed.ts';
import { ownForm, pageOfForm } from './form.ts';
import { ownPage } from './own-page.ts';
import { offsetQuery, pagesAround } from './pages-around.ts';

const perPage = 20;

export const newForMePage = (deps: Deps) =>
  ownPage({
    query: offsetQuery,
    async show({ query: { offset = 0 }, viewer, contextIn }) {
      const page = { limit: perPage, offset };
      const looking = { ...deps.lookAtLists(viewer), userId: viewer.user.id };
      const fresh = await findNewFor(deps.database, looking, { languages: [viewer.user.language], ...page });
      return { page: show(contextIn(undefined), { ...fresh, ...pagesAround(page, fresh.total) }) };
    },
  });

/** Marks everything as read that stood on the page when it was made. */
export const markAllReadForm = (deps: Deps) =>
  ownForm({
    body: Type.Object({ until: Timestamp('When the page was made.') }, { additionalProperties: false }),
    async submit({ body, viewer, request }) {
      const looking = { ...deps.lookAtLists(viewer), userId: viewer.user.id };
      await markAllRead(deps.database, { viewer: looking, until: new Date(body.until) });
      return pageOfForm(request);
    },
  });

export async function findNewFor(
  database: Database,
  viewer: ListViewer & { userId: string },
  wanted: { languages: string[]; limit: number; offset: number },
): Promise<NewForMe> {
  const { rows, total, unread, changed } = await listFeed(database, {
    viewer,
    isUnreadOnly: false,
    ...wanted,
  });
  return { entries: rows.map(presentFeedEntry), total, unread, changed, asOf: viewer.now.toISOString() };
}
