import type {
  AttentionPoint,
  Evidence,
  Facts,
  FileFacts,
  SymbolChange,
  UnitChange,
} from '../reading/facts.ts';
import { onOneLine } from './print.ts';

/** Facts for a person at a terminal. */
export function describeFacts(name: string, title: string, facts: Facts): string {
  const { files, attention, description, changeType } = facts;
  const additions = files.reduce((sum, file) => sum + file.additions, 0);
  const deletions = files.reduce((sum, file) => sum + file.deletions, 0);
  const sections = [
    `${onOneLine(`${name}: ${title}`)}\n${changeType ?? 'no sure type'}, ${count(files.length, 'file')}, +${additions} -${deletions}`,
    section('What changed, most important first', files.map(printFile)),
    section('Worth attention', attention.map(printPoint)),
    section('The author says', description.text ? [indent(description.text)] : ['  nothing']),
    section(
      'Said, but not to be seen in the diff',
      description.unseen.map(({ sentence }) => `  ${onOneLine(sentence)}`),
    ),
    section(
      'In the diff, but not spoken of',
      description.unmentioned.map((path) => `  ${onOneLine(path)}`),
    ),
    section(
      'Closes',
      description.linkedIssues.map((number) => `  #${number}`),
    ),
  ];
  return sections.filter((text) => text !== '').join('\n\n');
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
    ...file.tests.map(
      ({ change, name, previousName, evidence }) =>
        `${change} test "${name}"${previousName === null ? '' : ` (was "${previousName}")`} ${place(evidence)}`,
    ),
    ...file.changes.map(printChange),
  ];
  const type = changeType === null ? '' : `, ${changeType}`;
  const head = `  ${onOneLine(`${path}${from}`)}\n    ${status}, ${what}, +${additions} -${deletions}${type}`;
  return [head, ...lines.map((line) => `    ${onOneLine(line)}`)].join('\n');
}

function printSymbol(symbol: SymbolChange): string {
  const { change, kind, name, container, previousName, movedFrom, movedTo, wrapper, value } = symbol;
  const whole = container ? `${container}.${name}` : name;
  const details = [
    previousName === null ? '' : ` (was ${previousName})`,
    movedFrom && movedTo ? ` (${movedFrom.fileName} → ${movedTo.fileName})` : '',
    wrapper === null ? '' : ` (in ${wrapper})`,
    symbol.isEdited ? ' with changes' : '',
    value ? ` ${value.from} → ${value.to}` : '',
    symbol.signature === null ? '' : `: ${symbol.signature}`,
    ...symbol.signatureEdits.map((edit) => ` {${Object.values(edit).join(' ')}}`),
  ];
  return `${change} ${kind} ${whole}${details.join('')} ${place(symbol.evidence)}`;
}

function printChange({ kind, of, old, new: current, counterpart }: UnitChange): string {
  const places = [old, current].flatMap((one) => (one ? [place(one)] : []));
  const other = counterpart ? ` (${counterpart.fileName}${place(counterpart)})` : '';
  return `${kind} ${of} ${places.join(' → ')}${other}`;
}

function printPoint({ category, reason, subjects, transitions, evidence }: AttentionPoint): string {
  const where = evidence.map((one) => `${one.fileName}${place(one)}`).join(', ');
  const values = transitions.map(({ subject, from, to }) => `${subject} ${from} → ${to}`);
  const what = `${category} ${reason}: ${(values.length > 0 ? values : subjects).join(', ')}`;
  return `  ${onOneLine(what)}\n    ${onOneLine(where)}`;
}

function place({ startLine, endLine, side }: Evidence): string {
  const lines = startLine === endLine ? `${startLine}` : `${startLine}-${endLine}`;
  return side === 'old' ? `[old ${lines}]` : `[${lines}]`;
}
