import { bigint, boolean, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core';

// The tables as queries see them. Their only source is migrations/; a test compares the two.

const moment = (name: string) => timestamp(name, { withTimezone: true, precision: 3, mode: 'date' });
const hostId = (name: string) => bigint(name, { mode: 'number' });

export const identities = pgTable('identities', {
  id: uuid('id').primaryKey().defaultRandom(),
  host: text('host').notNull(),
  hostUserId: hostId('host_user_id').notNull(),
  username: text('username').notNull(),
  displayName: text('display_name').notNull(),
  email: text('email').notNull(),
  avatarUrl: text('avatar_url'),
});

export const users = pgTable('users', {
  id: uuid('id').primaryKey().defaultRandom(),
  identityId: uuid('identity_id').notNull(),
  language: text('language').notNull(),
  createdAt: moment('created_at').notNull(),
  updatedAt: moment('updated_at').notNull(),
});

export const sessions = pgTable('sessions', {
  id: uuid('id').primaryKey().defaultRandom(),
  identityId: uuid('identity_id').notNull(),
  tokenHash: text('token_hash').notNull(),
  createdAt: moment('created_at').notNull(),
  lastUsedAt: moment('last_used_at').notNull(),
  expiresAt: moment('expires_at').notNull(),
  revokedAt: moment('revoked_at'),
});

export const refusedTokens = pgTable('refused_tokens', {
  tokenHash: text('token_hash').primaryKey(),
  expiresAt: moment('expires_at').notNull(),
});

export const repositories = pgTable('repositories', {
  id: uuid('id').primaryKey().defaultRandom(),
  host: text('host').notNull(),
  hostRepoId: hostId('host_repo_id').notNull(),
  owner: text('owner').notNull(),
  name: text('name').notNull(),
  isPrivate: boolean('is_private').notNull(),
  checkedAt: moment('checked_at').notNull(),
});

export const repositoryGrants = pgTable(
  'repository_grants',
  {
    repositoryId: uuid('repository_id').notNull(),
    userId: uuid('user_id').notNull(),
    confirmedAt: moment('confirmed_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.repositoryId, table.userId] })],
);

export const favoriteRepositories = pgTable('favorite_repositories', {
  id: uuid('id').primaryKey().defaultRandom(),
  userId: uuid('user_id').notNull(),
  repositoryId: uuid('repository_id').notNull(),
  registeredAt: moment('registered_at').notNull(),
});
