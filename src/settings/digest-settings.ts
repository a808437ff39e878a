import { digestPeriods, isEmail, type MailServer, webhookFormats } from '../domain/digest.ts';
import { isLanguageCode } from '../domain/languages.ts';
import {
  isThisMachine,
  oneOf,
  optional,
  type Parsed,
  setting,
  textThat,
  Unusable,
} from './setting-parsers.ts';

export const digestSettings = {
  smtp: setting({
    name: 'SMTP_URL',
    sentence:
      'Mail server for digests, such as smtps://user:password@mail.example.org or smtp://…:587, which must offer STARTTLS unless it is on this machine or the URL ends with ?tls=none. Needs MAIL_FROM and PUBLIC_URL. Unset, no email is sent.',
    parse: optional(mailServer),
  }),
  mailFrom: setting({
    name: 'MAIL_FROM',
    sentence: 'Sender of these emails, such as Pullquote <pullquote@example.org>.',
    parse: optional(sender),
  }),
  digestWebhookUrl: setting({
    name: 'DIGEST_WEBHOOK_URL',
    sentence:
      'Incoming webhook of Slack, Discord, Teams or any other service that accepts JSON. Receives the digest of the public repositories that people follow here. Needs PUBLIC_URL.',
    parse: optional(webhookUrl),
  }),
  digestWebhookPeriod: setting({
    name: 'DIGEST_WEBHOOK_PERIOD',
    default: 'weekly',
    sentence: 'How often to post the digest: daily or weekly.',
    parse: oneOf(...digestPeriods),
  }),
  digestWebhookFormat: setting({
    name: 'DIGEST_WEBHOOK_FORMAT',
    sentence:
      'Format: slack, discord, teams or json. Unset, it is derived from the URL, or json. Use slack for Mattermost and Rocket.Chat.',
    parse: optional(oneOf(...webhookFormats)),
  }),
  digestWebhookLanguage: setting({
    name: 'DIGEST_WEBHOOK_LANGUAGE',
    default: 'en',
    sentence: 'Language of the digest; it lists the articles in this language.',
    parse: textThat(isLanguageCode, 'must be a two-letter language code, such as en or ja'),
  }),
};

function mailServer(text: string): MailServer {
  const url = URL.parse(text);
  const tls = url?.searchParams.get('tls') ?? null;
  if (!url || !/^smtps?:$/.test(url.protocol) || url.hostname === '' || (tls !== null && tls !== 'none'))
    throw new Unusable(
      'must be a URL such as smtps://user:password@mail.example.org or smtp://user:password@mail.example.org:587, with ?tls=none at its end if there is no TLS',
    );
  const isSecure = url.protocol === 'smtps:';
  if (isSecure && tls === 'none') throw new Unusable('must be smtp:// with ?tls=none, not smtps://');
  const isPlain = tls === 'none' || isThisMachine(url.hostname);
  return {
    hostname: url.hostname,
    port: Number(url.port) || (isSecure ? 465 : 587),
    tls: isSecure ? 'always' : isPlain ? 'none' : 'upgrade',
    user: url.username === '' ? null : decoded(url.username),
    password: decoded(url.password),
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Unusable('must contain %25 for each percent sign in its user name and password');
  }
}

/** An address, or a name and an address in angle brackets, without control characters, which could add headers. */
function sender(text: string): string {
  const [, address = text] = /^[^<>\p{Cc}]*<([^<>]+)>$/u.exec(text) ?? [];
  if (!isEmail(address))
    throw new Unusable(
      'must be an email address, such as pullquote@example.org or Pullquote <pullquote@example.org>',
    );
  return text;
}

function webhookUrl(text: string): URL {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '')
    throw new Unusable('must be an http or https URL, copied from the receiving service');
  return url;
}

type Sending = Parsed<typeof digestSettings> & { publicUrl: string | undefined };

export function missingForDigests({ smtp, mailFrom, digestWebhookUrl, publicUrl }: Sending): string[] {
  const problems: string[] = [];
  if (Boolean(smtp) !== Boolean(mailFrom))
    problems.push('SMTP_URL and MAIL_FROM must be set together: set both, and PUBLIC_URL, or neither.');
  const needing = [smtp && 'SMTP_URL', digestWebhookUrl && 'DIGEST_WEBHOOK_URL'].filter(Boolean);
  if (needing.length > 0 && !publicUrl)
    problems.push(
      `${needing.join(' and ')} ${needing.length === 1 ? 'needs' : 'need'} PUBLIC_URL for the links in digests: set it, for example to https://pullquote.example.org.`,
    );
  return problems;
}
