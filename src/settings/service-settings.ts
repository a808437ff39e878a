import { resolve } from 'node:path';
import { digestPeriods, isEmail, type MailServer, webhookFormats, webhookPosts } from '../domain/digests.ts';
import { isLanguageCode } from '../domain/languages.ts';
import { secretKeysFormat } from '../domain/secrets.ts';
import {
  bearerToken,
  certificatesFile,
  commaSeparated,
  contactUrl,
  databaseUrl,
  existingFolder,
  isThisMachine,
  listenAddress,
  oneOfValues,
  optional,
  type Parsed,
  proxyAddress,
  proxyUrl,
  secretKeys,
  setting,
  textThat,
  tokenOfUser,
  Unusable,
  webOrigin,
  wholeNumber,
} from './setting-parsers.ts';

/** Other programs use the same names for these settings. */
export const networkSettings = {
  httpsProxy: setting({
    name: 'HTTPS_PROXY',
    alias: 'https_proxy',
    sentence: 'Proxy for outgoing https connections.',
    parse: optional(proxyUrl),
  }),
  httpProxy: setting({
    name: 'HTTP_PROXY',
    alias: 'http_proxy',
    sentence: 'Proxy for outgoing http connections, and for https ones without HTTPS_PROXY.',
    parse: optional(proxyUrl),
  }),
  noProxy: setting({
    name: 'NO_PROXY',
    alias: 'no_proxy',
    sentence:
      'Hosts to call without a proxy, separated by commas. This machine is always called without a proxy.',
    parse: optional((text) => text),
  }),
  extraCaFile: setting({
    name: 'NODE_EXTRA_CA_CERTS',
    sentence: 'File of certificates (PEM) to trust in addition to the usual ones.',
    parse: optional(certificatesFile),
  }),
};

export const serviceSettings = {
  port: setting({
    name: 'PORT',
    default: '8080',
    sentence: 'Port to listen on; 0 selects any free port.',
    parse: wholeNumber(0, 65_535),
  }),
  listen: setting({
    name: 'LISTEN',
    default: '127.0.0.1',
    sentence: 'Address to listen on; 0.0.0.0 opens the service to the network.',
    parse: listenAddress,
  }),
  publicUrl: setting({
    name: 'PUBLIC_URL',
    sentence:
      'Public URL of the service, such as https://pullquote.example.org. Requests for host names other than this one and loopback get 421, except for /healthz and /metrics. Unset, only requests to IP addresses and localhost are answered.',
    parse: optional(webOrigin),
  }),
  contactUrl: setting({
    name: 'CONTACT_URL',
    sentence:
      'Where readers report mistakes in articles: an https or mailto URL, such as mailto:pullquote@example.org. Unset, pages tell them to turn to the people who run the service.',
    parse: optional(contactUrl),
  }),
  trustProxy: setting({
    name: 'TRUST_PROXY',
    sentence:
      'Proxies whose X-Forwarded headers are trusted: addresses, ranges or loopback, separated by commas.',
    parse: commaSeparated(proxyAddress),
  }),
  drainMs: setting({
    name: 'DRAIN_SECONDS',
    default: '0',
    sentence:
      'Seconds for which a process keeps serving requests after SIGTERM while /healthz returns 503: at least as long as your proxy needs to notice. 0 if no proxy checks /healthz.',
    parse: (text) => wholeNumber(0, 600)(text) * 1000,
  }),
  corsOrigins: setting({
    name: 'CORS_ORIGINS',
    sentence: 'Web origins whose pages may call the API from a browser, separated by commas.',
    parse: commaSeparated(webOrigin),
  }),
  rateLimit: setting({
    name: 'RATE_LIMIT',
    default: '600',
    sentence:
      'Requests in a burst per person, or per IP address for anonymous requests (IPv6 by /64). A thirtieth of this is restored each second. 0 turns the limit off.',
    parse: wholeNumber(0, 1_000_000),
  }),
  dataFolder: setting({
    name: 'PULLQUOTE_DATA',
    default: './data',
    sentence: 'Folder for the local database, generated keys and the sample repository.',
    parse: (text) => resolve(text),
  }),
  databaseUrl: setting({
    name: 'DATABASE_URL',
    sentence:
      'PostgreSQL 15 or newer to use, at one host or several (postgres://a,b/pullquote), of which the primary is found. Unset, the service runs its own PostgreSQL in PULLQUOTE_DATA.',
    parse: optional(databaseUrl),
  }),
  postgresBin: setting({
    name: 'POSTGRES_BIN',
    sentence:
      'Folder with the programs initdb and postgres (15 or newer) for the local database, instead of those installed by npm.',
    parse: optional(existingFolder),
  }),
  databaseConnections: setting({
    name: 'DATABASE_CONNECTIONS',
    default: '10',
    sentence: 'PostgreSQL connections per process, in addition to three for notifications.',
    parse: wholeNumber(1, 200),
  }),
  maxDiffBytes: setting({
    name: 'MAX_DIFF_MIB',
    default: '128',
    sentence: 'Size limit for the stored diff of a pull request, in MiB; files beyond it are only listed.',
    parse: (text) => wholeNumber(1, 1024)(text) * 1024 * 1024,
  }),
  ingestBytesPerDay: setting({
    name: 'INGEST_MIB_PER_DAY',
    default: '1024',
    sentence:
      'Size of the pull requests that each person may fetch per day (UTC), in MiB as stored, with compressed diffs. The last pull request may exceed it; 0 turns the limit off.',
    parse: (text) => wholeNumber(0, 1_048_576)(text) * 1024 * 1024,
  }),
  cacheBytes: setting({
    name: 'CACHE_MIB',
    default: '64',
    sentence: 'Memory for the cache of public pages, in MiB; 0 turns the cache off.',
    parse: (text) => wholeNumber(0, 65_536)(text) * 1024 * 1024,
  }),
  confirmedWithinMs: setting({
    name: 'LIST_HOURS',
    default: '24',
    sentence:
      'Hours for which lists rely on the last check of who has access to a repository. Listed repositories are checked again before that, within the rate limits of the code host.',
    parse: (text) => wholeNumber(1, 168)(text) * 60 * 60 * 1000,
  }),
  watchEveryMs: setting({
    name: 'WATCH_MINUTES',
    default: '10',
    sentence:
      'Minutes between two polls of a followed repository for new merges, and between two refreshes of a mirror. Hosts with rate limits are polled less often.',
    parse: (text) => wholeNumber(1, 1440)(text) * 60 * 1000,
  }),
  watchesPerUser: setting({
    name: 'WATCHES_PER_USER',
    default: '50',
    sentence: 'Repositories that each person may follow with automatic articles.',
    parse: wholeNumber(0, 100_000),
  }),
  writers: setting({
    name: 'WRITERS',
    default: '2',
    sentence: 'Articles that this process writes at the same time. With 0, other processes write and poll.',
    parse: wholeNumber(0, 64),
  }),
  writingMs: setting({
    name: 'WRITING_SECONDS',
    default: '120',
    sentence:
      'Time limit for reading and checking one article, in seconds, without the time that models take.',
    parse: (text) => wholeNumber(1, 86_400)(text) * 1000,
  }),
  writingBytes: setting({
    name: 'WRITING_MIB',
    default: '1024',
    sentence:
      'Memory limit for reading and checking one article, in MiB, including about 40 for the program.',
    parse: (text) => wholeNumber(128, 65_536)(text) * 1024 * 1024,
  }),
  secretKeys: setting({
    name: 'SECRET_KEYS',
    sentence: `Keys that sign local tokens and encrypt saved ones, newest first: ${secretKeysFormat}. Unset, a key is kept in the data folder. Set it if several processes share a database.`,
    parse: optional(secretKeys),
  }),
  metricsToken: setting({
    name: 'METRICS_TOKEN',
    sentence:
      'Bearer token for Prometheus to read GET /metrics, of at least 16 characters. Unset, nothing is measured and /metrics does not exist.',
    parse: optional(bearerToken),
  }),
  agentToken: setting({
    name: 'PULLQUOTE_TOKEN',
    sentence:
      'Your token, which pullquote mcp sends to the service. Unset, agents can read only public articles. The service does not read this setting.',
    parse: optional(tokenOfUser),
  }),
  logLevel: setting({
    name: 'LOG_LEVEL',
    default: 'info',
    sentence: 'Log level: fatal, error, warn, info, debug, trace or silent.',
    parse: oneOfValues('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
  }),
};

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
    parse: oneOfValues(...digestPeriods),
  }),
  digestWebhookPosts: setting({
    name: 'DIGEST_WEBHOOK_POSTS',
    default: 'digest',
    sentence:
      'What to post: digest, merges (each article about a pull request merged in the last day, in order, without those by bots) or both.',
    parse: oneOfValues(...webhookPosts),
  }),
  digestWebhookFormat: setting({
    name: 'DIGEST_WEBHOOK_FORMAT',
    sentence:
      'Format: slack, discord, teams or json. Unset, it is derived from the URL, or json. Use slack for Mattermost and Rocket.Chat.',
    parse: optional(oneOfValues(...webhookFormats)),
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
