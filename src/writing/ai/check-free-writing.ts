import { standfirstMaxLength, titleMaxLength } from '../../contract/article.ts';
import type { Draft, Sentence } from '../draft.ts';
import { numberSentences, replaceSentences } from '../number-sentences.ts';
import { checkDraft } from '../verify/check-draft.ts';
import { joinComplaints } from '../verify/check-sentence.ts';
import type { Ground } from '../verify/ground.ts';
import { createSentenceRules, type RuleGround, type RuleVerdict } from './sentence-rules.ts';
import type { CheckedSentence } from './telling.ts';

interface Checking extends RuleGround {
  ground: Ground;
}

/** Holds what a model wrote against the rules for models, and then against those for every writer. */
export function checkFreeWriting({ ground, ...rules }: Checking): (draft: Draft) => CheckedSentence[] {
  const obey = createSentenceRules(rules);
  const obeyAsSummary = (summary: Sentence, mostCharacters: number): RuleVerdict => {
    if ([...summary.text].length > mostCharacters)
      return { kind: 'broken', reason: `it is longer than ${mostCharacters} characters` };
    if (summary.evidence.length === 0)
      return { kind: 'broken', reason: 'it rests on no sentence that is about lines and holds' };
    // It sums up, and quotes nothing.
    const verdict = obey({ ...summary, basis: 'judgement' });
    return verdict.kind === 'kept' ? { ...verdict, sentence: summary } : verdict;
  };
  return (draft) => {
    const sentences = numberSentences(draft);
    const lengths = [titleMaxLength, ...(draft.standfirst ? [standfirstMaxLength] : [])];
    const obeyed = sentences.map((sentence, index) => {
      const mostCharacters = lengths[index];
      return mostCharacters === undefined ? obey(sentence) : obeyAsSummary(sentence, mostCharacters);
    });
    // What breaks these rules says nothing that other sentences could follow from.
    const rest = replaceSentences(
      draft,
      obeyed.map((verdict, index) =>
        verdict.kind === 'kept' ? verdict.sentence : { ...(sentences[index] ?? draft.title), text: '' },
      ),
    );
    const unruly = obeyed.some(({ kind }) => kind === 'broken') ? checkDraft(draft, ground) : [];
    return checkDraft(rest, ground).map((checked, index): CheckedSentence => {
      const verdict = obeyed[index];
      if (verdict?.kind === 'broken') {
        const also = unruly[index];
        return {
          kept: null,
          reason: joinComplaints([verdict.reason, ...(also?.kept === null ? [also.reason] : [])]),
        };
      }
      if (!checked.kept) return checked;
      return { kept: checked.kept, isRepaired: checked.isRepaired || (verdict?.isRepaired ?? false) };
    });
  };
}
