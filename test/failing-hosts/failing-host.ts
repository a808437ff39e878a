import type { ScriptedAnswer } from '../github/stand-in.ts';

/** A response of a host about a pull request, and its expected effect. */
export interface BadAnswer {
  name: string;
  answer: ScriptedAnswer;
  /** The response to users with their own token. */
  status: number;
  code: string;
  /** The time during which the host is not asked, in seconds. */
  seconds?: number;
  /** The response about the repository without a token: as if it did not exist, or with an error code. */
  nobody?: string;
  says?: RegExp;
}

export interface Delivery {
  headers: Record<string, string>;
  body: string;
}

/** A way in which a host authenticates a delivery. */
export interface Proof {
  name: string;
  /** Headers that authenticate a body. */
  prove: (body: string, secret?: string) => Record<string, string>;
  /** Whether the headers depend on the body. */
  isSignature: boolean;
}

/** A host in the table of failures: its stand-in and its own names for things. */
export interface FailingHost {
  id: string;
  name: string;
  /** The address, with the folder that the host is installed in, if possible. */
  url: string;
  /** The service's settings for the host: address, application and webhook secrets. */
  environment: Record<string, string>;
  /** The owner of all repositories; a nested group if the host has groups. */
  owner: string;
  script: (path: RegExp, answer: ScriptedAnswer) => () => void;
  takeCalls: () => string[];
  /** Credentials that were sent to the host, except those recognizable as secrets by their form. */
  secrets: () => string[];
  /** Makes an account on the host; returns its token. */
  addAccount: (login: string) => string;
  /** Makes a token that may read only its account; absent if the host has no such tokens. */
  addNarrowToken?: (login: string) => string;
  /** Makes a repository with pull request 1, public unless viewers are given. */
  addRepository: (id: number, name: string, visibleTo?: string[]) => void;
  /** Replaces the comments on pull request 1 without changing its update time, as hosts do. */
  reword: (id: number, body: string | null) => void;
  /** Moves a repository to another owner; its old name redirects. */
  move: (id: number, owner: string) => void;
  /** Hides everything from visitors without an account. */
  close: (isClosed: boolean) => void;
  /** The paths of a repository and its first pull request. */
  pathsOf: (name: string) => { repository: RegExp; pullRequest: RegExp };
  /** The paths of a token's owner, and of the token endpoint. */
  paths: { account: RegExp; grant: RegExp };
  /** The prefix of the host's rate limit headers. */
  limits: string;
  /** Responses that only this host gives. */
  answers: BadAnswer[];
  /** The response about a blocked account. */
  shutOut: ScriptedAnswer;
  /** Texts that look like tokens of the host but may belong to others, and must never be sent to it. */
  lookalikes: string[];
  app: {
    clientId: string;
    /** The account that consents, or null. */
    consents: (login: string | null) => void;
    /** Gives an application a token of an account. */
    give: (login: string, isOurs: boolean) => { accessToken: string; refreshToken: string };
    /** The lifetime of the app's tokens. */
    minutes: number;
    changeSecret: (secret: string) => void;
    /** The host's errors for a refused grant and for an unknown application. */
    refusals: { grant: ScriptedAnswer; app: ScriptedAnswer };
  };
  deliveries: {
    proofs: Proof[];
    /** A delivery about the merge of pull request 1, without its authentication. */
    merged: (repositoryId: number) => Delivery;
    /** Deliveries about a comment on pull request 1 and on an issue, without their authentication. */
    discussed: (repositoryId: number) => { onPullRequest: Delivery[]; onIssue: Delivery };
    /** The headers with the event and the delivery id. */
    names: { event: string[]; delivery: string[] };
    /** A payload whose subject has an impossible form. */
    wrong: object;
  };
}

export const json = { 'content-type': 'application/json; charset=utf-8' };

/** Responds with a status and JSON. */
export const say =
  (status: number, body: unknown = {}, headers: Record<string, string | number> = {}): ScriptedAnswer =>
  (response) =>
    void response.writeHead(status, { ...json, ...headers }).end(JSON.stringify(body));

/** Responds with a status and text. */
export const raw =
  (text: string | Buffer, headers: Record<string, string> = json, status = 200): ScriptedAnswer =>
  (response) =>
    void response.writeHead(status, headers).end(text);

/** Changes a complete response of the host; its ETag can stay the same. */
export const spoilt =
  (
    spoil: (text: string) => string | null,
    { hasTag = false, type }: { hasTag?: boolean; type?: string } = {},
  ): ScriptedAnswer =>
  (response, pass, request) => {
    delete request.headers['if-none-match'];
    const { writeHead, end } = response;
    Object.assign(response, {
      writeHead: (status: number, { etag, ...headers }: Record<string, string>) =>
        writeHead.call(response, status, {
          ...headers,
          ...(hasTag && etag && { etag }),
          ...(type && { 'content-type': type }),
        }),
      end(text = '') {
        const spoiled = spoil(text);
        // Without a replacement, the response breaks off.
        if (spoiled === null) return response.write(text.slice(0, 9), () => response.destroy());
        return Object.assign(response, { end }).end(spoiled);
      },
    });
    return pass();
  };
