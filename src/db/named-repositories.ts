import { type Sql, sql } from './sql.ts';

/** Which repositories are meant, by what is said of their names; all where nothing is said. */
export interface NamedRepositories {
  host?: string | undefined;
  owner?: string | undefined;
  repo?: string | undefined;
}

const anything = sql``;

/** Conditions on the table `repositories`, to be added to other conditions. */
export const andNamed = ({ host, owner, repo }: NamedRepositories): Sql => sql`
  ${host === undefined ? anything : sql`AND repositories.host = ${host}`}
  ${owner === undefined ? anything : sql`AND lower(repositories.owner) = lower(${owner})`}
  ${repo === undefined ? anything : sql`AND lower(repositories.name) = lower(${repo})`}`;
