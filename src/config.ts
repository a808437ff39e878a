import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { StartupProblem } from './domain/errors.ts';
import { secretKeysFormat } from './domain/secret-keys.ts';
import { missingForModels } from './model-access.ts';
import {
  apiKey,
  certificatesFile,
  databaseUrl,
  existingFolder,
  githubUrl,
  issuer,
  jsonPointer,
  keysUrl,
  listenAddress,
  listOf,
  modelName,
  oneOf,
  optional,
  privateRepository,
  proxyAddress,
  proxyUrl,
  scopes,
  secretKeys,
  Unusable,
  webOrigin,
  webUrl,
  wholeNumber,
} from './setting-parsers.ts';
import { missingForSignIn } from './sign-in-settings.ts';
import { findUnknownSettings, type UnknownSetting } from './unknown-settings.ts';

interface Setting<T> {
  name: string;
  /** Another spelling that is in use elsewhere, and wins, as it does there. */
  alias?: string;
  /** What holds when the setting is not given: as text, the way a person would write it. */
  default?: string;
  sentence: string;
  parse: (text: string) => T;
}

const setting = <T>(described: Setting<T>): Setting<T> => described;

export const settings = {
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
      'Address under which people reach the service, when a proxy stands before it. Requests for any other name but loopback are then refused, except for /healthz and /metrics.',
    parse: optional(webOrigin),
  }),
  trustProxy: setting({
    name: 'TRUST_PROXY',
    sentence:
      'Proxies whose X-Forwarded headers are believed: addresses, ranges or loopback, separated by commas.',
    parse: listOf(proxyAddress),
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
    sentence: 'Folder for the embedded database, generated keys and the sample repository.',
    parse: (text) => resolve(text),
  }),
  databaseUrl: setting({
    name: 'DATABASE_URL',
    sentence: 'PostgreSQL 15 or newer to use instead of the embedded database.',
    parse: optional(databaseUrl),
  }),
  databaseConnections: setting({
    name: 'DATABASE_CONNECTIONS',
    default: '10',
    sentence: 'How many connections to PostgreSQL a process has at most, beside one on which it listens.',
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
  writers: setting({
    name: 'WRITERS',
    default: '2',
    sentence: 'How many articles this process writes at the same time; 0 leaves writing to other processes.',
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
    sentence: 'How much memory that may take, in MiB. The program itself takes about 100 of them.',
    parse: (text) => wholeNumber(192, 65_536)(text) * 1024 * 1024,
  }),
  codeHosts: setting({
    name: 'CODE_HOST',
    default: 'git',
    sentence: 'Code hosts to read from, separated by commas; the first is the default. Known: git, github.',
    parse: (text) => {
      const hosts = listOf(oneOf('git', 'github'))(text);
      if (hosts.length === 0) throw new Unusable('must name at least one code host: git or github');
      return [...new Set(hosts)];
    },
  }),
  gitRepos: setting({
    name: 'GIT_REPOS',
    sentence:
      'Folder of clones or mirrors laid out owner/repo or owner/repo.git. Unset, a sample repository is shown.',
    parse: optional(existingFolder),
  }),
  gitPrivate: setting({
    name: 'GIT_PRIVATE',
    sentence:
      'Private repositories and the local names that may see them: owner/repo=alice+bob, separated by commas.',
    parse: listOf(privateRepository),
  }),
  gitWebUrl: setting({
    name: 'GIT_WEB_URL',
    sentence: 'Web address of the host that the clones come from, for links to pull requests.',
    parse: optional(webUrl),
  }),
  githubUrl: setting({
    name: 'GITHUB_URL',
    default: 'https://github.com',
    sentence:
      'Where GitHub is: https://github.com, https://NAME.ghe.com, or an Enterprise Server. A database stays with one.',
    parse: githubUrl,
  }),
  githubToken: setting({
    name: 'GITHUB_TOKEN',
    sentence:
      'Token with which the service asks GitHub for what is public, on behalf of those who present none; without it GitHub answers 60 questions an hour.',
    parse: optional(apiKey),
  }),
  githubClientId: setting({
    name: 'GITHUB_CLIENT_ID',
    sentence:
      'Client id of your GitHub App or OAuth app, for signing in by browser and by `pullquote login`. Needs PUBLIC_URL.',
    parse: optional(apiKey),
  }),
  githubClientSecret: setting({
    name: 'GITHUB_CLIENT_SECRET',
    sentence: 'Its client secret.',
    parse: optional(apiKey),
  }),
  githubScopes: setting({
    name: 'GITHUB_SCOPES',
    sentence:
      'Scopes that an OAuth app asks for, separated by blanks: repo for private repositories. A GitHub App needs none.',
    parse: scopes,
  }),
  oidcIssuer: setting({
    name: 'OIDC_ISSUER',
    sentence:
      'Identity provider whose signed tokens (JWT) are accepted, exactly as they name it. Needs the two settings below, and github.',
    parse: optional(issuer),
  }),
  oidcAudience: setting({
    name: 'OIDC_AUDIENCE',
    sentence: 'Whom its tokens are for: this service, as the provider calls it.',
    parse: optional((text) => text),
  }),
  oidcHostUserClaim: setting({
    name: 'OIDC_HOST_USER_CLAIM',
    sentence:
      'Claim with the number of the account on GitHub, as a JSON pointer such as /sub. Users must not be able to edit it.',
    parse: optional(jsonPointer),
  }),
  oidcJwksUrl: setting({
    name: 'OIDC_JWKS_URL',
    sentence: 'Where its keys are, for providers that do not tell.',
    parse: optional(keysUrl),
  }),
  hostAvatars: setting({
    name: 'HOST_AVATARS',
    default: 'false',
    sentence:
      "Whether pages show people's pictures from where their code host keeps them; without it nothing leaves the service.",
    parse: (text) => oneOf('true', 'false')(text) === 'true',
  }),
  aiModel: setting({
    name: 'AI_MODEL',
    sentence:
      'Model that writes articles, as anthropic/…, openai/…, google/… or compatible/… (Ollama, vLLM, llama.cpp and others). Unset, articles are written without one.',
    parse: optional(modelName),
  }),
  aiBaseUrl: setting({
    name: 'AI_BASE_URL',
    sentence:
      'Address of the model where it is not the usual one of its provider, such as http://127.0.0.1:11434/v1.',
    parse: optional(webUrl),
  }),
  anthropicApiKey: setting({
    name: 'ANTHROPIC_API_KEY',
    sentence: 'Key for anthropic/… models.',
    parse: optional(apiKey),
  }),
  openaiApiKey: setting({
    name: 'OPENAI_API_KEY',
    sentence: 'Key for openai/… models.',
    parse: optional(apiKey),
  }),
  geminiApiKey: setting({
    name: 'GEMINI_API_KEY',
    sentence: 'Key for google/… models.',
    parse: optional(apiKey),
  }),
  aiApiKey: setting({
    name: 'AI_API_KEY',
    sentence: 'Key for compatible/… models, where they want one.',
    parse: optional(apiKey),
  }),
  aiContextTokens: setting({
    name: 'AI_CONTEXT_TOKENS',
    sentence:
      'How many tokens the model reads and writes in one call. Unset, what is known of the model, up to 200000, else 32000.',
    parse: optional(wholeNumber(4_000, 10_000_000)),
  }),
  aiOutputTokens: setting({
    name: 'AI_OUTPUT_TOKENS',
    default: '16000',
    sentence: 'How many of these it may write; a quarter of them at most.',
    parse: wholeNumber(1_000, 1_000_000),
  }),
  aiTimeoutMs: setting({
    name: 'AI_TIMEOUT_SECONDS',
    default: '180',
    sentence: 'How long one call to the model may take, in seconds.',
    parse: (text) => wholeNumber(1, 3_600)(text) * 1000,
  }),
  aiArticlesPerDay: setting({
    name: 'AI_ARTICLES_PER_DAY',
    default: '50',
    sentence: 'How many articles each person may have written by the model in a day (UTC).',
    parse: wholeNumber(0, 1_000_000),
  }),
  aiTokensPerDay: setting({
    name: 'AI_TOKENS_PER_DAY',
    default: '10000000',
    sentence: 'How many tokens the model may read and write for everybody together in a day (UTC).',
    parse: wholeNumber(0, 1_000_000_000_000),
  }),
  aiPrivate: setting({
    name: 'AI_PRIVATE',
    default: 'false',
    sentence:
      'Whether private repositories are shown to the model; without it they are written about offline.',
    parse: (text) => oneOf('true', 'false')(text) === 'true',
  }),
  aiJudgeModel: setting({
    name: 'AI_JUDGE_MODEL',
    sentence:
      'Model that reads what was written against the diff once more. Unset, the one that writes; off, none.',
    parse: optional((text) => (text === 'off' ? text : modelName(text))),
  }),
  aiPrompts: setting({
    name: 'AI_PROMPTS',
    sentence: 'Folder of prompts to use instead of those that come with the service.',
    parse: optional(existingFolder),
  }),
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
  secretKeys: setting({
    name: 'SECRET_KEYS',
    sentence: `Keys that sign local tokens and seal saved ones, newest first: ${secretKeysFormat}. Unset, one is kept in the data folder; set it when several processes share a database.`,
    parse: optional(secretKeys),
  }),
  logLevel: setting({
    name: 'LOG_LEVEL',
    default: 'info',
    sentence: 'How much to log: fatal, error, warn, info, debug, trace or silent.',
    parse: oneOf('fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'),
  }),
};

export type Config = { [K in keyof typeof settings]: ReturnType<(typeof settings)[K]['parse']> };

type Environment = Record<string, string | undefined>;

function parseSetting<T>(described: Setting<T>, environment: Environment, problems: string[]): T | undefined {
  const given =
    (described.alias && environment[described.alias]?.trim()) || environment[described.name]?.trim();
  try {
    return described.parse(given || (described.default ?? ''));
  } catch (error) {
    if (!(error instanceof Unusable)) throw error;
    problems.push(`${described.name} ${error.message}.`);
    return undefined;
  }
}

/** Reads all settings from the given environment, or says everything that is wrong with them at once. */
export function parseConfig(environment: Environment): Config {
  const problems: string[] = [];
  const config = Object.fromEntries(
    Object.entries(settings).map(([key, described]) => [
      key,
      parseSetting<unknown>(described, environment, problems),
    ]),
  ) as Config;
  if (problems.length === 0) problems.push(...missingForModels(config), ...missingForSignIn(config));
  if (problems.length > 0) {
    throw new StartupProblem(
      ['These settings cannot be used:', ...problems.map((one) => `  ${one}`)].join('\n'),
    );
  }
  return config;
}

const readFile = (): Environment => (existsSync('.env') ? parseEnv(readFileSync('.env', 'utf8')) : {});

/** The settings of this process: its environment, and below it the file .env in the working folder. */
export function readConfig(): Config {
  return parseConfig({ ...readFile(), ...process.env });
}

/** What was probably meant as a setting of this process, and is none. */
export function unknownSettings(): UnknownSetting[] {
  const known = Object.values<Setting<unknown>>(settings).flatMap(({ name, alias }) =>
    alias ? [name, alias] : [name],
  );
  const given = { file: Object.keys(readFile()), environment: Object.keys(process.env) };
  return findUnknownSettings(known, given);
}

/** Where this process looks for programs such as git. */
export function programSearchPath(): string {
  return process.env.PATH ?? '';
}
