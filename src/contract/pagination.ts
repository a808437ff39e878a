import { type TSchema, Type } from 'typebox';
import { component, ref } from './component.ts';

export const Pagination = component(
  'Pagination',
  Type.Object(
    {
      totalItems: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
        description: 'How many there are in all; null where the code host gives no total.',
      }),
      limit: Type.Integer(),
      offset: Type.Integer(),
    },
    { additionalProperties: false },
  ),
);

export const pageQuery = {
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'How many to answer at most' }),
  ),
  offset: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 2_147_483_647, default: 0, description: 'How many to pass over' }),
  ),
};

export const listOf = <T extends TSchema>(item: T) =>
  Type.Object({ items: Type.Array(item), pagination: ref(Pagination) }, { additionalProperties: false });
