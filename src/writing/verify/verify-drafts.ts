import type { ChangeType } from '../../domain/change-types.ts';
import type { Draft, DraftChange, Sentence } from '../draft.ts';
import { numberSentences, replaceSentences } from '../number-sentences.ts';
import { createStatementIds } from '../statement-ids.ts';
import { withoutRepeats } from '../without-repeats.ts';
import type { CheckedDraft, WrittenStatement } from '../written-article.ts';
import { checkDraft, restsOnLines } from './check-draft.ts';
import type { Ground } from './ground.ts';

/** Keeps of a draft what holds, without judgements that only what was dropped bore out. */
export function verifyDraft(draft: Draft, ground: Ground): Draft {
  const keepTrue = (one: Draft): Draft =>
    replaceSentences(
      one,
      checkDraft(one, ground).map(({ kept }) => kept && { ...kept, evidence: withoutRepeats(kept.evidence) }),
    );
  const kept = keepTrue(draft);
  return numberSentences(kept).some(({ basis }) => basis === 'judgement') ? keepTrue(kept) : kept;
}

/** Those of its parts follow the one of the whole; alone, that of a test would pass for what everything is about. */
const typesOfWhole = (whole: ChangeType[], parts: DraftChange[]): ChangeType[] =>
  whole.length === 0 ? [] : [...new Set([...whole, ...parts.flatMap(({ changeTypes }) => changeTypes)])];

/** A draft as it is published: with ids, and without what a language does not say. */
export function asWritten(draft: Draft): CheckedDraft {
  const { title, ownTitle, standfirst, scope, authorWords, changeTypes, tests } = draft;
  const { background, mainChanges, notablePoints, also } = draft;
  const identify = createStatementIds();
  const statementsOf = (sentences: Sentence[]): WrittenStatement[] =>
    withoutLooseEnds(sentences).map(identify);
  const tell = ({ sentences, heading, ...change }: DraftChange) => {
    const statements = statementsOf(sentences);
    if (statements.length === 0 && !change.hunk) return [];
    return [{ ...change, heading: heading?.text || null, statements }];
  };
  const scoped = scope && statementsOf([scope.sentence])[0];
  return {
    title: title.text === '' ? ownTitle : title.text,
    standfirst: standfirst && (statementsOf([standfirst])[0] ?? null),
    scope: scope && scoped ? { kind: scope.kind, statement: scoped } : null,
    authorWords,
    changeTypes: typesOfWhole(changeTypes, mainChanges),
    background: statementsOf(background),
    mainChanges: mainChanges.flatMap(tell),
    notablePoints: notablePoints.flatMap(({ sentences, ...point }) => {
      const statements = statementsOf(sentences);
      return statements.length > 0 ? [{ ...point, statements }] : [];
    }),
    tests: tests && {
      added: tests.added.slice(0, mostTestsNamed),
      addedTotal: tests.added.length,
      statements: statementsOf(tests.sentences),
    },
    also: also.flatMap(({ sentence, files, ...row }) =>
      statementsOf([sentence]).map((statement) => ({
        ...row,
        statement,
        files: files.slice(0, mostFilesOfRow),
        filesTotal: files.length,
      })),
    ),
  };
}

const mostTestsNamed = 5;

/** Enough to find one's own among them; the row says how many there are. */
const mostFilesOfRow = 20;

/** What a language has no need to say is left out, and so is a judgement that has lost what it follows. */
function withoutLooseEnds(sentences: Sentence[]): Sentence[] {
  const said = sentences.filter(({ text }) => text !== '');
  const first = said.findIndex(restsOnLines);
  return said.filter(({ basis }, index) => basis !== 'judgement' || (first >= 0 && first < index));
}
