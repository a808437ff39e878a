import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readChange } from '../actions/pull-requests/collect-diff.ts';
import type { CodeHost } from '../code-hosts/code-host.ts';
import { type Config, readConfig } from '../config.ts';
import { prepareDataFolder } from '../data-folder.ts';
import { operatorIdentity } from '../domain/accounts.ts';
import { StartupProblem } from '../domain/errors.ts';
import { openClones } from '../open-samples.ts';
import type {
  AttentionPoint,
  Evidence,
  Facts,
  FileFacts,
  SymbolChange,
  UnitChange,
} from '../reading/facts.ts';
import { defineCommand, flag, print, printJson, UsageProblem, withoutLineBreaks } from './command.ts';
import { runHere } from './explain/write-about.ts';

const most = { files: 30, linesOfFile: 12, places: 6, points: 15, paths: 20 };

/** Files that accompany a change in others. They come after it even if they have more changed lines. */
const alongside = new Set<FileFacts['kind']>([
  'test',
  'documentation',
  'binary',
  'generated',
  'vendored',
  'lock',
]);

export function describeFacts(name: string, title: string, facts: Facts): string {
  const { attention, description, changeType } = facts;
  const files = facts.files.toSorted(
    (one, other) => Number(alongside.has(one.kind)) - Number(alongside.has(other.kind)),
  );
  const additions = files.reduce((sum, file) => sum + file.additions, 0);
  const deletions = files.reduce((sum, file) => sum + file.deletions, 0);
  const sections = [
    `${withoutLineBreaks(`${name}: ${title}`)}\n${changeType ?? 'type not certain'}, ${countNoun(files.length, 'file')}, +${additions} -${deletions}`,
    factsSection('What changed, most important first', few(files.map(printFileFacts), most.files)),
    factsSection('Worth attention', few(attention.map(printPoint), most.points)),
    factsSection('The author says', description.text ? [indent(description.text)] : ['  nothing']),
    factsSection(
      'Closes',
      description.linkedIssues.map((number) => `  #${number}`),
    ),
  ];
  return sections.filter((text) => text !== '').join('\n\n');
}

/** Prints the first items and the number of the others. "and 1 more" would take as much space as the item. */
function few(printed: string[], atMost: number, before = '  '): string[] {
  if (printed.length <= atMost + 1) return printed;
  return [...printed.slice(0, atMost), `${before}and ${printed.length - atMost} more`];
}

function factsSection(heading: string, lines: string[]): string {
  return lines.length === 0 ? '' : [heading, ...lines].join('\n');
}

function countNoun(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

const indent = (text: string): string => text.replaceAll(/^/gm, '  ');

function printFileFacts(file: FileFacts): string {
  const { path, previousPath, status, kind, language, additions, deletions, changeType, skipped } = file;
  const from = previousPath ? ` (from ${previousPath})` : '';
  const what = [kind, language, skipped && `not read: ${skipped}`].filter(Boolean).join(', ');
  const lines = [
    ...file.symbols.map(printSymbol),
    ...file.dependencies.map(
      ({ change, name, from: before, to, evidence }) =>
        `${change} dependency ${name} ${[before, to].filter(Boolean).join(' → ')} ${place(evidence)}`,
    ),
    ...file.surfaces.map(
      ({ change, kind: surface, name, evidence }) => `${change} ${surface} ${name} ${place(evidence)}`,
    ),
    ...file.tests.map(({ change, name, evidence }) => `${change} test "${name}" ${place(evidence)}`),
  ];
  const printed = [...few(lines, most.linesOfFile, ''), ...printChanges(file.changes)];
  const type = changeType === null ? '' : `, ${changeType}`;
  const head = `  ${withoutLineBreaks(`${path}${from}`)}\n    ${status}, ${what}, +${additions} -${deletions}${type}`;
  return [head, ...printed.map((line) => `    ${withoutLineBreaks(line)}`)].join('\n');
}

function printSymbol(symbol: SymbolChange): string {
  const { change, kind, name, container, previousName, movedFrom, movedTo, value } = symbol;
  const whole = container ? `${container}.${name}` : name;
  const details = [
    previousName === null ? '' : ` (was ${previousName})`,
    movedFrom && movedTo ? ` (${movedFrom.fileName} → ${movedTo.fileName})` : '',
    symbol.isEdited ? ' with changes' : '',
    value ? ` ${value.from} → ${value.to}` : '',
    symbol.signature === null ? '' : `: ${symbol.signature}`,
    ...symbol.signatureEdits.map((edit) => ` {${Object.values(edit).join(' ')}}`),
  ];
  return `${change} ${kind} ${whole}${details.join('')} ${place(symbol.evidence)}`;
}

function printChanges(changes: UnitChange[]): string[] {
  const kinds = Map.groupBy(changes, ({ kind, of }) => `${kind} ${of}`);
  return [...kinds].map(([kind, same]) => {
    const times = same.length > 1 ? `, ${same.length} times:` : '';
    return `${kind}${times} ${few(same.map(printPlaces), most.places, '').join(', ')}`;
  });
}

function printPlaces({ old, new: current, counterpart }: UnitChange): string {
  const places = [old, current].flatMap((one) => (one ? [place(one)] : []));
  const other = counterpart ? ` (${counterpart.fileName}${place(counterpart)})` : '';
  return `${places.join(' → ')}${other}`;
}

function printPoint({ reason, subjects, evidence }: AttentionPoint): string {
  const places = evidence.map((one) => `${one.fileName}${place(one)}`);
  const where = few(places, most.places, '').join(', ');
  const what = `${reason}: ${few(subjects, most.places, '').join(', ')}`;
  return `  ${withoutLineBreaks(what)}\n    ${withoutLineBreaks(where)}`;
}

function place({ startLine, endLine, side }: Evidence): string {
  const lines = startLine === endLine ? `${startLine}` : `${startLine}-${endLine}`;
  return side === 'old' ? `[old ${lines}]` : `[${lines}]`;
}

export const factsCommand = defineCommand({
  help: [
    'Usage: pullquote facts OWNER/REPO NUMBER [--json]',
    '',
    "Prints the facts about a pull request in a clone: its type, the changes by file, what needs attention, and the author's",
    'description. Long lists are shortened, with a count of the rest. You can run it while the service is running.',
    '',
    '  --json   print everything as JSON',
  ],
  allowPositionals: true,
  options: { json: flag },
  async run(values, positionals) {
    const [fullName = '', numberText = '', ...more] = positionals;
    const [owner = '', name = '', ...rest] = fullName.split('/');
    const number = Number(numberText);
    if (!owner || !name || rest.length > 0 || more.length > 0)
      throw new UsageProblem('Pass a repository as OWNER/REPO.');
    if (!Number.isSafeInteger(number) || number < 1)
      throw new UsageProblem('NUMBER must be a whole number above 0.');
    const { title, facts } = await readFactsOfClone(owner, name, number);
    if (values.json) printJson(facts);
    else print(describeFacts(`${owner}/${name}#${number}`, title, facts));
  },
});

export async function readFactsOfClone(
  owner: string,
  name: string,
  number: number,
  config: Config = readConfig(),
): Promise<{ title: string; facts: Facts }> {
  prepareDataFolder(config.dataFolder);
  const readOn = async (host: CodeHost) => {
    const caller = { identity: operatorIdentity, token: null, signal: new AbortController().signal };
    const onHost = await host.findPullRequest(owner, name, number, caller);
    if (!onHost) return null;
    const found = await onHost.pullRequest?.read();
    if (!found)
      throw new StartupProblem(
        `${owner}/${name} has no pull request ${number}. Check the number. ${host.pullRequestHint}`,
      );
    const run = runHere();
    const { maxDiffBytes } = config;
    const { payload, source } = await readChange(run, found, {
      host: host.id,
      owner,
      repo: name,
      maxDiffBytes,
    });
    return { title: payload.title, facts: await run('readFacts', payload, source()) };
  };
  const { host } = await openClones(config);
  const read = await readOn(host).finally(() => host.close());
  if (read) return read;
  // The database of the service has the repositories that were added in the browser.
  const { useApp, withSettingsOfService } = await import('./import.ts');
  const added =
    (config.databaseUrl !== undefined || existsSync(join(config.dataFolder, 'postgres'))) &&
    (await useApp('facts', config, host.id, (_, clones) => readOn(clones)));
  if (added) return added;
  throw new StartupProblem(
    `There is no readable clone ${owner}/${name} in ${config.gitRepos ?? 'the samples'}. Check the spelling. ${withSettingsOfService}`,
  );
}
