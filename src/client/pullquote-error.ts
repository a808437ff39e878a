import type { components } from './api-types.ts';

type ErrorObject = components['schemas']['ErrorObject'];

/** The codes of the service, and one for what is no answer of it: there was none, or it came from something in between. */
export type PullquoteErrorCode = ErrorObject['code'] | 'NO_ANSWER';

interface Description extends Omit<ErrorObject, 'code' | 'requestId'> {
  code: PullquoteErrorCode;
  requestId?: string;
}

interface Circumstances {
  status?: number;
  retryAfter?: number | null;
  cause?: unknown;
}

/** Whatever goes wrong, but for a signal that is aborted, which throws its own reason. */
export class PullquoteError extends Error {
  /** A stable code to branch on. */
  declare readonly code: PullquoteErrorCode;
  /** The HTTP status; null without an answer, or if a job failed. */
  declare readonly status: number | null;
  /** What the log of the service calls the request. */
  declare readonly requestId: string | null;
  declare readonly details: NonNullable<ErrorObject['details']>;
  /** After how many seconds it makes sense to ask again, where the service says so. */
  declare readonly retryAfter: number | null;

  constructor({ message, ...described }: Description, circumstances: Circumstances = {}) {
    super(message, circumstances);
    this.name = 'PullquoteError';
    const unknown = { status: null, requestId: null, details: [], retryAfter: null };
    Object.assign(this, unknown, circumstances, described);
  }

  /** Whether asking again later may help. */
  get isPassing(): boolean {
    return this.code === 'NO_ANSWER' || [429, 502, 503, 504].includes(this.status ?? 0);
  }
}

const noAnswer: Description = {
  code: 'NO_ANSWER',
  message: 'No Pullquote service responds. Check the URL and the network.',
};

/** What is thrown by others was thrown because there was no answer, or one that cannot be read. */
export const asPullquoteError = (cause: unknown): PullquoteError =>
  cause instanceof PullquoteError ? cause : new PullquoteError(noAnswer, { cause });

/** The failure that an answer tells of; what others answer may be anything, but has no code of ours. */
export function errorOfAnswer({ status, headers }: Response, text: string): PullquoteError {
  let body: { error?: ErrorObject } | null = null;
  try {
    body = JSON.parse(text);
  } catch {}
  return new PullquoteError(body?.error?.code ? body.error : noAnswer, {
    status,
    retryAfter: Number(headers.get('retry-after')) || null,
  });
}
