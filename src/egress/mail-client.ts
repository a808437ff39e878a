import { once } from 'node:events';
import { connect, isIP, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import type SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { Mail, MailClient, MailServer, SendOutcome } from '../domain/digest.ts';
import { addressRefused, type Network, trustedCertificates, vettedLookup } from './egress-client.ts';
import { isAllowedAddress } from './vet-address.ts';

/** For how long the server is waited for: for a connection, for each of its answers, and for all of them. */
interface MailPatience {
  connectMs: number;
  answerMs: number;
  wholeMs: number;
}

const usualPatience: MailPatience = { connectMs: 10_000, answerMs: 30_000, wholeMs: 120_000 };

/** The operator's own server may stand in their own network. */
const rules = { mayBePrivate: true };

interface Problem extends Error {
  responseCode?: number;
  /** The server's own words. */
  response?: string;
  command?: string;
}

/**
 * Hands mails to the server of the operator, each on a connection of its own. The library is used for the protocol and for the
 * form of mails; addresses are looked up and vetted here.
 */
export function createMailClient(
  network: Network,
  { server, from }: { server: MailServer; from: string },
  patience: MailPatience = usualPatience,
): MailClient {
  const open = () => openSession(network, server, patience);
  return {
    async send(mail, mayBegin = async () => true) {
      let hasBegun = false;
      let session: Session | null = null;
      try {
        const { content, envelope } = await compile(mail, from);
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
        return outcomeOf(error, hasBegun);
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

/** The mail server of the settings; null where they name none. */
export function openMail(settings: MailSettings): MailClient | null {
  const { smtp: server, mailFrom: from } = settings;
  return server && from ? createMailClient(settings, { server, from }) : null;
}

class Withheld extends Error {}

/** What the server said decides; where it said nothing, whether anything of the mail had left. */
function outcomeOf(error: unknown, hasBegun: boolean): SendOutcome {
  if (error instanceof Withheld) return { kind: 'withheld' };
  if (!(error instanceof Error)) throw error;
  const { message, responseCode: code, response = '', command = '' }: Problem = error;
  if (code === undefined) return { kind: hasBegun ? 'unknown' : 'away', problem: message };
  const status = statusOf(response);
  // Without the server's own words, which name addresses: problems are logged.
  const problem = `The mail server answered ${status === null ? code : `${code} ${status}`}${command && ` to ${command}`}.`;
  if (command === 'RCPT TO') return { kind: isForRecipient(code, status) ? 'refused' : 'later', problem };
  if (command === 'DATA') return { kind: code >= 500 && code !== 503 ? 'rejected' : 'later', problem };
  return { kind: 'away', problem };
}

/** The enhanced status (RFC 3463) that stands behind the code; null where the server gives none. */
const statusOf = (response: string): string | null =>
  /^\d{3}[ -](\d(?:\.\d{1,3}){2})\b/.exec(response)?.[1] ?? null;

/**
 * Whether it is this recipient that is refused for good: that the address is none, or takes nothing any more. Servers refuse here too
 * what they have against the sender (5.1.7 and 5.1.8) or against this service (5.7.1, relaying), which the operator can mend.
 */
const isForRecipient = (code: number, status: string | null): boolean =>
  code >= 500 &&
  (status === null ? [550, 551, 553].includes(code) : /^5\.(?:1\.(?:[0-6]|10)|2\.1)$/.test(status));

interface Envelope {
  from: string;
  to: string[];
}

/** The whole of it before anything is connected. Nothing in it is read from files or fetched. */
async function compile(
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

/** A setting has made sure that it ends so. */
const domainOf = (from: string): string => /@([^@>]+)>?$/.exec(from)?.[1] ?? 'localhost';

interface Session {
  deliver: (envelope: Envelope, body: Readable) => Promise<void>;
  close: () => void;
}

/** A connection on which the server has accepted this service. */
async function openSession(network: Network, server: MailServer, patience: MailPatience): Promise<Session> {
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
    greetingTimeout: patience.answerMs,
    socketTimeout: patience.answerMs,
    tls: { ...(isIP(literal) === 0 && { servername: literal }), ...(ca && { ca }) },
  });
  const failed = new Promise<never>((_, reject) => {
    connection.on('error', reject);
    connection.once('end', () => reject(new Error('The mail server closed the connection.')));
  });
  // It is also what an end that was asked for comes to.
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
  // Those who use it hear of it otherwise; without a listener it would end the process.
  socket.on('error', () => {});
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(connectMs) });
    return socket;
  } catch (error) {
    socket.destroy();
    throw new Error(`The mail server cannot be reached at ${host}:${port}.`, { cause: error });
  }
}
