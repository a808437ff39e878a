import { Type } from '../../contract/type.ts';

/** What pages that lead on take: where to. */
export const backQuery = Type.Object({ back: Type.Optional(Type.String()) });
