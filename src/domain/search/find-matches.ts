import type { Section } from './indexed-words.ts';
import type { Term } from './question.ts';
import { folded, type Part, readTokens, type Token, wordOf } from './words.ts';

type Range = [start: number, end: number];

export interface Match {
  section: Section;
  ranges: Range[];
  alike: number;
}

interface Found extends Match {
  terms: Set<Term>;
}

/** The sentences that best show why an article was found: those with the most search terms that others do not have. */
export function findMatches(sections: Section[], terms: Term[], most: number): Match[] {
  const single = terms.flatMap((term) => (term.kind === 'phrase' ? term.terms : [term]));
  const found = sections.flatMap((section): Found[] => {
    const { ranges, terms: matched } = rangesIn(section.text, single);
    return ranges.length > 0 ? [{ section, ranges, terms: matched, alike: 0 }] : [];
  });
  const files = found.filter(({ section }) => section.kind === 'file');
  const chosen = found
    .filter((one) => one.section.kind !== 'file' || one === best(files))
    .map((one) => (one.section.kind === 'file' ? { ...one, alike: files.length - 1 } : one))
    .toSorted((one, other) => other.terms.size - one.terms.size)
    .slice(0, most);
  return matchesInOrder(sections, chosen).map(({ section, ranges, alike }) => ({ section, ranges, alike }));
}

const best = (found: Found[]): Found | undefined =>
  found.toSorted((one, other) => other.terms.size - one.terms.size)[0];

const matchesInOrder = (sections: Section[], chosen: Found[]): Found[] =>
  chosen.toSorted((one, other) => sections.indexOf(one.section) - sections.indexOf(other.section));

/** A substring of every text that matches a term. Most texts lack it and need no tokenizing. */
function hintOf(term: Term): string {
  if (term.kind === 'run') return term.signs;
  const word = term.kind === 'name' ? (term.parts[0] ?? '') : term.kind === 'phrase' ? '' : term.word;
  return word.slice(0, word.length > 3 ? 3 : 1);
}

function rangesIn(text: string, all: Term[]): { ranges: Range[]; terms: Set<Term> } {
  const plain = folded(text.normalize('NFKC'));
  const terms = all.filter((term) => plain.includes(hintOf(term)));
  const tokens = terms.length === 0 ? [] : readTokens(text);
  const ranges: Range[] = [];
  const matched = new Set<Term>();
  for (const term of terms) {
    const own =
      term.kind === 'name' ? rangesOfName(tokens, term) : tokens.flatMap((token) => rangesOf(token, term));
    if (own.length > 0) matched.add(term);
    ranges.push(...own);
  }
  return { ranges: mergeRanges(ranges), terms: matched };
}

const whole = ({ parts }: Token): Range => [parts[0]?.start ?? 0, parts.at(-1)?.end ?? 0];

function rangesOf(token: Token, term: Term): Range[] {
  if (term.kind === 'run') return token.kind === 'run' ? rangesOfRun(token, term.signs) : [];
  if (token.kind === 'run') return [];
  const written = token.parts.map(({ text }) => text).join('');
  if (term.kind === 'number') return token.isNumbered && `#${written}` === term.word ? [whole(token)] : [];
  if (term.kind !== 'word') return [];
  if (token.parts.length > 1 && wordOf(written) === term.word) return [whole(token)];
  return token.parts.flatMap(({ text, start, end }): Range[] =>
    wordOf(text) === term.word ? [[start, end]] : [],
  );
}

function rangesOfRun(token: Token, signs: string): Range[] {
  const [start, end] = whole(token);
  const written = folded(token.parts[0]?.text ?? '');
  if (written.length !== end - start) return written.includes(signs) ? [[start, end]] : [];
  const ranges: Range[] = [];
  for (let at = written.indexOf(signs); at >= 0; at = written.indexOf(signs, at + 1))
    ranges.push([start + at, start + at + signs.length]);
  return ranges;
}

function rangesOfName(tokens: Token[], { parts, whole: joined }: Term & { kind: 'name' }): Range[] {
  const ranges: Range[] = tokens
    .filter(
      (token) =>
        joined !== null &&
        token.kind === 'word' &&
        wordOf(token.parts.map(({ text }) => text).join('')) === joined,
    )
    .map(whole);
  let name: Part[] = [];
  for (const token of tokens) {
    if (!token.isGlued) name = [];
    for (const part of token.kind === 'word' ? token.parts : []) {
      name.push(part);
      const last = name.slice(-parts.length);
      const isSame =
        last.length === parts.length && last.every(({ text }, index) => folded(text) === parts[index]);
      if (isSame) ranges.push([last[0]?.start ?? 0, part.end]);
    }
  }
  return ranges;
}

function mergeRanges(ranges: Range[]): Range[] {
  const all: Range[] = [];
  for (const [start, end] of ranges.toSorted(([one], [other]) => one - other)) {
    const last = all.at(-1);
    if (last && start <= last[1]) last[1] = Math.max(last[1], end);
    else all.push([start, end]);
  }
  return all;
}
