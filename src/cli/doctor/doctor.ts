import { execFile } from 'node:child_process';
import { existsSync, statfsSync } from 'node:fs';
import { promisify } from 'node:util';
import type { TSchema } from 'typebox';
import { bareGitEnvironment, isTooOldToFetch, oldestToFetch } from '../../code-hosts/git-runner/run-git.ts';
import { knownHosts } from '../../code-hosts/known-hosts.ts';
import { type Config, programSearchPath, readConfig, unknownSettings } from '../../config.ts';
import { Type } from '../../contract/type.ts';
import { requireUsableDataFolder } from '../../data-folder.ts';
import {
  type Finding,
  failure,
  failureOf,
  InvalidSettings,
  ok,
  StartupProblem,
  warning,
} from '../../domain/errors.ts';
import { createEgressClient, type EgressRules } from '../../egress/egress-client.ts';
import { adviceOnLocalModel, findLocalModels } from '../../open-model-lists.ts';
import { loadPrompts, openModels } from '../../open-writing.ts';
import type { UnknownSetting } from '../../settings/setting-parsers.ts';
import { version } from '../../version.ts';
import { fitReply } from '../../writing/ai/ask-model.ts';
import type { Model } from '../../writing/ai/model.ts';
import { ModelFailure, type ModelReply } from '../../writing/ai/model-question.ts';
import { fillPrompt, type Question } from '../../writing/ai/prompts.ts';
import { JudgeReply } from '../../writing/ai/reply-forms.ts';
import { askLocalService, localOrigin } from '../call-service.ts';
import { defineCommand, flag, print, printJson, text, withoutLineBreaks } from '../command.ts';
import { type Ailment, ailments, withModels } from '../models.ts';
import {
  examineDigestWebhook,
  examineMail,
  examinePort,
  examinePublicUrl,
  judgeWebhooks,
} from './examine-connections.ts';
import { examineDatabase, examineKeys, judgeQueue } from './examine-database.ts';

export const doctor = defineCommand({
  help: [
    'Usage: pullquote doctor [--model PROVIDER/NAME] [--json]',
    '',
    'Checks everything the service depends on, using the settings in the current folder, and says how to fix problems. It',
    'checks settings, version, disk, keys, database, writing, port, address, git, clones, code hosts, webhooks, clock, models,',
    'mail and DIGEST_WEBHOOK_URL. It changes nothing. You can run it while the service is running; otherwise it starts the local',
    'database for the check. Each configured model gets one small call, which its provider charges for, and the second model',
    'judges a true and a false sentence.',
    '',
    '  --model PROVIDER/NAME   check this model instead of AI_MODEL',
    '  --json                  print JSON',
    '',
    'Exit codes: 0 no failures (warnings are allowed), 1 failures.',
  ],
  options: { model: text, json: flag },
  async run(values) {
    const findings = await examineWithSettings(values.model);
    const isWell = findings.every(({ state }) => state !== 'failure');
    if (values.json) printJson({ isWell, findings });
    else print(describeFindings(findings));
    if (!isWell) process.exitCode = 1;
  },
});

async function examineWithSettings(model: string | undefined): Promise<Finding[]> {
  const unknown = judgeUnknown(unknownSettings());
  let config: Config;
  try {
    const read = readConfig();
    config = model === undefined ? read : withModels(read, { model });
  } catch (error) {
    if (!(error instanceof StartupProblem)) throw error;
    const problems = error instanceof InvalidSettings ? error.problems : [error.message];
    return [...judgeSettings(problems), ...unknown];
  }
  const about = `Pullquote ${version} on Node ${process.versions.node}, ${process.platform} ${process.arch}.`;
  const settings = unknown.length > 0 ? unknown : [ok('settings', 'All settings are valid.')];
  return [...settings, ok('version', about), ...(await examineAll(config))];
}

export async function examineAll(config: Config): Promise<Finding[]> {
  const { codeHosts } = config;
  const connect = (rules: EgressRules) => createEgressClient(config, rules);
  const address = config.port === 0 ? null : localOrigin(config);
  const answering = address === null ? null : await askLocalService(address);
  const isRunning = answering?.kind === 'well' || answering?.kind === 'unwell';
  const examiningDatabase = examineDatabase(config);
  const deps = { connect, listAddedClones: async () => (await examiningDatabase).stored?.added ?? [] };
  const [database, port, publicUrl, git, hosts, models, mail, digestWebhook] = await Promise.all([
    examiningDatabase,
    examinePort(config, address, answering),
    examinePublicUrl(config, isRunning),
    examineGit(codeHosts, programSearchPath()),
    Promise.all(codeHosts.map((id) => knownHosts[id].examine(config, deps))),
    examineModels(config),
    examineMail(config),
    examineDigestWebhook(config),
  ]);
  const clocks = {
    'the database': database.look?.aheadMs ?? null,
    ...Object.fromEntries(codeHosts.map((id, place) => [knownHosts[id].name, hosts[place]?.aheadMs ?? null])),
  };
  return [
    examineDisk(config),
    ...examineKeys(config, database),
    ...database.findings,
    ...judgeQueue(database.stored?.asked ?? null),
    ...port,
    publicUrl,
    git,
    ...hosts.flatMap(({ findings }) => findings),
    judgeWebhooks(config, database.stored),
    ...judgeClocks(clocks),
    ...models,
    mail,
    ...digestWebhook,
  ];
}

export const judgeSettings = (problems: string[]): Finding[] =>
  problems.map((problem) =>
    failure(
      'settings',
      problem,
      'Correct it in the environment or in .env. pullquote settings lists all settings.',
    ),
  );

export const judgeUnknown = (unknown: UnknownSetting[]): Finding[] =>
  unknown.map(({ name, meant }) =>
    warning(
      'settings',
      `${name} is not a setting.`,
      meant ? `Did you mean ${meant}?` : 'Remove it from .env. pullquote settings lists all settings.',
    ),
  );

function describeFindings(findings: Finding[]): string {
  const lines = findings.flatMap(({ state, concern, sentence, remedy }) => [
    `${state.padEnd(8)} ${concern.padEnd(9)} ${withoutLineBreaks(sentence)}`,
    ...(remedy === null ? [] : [`${' '.repeat(18)} → ${withoutLineBreaks(remedy)}`]),
  ]);
  const count = (wanted: Finding['state']) => findings.filter(({ state }) => state === wanted).length;
  const [warnings, failures] = [count('warning'), count('failure')];
  const sum = [
    `${count('ok')} ok`,
    `${warnings} ${warnings === 1 ? 'warning' : 'warnings'}`,
    `${failures} ${failures === 1 ? 'failure' : 'failures'}`,
  ];
  return [...lines, '', `${sum.join(', ')}.`].join('\n');
}

const mebibyte = 1024 * 1024;

/** Diffs that GitHub does not print are fetched only while this much disk is free. */
const neededToFetch = 256 * mebibyte;

/** The free space below which other programs could fill the rest of the disk at any moment. */
const scarce = 1024 * mebibyte;

export function examineDisk({ dataFolder }: Pick<Config, 'dataFolder'>): Finding {
  if (!existsSync(dataFolder))
    return ok('disk', `The data folder ${dataFolder} does not exist yet. The first start creates it.`);
  try {
    requireUsableDataFolder(dataFolder);
  } catch (error) {
    return failureOf('disk', error);
  }
  const { bavail, bsize } = statfsSync(dataFolder);
  return judgeRoom(dataFolder, bavail * bsize);
}

export function judgeRoom(dataFolder: string, free: number): Finding {
  const left = `The disk of the data folder ${dataFolder} has ${Math.floor(free / mebibyte)} MiB of free space`;
  const remedy = 'Free some space, or choose a folder on another disk with PULLQUOTE_DATA.';
  if (free < neededToFetch)
    return warning('disk', `${left}: not enough to fetch large pull requests from GitHub.`, remedy);
  if (free < scarce) return warning('disk', `${left}. The service may soon run out of it.`, remedy);
  return ok('disk', `${left}.`);
}

type Clocks = Record<string, number | null>;

/** The Date header has whole seconds, and a response takes time. */
const toleratedMs = 5_000;

/** With a clock this wrong, tokens signed elsewhere are refused. */
const harmfulMs = 60_000;

export function judgeClocks(clocks: Clocks): Finding[] {
  const known = Object.entries(clocks).filter((entry): entry is [string, number] => entry[1] !== null);
  if (known.length === 0)
    return [
      ok(
        'clock',
        `The time here is ${new Date().toISOString()}; there is no other clock to compare it with.`,
      ),
    ];
  const off = known.filter(([, aheadMs]) => Math.abs(aheadMs) > toleratedMs);
  if (off.length === 0)
    return [ok('clock', `The clock agrees with ${known.map(([name]) => name).join(' and ')}.`)];
  return off.map(([name, aheadMs]) => {
    const seconds = Math.round(Math.abs(aheadMs) / 1000);
    const sentence = `The clock of this machine is ${seconds} s ${aheadMs > 0 ? 'behind' : 'ahead of'} ${name}.`;
    const tell = Math.abs(aheadMs) > harmfulMs ? failure : warning;
    return tell(
      'clock',
      sentence,
      'Synchronize both clocks with NTP, for example with timedatectl set-ntp true.',
    );
  });
}

const run = promisify(execFile);

type Hosts = Config['codeHosts'];

async function examineGit(codeHosts: Hosts, searchPath: string): Promise<Finding> {
  const environment = { ...bareGitEnvironment, PATH: searchPath };
  const printed = await run('git', ['--version'], { env: environment, timeout: 10_000 }).catch(() => null);
  return judgeGit(codeHosts, printed?.stdout ?? null);
}

export function judgeGit(codeHosts: Hosts, printed: string | null): Finding {
  const [, major, minor] = /(\d+)\.(\d+)/.exec(printed ?? '') ?? [];
  const remedy = `Install git ${oldestToFetch} or newer and add it to PATH.`;
  const read = codeHosts.map((id) => knownHosts[id].gitUse);
  const tell = (which: typeof read, sentence: (what: string) => string): Finding => {
    const say = which.some(({ isForAll }) => isForAll) ? failure : warning;
    return say('git', sentence(which.map(({ description }) => description).join(' and ')), remedy);
  };
  if (printed === null || major === undefined)
    return tell(read, (what) => `git was not found, so ${what} cannot be read.`);
  const version = `git ${major}.${minor}`;
  const fetched = read.filter(({ fetches }) => fetches);
  if (isTooOldToFetch(printed) && fetched.length > 0)
    return tell(fetched, (what) => `${version} is too old to fetch ${what}.`);
  return ok('git', `${version} is installed.`);
}

const schema = Type.Object({ word: Type.String() }, { additionalProperties: false });

/** Thinking counts too, so a lower limit would make the reply look truncated. */
const maxOutputTokens = 1_000;

export async function examineModels(config: Config): Promise<Finding[]> {
  const models = openModels(config, { clock: () => new Date() });
  if (!models) {
    const [local] = await findLocalModels(config);
    const advice = local ? adviceOnLocalModel(local) : 'To use a model, set AI_MODEL.';
    return [ok('models', `No model is set: articles are written without one. ${advice}`)];
  }
  const { writer, judge, partReader } = models;
  try {
    const findings: Finding[] = [];
    for (const model of new Set([writer, ...(judge ? [judge] : []), partReader]))
      findings.push(await examine(model));
    if (judge && findings.every(({ state }) => state === 'ok'))
      findings.push(await examineAsReader(judge, loadPrompts(config.aiPrompts).prompts['judge-sentences']));
    return [...findings, adviceOn(writer, judge)];
  } catch (error) {
    return [failureOf('models', error)];
  } finally {
    await models.close();
  }
}

const modelLabel = ({ provider, name }: Model): string => `${provider}/${name}`;

async function examine(model: Model): Promise<Finding> {
  const reply = await askModel(model, {
    instructions: 'Answer with a JSON object that has one field, "word", and nothing else.',
    prompt: 'Which word did you choose?',
    schema,
  });
  if (reply instanceof ModelFailure) return failedModel(model, reply);
  if (reply.value !== undefined) return ok('models', `${modelLabel(model)} answers.`);
  return ailing(modelLabel(model), ailments[reply.isCutOff ? 'cutOff' : 'badOutput']);
}

async function askModel(model: Model, question: Question<TSchema>): Promise<ModelReply | ModelFailure> {
  try {
    const signal = new AbortController().signal;
    return await model.ask({ ...question, earlier: [], maxOutputTokens, signal });
  } catch (error) {
    if (error instanceof ModelFailure) return error;
    throw error;
  }
}

const failedModel = (model: Model, { reason, status }: ModelFailure): Finding =>
  ailing(modelLabel(model), ailments[reason], status);

function ailing(who: string, [problem, remedy]: Ailment, status?: number): Finding {
  const sentence = status === undefined ? problem : `${problem.slice(0, -1)} (HTTP ${status}).`;
  return failure('models', `${who} ${sentence}`, remedy ?? null);
}

/** A changed line with a true and a false sentence about it. */
const trial = [
  's1 (f1-3, f1+3) The limit rises from 10 to 20.',
  's2 (f1-3, f1+3) The limit falls to 5.',
  'f1 src/limit.ts',
  '@1',
  '3-export const limit = 10;',
  '3+export const limit = 20;',
];

async function examineAsReader(model: Model, template: string): Promise<Finding> {
  const question = fillPrompt(template, { language: 'en', project: 'pullquote/doctor', lines: trial });
  const reply = await askModel(model, { ...question, schema: JudgeReply });
  if (reply instanceof ModelFailure) return failedModel(model, reply);
  const fitted = fitReply(JudgeReply, reply.value);
  const verdictOn = (sentence: number) =>
    fitted.fits ? fitted.reply.verdicts.find(({ n }) => n === sentence)?.verdict : undefined;
  if (verdictOn(1) === 'holds' && ['contradicted', 'notShown'].includes(verdictOn(2) ?? ''))
    return ok('models', `${modelLabel(model)} tells a true sentence from a false one.`);
  const problem =
    verdictOn(1) === undefined || verdictOn(2) === undefined
      ? ailments.badOutput
      : verdictOn(2) === 'holds'
        ? ailments.unread
        : refusing;
  return ailing(`${modelLabel(model)}, as second model,`, problem);
}

const refusing: Ailment = [
  'rejects a sentence that is plainly true.',
  'Set AI_JUDGE_MODEL to another model.',
];

function adviceOn(writer: Model, judge: Model | null): Finding {
  if (!judge)
    return warning(
      'models',
      'AI_JUDGE_MODEL is off: no second model checks the articles. They say so and keep the authors’ titles.',
      'Set AI_JUDGE_MODEL to a second model.',
    );
  if (judge === writer)
    return warning(
      'models',
      'The same model writes and checks. Models overlook their own mistakes more often than those of others.',
      'Set AI_JUDGE_MODEL to a different model.',
    );
  return ok('models', 'Two different models write and check.');
}
