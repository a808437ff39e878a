import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { startMailServer } from '../../../test/mail-server.ts';
import { parseConfig } from '../../config.ts';
import { examineDigestWebhook, examineMail } from './examine-connections.ts';

const examine = async (SMTP_URL: string) => {
  const settings = { SMTP_URL, MAIL_FROM: 'p@example.org', PUBLIC_URL: 'https://pullquote.example.org' };
  const { state, sentence, remedy } = await examineMail(parseConfig(SMTP_URL ? settings : {}));
  return `${state}: ${sentence} ${remedy ?? ''}`.trim();
};

test('`examineMail` reports an unset, working, rejecting or unreachable mail server, sends nothing and hides the password', async () => {
  const server = await startMailServer();
  assert.match(await examine(''), /^ok: No mail server is set/);
  assert.match(
    await examine(server.url),
    /^ok: The mail server at 127\.0\.0\.1:\d+ accepts email from this service\.$/,
  );
  assert.equal(server.mails.length, 0, 'nothing is sent');
  const refused = await examine(server.url.replace('//', '//ann:hush-hush@'));
  assert.match(refused, /^failure: .* Check the user name and password in SMTP_URL/);
  assert.doesNotMatch(refused, /hush/);
  server.isAway = true;
  assert.match(await examine(server.url), /^failure: .*421.* Check the name and port in SMTP_URL/);
  assert.match(await examine('smtp://127.0.0.1:1'), /^failure: .*ECONNREFUSED.* Check the name and port/);
});

test('`examineDigestWebhook` reports a reachable, failing or unreachable webhook, posts nothing and hides its secret path', async () => {
  let status = 405;
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(request.method ?? '');
    response.writeHead(status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const DIGEST_WEBHOOK_URL = `http://127.0.0.1:${port}/services/hush-hush`;
  const examineWebhook = async (settings = {}) => {
    const found = await examineDigestWebhook(parseConfig(settings));
    assert.doesNotMatch(JSON.stringify(found), /hush/);
    return found.map(({ state, sentence, remedy }) => `${state}: ${sentence} ${remedy ?? ''}`.trim()).join();
  };
  const settings = { DIGEST_WEBHOOK_URL, PUBLIC_URL: 'https://pullquote.example.org' };
  assert.equal(await examineWebhook(), '');
  assert.match(
    await examineWebhook(settings),
    /^ok: 127\.0\.0\.1:\d+ is reachable; the weekly digest is posted there as json\.$/,
  );
  status = 404;
  assert.match(await examineWebhook(settings), /^warning: .* answered 404 .* create the webhook again/);
  assert.deepEqual(asked, ['HEAD', 'HEAD']);
  await new Promise((resolve) => server.close(resolve));
  assert.match(await examineWebhook(settings), /^failure: Cannot reach .* Check the URL/);
});
