import { knownHosts } from '../../code-hosts/known-hosts.ts';
import { type Config, programSearchPath, readConfig, unknownSettings } from '../../config.ts';
import { type Finding, failure, InvalidSettings, ok, StartupProblem, warning } from '../../domain/errors.ts';
import { createEgressClient, type EgressRules } from '../../egress/egress-client.ts';
import type { UnknownSetting } from '../../settings/setting-parsers.ts';
import { version } from '../../version.ts';
import { askLocalService, localOrigin } from '../ask-service.ts';
import { defineCommand, flag, onOneLine, print, printJson, text } from '../command.ts';
import { withModels } from '../models.ts';
import {
  examineDigestWebhook,
  examineMail,
  examinePort,
  examinePublicUrl,
  judgeWebhooks,
} from './examine-connections.ts';
import { examineDatabase, examineKeys, judgeQueue } from './examine-database.ts';
import { examineDisk, examineGit, judgeClocks } from './examine-machine.ts';
import { examineModels } from './examine-models.ts';

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
    else print(describe(findings));
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

export function describe(findings: Finding[]): string {
  const lines = findings.flatMap(({ state, concern, sentence, remedy }) => [
    `${state.padEnd(8)} ${concern.padEnd(9)} ${onOneLine(sentence)}`,
    ...(remedy === null ? [] : [`${' '.repeat(18)} → ${onOneLine(remedy)}`]),
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
