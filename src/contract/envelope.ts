import type { TSchema } from 'typebox';
import { Type } from './type.ts';

/** What every success but signup is wrapped in. */
export const envelope = <T extends TSchema>(data: T) =>
  Type.Object(
    {
      success: Type.Literal(true),
      data,
      message: Type.String({ description: 'Human-readable text.', examples: ['Done.'] }),
    },
    { additionalProperties: false },
  );

/** For operations that have nothing to tell but that they are done. */
export const Nothing = Type.Object({}, { additionalProperties: false, examples: [{}] });
