import type { LimitRules } from './rate-limits.ts';

/** With whose token a host is asked, the viewer's or the service's own, and until when the answer is wanted. */
export interface HostCaller {
  isService: boolean;
  token: string | null;
  /** What has taken the place of a token that the host refuses; null where nothing has. */
  replaceToken?: (refused: string) => Promise<string | null>;
  /** Whether it is not asked where little more is left than the service needs to ask by itself. */
  leavesSpare?: boolean;
  signal: AbortSignal;
}

export interface HostAnswer {
  status: number;
  headers: Record<string, string | undefined>;
  data: unknown;
}

/** An answer with what it says as it is written; empty where it is what was asked for. */
export type Answered = HostAnswer & { message: string };

/** What sentences about a host need to know of it. */
export interface HostWords {
  /** What the service calls it. */
  id: string;
  /** What people call it. */
  name: string;
  /** The setting that has the service's own token. */
  tokenSetting: string;
  /** What a token has to be allowed, as it continues "one that may". */
  permissions: string;
}

/** How a host is asked over HTTP. */
export interface HostApi extends HostWords {
  /** What paths are put behind, without a slash at its end. */
  address: string;
  /** What goes with every question, the token included. */
  headers: (token: string | null) => Record<string, string>;
  pages: {
    /** How many items a page has, and how few where that is more than is read; each divides the one before. */
    sizes: readonly [number, ...number[]];
    query: (size: number, page: number) => string;
    /** Whether a page is the last one, by its headers and how many items it has; absent where links say so. */
    isLast?: (headers: HostAnswer['headers'], count: number) => boolean;
    /** The header that says how many items a list has; absent where none does. */
    totalHeader?: string;
  };
  limits: LimitRules;
  /** How many questions are answered with a token, or without one, until the host says so itself. */
  usualLimit: (token: string | null) => number;
  /** What a refusal means on this host alone, as an answer or thrown; null where it means what it does everywhere. */
  refusal?: (answered: Answered, caller: HostCaller) => HostAnswer | null;
}
