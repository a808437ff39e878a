import { randomUUID } from 'node:crypto';

/** Requests are named here, never by whoever makes them. */
export const newRequestId = (): string => randomUUID();
