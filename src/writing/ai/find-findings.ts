import type { Facts } from '../../reading/facts.ts';
import type { Draft } from '../draft.ts';
import { numberSentences } from '../number-sentences.ts';
import { checkDraft } from '../verify/check-draft.ts';
import type { Ground } from '../verify/ground.ts';
import type { Finding } from './material.ts';

/** A model reads them before anything else; the rest of the room is for the lines. */
const mostFindings = 60;

/** What a program found in the diff: how much there is of it, and what the offline writer can say and prove. */
export function findFindings(draft: Draft, ground: Ground, { files }: Facts): Finding[] {
  const additions = files.reduce((sum, file) => sum + file.additions, 0);
  const deletions = files.reduce((sum, file) => sum + file.deletions, 0);
  const counted = (of: 'files' | 'additions' | 'deletions', value: number) => ({
    relation: 'count' as const,
    of,
    value,
  });
  const size: Finding = {
    text: `${files.length} files, ${additions} lines added, ${deletions} removed`,
    evidence: [],
    facts: [counted('files', files.length), counted('additions', additions), counted('deletions', deletions)],
  };
  const verdicts = checkDraft(draft, ground);
  const told = numberSentences(draft).flatMap(({ basis }, index): Finding[] => {
    const kept = verdicts[index]?.kept;
    // The title says what the sentences say, and some captions say only where.
    if (index === 0 || basis !== 'diff' || !kept || /^$|[:：]$/.test(kept.text)) return [];
    return [{ text: kept.text, evidence: kept.evidence, facts: kept.facts }];
  });
  const once = new Map([size, ...told].map((finding) => [finding.text, finding]));
  return [...once.values()].slice(0, mostFindings);
}
