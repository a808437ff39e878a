import type { ScriptedAnswer } from '../github/stand-in.ts';

/** What a host answers about a pull request, and what becomes of it. */
export interface BadAnswer {
  name: string;
  answer: ScriptedAnswer;
  /** What users get who ask with a token of their own. */
  status: number;
  code: string;
  /** For how long they are told to wait, and the host is not asked. */
  seconds?: number;
  /** What those get who ask about the repository with none, where that is told: nothing, as if it were not there, or a code. */
  nobody?: string;
  says?: RegExp;
}

export interface Delivery {
  headers: Record<string, string>;
  body: string;
}

/** One of the ways in which a host proves that a delivery is its own. */
export interface Proof {
  name: string;
  /** Headers that prove a body to be the host's. */
  prove: (body: string, secret?: string) => Record<string, string>;
  /** Whether they are about the body too. */
  isSignature: boolean;
}

/** A host as the table of all that may go wrong needs it: over its stand-in, with the names that it has for things. */
export interface FailingHost {
  id: string;
  name: string;
  /** With the folder that it is installed in, where it can be. */
  url: string;
  /** What the service is told of it: the address, the application and the secrets of webhooks. */
  environment: Record<string, string>;
  /** The owner of all repositories; a group within another, where the host has these. */
  owner: string;
  script: (path: RegExp, answer: ScriptedAnswer) => () => void;
  takeCalls: () => string[];
  /** What was presented to it, in whichever form, as far as it is not known for a secret by its shape. */
  secrets: () => string[];
  /** Makes an account; returns its token. */
  addAccount: (login: string) => string;
  /** Makes a token of an account that may read nothing but the account; absent if the host cannot say so of a token. */
  addNarrowToken?: (login: string) => string;
  /** Makes a repository with pull request 1, public unless it is told who sees it. */
  addRepository: (id: number, name: string, visibleTo?: string[]) => void;
  /** Replaces the comments on pull request 1 by one, or by none, as hosts do that do not count this as a change. */
  reword: (id: number, body: string | null) => void;
  /** Has another owner have a repository, which is still found under its old name. */
  move: (id: number, owner: string) => void;
  /** Whether nothing shows to those without an account. */
  close: (isClosed: boolean) => void;
  /** The paths at which it is asked about a repository and its first pull request. */
  pathsOf: (name: string) => { repository: RegExp; pullRequest: RegExp };
  /** Those at which it is asked whose a token is, and for tokens. */
  paths: { account: RegExp; grant: RegExp };
  /** What the headers begin with in which it tells of limits. */
  limits: string;
  /** Answers of its own. */
  answers: BadAnswer[];
  /** What it says of an account that is shut out. */
  shutOut: ScriptedAnswer;
  /** What looks like its tokens and may belong to others, and is never sent to it. */
  lookalikes: string[];
  app: {
    clientId: string;
    /** Who consents when they are asked; null for nobody. */
    consents: (login: string | null) => void;
    /** Gives an application a token of an account: this one, or another. */
    give: (login: string, isOurs: boolean) => { accessToken: string; refreshToken: string };
    /** How long its tokens live. */
    minutes: number;
    changeSecret: (secret: string) => void;
    /** As the host words it that what is asked for is given to nobody, and that this is no application. */
    refusals: { grant: ScriptedAnswer; app: ScriptedAnswer };
  };
  deliveries: {
    proofs: Proof[];
    /** A delivery that pull request 1 of a repository was merged, but for its proof. */
    merged: (repositoryId: number) => Delivery;
    /** Deliveries that pull request 1 was commented on, and one that an issue was, but for their proofs. */
    discussed: (repositoryId: number) => { onPullRequest: Delivery[]; onIssue: Delivery };
    /** The headers that name an event and a delivery. */
    names: { event: string[]; delivery: string[] };
    /** What the event is about, in a form that it cannot have. */
    wrong: object;
  };
}

export const json = { 'content-type': 'application/json; charset=utf-8' };

/** Answers with a status and JSON. */
export const say =
  (status: number, body: unknown = {}, headers: Record<string, string | number> = {}): ScriptedAnswer =>
  (response) =>
    void response.writeHead(status, { ...json, ...headers }).end(JSON.stringify(body));

/** Answers with a status and any text. */
export const raw =
  (text: string | Buffer, headers: Record<string, string> = json, status = 200): ScriptedAnswer =>
  (response) =>
    void response.writeHead(status, headers).end(text);

/** Lets the host answer in full, and changes what it says; its tag stays where it is told to. */
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
        // Without what to say, it breaks off.
        if (spoiled === null) return response.write(text.slice(0, 9), () => response.destroy());
        return Object.assign(response, { end }).end(spoiled);
      },
    });
    return pass();
  };
