import type { PointLabel, QuoteSource } from '../../domain/articles.ts';
import { holdsKey } from '../../domain/secrets.ts';
import { cleanDescription } from '../../reading/description/clean-description.ts';
import { splitLine } from '../../reading/description/sentences.ts';
import {
  changelogEntries,
  changelogName,
  type Deprecation,
  deprecationsIn,
  docOf,
  helpOf,
} from '../../reading/doc-texts.ts';
import type { AttentionPoint, Evidence, SymbolChange } from '../../reading/facts.ts';
import { type DiffLine, linesOf } from '../../reading/file-diff.ts';
import { titleWords } from '../../reading/importance.ts';
import { isShipped } from '../../reading/symbols/visibility.ts';
import type { ArticleSource } from '../articles.ts';
import type { DeclaredThing } from '../draft.ts';
import { isBalanced, losesAddress, plainText } from '../plain-text.ts';
import { isMachine, repeats, withoutReferences } from './author-words.ts';
import { bareTitle, isTitleBreaking, wholeTitleOf } from './title.ts';

export interface Quotation {
  text: string;
  source: QuoteSource;
  speaker: string;
  evidence: Evidence[];
}

export type Noun = DeclaredThing | 'field' | 'name';

interface Shown {
  evidence: Evidence[];
  quotation: Quotation | null;
}

export type ChangeFact = Shown &
  (
    | { kind: 'option' | 'deprecated'; names: string[] }
    | { kind: 'added'; noun: Noun; main: Noun | null; names: string[] }
    | { kind: 'removed'; noun: Noun; names: string[]; isWhole: boolean }
    | { kind: 'renamed'; from: string; to: string }
    | { kind: 'parameter'; of: string; names: string[]; change: 'added' | 'removed' }
    | { kind: 'parameterType'; of: string; from: string; to: string }
    | { kind: 'returns'; of: string; from: string; to: string }
    | { kind: 'default'; of: string | null; name: string; from: string; to: string }
  );

type LeadFact = ChangeFact | { kind: 'changelog'; entries: Quotation[] };

export type ShownFact = ChangeFact | (Shown & { kind: 'permission' | 'skippedTest'; names: string[] });

export type RiskFact = { label: PointLabel } & (ShownFact | { kind: 'breaking'; quotation: Quotation });

export function leadsOf(source: ArticleSource): LeadFact[] {
  const changes = publicChanges(source);
  const [come, gone] = [namesAdded(source, changes), namesRemoved(source, changes)];
  // Removals are named first, unless the author writes about what is added.
  const words = wordSetOf(`${source.title} ${source.facts.description.text}`);
  const isNamed = come.some(
    (fact) => 'names' in fact && fact.names.some((name) => words.has(lastOf(name).toLowerCase())),
  );
  return [
    ...changelogLead(source),
    ...optionsAdded(source),
    ...(isNamed ? [...come, ...gone] : [...gone, ...signatures(changes), ...come]),
    ...namesRenamed(changes),
    ...deprecations(source),
    ...(isNamed ? signatures(changes) : []),
    ...defaults(changes),
  ];
}

const markedRisks: Partial<Record<AttentionPoint['reason'], 'permission' | 'skippedTest'>> = {
  permissionChanged: 'permission',
  testSkipped: 'skippedTest',
};

export function riskFactsOf(source: ArticleSource): RiskFact[] {
  const changes = publicChanges(source);
  const labelled = (label: PointLabel, facts: ChangeFact[]): RiskFact[] =>
    facts.map((fact) => ({ label, ...fact }));
  return [
    ...breakingWords(source),
    ...labelled('breaking', [
      ...namesRemoved(source, changes),
      ...namesRenamed(changes),
      ...signatures(changes),
    ]),
    ...labelled('default', defaults(changes)),
    ...labelled('deprecated', deprecations(source)),
    ...source.facts.attention.flatMap(({ reason, subjects: names, evidence }): RiskFact[] => {
      const kind = markedRisks[reason];
      return kind ? [{ label: kind, kind, names, evidence, quotation: null }] : [];
    }),
  ];
}

const mostEntries = 3;

const releasing =
  /^(?:(?:prepare|preps?|cut|publish|bump)\b(?: \w+){0,2}? )?(?:releas(?:e|es|ing)|versions?)\b(?: (?:packages?|notes|for|of|to|bump|version))*\s*(?:\(|v?\d|$)|^v?\d+\.\d+[\w.+-]*$/i;

function changelogLead(source: ArticleSource): LeadFact[] {
  const { facts, diff, author } = source;
  const found = changelogEntries(diff);
  const isOnlyList = facts.files.every(({ path }) => changelogName.test(path));
  const title = bareTitle(wholeTitleOf(source));
  if (isMachine(author) || isOnlyList || releasing.test(title) || found.length > mostEntries) return [];
  const names = facts.files.flatMap(({ symbols }) => symbols.map(({ name }) => name));
  const subjects = titleWords([title, ...names].join(' '), Number.POSITIVE_INFINITY);
  const entries = found.flatMap(({ text: entry, evidence }): Quotation[] => {
    const text = quotable(withoutReferences(plainText(entry)));
    const isFit = text !== '' && isBalanced(text) && !/[{}]/.test(text) && !holdsKey(text);
    const isAbout = titleWords(text).some((word) => subjects.includes(word));
    if (!isFit || !isAbout || losesAddress(entry) || repeats(text, title)) return [];
    return [{ text, source: 'changelog', speaker: author, evidence: [evidence] }];
  });
  return entries.length > 0 ? [{ kind: 'changelog', entries }] : [];
}

const longestQuotation = 300;

function quotable(text: string): string {
  if (text.length <= longestQuotation) return text;
  const sentences = splitLine(text);
  while (sentences.join(' ').length > longestQuotation) sentences.pop();
  return /[.!?]$/.test(sentences.at(-1) ?? '') ? sentences.join(' ') : '';
}

const mostEvidence = 60;

const shownBy = (some: { evidence: Evidence }[], quotation: Quotation | null = null): Shown => ({
  evidence: some.slice(0, mostEvidence).map(({ evidence }) => evidence),
  quotation,
});

function inCode(written: string | null, evidence: Evidence): Quotation | null {
  const text = plainText(written ?? '');
  if (text === '' || text.length > longestQuotation || holdsKey(text) || visiblyBroken(text)) return null;
  return { text, source: 'code', speaker: 'code', evidence: [evidence] };
}

const visiblyBroken = (text: string): boolean => !isBalanced(text) || /[<>{}]|https?:/.test(text);

function optionsAdded({ facts, diff }: ArticleSource): ChangeFact[] {
  const found = new Map<string, { name: string; evidence: Evidence; help: string | null }>();
  for (const file of facts.files.filter((one) => isShipped(one) && one.skipped === null)) {
    const own = diff.find(({ path }) => path === file.path);
    for (const { isNew, name, evidence } of own ? file.surfaces : [])
      if (own && isNew) found.set(name, { name, evidence, help: helpOf(own, evidence) });
  }
  const all = [...found.values()];
  const [first] = all;
  if (!first) return [];
  const help = all.length === 1 ? inCode(first.help, first.evidence) : null;
  return [{ kind: 'option', names: all.map(({ name }) => name), ...shownBy(all, help) }];
}

const publicName = ({ name, container, kind }: SymbolChange): string =>
  container === null || kind === 'constant' ? name : `${container}.${name}`;

function publicChanges(source: ArticleSource): SymbolChange[] {
  const found = source.facts.files
    .filter(isShipped)
    .flatMap(({ symbols }) => symbols)
    .filter((symbol) => symbol.isPublic && symbol.kind !== 'module' && !isInherited(symbol));
  const known = namesElsewhere(
    source,
    found.filter(({ change }) => change === 'added' || change === 'removed'),
  );
  return found.filter((symbol) => !known.has(symbol));
}

/** Whether a type may inherit the member: then it still has it, although the line is removed. */
function isInherited({ kind, signature, previousSignature, evidence }: SymbolChange): boolean {
  const member: string = kind;
  const overrides = /\boverride\b/.test(`${signature} ${previousSignature}`);
  return overrides || (member === 'field' && !/\.(?:go|rs)$/.test(evidence.fileName));
}

/** Changed names that are also on the other side of the diff, as an import, an export or elsewhere. */
function namesElsewhere({ facts, diff }: ArticleSource, symbols: SymbolChange[]): Set<SymbolChange> {
  const wanted = Map.groupBy(symbols, ({ name }) => name);
  const found = new Set<SymbolChange>();
  if (wanted.size === 0) return found;
  const source = new Set(facts.files.filter(({ kind }) => kind === 'source').map(({ path }) => path));
  // Members of different types often have the same name, so unchanged lines prove nothing about them.
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

function heads(changes: SymbolChange[], wanted: 'added' | 'removed'): SymbolChange[] {
  const found = changes.filter(({ change }) => change === wanted);
  const owners = new Set(found.map(({ name }) => name));
  const own = found.filter(
    ({ container, kind }) => kind !== 'constructor' && !owners.has(container?.split('.').at(-1) ?? ''),
  );
  return [...new Map(own.map((symbol) => [publicName(symbol), symbol])).values()];
}

function nounOf(symbols: SymbolChange[]): Noun {
  const [kind, ...others] = new Set(symbols.map((symbol) => symbol.kind));
  if (kind === undefined || others.length > 0) return 'name';
  return kind === 'constant' && !symbols.every(({ name }) => /^[A-Z][A-Z\d_]*$/.test(name)) ? 'name' : kind;
}

const wordSetOf = (text: string): Set<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}_$]+/gu));
const lastOf = (name: string): string => name.split('.').at(-1) ?? name;

const auxiliary: ReadonlySet<Noun> = new Set(['name', 'type', 'method', 'field']);

/** The most important new name is in the title or the description. If none is, auxiliary kinds are not named. */
function namesAdded({ title, facts, diff }: ArticleSource, changes: SymbolChange[]): ChangeFact[] {
  const [inTitle, inDescription] = [wordSetOf(title), wordSetOf(facts.description.text)];
  const rank = ({ name }: SymbolChange): number =>
    inTitle.has(name.toLowerCase()) ? 2 : inDescription.has(name.toLowerCase()) ? 1 : 0;
  const added = heads(changes, 'added')
    .filter(({ isNew }) => isNew)
    .sort((one, other) => rank(other) - rank(one));
  const [first, second] = added;
  if (!first) return [];
  const isMain = second === undefined || rank(first) > rank(second);
  const noun = nounOf(added);
  if (rank(first) === 0 && auxiliary.has(noun)) return [];
  const { fileName } = first.evidence;
  const own = isMain ? diff.find(({ path }) => path === fileName) : undefined;
  const language = facts.files.find(({ path }) => path === fileName)?.language ?? null;
  const doc = own ? inCode(docOf(own, first.evidence, language), first.evidence) : null;
  const main = isMain ? nounOf([first]) : null;
  return [{ kind: 'added', noun, main, names: added.map(publicName), ...shownBy(added, doc) }];
}

/** In these languages the declaration of a method does not say whether it is public. */
const withoutModifiers = /\.(?:py|pyi|rb|[cm]?jsx?)$/;

/** A complete list of removals requires that every code file was read. */
function namesRemoved({ facts }: ArticleSource, changes: SymbolChange[]): ChangeFact[] {
  const gone = heads(changes, 'removed').filter(
    ({ container, evidence: { fileName } }) => container === null || !withoutModifiers.test(fileName),
  );
  if (gone.length === 0) return [];
  const isWhole =
    gone.length <= mostNamed &&
    facts.files.every(({ kind, skipped }) => kind !== 'source' || skipped === null);
  return [{ kind: 'removed', noun: nounOf(gone), names: gone.map(publicName), isWhole, ...shownBy(gone) }];
}

const wasPublic = ({ previousName, evidence: { fileName } }: SymbolChange): boolean =>
  previousName !== null && (fileName.endsWith('.go') ? /^\p{Lu}/u : /^[^_#]/).test(previousName);

const namesRenamed = (changes: SymbolChange[]): ChangeFact[] =>
  changes
    .filter((symbol) => symbol.change === 'renamed' && wasPublic(symbol))
    .map((symbol) => {
      const [from, to] = [symbol.previousName ?? '', symbol.name];
      return { kind: 'renamed', from, to, ...shownBy([symbol]) };
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
  return [{ kind: 'deprecated', names: found.map(({ name }) => name), ...shownBy(found, note) }];
}

const hinted: ReadonlySet<string> = new Set(['py', 'pyi', 'rb', 'php']);
const spelled = (type: string): string => type.replaceAll('interface{}', 'any').replace(/\s/g, '');

const longestTypes = 120;

/** If there are more names, these are examples. */
const mostNamed = 3;

/** Signatures whose callers must change: a required or removed parameter, or another return type. */
const signatures = (changes: SymbolChange[]): ChangeFact[] =>
  changes
    .filter(({ change, kind }) => change === 'signatureChanged' && kind !== 'constant')
    .flatMap((symbol) => {
      const [of, edits] = [publicName(symbol), symbol.signatureEdits];
      const gone = edits.flatMap((edit) => (edit.kind === 'parameterRemoved' ? [edit] : []));
      const come = edits.flatMap((edit) =>
        edit.kind === 'parameterAdded' && !edit.isOptional ? [edit] : [],
      );
      const [only, other] = [gone[0], come[0]];
      // A parameter that replaces another is reported as one change of type.
      const replaced =
        gone.length + come.length === 2 && only && other ? typeOf(symbol, only.type, other.type) : [];
      if (replaced.length > 0) return [...replaced, ...returned(symbol)];
      const parameters = (change: 'added' | 'removed', some: { name: string }[]): ChangeFact[] => {
        const names = some.map(({ name }) => name);
        return names.length > 0 && names.every((name) => /^[\p{L}_$][\w$]*$/u.test(name))
          ? [{ kind: 'parameter', of, names, change, ...shownBy([symbol]) }]
          : [];
      };
      return [...parameters('removed', gone), ...parameters('added', come), ...returned(symbol)];
    });

const isTurn = ({ evidence: { fileName } }: SymbolChange, from: string, to: string): boolean =>
  !hinted.has(fileName.split('.').at(-1) ?? '') &&
  from !== '' &&
  to !== '' &&
  from.length + to.length <= longestTypes &&
  spelled(from) !== spelled(to);

const typeOf = (symbol: SymbolChange, from: string, to: string): ChangeFact[] =>
  isTurn(symbol, from, to)
    ? [{ kind: 'parameterType', of: publicName(symbol), from, to, ...shownBy([symbol]) }]
    : [];

const returned = (symbol: SymbolChange): ChangeFact[] =>
  symbol.signatureEdits.flatMap((edit): ChangeFact[] =>
    edit.kind === 'returns' && isTurn(symbol, edit.from, edit.to)
      ? [{ kind: 'returns', of: publicName(symbol), from: edit.from, to: edit.to, ...shownBy([symbol]) }]
      : [],
  );

const defaults = (changes: SymbolChange[]): ChangeFact[] =>
  changes.flatMap((symbol) => {
    const { name, value, signatureEdits } = symbol;
    const found = [
      ...(value && /default/i.test(name) ? [{ of: null, name, from: value.from, to: value.to }] : []),
      ...signatureEdits.flatMap((edit) =>
        edit.kind === 'default'
          ? [{ of: publicName(symbol), name: edit.name, from: edit.from, to: edit.to }]
          : [],
      ),
    ];
    return found.map((one) => ({ kind: 'default' as const, ...one, ...shownBy([symbol]) }));
  });

const footer = /^(?:\*\*)?BREAKING[- ]CHANGES?(?:\*\*)?\s*[:：]\s*(?:\*\*)?\s*(.+)/;

/**
 * The author's words about a breaking change: below a mark in the description or a commit, else the title with its
 * mark.
 */
function breakingWords({ title, author, facts, commits }: ArticleSource): RiskFact[] {
  if (isMachine(author)) return [];
  const marking = commits.filter(({ message }) => message.includes('BREAKING'));
  const bodies = marking.map(({ author: speaker, message }) => ({
    ...{ source: 'commit' as const, speaker },
    text: cleanDescription(message.split('\n').slice(1).join('\n')),
  }));
  const written = [
    { source: 'description' as const, speaker: author, text: facts.description.text },
    ...bodies,
  ];
  const marked = written.flatMap(({ text, ...where }) =>
    text
      .split('\n')
      .map((line) => ({ ...where, text: splitLine(plainText(footer.exec(line)?.[1] ?? ''))[0] ?? '' })),
  );
  const isSaid = ({ text }: { text: string }): boolean =>
    /\p{L}{2,}\s+\S/u.test(text) && !/^(?:no|none|n\/a)\b/i.test(text) && !holdsKey(text);
  const whole = { source: 'title' as const, speaker: author, text: bareTitle(title) };
  const found = marked.find(isSaid) ?? (isTitleBreaking(title) && !holdsKey(whole.text) ? whole : null);
  return found ? [{ label: 'breaking', kind: 'breaking', quotation: { ...found, evidence: [] } }] : [];
}
