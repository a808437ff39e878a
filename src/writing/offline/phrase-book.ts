import type { AttentionReason } from '../../domain/attention-reasons.ts';
import type { Coverage, Verification, WriterLabel } from '../written-article.ts';
import type { BackgroundStatement, Outline, PlannedPoint, Statement } from './outline.ts';

type Saying<Union extends { say: string }> = {
  [S in Union['say']]: (statement: Extract<Union, { say: S }>) => string;
};

/** How a language says everything that an article can say. A new language is one more file like english.ts. */
export interface PhraseBook {
  headings: {
    background: string;
    changes: string;
    points: string;
    evidence: string;
    footer: (coverage: Coverage, verification: Verification, writer: WriterLabel) => string;
  };
  title: (outline: Outline) => string;
  /** An empty string where this language has no need to say it. */
  background: Saying<BackgroundStatement>;
  statement: Saying<Statement>;
  points: Record<AttentionReason, (point: PlannedPoint) => string>;
  joinSentences: (sentences: string[]) => string;
}
