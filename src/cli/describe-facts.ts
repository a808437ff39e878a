import type {
  AttentionPoint,
  Evidence,
  Facts,
  FileFacts,
  SymbolChange,
  UnitChange,
} from '../reading/facts.ts';
import { onOneLine } from './print.ts';

/** What a person still reads of each: of files, of what is told of one, of places, and of points and paths. */
const most = { files: 30, linesOfFile: 12, places: 6, points: 15, paths: 20 };

/** Kinds of files that go along with a change of others. A long one may outweigh a short fix, and still comes after it. */
const alongside = new Set<FileFacts['kind']>([
  'test',
  'documentation',
  'binary',
  'generated',
  'vendored',
  'lock',
]);

/** Facts for a person at a terminal, who is told how many there are of what would be too long to read. */
export function describeFacts(name: string, title: string, facts: Facts): string {
  const { attention, description, changeType } = facts;
  const files = facts.files.toSorted(
    (one, other) => Number(alongside.has(one.kind)) - Number(alongside.has(other.kind)),
  );
  const additions = files.reduce((sum, file) => sum + file.additions, 0);
  const deletions = files.reduce((sum, file) => sum + file.deletions, 0);
  const sections = [
    `${onOneLine(`${name}: ${title}`)}\n${changeType ?? 'no sure type'}, ${count(files.length, 'file')}, +${additions} -${deletions}`,
    section('What changed, most important first', few(files.map(printFile), most.files)),
    section('Worth attention', few(attention.map(printPoint), most.points)),
    section('The author says', description.text ? [indent(description.text)] : ['  nothing']),
    section(
      'Closes',
      description.linkedIssues.map((number) => `  #${number}`),
    ),
  ];
  return sections.filter((text) => text !== '').join('\n\n');
}

/** The first of them, and how many more there are. One more is shown instead of counted. */
function few(told: string[], atMost: number, before = '  '): string[] {
  if (told.length <= atMost + 1) return told;
  return [...told.slice(0, atMost), `${before}and ${told.length - atMost} more`];
}

function section(heading: string, lines: string[]): string {
  return lines.length === 0 ? '' : [heading, ...lines].join('\n');
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

const indent = (text: string): string => text.replaceAll(/^/gm, '  ');

function printFile(file: FileFacts): string {
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
  const told = [...few(lines, most.linesOfFile, ''), ...printChanges(file.changes)];
  const type = changeType === null ? '' : `, ${changeType}`;
  const head = `  ${onOneLine(`${path}${from}`)}\n    ${status}, ${what}, +${additions} -${deletions}${type}`;
  return [head, ...told.map((line) => `    ${onOneLine(line)}`)].join('\n');
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

/** Statements by what happened to them, each kind on a line with where that was. */
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
  return `  ${onOneLine(what)}\n    ${onOneLine(where)}`;
}

function place({ startLine, endLine, side }: Evidence): string {
  const lines = startLine === endLine ? `${startLine}` : `${startLine}-${endLine}`;
  return side === 'old' ? `[old ${lines}]` : `[${lines}]`;
}
