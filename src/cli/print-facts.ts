import type { AttentionPoint, Evidence, Facts, FileFacts } from '../reading/facts.ts';

/** Facts for a person at a terminal. */
export function printFacts(name: string, title: string, facts: Facts): string {
  const { files, attention, description, changeType } = facts;
  const additions = files.reduce((sum, file) => sum + file.additions, 0);
  const deletions = files.reduce((sum, file) => sum + file.deletions, 0);
  const sections = [
    `${name}: ${title}\n${changeType}, ${count(files.length, 'file')}, +${additions} -${deletions}`,
    section('What changed, most important first', files.map(printFile)),
    section('Worth attention', attention.map(printPoint)),
    section('The author says', description.text ? [indent(description.text)] : ['  nothing']),
    section(
      'Said, but not to be seen in the diff',
      description.unseen.map(({ sentence }) => `  ${sentence}`),
    ),
    section(
      'In the diff, but not spoken of',
      description.unmentioned.map((path) => `  ${path}`),
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
  const lines = [`  ${path}${from}`, `    ${status}, ${what}, +${additions} -${deletions}, ${changeType}`];
  for (const {
    change,
    kind: symbolKind,
    name,
    container,
    previousName,
    signature,
    evidence,
  } of file.symbols) {
    const whole = container ? `${container}.${name}` : name;
    const was = previousName ? ` (was ${previousName})` : '';
    lines.push(
      `    ${change} ${symbolKind} ${whole}${was}${signature ? `: ${signature}` : ''} ${place(evidence)}`,
    );
  }
  for (const { change, name, from: before, to, evidence } of file.dependencies) {
    lines.push(
      `    ${change} dependency ${name} ${[before, to].filter(Boolean).join(' → ')} ${place(evidence)}`,
    );
  }
  for (const { change, kind: surface, name, evidence } of file.surfaces) {
    lines.push(`    ${change} ${surface} ${name} ${place(evidence)}`);
  }
  for (const { change, name, evidence } of file.tests)
    lines.push(`    ${change} test "${name}" ${place(evidence)}`);
  return lines.join('\n');
}

function printPoint({ category, reason, subjects, evidence }: AttentionPoint): string {
  const where = evidence.map((one) => `${one.fileName}${place(one)}`).join(', ');
  return `  ${category} ${reason}: ${subjects.join(', ')}\n    ${where}`;
}

function place({ startLine, endLine, side }: Evidence): string {
  const lines = startLine === endLine ? `${startLine}` : `${startLine}-${endLine}`;
  return side === 'old' ? `[old ${lines}]` : `[${lines}]`;
}
