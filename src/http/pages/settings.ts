import { Type } from '../../contract/type.ts';
import { findFeedAddress } from '../../db/feeds.ts';
import { findHostToken } from '../../db/host-tokens.ts';
import { listLiveSessions } from '../../db/sessions.ts';
import { findIdentity } from '../../db/users.ts';
import { settingsPage as show } from '../../pages/settings.ts';
import { presentSession } from '../auth.ts';
import type { Deps } from '../deps.ts';
import { feedUrls } from '../feeds/own-feeds.ts';
import { feedSecret, takeHandedOn } from '../requests/sealed-cookie.ts';
import { presentUser } from '../users.ts';
import { hostName } from './host-name.ts';
import { ownPage } from './own-page.ts';

/** More than a user has open. */
const mostSessions = 100;

export const settingsPage = ({ database, codeHosts, languages, publicUrl, secretKeys, clock }: Deps) =>
  ownPage({
    query: Type.Object({ saved: Type.Optional(Type.String()) }),
    async show({ query: { saved }, viewer, request, reply, contextIn }) {
      const known = await findIdentity(database, viewer.identity);
      const page = { limit: mostSessions, offset: 0 };
      const { rows } = known
        ? await listLiveSessions(database, { identityId: known.identityId, now: clock(), ...page })
        : { rows: [] };
      const tokenHosts = await Promise.all(
        codeHosts
          .filter(({ isLocal }) => !isLocal)
          .map(async (host) => {
            const token = await findHostToken(database, { identity: viewer.identity, host: host.id });
            return { id: host.id, name: hostName(host), savedAt: token?.savedAt.toISOString() ?? null };
          }),
      );
      const userId = viewer.user.id;
      const secret = takeHandedOn({ request, reply, publicUrl, secretKeys, userId }, feedSecret);
      if (secret !== null) reply.header('cache-control', 'no-store');
      const address = await findFeedAddress(database, userId);
      return {
        page: show(contextIn(undefined), {
          user: presentUser(request, publicUrl, viewer.identity, viewer.user),
          languages,
          sessions: rows.map((session) => presentSession(session, viewer)),
          tokenHosts,
          feed: {
            madeAt: address?.createdAt.toISOString() ?? null,
            urls: secret === null ? null : feedUrls(request, publicUrl, secret),
          },
          isSaved: saved !== undefined,
        }),
      };
    },
  });
