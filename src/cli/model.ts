import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import type { Static, TSchema } from 'typebox';
import { Check } from 'typebox/value';
import { readConfig } from '../config.ts';
import { Nothing } from '../contract/formats.ts';
import { ModelSettings, ModelTest } from '../contract/models.ts';
import { Type } from '../contract/type.ts';
import { StartupProblem } from '../domain/errors.ts';
import { createEgressClient } from '../egress/egress-client.ts';
import { english } from '../pages/words/en.ts';
import { modelName, wholeNumber, yesOrNo } from '../settings/setting-parsers.ts';
import { callLimits, callService, serverOf } from './call-service.ts';
import {
  createProgressBar,
  defineCommand,
  flag,
  print,
  printJson,
  printProblem,
  stopOnSignals,
  text,
  UsageProblem,
} from './command.ts';
import { parseOption } from './models.ts';

const mostTokens = 1_000_000_000_000;

export const model = defineCommand({
  help: [
    'Usage: pullquote model [--json] [--server URL]',
    '       pullquote model set PROVIDER/MODEL [--url URL] [--reader PROVIDER/MODEL|off] [--reader-url URL]',
    '                           [--tokens-per-day N] [--tokens-per-month N|none] [--articles-per-day N] [--private true|false]',
    '       pullquote model test [PROVIDER/MODEL and the options of set]',
    '       pullquote model off',
    '',
    'Shows the models that write and check articles in a running service, their limits, and what they used this month; sets',
    'them; tests those in use, or others before they are set; or removes them together with their stored keys. Nothing has to be',
    'restarted. This needs the token of an operator in PULLQUOTE_TOKEN: a user in OPERATORS, or the one who signed in with the',
    'one-time link.',
    '',
    'A test calls each model once, within 30 seconds: the first writes about a sample, and the second judges five false and five',
    'true sentences.',
    '',
    'The key is asked for at the terminal, where it is not shown, or read from standard input, one line for each provider.',
    'Without a key, the one stored for the same provider and address stays. Keys are never arguments, because shells and lists of',
    'processes show those.',
    '',
    'PROVIDER is anthropic, openai, google or compatible (Ollama, LM Studio, llama.cpp and others).',
    '',
    '  --url URL              the address of its API, if it is not the usual one; required for compatible',
    '  --reader MODEL         the second model, which compares what is written with the diff (default: the same), or off',
    '  --reader-url URL       the address of its API',
    '  --tokens-per-day N     tokens that the models may use per day (UTC)',
    '  --tokens-per-month N   tokens that the models may use per month (UTC), or none for no limit',
    '  --articles-per-day N   articles that the models write per person per day',
    '  --private true|false   whether the provider receives private repositories: their diffs, descriptions and comments',
    '  --json                 print JSON',
    '  --server URL           the service (default: PUBLIC_URL, else this machine)',
    '',
    'Examples:',
    '  pullquote model set anthropic/claude-sonnet-4-5',
    '  pullquote model set compatible/qwen3:14b --url http://127.0.0.1:11434/v1 < /dev/null',
    '  pass show anthropic | pullquote model set anthropic/claude-sonnet-4-5 --reader off',
    '  pullquote model test',
    '',
    'Exit codes: 0 done, 1 failed or a model failed its test, 2 invalid arguments, 130 stopped with Ctrl-C.',
  ],
  allowPositionals: true,
  options: {
    json: flag,
    server: text,
    url: text,
    reader: text,
    'reader-url': text,
    'tokens-per-day': text,
    'tokens-per-month': text,
    'articles-per-day': text,
    private: text,
  },
  async run(values, positionals) {
    const [action = 'show', writer, ...more] = positionals;
    if (!['show', 'set', 'test', 'off'].includes(action))
      throw new UsageProblem('Pass set, test, off or nothing after pullquote model.');
    if (more.length > 0)
      throw new UsageProblem('Pass one model. Keys are not arguments: the command asks for them.');
    if (action === 'set' ? writer === undefined : action !== 'test' && writer !== undefined)
      throw new UsageProblem('Pass a model after set, such as anthropic/claude-sonnet-4-5.');
    const wanted = writer === undefined ? null : readWanted(writer, values);
    if (!wanted && Object.keys(values).some((name) => name !== 'json' && name !== 'server'))
      throw new UsageProblem('Options about models need a model, after pullquote model set or test.');
    const config = readConfig();
    const server = serverOf(values.server, config);
    const way = createEgressClient(config, { ...callLimits, origins: [server], mayBePrivate: true });
    const refusals = refusalsAt(server);
    const call: Call = async (schema, method, path, body) => {
      const sent = { method, token: config.agentToken, refusals, ...(body && { body }) };
      const result = await callService(way.fetch, `${server}${path}`, sent);
      const isAnswer = typeof result === 'object' && result !== null && 'data' in result;
      if (isAnswer && Check(schema, result.data)) return result.data;
      throw new StartupProblem(`${server} is a different version of Pullquote. Check --server.`);
    };
    try {
      const keyed = wanted && (await withKeys(wanted));
      if (action === 'test') return showTest(await runTest(call, keyed ?? {}), values.json);
      if (keyed) await call(ModelSettings, 'PUT', '/service/model', keyed);
      else if (action === 'off') await call(Nothing, 'DELETE', '/service/model');
      const settings = await call(ModelSettings, 'GET', '/service/model');
      if (values.json) printJson(settings);
      else for (const line of describe(settings)) print(line);
    } finally {
      await way.close();
    }
  },
});

const refusalsAt = (server: string): Record<string, string> => ({
  UNAUTHORIZED: `${server} needs your token. Set PULLQUOTE_TOKEN to what pullquote token or pullquote login prints.`,
  NOT_FOUND: `The token in PULLQUOTE_TOKEN is not that of an operator of ${server}. Add its user to OPERATORS and restart the service, or use the name that signed in with the one-time link.`,
  SET_BY_ENVIRONMENT: `Environment variables of ${server} set this, and they win. Unset them there and restart the service, or change them instead.`,
});

type Call = <Schema extends TSchema>(
  schema: Schema,
  method: string,
  path: string,
  body?: object,
) => Promise<Static<Schema>>;

/** The fields of a job that this command reads. */
const TestJob = Type.Object({
  id: Type.String({ pattern: '^[\\w-]{1,40}$' }),
  state: Type.String(),
  test: Type.Optional(ModelTest),
  error: Type.Optional(Type.Object({ message: Type.String() })),
});

type Tested = Static<typeof ModelTest>;

const pollMs = 300;

/** Null if it was stopped. */
async function runTest(call: Call, models: object): Promise<Tested | null> {
  const stopped = new AbortController();
  const forget = stopOnSignals(stopped);
  const bar = createProgressBar(process.stderr);
  try {
    let job = await call(TestJob, 'POST', '/service/model/test', models);
    while (job.state === 'queued' || job.state === 'running') {
      bar.show(0, 0, 'Asking the models …');
      await setTimeout(pollMs, null, { signal: stopped.signal }).catch(() => {});
      if (stopped.signal.aborted) await call(Type.Object({}), 'DELETE', `/jobs/${job.id}`);
      job = await call(TestJob, 'GET', `/jobs/${job.id}`);
    }
    if (job.test) return job.test;
    if (stopped.signal.aborted) return null;
    throw new StartupProblem(job.error?.message ?? 'The test was cancelled.');
  } finally {
    bar.clear();
    forget();
  }
}

/** With fewer right verdicts of five, a model is no use as the second one. */
const leastRight = 4;

function showTest(test: Tested | null, asJson: boolean): void {
  if (!test) {
    printProblem('Stopped.');
    process.exitCode = 130;
    return;
  }
  const { problem, problemOf, liesCaught, truthsKept } = test;
  const said = english.model;
  const isWeak = liesCaught !== null && truthsKept !== null && Math.min(liesCaught, truthsKept) < leastRight;
  if (asJson) printJson(test);
  else if (problem) print(`${problemOf ? `${said.problemOf[problemOf]}: ` : ''}${said.problems[problem]}`);
  else {
    print(said.works);
    print(liesCaught === null || truthsKept === null ? said.unchosen : said.caught(liesCaught, truthsKept));
    if (isWeak) print(said.weak);
  }
  if (problem || isWeak) process.exitCode = 1;
}

interface Wanted {
  provider: string;
  model: string;
  baseUrl?: string;
  apiKey?: string;
}

interface WantedSettings {
  writer: Wanted;
  reader?: Wanted | null;
  limits: object;
}

type Values = Partial<
  Record<'url' | 'reader' | 'reader-url' | 'tokens-per-day' | 'tokens-per-month', string>
> &
  Partial<Record<'articles-per-day' | 'private', string>>;

function readWanted(writer: string, values: Values): WantedSettings {
  const readModel = (option: string, given: string, url: string | undefined): Wanted => {
    const { provider, name } = parseOption(option, modelName, given);
    return { provider, model: name, ...(url !== undefined && { baseUrl: url }) };
  };
  const read = <Value>(name: keyof Values, parse: (text: string) => Value): Value | undefined => {
    const given = values[name];
    return given === undefined ? undefined : parseOption(`--${name}`, parse, given);
  };
  const { reader, url, 'reader-url': readerUrl } = values;
  if (readerUrl !== undefined && (reader === undefined || reader === 'off'))
    throw new UsageProblem('--reader-url needs --reader.');
  const tokens = wholeNumber(0, mostTokens);
  const limits = {
    tokensPerDay: read('tokens-per-day', tokens),
    tokensPerMonth: read('tokens-per-month', (given) => (given === 'none' ? null : tokens(given))),
    articlesPerDay: read('articles-per-day', wholeNumber(0, 1_000_000)),
    mayReadPrivate: read('private', yesOrNo),
  };
  const second = reader === undefined || reader === 'off' ? null : readModel('--reader', reader, readerUrl);
  return {
    writer: readModel('The model', writer, url),
    ...(reader !== undefined && { reader: second }),
    limits,
  };
}

/** Asks for a key for each provider and address. */
async function withKeys({ writer, reader, limits }: WantedSettings): Promise<WantedSettings> {
  const ask = process.stdin.isTTY
    ? (wanted: Wanted) => askSecret(questionFor(wanted), process.stdin, process.stderr)
    : linesOf(process.stdin);
  const keyed = async (wanted: Wanted): Promise<Wanted> => {
    const apiKey = (await ask(wanted)).trim();
    return apiKey === '' ? wanted : { ...wanted, apiKey };
  };
  const first = await keyed(writer);
  if (!reader) return { writer: first, ...(reader === null && { reader }), limits };
  const isSame = reader.provider === writer.provider && reader.baseUrl === writer.baseUrl;
  const { apiKey } = first;
  const second = isSame ? { ...reader, ...(apiKey !== undefined && { apiKey }) } : await keyed(reader);
  return { writer: first, reader: second, limits };
}

const questionFor = ({ provider, baseUrl }: Wanted): string =>
  `Key for ${provider}${baseUrl === undefined ? '' : ` at ${baseUrl}`} (not shown; empty to keep the stored one, or for none): `;

function linesOf(input: NodeJS.ReadStream): () => Promise<string> {
  const lines = createInterface({ input })[Symbol.asyncIterator]();
  return async () => {
    const next = await lines.next();
    return next.done ? '' : next.value;
  };
}

/** Asks without showing what is typed. */
export async function askSecret(
  question: string,
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
): Promise<string> {
  output.write(question);
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input, output: silent, terminal: true, historySize: 0 });
  try {
    return await terminal.question('');
  } catch {
    throw new StartupProblem('Stopped. Nothing was changed.');
  } finally {
    terminal.close();
    output.write('\n');
  }
}

const count = (number: number): string => number.toLocaleString('en');

const named = ({
  provider,
  model: name,
  baseUrl,
}: {
  provider: string;
  model: string;
  baseUrl: string;
}): string => `${provider}/${name} at ${baseUrl}`;

interface Used {
  inputTokens: number;
  outputTokens: number;
  estimatedCostUsd?: number;
}

function describe({
  source,
  isKeyUnreadable,
  writer,
  reader,
  local,
  limits,
  usage,
}: ModelSettings): string[] {
  const lines = writer
    ? [
        `Writes: ${named(writer)}`,
        `Checks: ${reader ? named(reader) : 'no second model'}`,
        `Set by: ${source === 'environment' ? 'environment variables' : 'an operator'}`,
      ]
    : ['Articles are written without a model. To set one, run pullquote model set.'];
  if (isKeyUnreadable)
    lines.push('The stored key cannot be decrypted, because SECRET_KEYS have changed. Set it again.');
  for (const { name, baseUrl, models } of local)
    lines.push(`${name} is running on that machine: --url ${baseUrl}, with ${models.join(', ')}`);
  if (limits) {
    const { tokensPerDay, tokensPerMonth, articlesPerDay, mayReadPrivate, setByEnvironment } = limits;
    const month = tokensPerMonth === null ? 'no limit' : count(tokensPerMonth);
    lines.push(
      `Tokens today: ${count(usage.tokensToday)} of ${count(tokensPerDay)}; this month: ${count(usage.tokensThisMonth)} of ${month}`,
      `Articles: at most ${count(articlesPerDay)} per person per day`,
      `Private repositories: ${mayReadPrivate ? 'their diffs, descriptions and comments are sent to the provider' : 'written without a model'}`,
    );
    if (setByEnvironment.length > 0)
      lines.push(`Set by environment variables: ${setByEnvironment.join(', ')}`);
  }
  const row = (name: string, { inputTokens, outputTokens, estimatedCostUsd }: Used): string =>
    `  ${count(inputTokens + outputTokens)} tokens${estimatedCostUsd === undefined ? '' : `, $${estimatedCostUsd.toFixed(2)}`}: ${name}`;
  const nameOf = (one: { owner: string; repo: string } | null) =>
    one ? `${one.owner}/${one.repo}` : 'tests, and repositories that you do not see';
  if (usage.byRepository.length > 0)
    lines.push(
      `Used in ${usage.month}, by repository:`,
      ...usage.byRepository.map((one) => row(nameOf(one.repository), one)),
      `Used in ${usage.month}, by user:`,
      ...usage.byUser.map((one) =>
        row(one.user?.hostUsername ?? 'followed repositories and deleted accounts', one),
      ),
    );
  return lines;
}
