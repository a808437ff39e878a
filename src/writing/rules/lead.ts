import type { PointLabel, QuoteSource } from '../../domain/article.ts';
import { changelogEntries, changelogName } from '../../reading/changelog-entries.ts';
import { type Deprecation, deprecationsIn } from '../../reading/deprecations.ts';
import { cleanDescription } from '../../reading/description/clean-description.ts';
import { splitLine } from '../../reading/description/sentences.ts';
import type { AttentionPoint, Evidence, SymbolChange } from '../../reading/facts.ts';
import { type DiffLine, linesOf } from '../../reading/file-diff.ts';
import { helpOf, type NewCommand, newCommands } from '../../reading/help-texts.ts';
import { isShipped } from '../../reading/symbols/visibility.ts';
import type { ArticleSource } from '../article-source.ts';
import type { DeclaredThing } from '../draft.ts';
import { holdsKey } from '../key-shapes.ts';
import { isBalanced, losesAddress, plainText } from '../plain-text.ts';
import { isMachine, repeats, withoutReferences } from './author-words.ts';
import { idleLines } from './lines.ts';
import { bareTitle, saysBreaking, wholeTitleOf } from './title.ts';

/** Whole sentences, verbatim. */
export interface Quotation {
  text: string;
  source: QuoteSource;
  speaker: string;
  evidence: Evidence[];
}

/** What several names are called together. */
export type Noun = DeclaredThing | 'field' | 'error' | 'exception' | 'name';

interface Shown {
  evidence: Evidence[];
  /** What documents it, in the words of the code. */
  quotation: Quotation | null;
}

/** One change that others meet, proven by the lines. */
export type ChangeFact = Shown &
  (
    | { kind: 'option' | 'command' | 'deprecated'; names: string[] }
    /** `main` is the kind of the first one, if it is more important than the others. */
    | { kind: 'added' | 'removed'; noun: Noun; main: Noun | null; names: string[] }
    | { kind: 'renamed'; from: string; to: string }
    | { kind: 'parameter'; of: string; names: string[]; change: 'added' | 'removed' }
    | { kind: 'returns'; of: string; from: string; to: string }
    | { kind: 'default'; of: string | null; name: string; from: string; to: string }
  );

/** What an article opens with. */
type LeadFact = ChangeFact | { kind: 'changelog'; entries: Quotation[] };

export type RiskFact = { label: PointLabel } & (
  | ChangeFact
  | (Shown & { kind: 'permission'; names: string[] })
  | (Shown & { kind: 'skippedTest'; names: string[] })
  | { kind: 'breaking'; quotation: Quotation }
);

/** All that could open the article, the best first: what the changelog says, a new option, a public name, a default. */
export function leadsOf(source: ArticleSource): LeadFact[] {
  const changes = publicChanges(source);
  const [come, gone] = [namesAdded(source, changes), namesRemoved(changes)];
  // What others lose counts for more, unless the author speaks of what they get.
  const words = wordsIn(`${source.title} ${source.facts.description.text}`);
  const isNamed = come.some(
    (fact) => 'names' in fact && fact.names.some((name) => words.has(lastOf(name).toLowerCase())),
  );
  return [
    ...changelogLead(source),
    ...optionsAndCommands(source),
    ...(isNamed ? [...come, ...gone] : [...gone, ...signatures(changes), ...come]),
    ...namesRenamed(changes),
    ...deprecations(source),
    ...(isNamed ? signatures(changes) : []),
    ...defaults(changes),
  ];
}

/** What can break those who use it, and what its author says breaks. */
export function risksOf(source: ArticleSource): RiskFact[] {
  const changes = publicChanges(source);
  const labelled = (label: PointLabel, facts: ChangeFact[]): RiskFact[] =>
    facts.map((fact) => ({ label, ...fact }));
  return [
    ...breakingWords(source),
    ...labelled('breaking', [...namesRemoved(changes), ...signatures(changes)]),
    ...labelled('default', defaults(changes)),
    ...labelled('deprecated', deprecations(source)),
    ...marked(source, 'permissionChanged', 'permission'),
    ...marked(source, 'testSkipped', 'skippedTest'),
  ];
}

const mostEntries = 3;

/** What a release lists was done before it. */
const releasing =
  /^(?:(?:prepare|preps?|cut|publish|bump)\b(?: \w+){0,2}? )?(?:releas(?:e|es|ing)|versions?)\b(?: (?:packages?|notes|for|of|to|bump|version))*\s*(?:\(|v?\d|$)|^v?\d+\.\d+[\w.+-]*$/i;

function changelogLead(source: ArticleSource): LeadFact[] {
  const { facts, diff, author } = source;
  const found = changelogEntries(diff);
  const isOnlyList = facts.files.every(({ path }) => changelogName.test(path));
  const title = wholeTitleOf(source);
  if (isMachine(author) || isOnlyList || releasing.test(title) || found.length > mostEntries) return [];
  const entries = found.flatMap(({ text: entry, evidence }): Quotation[] => {
    const text = firstSentences(withoutReferences(plainText(entry)));
    const isFit = text !== '' && isBalanced(text) && !/[{}]/.test(text) && !holdsKey(text);
    if (!isFit || losesAddress(entry) || repeats(text, title)) return [];
    return [{ text, source: 'changelog', speaker: author, evidence: [evidence] }];
  });
  return entries.length > 0 ? [{ kind: 'changelog', entries }] : [];
}

/** As long as an opening may be. */
const longestQuotation = 300;

/** As many whole sentences as fit. */
function firstSentences(text: string): string {
  if (text.length <= longestQuotation) return text;
  let kept = '';
  for (const sentence of splitLine(text)) {
    const longer = kept === '' ? sentence : `${kept} ${sentence}`;
    if (longer.length > longestQuotation) break;
    kept = longer;
  }
  return /[.!?]$/.test(kept) ? kept : '';
}

/** Enough to show where; a sentence names no more than a few. */
const mostEvidence = 60;

const shown = (some: { evidence: Evidence }[], quotation: Quotation | null = null): Shown => ({
  evidence: some.slice(0, mostEvidence).map(({ evidence }) => evidence),
  quotation,
});

function inCode(written: string | null, evidence: Evidence): Quotation | null {
  const text = plainText(written ?? '');
  if (text === '' || text.length > longestQuotation || holdsKey(text) || visiblyBroken(text)) return null;
  return { text, source: 'code', speaker: 'code', evidence: [evidence] };
}

const visiblyBroken = (text: string): boolean => !isBalanced(text) || /[<>{}]|https?:/.test(text);

function optionsAndCommands({ facts, diff }: ArticleSource): ChangeFact[] {
  const options: NewCommand[] = [];
  const commands: NewCommand[] = [];
  for (const file of facts.files.filter((one) => isShipped(one) && one.skipped === null)) {
    const own = diff.find(({ path }) => path === file.path);
    if (!own) continue;
    // Comments show how a library is used.
    const isIdle = idleLines(file);
    const written = own.hunks.flatMap(linesOf).filter((line) => line.side === 'added' && !isIdle(line));
    const isCode = ({ evidence }: { evidence: Evidence }): boolean =>
      written.some(
        ({ newLine, text }) => newLine === evidence.startLine && !/^\s*(?:\/\/|\/?\*|#)/.test(text),
      );
    const added = file.surfaces.filter(
      ({ kind, change }) => kind === 'commandLineOption' && change === 'added',
    );
    for (const { name, evidence } of added.filter(isCode))
      options.push({ name, evidence, help: helpOf(own, evidence) });
    commands.push(...newCommands(file, own).filter(isCode));
  }
  const fact = (kind: 'option' | 'command', some: NewCommand[]): ChangeFact[] => {
    const unique = [...new Map(some.map((one) => [one.name, one])).values()];
    const [first] = unique;
    if (!first) return [];
    const help = unique.length === 1 ? inCode(first.help, first.evidence) : null;
    return [{ kind, names: unique.map(({ name }) => name), ...shown(unique, help) }];
  };
  return [...fact('option', options), ...fact('command', commands)];
}

const nameOf = ({ name, container, kind }: SymbolChange): string =>
  container === null || kind === 'constant' ? name : `${container}.${name}`;

/** What happened to names that others can use; what has the same name before and after neither came nor went. */
function publicChanges(source: ArticleSource): SymbolChange[] {
  const { files } = source.facts;
  const all = files.flatMap(({ symbols }) => symbols);
  const isTwice = ({ name, change }: SymbolChange): boolean =>
    all.some(
      (other) =>
        other.change !== change &&
        ['added', 'removed', 'renamed', 'moved'].includes(other.change) &&
        (other.name === name || other.previousName === name),
    );
  const found = files
    .filter(isShipped)
    .flatMap(({ symbols }) => symbols.filter((symbol) => symbol.isPublic && !isInherited(symbol)))
    .filter(({ kind }) => kind !== 'module');
  const comesOrGoes = ({ change }: SymbolChange): boolean => change === 'added' || change === 'removed';
  const known = namesElsewhere(source, found.filter(comesOrGoes));
  return found.filter((symbol) => !comesOrGoes(symbol) || !(isTwice(symbol) || known.has(symbol)));
}

/** Whether a type may have a member from another one, whatever its own lines say. */
function isInherited({ kind, signature, previousSignature, evidence }: SymbolChange): boolean {
  const member: string = kind;
  const overrides = /\boverride\b/.test(`${signature} ${previousSignature}`);
  return overrides || (member === 'field' && !/\.(?:go|rs)$/.test(evidence.fileName));
}

/** Of names that came or went, those that the code on the other side has too: imported, handed on, or placed elsewhere. */
function namesElsewhere({ facts, diff }: ArticleSource, symbols: SymbolChange[]): Set<SymbolChange> {
  const wanted = Map.groupBy(symbols, ({ name }) => name);
  const found = new Set<SymbolChange>();
  if (wanted.size === 0) return found;
  const source = new Set(facts.files.filter(({ kind }) => kind === 'source').map(({ path }) => path));
  // Members are often called alike, so that lines which stay tell nothing of them.
  const isOther = (side: DiffLine['side'], { change, container }: SymbolChange): boolean =>
    side !== change && (side !== 'context' || container === null);
  for (const hunk of diff.filter(({ path }) => source.has(path)).flatMap(({ hunks }) => hunks)) {
    for (const { side, text } of linesOf(hunk)) {
      for (const [word] of text.matchAll(/[\p{L}_$][\p{L}\p{N}_$]*/gu))
        for (const symbol of wanted.get(word) ?? []) if (isOther(side, symbol)) found.add(symbol);
    }
  }
  return found;
}

/** Without members of what came or went as a whole. */
function heads(changes: SymbolChange[], wanted: 'added' | 'removed'): SymbolChange[] {
  const found = changes.filter(({ change }) => change === wanted);
  const owners = new Set(found.map(({ name }) => name));
  const own = found.filter(
    ({ container, kind }) => kind !== 'constructor' && !owners.has(container?.split('.').at(-1) ?? ''),
  );
  return [...new Map(own.map((symbol) => [nameOf(symbol), symbol])).values()];
}

const isError = (name: string): boolean => /(?:Error|Exception)$|^Err\p{Lu}/u.test(name);

function nounOf(symbols: SymbolChange[]): Noun {
  const isCalled = ({ kind }: SymbolChange): boolean => kind === 'function' || kind === 'method';
  if (symbols.every((symbol) => isError(symbol.name) && !isCalled(symbol)))
    return symbols.every(({ kind }) => kind === 'class') ? 'exception' : 'error';
  const [kind, ...others] = new Set(symbols.map((symbol) => symbol.kind));
  if (kind === undefined || others.length > 0) return 'name';
  // Variables are read as constants too.
  return kind === 'constant' && !symbols.every(({ name }) => /^[A-Z][A-Z\d_]*$/.test(name)) ? 'name' : kind;
}

const wordsIn = (text: string): Set<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}_$]+/gu));
const lastOf = (name: string): string => name.split('.').at(-1) ?? name;

/** Of these, some are often only there for another name that a reader would look for. */
const auxiliary: ReadonlySet<Noun> = new Set(['name', 'type', 'method', 'field']);

/** The main one of several new names is in the title or the description. If none is, names of auxiliary kinds are left out. */
function namesAdded({ title, facts }: ArticleSource, changes: SymbolChange[]): ChangeFact[] {
  const [inTitle, inDescription] = [wordsIn(title), wordsIn(facts.description.text)];
  const rank = ({ name }: SymbolChange): number =>
    inTitle.has(name.toLowerCase()) ? 2 : inDescription.has(name.toLowerCase()) ? 1 : 0;
  const added = heads(changes, 'added').sort((one, other) => rank(other) - rank(one));
  const [first, second] = added;
  if (!first) return [];
  const isMain = second === undefined || rank(first) > rank(second);
  const noun = nounOf(added);
  if (rank(first) === 0 && auxiliary.has(noun)) return [];
  const doc = isMain ? inCode(first.explanation, first.evidence) : null;
  const main = isMain ? nounOf([first]) : null;
  return [{ kind: 'added', noun, main, names: added.map(nameOf), ...shown(added, doc) }];
}

function namesRemoved(changes: SymbolChange[]): ChangeFact[] {
  const gone = heads(changes, 'removed');
  if (gone.length === 0) return [];
  return [{ kind: 'removed', noun: nounOf(gone), main: null, names: gone.map(nameOf), ...shown(gone) }];
}

/** Whether the old name could be used too, as far as a name says that. */
const wasPublic = ({ previousName, evidence: { fileName } }: SymbolChange): boolean =>
  previousName !== null && (fileName.endsWith('.go') ? /^\p{Lu}/u : /^[^_#]/).test(previousName);

const namesRenamed = (changes: SymbolChange[]): ChangeFact[] =>
  changes
    .filter((symbol) => symbol.change === 'renamed' && wasPublic(symbol))
    .map((symbol) => {
      const [from, to] = [symbol.previousName ?? '', symbol.name];
      return { kind: 'renamed', from, to, ...shown([symbol]) };
    });

function deprecations({ facts, diff }: ArticleSource): ChangeFact[] {
  const found = facts.files
    .filter((file) => isShipped(file) && file.skipped === null)
    .flatMap((file): Deprecation[] => {
      const own = diff.find(({ path }) => path === file.path);
      return own ? deprecationsIn(file, own) : [];
    });
  const [first] = found;
  if (!first) return [];
  const note = found.length === 1 ? inCode(first.note, first.evidence) : null;
  return [{ kind: 'deprecated', names: found.map(({ name }) => name), ...shown(found, note) }];
}

/** Languages in which what a function returns is only a hint, and binds no caller. */
const hinted: ReadonlySet<string> = new Set(['py', 'pyi', 'rb', 'php']);
const spelled = (type: string): string => type.replaceAll('interface{}', 'any').replace(/\s/g, '');

const longestTypes = 120;

/** Signatures that break those who call them: by a parameter that they must or can no longer pass, or by what returns. */
const signatures = (changes: SymbolChange[]): ChangeFact[] =>
  changes
    .filter(({ change, kind }) => change === 'signatureChanged' && kind !== 'constant')
    .flatMap((symbol) => {
      const of = nameOf(symbol);
      const parameters = (change: 'added' | 'removed'): ChangeFact[] => {
        const names = symbol.signatureEdits.flatMap((edit) =>
          (change === 'removed' && edit.kind === 'parameterRemoved') ||
          (change === 'added' && edit.kind === 'parameterAdded' && !edit.isOptional)
            ? [edit.name]
            : [],
        );
        if (names.length === 0 || !names.every((name) => /^[\p{L}_$][\w$]*$/u.test(name))) return [];
        return [{ kind: 'parameter', of, names, change, ...shown([symbol]) }];
      };
      return [...parameters('removed'), ...parameters('added'), ...returned(symbol)];
    });

function returned(symbol: SymbolChange): ChangeFact[] {
  const isHint = hinted.has(symbol.evidence.fileName.split('.').at(-1) ?? '');
  return symbol.signatureEdits.flatMap((edit): ChangeFact[] => {
    if (edit.kind !== 'returns' || isHint) return [];
    const { from, to } = edit;
    const isShort = from !== '' && to !== '' && from.length + to.length <= longestTypes;
    if (!isShort || spelled(from) === spelled(to)) return [];
    return [{ kind: 'returns', of: nameOf(symbol), from, to, ...shown([symbol]) }];
  });
}

/** Default values of public parameters and constants. */
function defaults(changes: SymbolChange[]): ChangeFact[] {
  return changes.flatMap((symbol): ChangeFact[] => {
    const fact = (of: string | null, name: string, from: string, to: string): ChangeFact => ({
      ...{ kind: 'default', of, name, from, to },
      ...shown([symbol]),
    });
    const { value } = symbol;
    const constant =
      value && /default/i.test(symbol.name) ? [fact(null, symbol.name, value.from, value.to)] : [];
    const parameters = symbol.signatureEdits.flatMap((edit) =>
      edit.kind === 'default' ? [fact(nameOf(symbol), edit.name, edit.from, edit.to)] : [],
    );
    return [...constant, ...parameters];
  });
}

function marked(
  { facts }: ArticleSource,
  reason: AttentionPoint['reason'],
  kind: 'permission' | 'skippedTest',
): RiskFact[] {
  return facts.attention
    .filter((point) => point.reason === reason)
    .map(({ subjects, evidence }) => ({
      label: kind,
      kind,
      names: subjects,
      evidence,
      quotation: null,
    }));
}

const footer = /^(?:\*\*)?BREAKING[- ]CHANGES?(?:\*\*)?\s*[:：]\s*(?:\*\*)?\s*(.+)/;

/** What the author calls breaking: below a mark in the description or a commit, else the title with its mark. */
function breakingWords({ title, author, facts, commits }: ArticleSource): RiskFact[] {
  if (isMachine(author)) return [];
  const texts: [Quotation['source'], string, string][] = [
    ['description', author, facts.description.text],
    ...commits.map(({ author: speaker, message }): [Quotation['source'], string, string] => [
      ...(['commit', speaker] as const),
      cleanDescription(message.split('\n').slice(1).join('\n')),
    ]),
  ];
  for (const [source, speaker, written] of texts) {
    for (const line of written.split('\n')) {
      const [text = ''] = splitLine(plainText(footer.exec(line)?.[1] ?? ''));
      if (/\p{L}{2,}\s+\S/u.test(text) && !/^(?:no|none|n\/a)\b/i.test(text) && !holdsKey(text))
        return [{ label: 'breaking', kind: 'breaking', quotation: { text, source, speaker, evidence: [] } }];
    }
  }
  const text = bareTitle(title);
  if (!saysBreaking(title) || holdsKey(text)) return [];
  return [
    {
      label: 'breaking',
      kind: 'breaking',
      quotation: { text, source: 'title', speaker: author, evidence: [] },
    },
  ];
}
