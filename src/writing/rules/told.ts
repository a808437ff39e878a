import type { QuoteSource } from '../../domain/article.ts';
import type { Evidence } from '../../reading/facts.ts';
import type { SameEdit } from '../../reading/same-edits.ts';
import type { Names, RulePhrases } from './phrases.ts';

/** A sentence before it has a language, with the lines that prove it. */
export interface Told {
  say: (phrases: RulePhrases) => string;
  evidence: Evidence[];
  /** For a quotation. */
  source?: QuoteSource;
}

export const named = (names: string[], most: number): Names => {
  const all = [...new Set(names)];
  // A name costs no more room than the words that leave it out.
  const count = all.length === most + 1 ? all.length : most;
  return { names: all.slice(0, count), more: Math.max(0, all.length - count) };
};

export const toldOfEdit = ({ kind, from, to, times, files, evidence }: SameEdit): Told => ({
  say: (phrases) => {
    const edit = { from, to, times, files: files.length };
    if (kind === 'rename') return phrases.renamed(edit);
    if (kind === 'replacement') return phrases.replaced(edit);
    return kind === 'addition' ? phrases.addedOften(edit) : phrases.removedOften(edit);
  },
  evidence,
});
