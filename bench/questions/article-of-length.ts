import type { FileDiff } from '../../src/reading/file-diff.ts';
import { linesOf } from '../../src/reading/file-diff.ts';
import type { Material } from '../../src/writing/ai/material.ts';
import type { ArticleReply, SectionSentence } from '../../src/writing/ai/reply-forms.ts';

/** The most sections that a model is asked for. */
const mostOfItem = 4;

/** The usual length of a model's sentences. */
const wording = 'is what callers get from now on, where they had to look for it by themselves before';

/** Adjacent lines that were added or removed. */
interface Run {
  sign: '+' | '-';
  start: number;
  end: number;
  text: string;
}

function runsIn({ hunks }: FileDiff): Run[] {
  const runs: Run[] = [];
  for (const { side, text, oldLine, newLine } of hunks.flatMap(linesOf)) {
    const sign = side === 'added' ? '+' : '-';
    const line = side === 'added' ? newLine : oldLine;
    const last = runs.at(-1);
    if (side === 'context' || line === null) continue;
    if (last?.sign === sign && last.end === line - 1) last.end = line;
    else runs.push({ sign, start: line, end: line, text: text.trim() });
  }
  return runs;
}

/**
 * The offline article, padded to the length that models are asked for: each change gets a sentence on each run of
 * changed lines, and a judgment. The added text is not true, only as long as a real one.
 */
export function articleOfLength(answer: ArticleReply, { files }: Material): ArticleReply {
  const left = new Map([...files].map(([label, file]) => [label, runsIn(file)]));
  const sections = answer.sections.slice(0, 6).map((section, index) => {
    const file = section.sentences[0]?.refs[0]?.match(/^f\d+/)?.[0] ?? '';
    const room = Math.max(0, mostOfItem - 1 - section.sentences.length);
    const said = (left.get(file)?.splice(0, room) ?? []).map(
      ({ sign, start, end, text }): SectionSentence => ({
        refs: [`${file}${sign}${start}${end > start ? `-${end}` : ''}`],
        quote: text.slice(0, 40),
        basis: 'diff',
        label: 'none',
        text: `What ${file}${sign}${start} says ${wording}.`,
      }),
    );
    const refs = said.at(-1)?.refs ?? [];
    const text = `So change ${index + 1} ${wording}, and what relied on it has to be looked at again.`;
    const judgement: SectionSentence = { refs, quote: '', basis: 'judgement', label: 'none', text };
    const sentences = [...section.sentences, ...said, ...(refs.length > 0 ? [judgement] : [])];
    return { ...section, sentences, heading: `Section ${index + 1} ${wording}` };
  });
  return { ...answer, sections };
}
