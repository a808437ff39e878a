import { presentSummary } from '../../actions/articles/present-summary.ts';
import { Type } from '../../contract/type.ts';
import { listFeed } from '../../db/following.ts';
import { readStates } from '../../domain/read-states.ts';
import type { AgentParts } from '../agent-parts.ts';
import { Cursor, offsetOf } from '../cursor.ts';
import { ListedAnswer, listAnswer, pieceOf } from '../listed-articles.ts';
import { requireUser } from '../require-user.ts';
import { Detail, Language, Limit, takes, tool } from '../tool.ts';

const said = { no: 'unread', yes: 'read', changed: 'read, and says something new since' };

export const listMyFeed = ({ database, listViewer, codeHosts }: AgentParts) =>
  tool({
    name: 'list_my_feed',
    title: 'List what is new for me',
    description:
      'Articles about the favorite repositories of the caller, newest first, and whether the caller has read them. Needs a token.',
    isForUsers: true,
    input: takes({
      unread: Type.Optional(
        Type.Boolean({ description: 'Only what is unread, or says something new since it was read.' }),
      ),
      language: Type.Optional(Language),
      limit: Type.Optional(Limit),
      cursor: Type.Optional(Cursor),
      detail: Type.Optional(Detail('title and standfirst (the default)', 'also its author, type and state')),
    }),
    output: ListedAnswer({
      read: Type.Enum([...readStates], {
        type: 'string',
        description: 'Whether the caller has read it; changed: it says something new since.',
      }),
    }),
    async run({ unread = false, language, limit = 20, cursor, detail = 'brief' }, call) {
      const viewer = requireUser(call);
      const page = { limit, offset: offsetOf(cursor) };
      const { rows, total } = await listFeed(database, {
        viewer: { ...listViewer(viewer), userId: viewer.user.id },
        languages: [language, viewer.user.language].filter((one) => one !== undefined),
        isUnreadOnly: unread,
        ...page,
      });
      const pieces = rows.map(({ read, ...listed }) =>
        pieceOf(
          presentSummary(listed),
          { parts: { codeHosts }, call, detail },
          { data: { read }, lines: [said[read]] },
        ),
      );
      return listAnswer({ what: 'Articles about your favorites', pieces, total, page });
    },
  });
