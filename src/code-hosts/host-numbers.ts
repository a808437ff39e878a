import { Type } from '../contract/type.ts';

/** What hosts number their things with. */
export const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

/** As many of anything as can be stored; a host that says more is mistaken. */
export const largestCount = 2 ** 31 - 1;
export const Count = Type.Integer({ minimum: 0, maximum: largestCount });
