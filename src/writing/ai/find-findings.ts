import type {
  DependencyChange,
  Evidence,
  Facts,
  FileFacts,
  SignatureEdit,
  SurfaceChange,
  SymbolChange,
  TestChange,
} from '../../reading/facts.ts';
import { type Draft, placeSentences, type StatedFact, type Thing } from '../draft.ts';
import { checkSentence } from '../verify/check-sentence.ts';
import type { Ground } from '../verify/ground.ts';
import type { Finding } from './material.ts';

/** Models read findings first; the rest of the space is for lines. */
const mostFindings = 60;
/** The limit per file, so that a large file does not crowd out the others. */
const mostPerFile = 12;
/** The most files that are checked in a large change. */
const mostChecked = 300;
const longestValue = 60;

/**
 * The findings that a model may cite: the size of the change, sentences of the rules, and facts proved by the lines.
 */
export function findFindings(rules: Draft, { files }: Facts, ground: Ground): Finding[] {
  const known = files
    .values()
    .filter(({ skipped }) => skipped === null)
    .flatMap((file) => findingsIn(file).slice(0, mostPerFile))
    .take(mostChecked)
    .flatMap((finding) => prove(finding, ground))
    .take(mostFindings);
  const all = [sizeOf(files), ...written(rules), ...known];
  return [...new Map(all.map((finding) => [finding.text, finding])).values()].slice(0, mostFindings);
}

function sizeOf(files: FileFacts[]): Finding {
  const additions = files.reduce((sum, file) => sum + file.additions, 0);
  const deletions = files.reduce((sum, file) => sum + file.deletions, 0);
  return {
    text: `${files.length} files, ${additions} lines added, ${deletions} removed`,
    evidence: [],
    facts: [
      { relation: 'count', of: 'files', value: files.length },
      { relation: 'count', of: 'additions', value: additions },
      { relation: 'count', of: 'deletions', value: deletions },
    ],
  };
}

/** Rows of the rules about many places. Added, removed and changed names are separate findings. */
const ofManyPlaces = /^(?:The same edit|Not read:|\d+ files moved)| renamed to /;

function written(rules: Draft): Finding[] {
  const rows = placeSentences(rules).flatMap(({ part, sentence }) =>
    part !== 'title' && ofManyPlaces.test(sentence.text) ? [sentence] : [],
  );
  return [...(rules.scope ? [rules.scope.sentence] : []), ...rows]
    .filter(({ basis, text }) => basis === 'diff' && text !== '')
    .map(({ text, evidence }) => ({ text, evidence, facts: [{ relation: 'found', text }] }));
}

function prove(finding: Finding, ground: Ground): Finding[] {
  const sentence = { ...finding, basis: 'diff' as const, quote: null, words: [] };
  const { kept } = checkSentence(sentence, ground, { fileName: null, isSummary: false, before: [] });
  return kept ? [{ ...finding, evidence: kept.evidence }] : [];
}

function findingsIn(file: FileFacts): Finding[] {
  return [
    ...ofFile(file),
    ...file.surfaces.flatMap(ofSurface),
    ...file.dependencies.flatMap(ofDependency),
    ...(file.kind === 'test' ? [] : file.symbols.flatMap((symbol) => ofSymbol(symbol, file))),
    ...file.tests.flatMap(ofTest),
  ];
}

const code = (name: string): string => `\`${name}\``;

const isShort = (...values: string[]): boolean =>
  values.every((value) => value !== '' && value.length <= longestValue && !/[`\n]/.test(value));

const found = (values: string[], text: string, evidence: Evidence[], fact: StatedFact): Finding[] =>
  isShort(...values) ? [{ text, evidence, facts: [fact] }] : [];

const comes = (kind: string, thing: Thing, name: string, evidence: Evidence): Finding[] =>
  found([name], `New ${kind} ${code(name)}.`, [evidence], { relation: 'comes', thing, name });

const goes = (kind: string, thing: Thing, name: string, evidence: Evidence): Finding[] =>
  found([name], `The ${kind} ${code(name)} is removed.`, [evidence], { relation: 'goes', thing, name });

/** `of` is the name that has the value, on the same lines. */
const becomes = (subject: string, of: string[], from: string, to: string, evidence: Evidence): Finding[] =>
  from === to
    ? []
    : found([...of, from, to], `${subject}: ${code(from)} → ${code(to)}.`, [evidence], {
        relation: 'becomes',
        of,
        from,
        to,
      });

function ofFile({ path, previousPath, status, place }: FileFacts): Finding[] {
  const evidence = place ? [place] : [];
  const fact = { relation: 'file' as const, path, from: previousPath };
  // The line above a file's lines tells its status.
  if (path.includes('`') || (place && status !== 'renamed')) return [];
  if (status === 'added')
    return [{ text: `New file ${code(path)}.`, evidence, facts: [{ ...fact, status, from: null }] }];
  if (status === 'removed')
    return [{ text: `The file ${code(path)} is removed.`, evidence, facts: [{ ...fact, status }] }];
  if (status !== 'renamed' || previousPath === null || previousPath.includes('`')) return [];
  return [{ text: `${code(previousPath)} is now ${code(path)}.`, evidence, facts: [{ ...fact, status }] }];
}

const kinds: Record<SymbolChange['kind'] | SurfaceChange['kind'], string> = {
  function: 'function',
  method: 'method',
  constructor: 'constructor',
  class: 'class',
  module: 'module',
  type: 'type',
  // In some languages variables look like constants.
  constant: 'name',
  field: 'field',
  commandLineOption: 'command-line option',
};

function ofSurface({ kind, name, change, isNew, evidence }: SurfaceChange): Finding[] {
  if (change === 'changed' || (change === 'added' && !isNew)) return [];
  return (change === 'added' ? comes : goes)(kinds[kind], kind, name, evidence);
}

function ofDependency({ name, change, from, to, evidence }: DependencyChange): Finding[] {
  if (change === 'added') return comes('dependency', 'dependency', name, evidence);
  if (change === 'removed') return goes('dependency', 'dependency', name, evidence);
  return change === 'moved' ? [] : becomes(code(name), [name], from ?? '', to ?? '', evidence);
}

function ofTest({ name, change, evidence }: TestChange): Finding[] {
  if (change === 'added') return comes('test', 'test', name, evidence);
  return change === 'removed' ? goes('test', 'test', name, evidence) : [];
}

function ofSymbol(symbol: SymbolChange, { path }: FileFacts): Finding[] {
  const { kind, name, change, previousName, movedFrom, value, evidence, signatureEdits } = symbol;
  const edits = [
    ...signatureEdits.flatMap((edit) => ofSignature(edit, name, evidence)),
    ...(value ? becomes(code(name), [name], value.from, value.to, evidence) : []),
  ];
  if (change === 'added') return comes(kinds[kind], kind, name, evidence);
  if (change === 'removed') return goes(kinds[kind], kind, name, evidence);
  if (change === 'renamed')
    return [...becomes(`Renamed ${kinds[kind]}`, [], previousName ?? '', name, evidence), ...edits];
  if (change !== 'moved' || !movedFrom || movedFrom.fileName === path) return edits;
  const fromFile = movedFrom.fileName;
  const text = `The ${kinds[kind]} ${code(name)} moves from ${code(fromFile)} to ${code(path)}.`;
  const moved: StatedFact = { relation: 'moved', thing: kind, name, fromFile, toFile: path };
  return [...found([name], text, [evidence], moved), ...edits];
}

function ofSignature(edit: SignatureEdit, of: string, evidence: Evidence): Finding[] {
  const ofOne = (name: string, change: 'added' | 'removed', verb: string): Finding[] =>
    found([of, name], `${code(of)} ${verb} ${code(name)}.`, [evidence], {
      relation: 'parameter',
      of,
      name,
      change,
    });
  switch (edit.kind) {
    case 'parameterAdded':
      return ofOne(edit.name, 'added', 'takes a new parameter');
    case 'parameterRemoved':
      return ofOne(edit.name, 'removed', 'no longer takes');
    case 'parameterRenamed':
      return becomes(`Parameter of ${code(of)}`, [of], edit.from, edit.to, evidence);
    case 'parameterType':
      return becomes(
        `Type of ${code(edit.name)} of ${code(of)}`,
        [of, edit.name],
        edit.from,
        edit.to,
        evidence,
      );
    case 'default':
      return becomes(`Default of ${code(edit.name)}`, [edit.name], edit.from, edit.to, evidence);
    case 'returns':
      return becomes(`Return type of ${code(of)}`, [of], edit.from, edit.to, evidence);
  }
}
