import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { after, test } from 'node:test';
import { SMTPServer } from 'smtp-server';
import { startMailServer } from '../../test/mail-server.ts';
import type { MailServer } from '../domain/digests.ts';
import { digestSettings } from '../settings/service-settings.ts';
import { Unusable } from '../settings/setting-parsers.ts';
import { createMailClient } from './mail-client.ts';

const from = 'Pullquote <pullquote@example.org>';
const mail = {
  to: 'ann@example.org',
  subject: 'Your day\r\nBcc: mallory@example.org',
  text: 'Hello\r\n.\r\nMAIL FROM:<x@y.org>',
  html: '<p>Hello</p>',
  messageId: 'digest.1',
  unsubscribeUrl: 'https://pullquote.example.org/digest/unsubscribe/x\r\nBcc: eve@example.org',
};
const serverOf = (url: string): MailServer => {
  const server = digestSettings.smtp.parse(url);
  if (!server) throw new Error('There is no server.');
  return server;
};
const send = (server: MailServer, extraCaFile?: string, mayBegin?: () => Promise<boolean>) =>
  createMailClient({ extraCaFile }, { server, from }).send(mail, mayBegin);

const certificate = new URL('../../test/certificates/localhost.pem', import.meta.url);
const key = new URL('../../test/certificates/localhost.key', import.meta.url);

/** A mail server with TLS, immediate or by STARTTLS, and one user. */
async function startSecure(isSecure: boolean): Promise<{ port: number; taken: string[] }> {
  const taken: string[] = [];
  const server = new SMTPServer({
    secure: isSecure,
    key: readFileSync(key),
    cert: readFileSync(certificate),
    onAuth: ({ username, password }, _session, callback) =>
      username === 'ann@x' && password === 'p%w:/d'
        ? callback(null, { user: username })
        : callback(Object.assign(new Error('no'), { responseCode: 535 })),
    onData: (stream, session, callback) => {
      stream.resume();
      stream.on('end', () => {
        taken.push(`${session.secure} ${session.user}`);
        callback();
      });
    },
  });
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => server.close());
  const address = server.server.address();
  return { port: typeof address === 'object' && address ? address.port : 0, taken };
}

test('line breaks in mail fields add no header, and a lone dot does not end the text', async () => {
  const server = await startMailServer();
  assert.deepEqual(await send(serverOf(server.url)), { kind: 'sent' });
  const [taken] = server.mails;
  assert.equal(server.mails.length, 1);
  assert.equal(taken?.headers.has('bcc'), false);
  assert.doesNotMatch(taken?.raw.split('\r\n\r\n')[0] ?? '', /^Bcc/im);
  assert.equal(taken?.headers.get('message-id'), '<digest.1@example.org>');
  assert.equal(taken?.headers.get('to'), 'ann@example.org');
  assert.match(taken?.text ?? '', /MAIL FROM:<x@y\.org>/, 'a dot does not end it');
});

test('`send` returns withheld, unknown, away, refused or later, by how far the mail got', async () => {
  const server = await startMailServer();
  assert.deepEqual(await send(serverOf(server.url), undefined, async () => false), { kind: 'withheld' });
  assert.equal(server.mails.length, 0);
  server.beforeTaking = () => server.breakOff();
  assert.equal((await send(serverOf(server.url))).kind, 'unknown');
  server.beforeTaking = () => {};
  const brokenBefore = send(serverOf(server.url), undefined, async () => {
    server.breakOff();
    throw new Error('The database is away.');
  });
  assert.equal((await brokenBefore).kind, 'away');
  server.answers.set(mail.to, 550);
  assert.equal((await send(serverOf(server.url))).kind, 'refused');
  server.answers.set(mail.to, 451);
  assert.equal((await send(serverOf(server.url))).kind, 'later');
  server.isAway = true;
  assert.equal((await send(serverOf(server.url))).kind, 'away');
  const silent = createServer(() => {});
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  after(() => silent.close());
  const address = silent.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const impatient = { connectMs: 1_000, responseMs: 1_000, wholeMs: 2_000 };
  const hasty = createMailClient({}, { server: serverOf(`smtp://127.0.0.1:${port}`), from }, impatient);
  assert.equal((await hasty.send(mail)).kind, 'away', 'silence is not waited for');
});

test('an address is refused for good only by a rejection of the recipient, and other errors mean later', async () => {
  const server = await startMailServer();
  for (const [answer, kind] of [
    ['550 5.1.1 <ann@example.org>: User unknown', 'refused'],
    ['550 5.1.10 null MX', 'refused'],
    ['550 5.2.1 mailbox disabled', 'refused'],
    ['550 no such user', 'refused'],
    ['553 mailbox name not allowed', 'refused'],
    ['554 5.7.1 <ann@example.org>: Relay access denied', 'later'],
    ['550 5.7.26 unauthenticated sender', 'later'],
    ['553 5.1.8 <pullquote@example.org>: Sender address rejected: Domain not found', 'later'],
    ['552 5.2.2 mailbox full', 'later'],
    ['554 no', 'later'],
    ['530 5.7.0 Must issue a STARTTLS command first', 'later'],
  ] as const) {
    server.answers.set(mail.to, answer);
    assert.equal((await send(serverOf(server.url))).kind, kind, answer);
  }
  server.answers.set(mail.to, '554 5.7.1 <ann@example.org>: Relay access denied');
  const problem = 'The mail server answered 554 5.7.1 to RCPT TO.';
  assert.deepEqual(await send(serverOf(server.url)), { kind: 'later', problem }, 'told without the address');
});

test('a remote mail server must offer TLS with a trusted certificate, or gets neither mail nor password', async () => {
  for (const isSecure of [true, false]) {
    const { port, taken } = await startSecure(isSecure);
    const url = `${isSecure ? 'smtps' : 'smtp'}://ann%40x:p%25w%3A%2Fd@mail.example.org:${port}`;
    const server = { ...serverOf(url), hostname: 'localhost' };
    assert.equal(server.tls, isSecure ? 'always' : 'upgrade');
    assert.equal((await send(server)).kind, 'away', 'not one that nobody vouches for');
    assert.deepEqual(await send(server, certificate.pathname), { kind: 'sent' });
    assert.deepEqual(taken, ['true ann@x']);
    const wrong = await send({ ...server, password: 'no' }, certificate.pathname);
    assert.equal(wrong.kind, 'away');
    await assert.rejects(
      createMailClient(
        { extraCaFile: certificate.pathname },
        { server: { ...server, password: 'no' }, from },
      ).verify(),
      /535/,
    );
  }
  const plain = await startMailServer();
  const demanding = { ...serverOf(plain.url), tls: 'upgrade' } as const;
  assert.equal((await send(demanding)).kind, 'away', 'one that offers no TLS gets nothing');
});

test('mail settings choose TLS by address, and malformed URLs and senders are rejected', () => {
  const { smtp, mailFrom } = digestSettings;
  assert.equal(serverOf('smtp://mail.example.org').tls, 'upgrade');
  assert.equal(serverOf('smtp://mail:1025?tls=none').tls, 'none');
  assert.equal(serverOf('smtp://[::1]:25').tls, 'none');
  for (const url of [
    'mail.example.org',
    'http://mail.example.org',
    'smtp://',
    'smtp://m?tls=maybe',
    'smtps://m?tls=none',
    'smtp://%@m',
  ])
    assert.throws(() => smtp.parse(url), Unusable, url);
  for (const sender of ['no', 'A <b>', 'A <a@b.org>\r\nBcc: c@d.org', 'a@b.org, c@d.org'])
    assert.throws(() => mailFrom.parse(sender), Unusable, sender);
});
