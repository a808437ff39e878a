/** A mail as it is handed to the server: everything in it is text, and nothing of it is looked up elsewhere. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
  /** The same for the same mail, so that a server that gets it twice can tell. */
  messageId: string;
  /** Where a mail program ends the sending at one click (RFC 8058). */
  unsubscribeUrl?: string;
}

/**
 * What became of something that was to be sent. `away`: the server takes nothing from this service at the moment, whoever it is
 * for. `later`: not this one, now. `refused`: it takes nothing for this recipient. `rejected`: it does not take this one. `unknown`:
 * something failed after some of it had left, so that it may have arrived. `withheld`: it was not to be sent any more.
 */
export type SendOutcome =
  | { kind: 'sent' | 'withheld' }
  | { kind: 'away' | 'later' | 'refused' | 'rejected' | 'unknown'; problem: string };

export interface MailClient {
  /**
   * Hands a mail over. `mayBegin` is asked when the server is ready for it and before the first byte of it leaves; where it
   * says no, none does.
   */
  send: (mail: Mail, mayBegin?: () => Promise<boolean>) => Promise<SendOutcome>;
  /** Whether the server takes mail from this service; throws a sentence about what is wrong. */
  verify: () => Promise<void>;
}

/** The longest address that a server takes (RFC 5321). */
export const longestEmail = 254;

const addressPattern =
  /^[\w.!#$%&'*+/=?^`{|}~-]{1,64}@(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z](?:[a-z\d-]{0,61}[a-z\d])?$/i;

/** One address and nothing beside it: no name, no second one, no line that would become a header. */
export const isEmail = (text: string): boolean => text.length <= longestEmail && addressPattern.test(text);

/** Posts something to where a team reads it, with the same care. */
export interface WebhookClient {
  post: (body: unknown, mayBegin: () => Promise<boolean>) => Promise<SendOutcome>;
}

/** The server that mails are handed to. */
export interface MailServer {
  hostname: string;
  port: number;
  /** TLS from the first byte, or after a greeting; or none, where the operator says so or the server is this machine. */
  tls: 'always' | 'upgrade' | 'none';
  /** Null where the server takes mail without a name. */
  user: string | null;
  password: string;
}
