import type { AnsweredSentence } from '../../src/writing/ai/answers.ts';
import { type Material, referencesTo } from '../../src/writing/ai/material.ts';
import type { Sentence } from '../../src/writing/draft.ts';
import type { DraftedPullRequest } from '../true-sentences.ts';

/** Cut between words. */
const fewWords = (text: string): string => /^.{0,60}(?=\s|$)/u.exec(text.trim())?.[0] || text.trim();

/** A few words of the first cited line that has any. */
function quoteFrom({ evidence, words }: Sentence, { diff }: DraftedPullRequest): string {
  for (const { fileName, side, startLine } of evidence) {
    const hunks = diff.find(({ path }) => path === fileName)?.hunks ?? [];
    for (const hunk of hunks) {
      let line = side === 'new' ? hunk.newStart : hunk.oldStart;
      for (const text of hunk.text().split('\n')) {
        if (text.startsWith(side === 'new' ? '-' : '+') || text.startsWith('\\')) continue;
        if (line === startLine && text.slice(1).trim() !== '') return fewWords(text.slice(1));
        line += 1;
      }
    }
  }
  return fewWords(words[0]?.text ?? '');
}

/** A sentence as a model would send it: with the labels under which it saw what the sentence rests on. */
export function answerWith(
  sentence: Sentence,
  pullRequest: DraftedPullRequest,
  material: Material,
): AnsweredSentence {
  const lines = referencesTo(sentence.evidence, material.labels);
  const said = [...material.words]
    .filter(([, { text }]) =>
      sentence.words.some((words) => words.where !== 'code' && words.text.includes(text)),
    )
    .map(([label]) => label);
  const facts = JSON.stringify(sentence.facts);
  const found = [...material.findings].find(
    ([, finding]) => finding.facts.length > 0 && JSON.stringify(finding.facts) === facts,
  );
  const refs = [...lines, ...said, ...(found ? [found[0]] : [])];
  // What a document says stands in its lines; a model cites those.
  const basis = said.length === 0 ? 'diff' : sentence.basis;
  return { refs, quote: quoteFrom(sentence, pullRequest), basis, text: sentence.text };
}
