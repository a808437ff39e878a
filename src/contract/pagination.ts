import type { TSchema } from 'typebox';
import { component, ref } from './component.ts';
import { nullable } from './formats.ts';
import { Type } from './type.ts';

export const Pagination = component(
  'Pagination',
  Type.Object(
    {
      totalItems: nullable(
        Type.Integer({
          minimum: 0,
          description: 'How many there are in all; null where the code host gives no total.',
        }),
      ),
      limit: Type.Integer({ description: 'How many were asked for at most.' }),
      offset: Type.Integer({ description: 'How many were passed over.' }),
    },
    { additionalProperties: false, examples: [{ totalItems: 1, limit: 20, offset: 0 }] },
  ),
);

export const defaultLimit = 20;

export const pageQuery = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      default: defaultLimit,
      description: 'How many to answer at most',
    }),
  ),
  offset: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 2_147_483_647, default: 0, description: 'How many to pass over' }),
  ),
};

export const listOf = <T extends TSchema>(item: T) =>
  Type.Object({ items: Type.Array(item), pagination: ref(Pagination) }, { additionalProperties: false });
