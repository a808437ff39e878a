import type { FileFacts } from '../../reading/facts.ts';
import type { ArticleSource } from '../article-source.ts';
import { countChange } from '../count-change.ts';
import type { Draft } from '../draft.ts';
import { isOfflineLanguage } from '../languages.ts';
import { draftByRules } from '../rules/write.ts';
import { Ground } from '../verify/ground.ts';
import { asWritten, verifyDraft } from '../verify/verify-drafts.ts';
import type { AuthorQuote, CheckedDraft, Counts, WrittenStatement } from '../written-article.ts';
import { keepCitedHunks } from './cited-hunk.ts';
import type { Ground as KnownGround } from './draft-from-answer.ts';
import { findFindings } from './find-findings.ts';
import type { MaterialSource } from './material.ts';
import { checkFreeWriting } from './sentence-rules.ts';
import { spokenSentences, spokenWords } from './spoken.ts';
import { headedByLead, saysScope } from './summaries.ts';
import type { CheckedSentence } from './telling.ts';

export interface ModelSource extends ArticleSource {
  linkedIssues: { number: number; title: string; body: string | null }[];
}

/** What writing with a model needs, made from what is known of a pull request. */
export interface PreparedWriting {
  /** What there is to read. */
  material: MaterialSource;
  known: KnownGround;
  check: (draft: Draft) => CheckedSentence[];
  /** What was kept, as it is published. */
  publish: (draft: Draft) => { article: CheckedDraft; quote: AuthorQuote | null; counts: Counts };
}

export function prepareWriting(source: ModelSource, languageCode: string): PreparedWriting {
  const { title, author, facts, diff, commits, comments, linkedIssues } = source;
  const { description } = facts;
  const sentences = spokenSentences({
    title,
    authorLogin: author,
    commits,
    comments,
    linkedIssues,
    description,
  });
  const words = [
    ...spokenWords(source),
    { speaker: author, where: 'description' as const, text: description.text },
    ...sentences,
  ];
  const definitions = new Map(facts.files.map(({ path, definitions: own }) => [path, own]));
  const ground = new Ground({
    diff,
    words,
    definitions,
    ranges: new Map(facts.files.map(({ path, ranges }) => [path, ranges])),
    repository: source.repository,
  });
  const rules = draftByRules(source);
  const { ownTitle, changeTypes, authorWords } = rules.en;
  const findings = findFindings(rules.en, facts, ground);
  const check = checkFreeWriting({ ground, diff, words, findings, definitions });
  return {
    material: { findings, facts, diff, sentences },
    known: { title: ownTitle, changeTypes },
    check: (draft) => withoutEchoes(draft, check(draft)),
    publish(draft) {
      const { scope, title: certain } = rules[isOfflineLanguage(languageCode) ? languageCode : 'en'];
      const headed = headedByLead(verifyDraft(draft, ground), languageCode);
      const article = asWritten({
        ...headed,
        ownTitle: certain.text,
        scope: scope && saysScope(headed, scope.kind) ? null : scope,
        // A list of commits is by several people, about steps on the way.
        authorWords: authorWords?.from === 'commits' ? null : authorWords,
      });
      const told = article.mainChanges.filter(({ statements }) => statements.length > 0);
      const isHeaded = told.some(({ heading }) => heading !== null);
      const mainChanges = keepCitedHunks(told, facts.files).map((change) => {
        const place = change.hunk?.fileName ?? mainFileOf(change.statements, facts.files) ?? change.fileName;
        // A section whose heading did not hold must not seem to belong to the one above it.
        const heading = change.heading ?? (isHeaded ? `\`${place.replaceAll('`', '')}\`` : null);
        return { ...change, fileName: place, heading };
      });
      const also = article.also.map((row) => ({ ...row, ...linesIn(row.files, facts.files) }));
      return {
        article: { ...article, mainChanges, also },
        counts: countChange(facts.files, commits.length),
        quote: rules.en.quote,
      };
    },
  };
}

/** The first file that sentences cite: code before documents, and tests last. */
function mainFileOf(statements: WrittenStatement[], files: FileFacts[]): string | undefined {
  const cited = statements.flatMap(({ evidence }) => evidence.map(({ fileName }) => fileName));
  const isOf = (path: string, kind: FileFacts['kind']): boolean =>
    files.some((file) => file.path === path && file.kind === kind);
  return cited.find((path) => isOf(path, 'source')) ?? cited.find((path) => !isOf(path, 'test')) ?? cited[0];
}

/** How many lines come and go in some files. */
function linesIn(paths: string[], files: FileFacts[]): { additions: number; deletions: number } {
  const own = files.filter(({ path }) => paths.includes(path));
  return {
    additions: own.reduce((sum, file) => sum + file.additions, 0),
    deletions: own.reduce((sum, file) => sum + file.deletions, 0),
  };
}

const lettersOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** A heading that is a part of its first sentence says nothing of its own. */
function withoutEchoes(draft: Draft, checked: CheckedSentence[]): CheckedSentence[] {
  const first = draft.standfirst ? 2 : 1;
  const headed = draft.mainChanges.filter(({ heading }) => heading);
  return checked.map((outcome, number) => {
    const { heading, sentences } = headed[number - first] ?? {};
    if (!outcome.kept || !heading?.text) return outcome;
    const isEcho = lettersOf(sentences?.[0]?.text ?? '').includes(lettersOf(heading.text));
    return isEcho ? { kept: null, reason: 'it repeats the first sentence of its section' } : outcome;
  });
}
