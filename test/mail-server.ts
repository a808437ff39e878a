import { once } from 'node:events';
import type { Socket } from 'node:net';
import { after } from 'node:test';
import { SMTPServer, type SMTPServerDataStream } from 'smtp-server';

interface ReceivedMail {
  to: string;
  /** By their names in lower case, each on one line. */
  headers: Map<string, string>;
  text: string;
  html: string;
  /** As it came. */
  raw: string;
}

interface TestMailServer {
  /** For `SMTP_URL`. */
  url: string;
  mails: ReceivedMail[];
  /** What it answers to an address instead of taking mail for it: a code, and words of its own behind one. */
  answers: Map<string, number | string>;
  /** Called with each address that mail is for, before it is answered. */
  beforeAnswer: (address: string) => Promise<void> | void;
  /** Whether it takes nothing from anybody. */
  isAway: boolean;
  /** Called with each mail that has come as a whole, before it is taken. */
  beforeTaking: (mail: ReceivedMail) => Promise<void> | void;
  /** Breaks all connections that are open, without a word. */
  breakOff: () => void;
  /** How often it was called, whatever came of it. */
  connections: number;
}

const refusal = (answer: number | string) => {
  const [code = '', ...words] = String(answer).split(' ');
  return Object.assign(new Error(words.join(' ') || 'not here'), { responseCode: Number(code) });
};

/** A mail server on this machine that keeps what it takes, until the tests have ended. */
export async function startMailServer(): Promise<TestMailServer> {
  const sockets = new Set<Socket>();
  const state: TestMailServer = {
    url: '',
    mails: [],
    answers: new Map(),
    isAway: false,
    beforeAnswer: () => {},
    beforeTaking: () => {},
    breakOff: () => {
      for (const socket of sockets) socket.destroy();
    },
    connections: 0,
  };
  const take = async (stream: SMTPServerDataStream, to: string): Promise<void> => {
    const mail = readMail(to, Buffer.concat(await Array.fromAsync(stream)).toString());
    await state.beforeTaking(mail);
    state.mails.push(mail);
  };
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    onConnect(_session, callback) {
      state.connections += 1;
      callback(state.isAway ? refusal(421) : undefined);
    },
    onRcptTo({ address }, _session, callback) {
      const answer = state.answers.get(address);
      Promise.resolve(state.beforeAnswer(address)).then(
        () => callback(answer === undefined ? undefined : refusal(answer)),
        callback,
      );
    },
    onData(stream, { envelope }, callback) {
      take(stream, envelope.rcptTo[0]?.address ?? '').then(() => callback(), callback);
    },
  });
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  // Clients that die leave connections that break.
  server.on('error', () => {});
  after(() => server.close(() => {}));
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const address = server.server.address();
  if (address === null || typeof address === 'string') throw new Error('The mail server has no port.');
  state.url = `smtp://127.0.0.1:${address.port}`;
  return state;
}

function readMail(to: string, raw: string): ReceivedMail {
  const { headers, body } = split(raw);
  const boundary = /boundary="([^"]+)"/.exec(headers.get('content-type') ?? '')?.[1] ?? '';
  const parts = body.split(`--${boundary}`).map((part) => split(part.replace(/^\r\n/, '')));
  const ofType = (type: string): string => {
    const part = parts.find((one) => one.headers.get('content-type')?.startsWith(type));
    return part ? decode(part.body, part.headers.get('content-transfer-encoding') ?? '') : '';
  };
  return { to, headers, text: ofType('text/plain'), html: ofType('text/html'), raw };
}

function split(text: string): { headers: Map<string, string>; body: string } {
  const end = text.indexOf('\r\n\r\n');
  const lines = text
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n');
  const headers = new Map(
    lines.map((line) => {
      const [name = '', ...value] = line.split(':');
      return [name.toLowerCase(), value.join(':').trim()] as const;
    }),
  );
  return { headers, body: text.slice(end + 4) };
}

function decode(body: string, encoding: string): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString();
  if (encoding !== 'quoted-printable') return body;
  const bytes = body
    .replace(/=\r\n/g, '')
    .replace(/=([\dA-F]{2})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}
