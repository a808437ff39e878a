import type { Static } from 'typebox';
import { Time } from '../../src/code-hosts/payload-types.ts';
import { Type } from '../../src/contract/type.ts';

const Id = Type.Integer({ minimum: 1 });
const Sha = Type.String({ pattern: '^[0-9a-f]{40}$' });

export const Account = Type.Object({ id: Id, login: Type.String() });
export type Account = Static<typeof Account>;

export const Repository = Type.Object({
  id: Id,
  owner: Type.String(),
  name: Type.String(),
  isPrivate: Type.Boolean(),
});
export type Repository = Static<typeof Repository>;

export const Change = Type.Object({
  number: Id,
  title: Type.String(),
  author: Type.String(),
  createdAt: Time,
  updatedAt: Time,
  mergeBase: Sha,
  head: Sha,
});
export type Change = Static<typeof Change>;
