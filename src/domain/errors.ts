export const errorStatus = {
  INVALID_REQUEST: 400,
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  USER_NOT_FOUND: 404,
  REPOSITORY_NOT_FOUND: 404,
  PULL_REQUEST_NOT_FOUND: 404,
  ARTICLE_NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  ALREADY_SIGNED_UP: 409,
  HOST_TOKEN_REQUIRED: 409,
  HOST_TOKEN_INVALID: 409,
  LANGUAGE_UNAVAILABLE: 409,
  SET_BY_ENVIRONMENT: 409,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  UNREADABLE: 422,
  RATE_LIMITED: 429,
  QUOTA_EXHAUSTED: 429,
  INTERNAL: 500,
  HOST_ERROR: 502,
  AI_ERROR: 502,
  HOST_RATE_LIMITED: 503,
  UNAVAILABLE: 503,
  HOST_TIMEOUT: 504,
  AI_TIMEOUT: 504,
  STORAGE_FULL: 507,
} as const;

export type ErrorCode = keyof typeof errorStatus;

export const errorCodes = Object.keys(errorStatus) as ErrorCode[];

export interface ErrorDetail {
  field: string;
  problem: string;
}

interface Remedied {
  /** The last sentence of the message: what to do. */
  remedy?: string | undefined;
  cause?: unknown;
}

/** An error whose message says what happened and what to do. `cause` is only logged. */
class ExplainedError extends Error {
  readonly problem: string;
  readonly remedy: string | null;

  constructor(problem: string, { remedy, cause }: Remedied = {}) {
    super(remedy === undefined ? problem : `${problem} ${remedy}`, { cause });
    this.problem = problem;
    this.remedy = remedy ?? null;
  }
}

interface FailureOptions extends Remedied {
  details?: ErrorDetail[];
  headers?: Record<string, string>;
}

export class Failure extends ExplainedError {
  readonly code: ErrorCode;
  readonly details: ErrorDetail[] | undefined;
  readonly headers: Record<string, string>;

  constructor(code: ErrorCode, problem: string, options: FailureOptions = {}) {
    super(problem, options);
    this.code = code;
    this.details = options.details;
    this.headers = options.headers ?? {};
  }

  get status(): number {
    return errorStatus[this.code];
  }
}

/** A write, or a read that needs a credential, while only a standby of the database can be read. */
export class ReadOnlyFailure extends Failure {
  constructor(cause?: unknown) {
    const message =
      'The service is read-only at the moment, because the database has no primary server. Public articles can be read without signing in. Try again in a few seconds.';
    super('UNAVAILABLE', message, { cause });
  }
}

/** A request under a name of another service: its status says more than its code. */
export class Misdirected extends Failure {
  override get status(): number {
    return misdirectedStatus;
  }
}

export const misdirectedStatus = 421;

export const accountGone = (cause?: unknown): Failure =>
  new Failure('USER_NOT_FOUND', 'This account was just deleted. Sign up again to continue.', { cause });

export function notSignedUp(): Failure {
  return new Failure(
    'USER_NOT_FOUND',
    'You have not signed up yet. Call POST /auth/signup with this credential first.',
  );
}

/** A problem that prevents the start: printed as a sentence without a stack, and the process ends. */
export class StartupProblem extends ExplainedError {}

export class InvalidSettings extends StartupProblem {
  readonly problems: string[];

  constructor(problems: string[], message = problems.join('\n')) {
    super(message);
    this.problems = problems;
  }
}

/** The innermost cause, because those around it only say that a call failed. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return reasonOf(error.cause);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return code || error.message || error.name;
}

export type EgressRule = 'origin' | 'address' | 'redirect' | 'size';

/** Thrown instead of returning a response. A retry would not help. */
export class EgressProblem extends Error {
  readonly rule: EgressRule;

  constructor(rule: EgressRule, message: string) {
    super(message);
    this.rule = rule;
  }
}

export class LockHeld extends Error {
  readonly pid: string;
  readonly note: string;

  constructor(pid: string, note: string, cause: unknown) {
    super(`held by process ${pid}`, { cause });
    this.pid = pid;
    this.note = note;
  }
}

export interface Finding {
  concern: string;
  state: 'ok' | 'warning' | 'failure';
  sentence: string;
  remedy: string | null;
}

export const ok = (concern: string, sentence: string): Finding => ({
  concern,
  state: 'ok',
  sentence,
  remedy: null,
});

const finding =
  (state: Finding['state']) =>
  (concern: string, sentence: string, remedy: string | null): Finding => ({
    concern,
    state,
    sentence,
    remedy,
  });

export const warning = finding('warning');
export const failure = finding('failure');

export function failureOf(concern: string, error: unknown): Finding {
  if (error instanceof StartupProblem) return failure(concern, error.problem, error.remedy);
  if (error instanceof Error && 'syscall' in error)
    return failure(
      concern,
      `The operating system reported an error: ${error.message}.`,
      'Give the user that runs the service the rights it needs.',
    );
  throw error;
}
