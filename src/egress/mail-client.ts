import { once } from 'node:events';
import { connect, isIP, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import type SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { Mail, MailClient, MailServer, SendOutcome } from '../domain/digests.ts';
import {
  addressRefused,
  isAllowedAddress,
  type Network,
  trustedCertificates,
  vettedLookup,
} from './egress-client.ts';

interface MailPatience {
  connectMs: number;
  responseMs: number;
  wholeMs: number;
}

const usualPatience: MailPatience = { connectMs: 10_000, responseMs: 30_000, wholeMs: 120_000 };

/** The operator's mail server may be in a private network. */
const rules = { mayBePrivate: true };

interface Problem extends Error {
  responseCode?: number;
  response?: string;
  command?: string;
}

/** Sends each mail on its own connection. Addresses are resolved and vetted here, not by the library. */
export function createMailClient(
  network: Network,
  { server, from }: { server: MailServer; from: string },
  patience: MailPatience = usualPatience,
): MailClient {
  const open = () => openMailSession(network, server, patience);
  return {
    async send(mail, mayBegin = async () => true) {
      let hasBegun = false;
      let session: Session | null = null;
      try {
        const { content, envelope } = await compileMail(mail, from);
        session = await open();
        const body = Readable.from(
          (async function* () {
            if (!(await mayBegin())) throw new Withheld();
            hasBegun = true;
            yield content;
          })(),
        );
        await session.deliver(envelope, body);
        return { kind: 'sent' };
      } catch (error) {
        return mailOutcome(error, hasBegun);
      } finally {
        session?.close();
      }
    },
    async verify() {
      const session = await open();
      session.close();
    },
  };
}

interface MailSettings extends Network {
  smtp: MailServer | undefined;
  mailFrom: string | undefined;
}

export function openMail(settings: MailSettings): MailClient | null {
  const { smtp: server, mailFrom: from } = settings;
  return server && from ? createMailClient(settings, { server, from }) : null;
}

class Withheld extends Error {}

/** The outcome by the server's response; without one, by whether any of the mail was sent. */
function mailOutcome(error: unknown, hasBegun: boolean): SendOutcome {
  if (error instanceof Withheld) return { kind: 'withheld' };
  if (!(error instanceof Error)) throw error;
  const { message, responseCode: code, response = '', command = '' }: Problem = error;
  if (code === undefined) return { kind: hasBegun ? 'unknown' : 'away', problem: message };
  const status = enhancedStatus(response);
  // The message of the server is left out, because it may contain addresses and problems are logged.
  const problem = `The mail server answered ${status === null ? code : `${code} ${status}`}${command && ` to ${command}`}.`;
  if (command === 'RCPT TO') return { kind: isForRecipient(code, status) ? 'refused' : 'later', problem };
  if (command === 'DATA') return { kind: code >= 500 && code !== 503 ? 'rejected' : 'later', problem };
  return { kind: 'away', problem };
}

/** The enhanced status code of RFC 3463. */
const enhancedStatus = (response: string): string | null =>
  /^\d{3}[ -](\d(?:\.\d{1,3}){2})\b/.exec(response)?.[1] ?? null;

/**
 * Servers may also refuse because of the sender (5.1.7, 5.1.8) or this service (5.7.1, relaying), which the operator
 * can fix.
 */
const isForRecipient = (code: number, status: string | null): boolean =>
  code >= 500 &&
  (status === null ? [550, 551, 553].includes(code) : /^5\.(?:1\.(?:[0-6]|10)|2\.1)$/.test(status));

interface Envelope {
  from: string;
  to: string[];
}

async function compileMail(
  { to, subject, text, html, messageId, unsubscribeUrl }: Mail,
  from: string,
): Promise<{ content: Buffer; envelope: Envelope }> {
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer');
  const message = new MailComposer({
    from,
    to: { name: '', address: to },
    subject,
    text,
    html,
    messageId: `<${messageId}@${domainOf(from)}>`,
    headers: {
      'Auto-Submitted': 'auto-generated',
      ...(unsubscribeUrl !== undefined && {
        'List-Unsubscribe': `<${unsubscribeUrl}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      }),
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  }).compile();
  const envelope = message.getEnvelope();
  return { content: await message.build(), envelope: { from: String(envelope.from), to: [to] } };
}

const domainOf = (from: string): string => /@([^@>]+)>?$/.exec(from)?.[1] ?? 'localhost';

interface Session {
  deliver: (envelope: Envelope, body: Readable) => Promise<void>;
  close: () => void;
}

async function openMailSession(
  network: Network,
  server: MailServer,
  patience: MailPatience,
): Promise<Session> {
  const { default: Connection } = await import('nodemailer/lib/smtp-connection');
  const { hostname, port, tls, user, password: pass } = server;
  const literal = hostname.replace(/^\[(.+)\]$/, '$1');
  const socket = await openSocket(literal, port, patience);
  const ca = trustedCertificates(network);
  const connection: SMTPConnection = new Connection({
    host: literal,
    port,
    connection: socket,
    secure: tls === 'always',
    requireTLS: tls === 'upgrade',
    ignoreTLS: tls === 'none',
    connectionTimeout: patience.connectMs,
    greetingTimeout: patience.responseMs,
    socketTimeout: patience.responseMs,
    tls: { ...(isIP(literal) === 0 && { servername: literal }), ...(ca && { ca }) },
  });
  const failed = new Promise<never>((_, reject) => {
    connection.on('error', reject);
    connection.once('end', () => reject(new Error('The mail server closed the connection.')));
  });
  // Closing the connection rejects this promise too.
  failed.catch(() => {});
  const timer = setTimeout(
    () => socket.destroy(new Error('The mail server took too long.')),
    patience.wholeMs,
  );
  const close = (): void => {
    clearTimeout(timer);
    connection.close();
    socket.destroy();
  };
  const step = (act: (done: (error?: Error | null) => void) => void): Promise<void> =>
    Promise.race([
      failed,
      new Promise<void>((resolve, reject) => act((error) => (error ? reject(error) : resolve()))),
    ]);
  try {
    await step((done) => connection.connect(done));
    if (user !== null) await step((done) => connection.login({ user, pass }, done));
  } catch (error) {
    close();
    throw error;
  }
  return {
    deliver: (envelope, body) => step((done) => connection.send(envelope, body, done)),
    close,
  };
}

async function openSocket(host: string, port: number, { connectMs }: MailPatience): Promise<Socket> {
  if (isIP(host) !== 0 && !isAllowedAddress(host, rules)) throw addressRefused(host);
  const socket = connect({ host, port, lookup: vettedLookup(rules) });
  // Without a listener, an error would end the process; callers get it elsewhere.
  socket.on('error', () => {});
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(connectMs) });
    return socket;
  } catch (error) {
    socket.destroy();
    throw new Error(`Cannot reach the mail server at ${host}:${port}.`, { cause: error });
  }
}
