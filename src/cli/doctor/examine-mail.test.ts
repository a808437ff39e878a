import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startMailServer } from '../../../test/mail-server.ts';
import { parseConfig } from '../../config.ts';
import { examineMail } from './examine-mail.ts';

const examine = async (SMTP_URL: string) => {
  const settings = { SMTP_URL, MAIL_FROM: 'p@example.org', PUBLIC_URL: 'https://pullquote.example.org' };
  const { state, sentence, remedy } = await examineMail(parseConfig(SMTP_URL ? settings : {}));
  return `${state}: ${sentence} ${remedy ?? ''}`.trim();
};

test('the doctor says whether the mail server takes mail, and what to do where it does not, without the password', async () => {
  const server = await startMailServer();
  assert.match(await examine(''), /^ok: No mail server is configured/);
  assert.match(
    await examine(server.url),
    /^ok: The mail server at 127\.0\.0\.1:\d+ takes mail from this service\.$/,
  );
  assert.equal(server.mails.length, 0, 'nothing is sent');
  const refused = await examine(server.url.replace('//', '//ann:hush-hush@'));
  assert.match(refused, /^failure: .* Check the name and password in SMTP_URL/);
  assert.doesNotMatch(refused, /hush/);
  server.isAway = true;
  assert.match(await examine(server.url), /^failure: .*421.* Check the name and port in SMTP_URL/);
  assert.match(await examine('smtp://127.0.0.1:1'), /^failure: .*ECONNREFUSED.* Check the name and port/);
});
