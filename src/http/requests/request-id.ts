import { randomUUID } from 'node:crypto';

/** Request ids are made here, never taken from the client. */
export const newRequestId = (): string => randomUUID();
