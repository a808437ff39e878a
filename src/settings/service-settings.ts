import { resolve } from 'node:path';
import { secretKeysFormat } from '../domain/secrets.ts';
import {
  bearerToken,
  certificatesFile,
  databaseUrl,
  existingFolder,
  listenAddress,
  listOf,
  oneOf,
  optional,
  proxyAddress,
  proxyUrl,
  secretKeys,
  setting,
  tokenOfUser,
  webOrigin,
  wholeNumber,
} from './setting-parsers.ts';

/** How others are reached. Other programs know these settings by the same names. */
export const networkSettings = {
  httpsProxy: setting({
    name: 'HTTPS_PROXY',
    alias: 'https_proxy',
    sentence: 'Proxy for https connections to others.',
    parse: optional(proxyUrl),
  }),
  httpProxy: setting({
    name: 'HTTP_PROXY',
    alias: 'http_proxy',
    sentence: 'Proxy for http connections to others, and for https ones without HTTPS_PROXY.',
    parse: optional(proxyUrl),
  }),
  noProxy: setting({
    name: 'NO_PROXY',
    alias: 'no_proxy',
    sentence: 'Names that are called without a proxy, separated by commas; this machine always is.',
    parse: optional((text) => text),
  }),
  extraCaFile: setting({
    name: 'NODE_EXTRA_CA_CERTS',
    sentence: 'File of certificates (PEM) to trust beside the usual ones.',
    parse: optional(certificatesFile),
  }),
};

/** Where the service listens, what it stores and how much it does at once. */
export const serviceSettings = {
  port: setting({
    name: 'PORT',
    default: '8080',
    sentence: 'Port to serve at; 0 takes any free one.',
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
      'Address under which people reach the service, such as https://pullquote.example.org. Requests under other names than this one and loopback are refused with 421, except for /healthz and /metrics. Unset: other names than IP addresses and localhost are.',
    parse: optional(webOrigin),
  }),
  trustProxy: setting({
    name: 'TRUST_PROXY',
    sentence:
      'Proxies whose X-Forwarded headers are believed: addresses, ranges or loopback, separated by commas.',
    parse: listOf(proxyAddress),
  }),
  drainMs: setting({
    name: 'DRAIN_SECONDS',
    default: '0',
    sentence:
      'For how many seconds a process goes on answering once it is told to stop, while /healthz answers 503: as long as a proxy takes to notice. 0 where none asks.',
    parse: (text) => wholeNumber(0, 600)(text) * 1000,
  }),
  corsOrigins: setting({
    name: 'CORS_ORIGINS',
    sentence: 'Web origins whose pages may call the API from a browser, separated by commas.',
    parse: listOf(webOrigin),
  }),
  rateLimit: setting({
    name: 'RATE_LIMIT',
    default: '600',
    sentence:
      'Requests in a burst for each person, or each address without one (IPv6 by /64); a thirtieth of it comes back each second. 0 turns it off.',
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
      'PostgreSQL 15 or newer to use. Without it, the service runs a PostgreSQL of its own in PULLQUOTE_DATA.',
    parse: optional(databaseUrl),
  }),
  postgresBin: setting({
    name: 'POSTGRES_BIN',
    sentence:
      'Folder with the programs initdb and postgres (15 or newer) to run as the local database, instead of those that npm installs.',
    parse: optional(existingFolder),
  }),
  databaseConnections: setting({
    name: 'DATABASE_CONNECTIONS',
    default: '10',
    sentence:
      'How many connections to PostgreSQL a process has at most, beside three that listen for notifications.',
    parse: wholeNumber(1, 200),
  }),
  maxDiffBytes: setting({
    name: 'MAX_DIFF_MIB',
    default: '128',
    sentence:
      'How much of the diff of one pull request is read and stored, in MiB; files beyond it are listed only.',
    parse: (text) => wholeNumber(1, 1024)(text) * 1024 * 1024,
  }),
  ingestBytesPerDay: setting({
    name: 'INGEST_MIB_PER_DAY',
    default: '1024',
    sentence:
      'How much each person may have stored by fetching pull requests in a day (UTC), in MiB, as it is stored: diffs compressed. The last one may go beyond it; 0 sets no limit.',
    parse: (text) => wholeNumber(0, 1_048_576)(text) * 1024 * 1024,
  }),
  cacheBytes: setting({
    name: 'CACHE_MIB',
    default: '64',
    sentence: 'How much memory public pages may take that are kept ready to be sent, in MiB; 0 keeps none.',
    parse: (text) => wholeNumber(0, 65_536)(text) * 1024 * 1024,
  }),
  listedForMs: setting({
    name: 'LIST_HOURS',
    default: '24',
    sentence:
      'For how many hours lists go by what a code host last said of who may see a repository. What lists show is asked for again before that, as far as the host allows.',
    parse: (text) => wholeNumber(1, 168)(text) * 60 * 60 * 1000,
  }),
  watchEveryMs: setting({
    name: 'WATCH_MINUTES',
    default: '10',
    sentence:
      'After how many minutes a code host is asked again what was merged in a repository that people watch. A host that limits the service is asked less.',
    parse: (text) => wholeNumber(1, 1440)(text) * 60 * 1000,
  }),
  watchesPerUser: setting({
    name: 'WATCHES_PER_USER',
    default: '50',
    sentence: 'How many repositories each person may watch.',
    parse: wholeNumber(0, 100_000),
  }),
  writers: setting({
    name: 'WRITERS',
    default: '2',
    sentence:
      'How many articles this process writes at the same time; 0 leaves writing, and asking code hosts what is new, to other processes.',
    parse: wholeNumber(0, 64),
  }),
  writingMs: setting({
    name: 'WRITING_SECONDS',
    default: '120',
    sentence:
      'How long reading and checking for one article may take, in seconds of work; waiting for a model is none.',
    parse: (text) => wholeNumber(1, 86_400)(text) * 1000,
  }),
  writingBytes: setting({
    name: 'WRITING_MIB',
    default: '1024',
    sentence: 'How much memory that may take, in MiB. The program itself takes about 40 of them.',
    parse: (text) => wholeNumber(128, 65_536)(text) * 1024 * 1024,
  }),
  secretKeys: setting({
    name: 'SECRET_KEYS',
    sentence: `Keys that sign local tokens and seal saved ones, newest first: ${secretKeysFormat}. Unset, one is kept in the data folder; set it when several processes share a database.`,
    parse: optional(secretKeys),
  }),
  metricsToken: setting({
    name: 'METRICS_TOKEN',
    sentence:
      'Bearer token with which Prometheus reads GET /metrics, of at least 16 characters. Unset, nothing is measured and there is no such path.',
    parse: optional(bearerToken),
  }),
  agentToken: setting({
    name: 'PULLQUOTE_TOKEN',
    sentence:
      'Your token, with which pullquote mcp asks a service on your behalf. Unset, agents are told what is public. A service does not read it.',
    parse: optional(tokenOfUser),
  }),
  logLevel: setting({
    name: 'LOG_LEVEL',
    default: 'info',
    sentence: 'How much to log: fatal, error, warn, info, debug, trace or silent.',
    parse: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
  }),
};
