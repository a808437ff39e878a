import type { CodeHost } from '../../code-hosts/code-host.ts';
import type { Database } from '../../db/database.ts';
import { listLiveSessions } from '../../db/sessions.ts';
import { findIdentity } from '../../db/users.ts';
import { settingsPage as show } from '../../pages/settings.ts';
import { presentSession } from '../auth.ts';
import { presentUser } from '../users.ts';
import { hostName } from './host-name.ts';
import { ownPage } from './own-page.ts';

interface Parts {
  database: Database;
  codeHosts: CodeHost[];
  languages: string[];
  publicUrl: string | undefined;
  clock: () => Date;
}

/** More than a user has open. */
const mostSessions = 100;

export const settingsPage = ({ database, codeHosts, languages, publicUrl, clock }: Parts) =>
  ownPage({
    async show({ viewer, request, contextIn }) {
      const known = await findIdentity(database, viewer.identity);
      const page = { limit: mostSessions, offset: 0 };
      const { rows } = known
        ? await listLiveSessions(database, { identityId: known.identityId, now: clock(), ...page })
        : { rows: [] };
      return {
        page: show(contextIn(undefined), {
          user: presentUser(request, publicUrl, viewer.identity, viewer.user),
          languages,
          sessions: rows.map((session) => presentSession(session, viewer)),
          tokenHosts: codeHosts
            .filter(({ isLocal }) => !isLocal)
            .map((host) => ({ id: host.id, name: hostName(host) })),
        }),
      };
    },
  });
