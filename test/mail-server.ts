import { once } from 'node:events';
import type { Socket } from 'node:net';
import { after } from 'node:test';
import { SMTPServer, type SMTPServerDataStream } from 'smtp-server';

interface ReceivedMail {
  to: string;
  /** Headers by lowercase name, unfolded. */
  headers: Map<string, string>;
  text: string;
  html: string;
  /** The message as received. */
  raw: string;
}

interface TestMailServer {
  /** The value for `SMTP_URL`. */
  url: string;
  mails: ReceivedMail[];
  /** Responses to recipients instead of accepting mail: a code, or a code with text. */
  answers: Map<string, number | string>;
  /** Called with each recipient before the response. */
  beforeAnswer: (address: string) => Promise<void> | void;
  /** Whether the server accepts no connection. */
  isAway: boolean;
  /** Called with each complete mail before it is accepted. */
  beforeTaking: (mail: ReceivedMail) => Promise<void> | void;
  /** Breaks all open connections. */
  breakOff: () => void;
  /** The number of connections, successful or not. */
  connections: number;
}

const refusal = (answer: number | string) => {
  const [code = '', ...words] = String(answer).split(' ');
  return Object.assign(new Error(words.join(' ') || 'not here'), { responseCode: Number(code) });
};

/** A local mail server that keeps received mails until the tests end. */
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
  // Clients that die leave broken connections.
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
