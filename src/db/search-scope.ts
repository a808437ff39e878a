import type { ChangeType } from '../domain/change-types.ts';
import {
  byAuthor,
  fileQuestion,
  inLanguage,
  inPublic,
  ofRepository,
  ofType,
  quoted,
} from '../domain/search/indexed-words.ts';
import type { Term } from '../domain/search/terms.ts';
import type { Queries } from './database.ts';
import { andNamed, type NamedRepositories } from './named-repositories.ts';
import { hiddenFromPlanner, sql } from './sql.ts';
import { type ListViewer, visibleTo } from './visibility.ts';

/** What is searched for: all of it together. */
export interface Search extends NamedRepositories {
  viewer: ListViewer;
  terms: Term[];
  files: string[];
  /** On the host that is named. */
  author?: string | undefined;
  changeType?: ChangeType | undefined;
  /** Only what the viewer has not read as it stands. */
  isUnread: boolean;
  language?: string | undefined;
  /** Each article is found once: in the first of these languages in which it matches, or in any other. */
  languages: string[];
  limit: number;
  offset: number;
  /** Whether the newest comes first, however well it matches. */
  isNewestFirst?: boolean;
  /** Whether it is also counted in which repositories and of which types they are. */
  isCounted?: boolean;
}

/** Viewers of more private repositories are searched for among all: the index is not asked about each. */
const mostGrants = 200;
const mostNamed = 500;

interface Surroundings {
  /** The place of the newest article. */
  top: number;
  isDue: boolean;
  /** Private repositories that the viewer was once shown. */
  granted: string[];
  /** Those that are named; null where none is. */
  named: string[] | null;
}

export async function findSurroundings(db: Queries, search: Search): Promise<Surroundings> {
  const { viewer, owner, repo } = search;
  // A host has any number of repositories: the index is not asked about each.
  const isNamed = [owner, repo].some((name) => name !== undefined);
  const named = isNamed
    ? sql`ARRAY(SELECT id FROM repositories WHERE ${visibleTo(viewer)} ${andNamed(search)} LIMIT ${hiddenFromPlanner(mostNamed + 1)})`
    : sql`NULL::uuid[]`;
  const granted =
    viewer.userId === null
      ? sql`'{}'::uuid[]`
      : sql`ARRAY(
          SELECT repository_id FROM repository_grants WHERE user_id = ${viewer.userId} AND NOT withdrawn LIMIT ${hiddenFromPlanner(mostGrants + 1)})`;
  const [found] = await db.query<Surroundings>(sql`
    SELECT coalesce((SELECT max(place) FROM article_search), 0) AS top,
      EXISTS (SELECT FROM article_search WHERE words IS NULL) AS "isDue", ${granted} AS granted, ${named} AS named`);
  return found ?? { top: 0, isDue: false, granted: [], named: null };
}

/** What narrows a search, as the index is asked for it; null where no repository is meant that the viewer may see. */
export function wantedOf(search: Search, { granted, named }: Surroundings): string[] | null {
  const { host, author, changeType, language, files } = search;
  if (named?.length === 0) return null;
  const among = [inPublic, ...granted.map(ofRepository)];
  const scope =
    named && named.length <= mostNamed
      ? [oneOf(named.map(ofRepository))]
      : granted.length <= mostGrants
        ? [oneOf(among)]
        : [];
  const narrowed = [
    ...(language === undefined ? [] : [inLanguage(language)]),
    ...(changeType === undefined ? [] : [ofType(changeType)]),
    ...(author === undefined ? [] : [byAuthor(host ?? '', author)]),
  ];
  const inFiles = files.map((path) => {
    const { file, folder } = fileQuestion(path);
    return `(${quoted(file)} | ${quoted(folder)}:*)`;
  });
  return [...scope, ...narrowed.map(quoted), ...inFiles];
}

const oneOf = (facts: string[]): string => `(${facts.map(quoted).join(' | ')})`;
