import type { ChangeType } from '../../domain/articles.ts';
import type { Evidence } from '../../reading/facts.ts';
import type { FileDiff } from '../../reading/file-diff.ts';
import { dependencyTable } from '../../reading/lock-files.ts';
import { sameEditsOf } from '../../reading/same-edits.ts';
import {
  type ArticleSource,
  type Coverage,
  countChange,
  type OfflineLanguage,
  type Verification,
  type WrittenArticle,
} from '../articles.ts';
import { type Draft, mapSentences, numberSentences, type Sentence } from '../draft.ts';
import { asWritten } from '../verify/verify-drafts.ts';
import { alsoOf } from './also.ts';
import { chooseHunks } from './hunks.ts';
import { type Opening, openingOf, phrases, shownSentence } from './opening.ts';
import type { RuleSentence } from './phrases.ts';
import { testsOf } from './tests.ts';

export type OfflineArticles = Record<OfflineLanguage, WrittenArticle>;

const inEach = <T>(make: (language: OfflineLanguage) => T): Record<OfflineLanguage, T> => ({
  en: make('en'),
  ja: make('ja'),
});

export function draftByRules(source: ArticleSource): Record<OfflineLanguage, Draft & Pick<Opening, 'quote'>> {
  const edits = sameEditsOf(source.facts.files, source.diff);
  const opening = openingOf(source);
  const chosen = chooseHunks(source, edits);
  const tests = testsOf(
    source,
    chosen.changes.flatMap(({ hunk }) => hunk ?? []),
    edits,
  );
  const { standfirst } = opening.en;
  const also = alsoOf(source, chosen, {
    lead: standfirst,
    tests: tests?.files ?? [],
  });
  return inEach((language) => {
    const sentenceOf = ({ say, evidence }: RuleSentence): Sentence =>
      shownSentence(say(phrases[language]), evidence);
    return {
      ...opening[language],
      changeTypes: typesOf(source.facts),
      mainChanges: chosen.changes.map(({ file, hunk, sentences }) => ({
        heading: null,
        fileName: file.path,
        changeTypes: typesOf(file),
        sentences: sentences.map(sentenceOf),
        hunk,
      })),
      tests: tests && { added: tests.added, sentences: tests.sentences.map(sentenceOf) },
      also: also.map((row) => ({ ...row, sentence: sentenceOf(row.sentence) })),
    };
  });
}

const typesOf = ({ changeType }: { changeType: ChangeType | null }): ChangeType[] =>
  changeType === null ? [] : [changeType];

/** Writes an article in each language. A sentence whose lines are not in the diff is left out of all languages. */
export function writeOffline(source: ArticleSource, coverage: Coverage): OfflineArticles {
  const drafts = draftByRules(source);
  const isInDiff = hunkFinder(source.diff);
  const sentences = numberSentences(drafts.en);
  const isHeld = sentences.map(({ evidence }) => evidence.every(isInDiff));
  const dropped = isHeld.slice(1).filter((held) => !held).length;
  const claims = sentences.length - 1;
  const verification: Verification = {
    ...{ claims, verified: claims - dropped, dropped },
    ...{ repaired: 0, judged: 0, unjudged: 0 },
  };
  const counts = countChange(source.facts.files, source.commits.length);
  const dependencies = dependencyTable(source.facts.files, source.diff);
  const write = ({ quote, ...draft }: Draft & Pick<Opening, 'quote'>): WrittenArticle => ({
    ...asWritten(mapSentences(draft, ({ id, sentence }) => (isHeld[id] ? sentence : null))),
    ...{ quote, counts, dependencies, writer: { kind: 'offline' }, coverage, verification },
  });
  return inEach((language) => write(drafts[language]));
}

function hunkFinder(diff: FileDiff[]): (evidence: Evidence) => boolean {
  const byPath = new Map<string, FileDiff>();
  for (const file of diff) {
    byPath.set(file.path, file);
    if (file.previousPath !== null && !byPath.has(file.previousPath)) byPath.set(file.previousPath, file);
  }
  return ({ fileName, side, startLine, endLine }) =>
    (byPath.get(fileName)?.hunks ?? []).some(({ oldStart, oldLines, newStart, newLines }) => {
      const [start, count] = side === 'old' ? [oldStart, oldLines] : [newStart, newLines];
      return start <= startLine && endLine < start + count;
    });
}
