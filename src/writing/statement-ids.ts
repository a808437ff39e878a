import { createHash } from 'node:crypto';
import type { Sentence } from './draft.ts';
import type { WrittenStatement } from './written-article.ts';

/** As much of a sentence as is published, and as its id is made of. */
type IdentifiedSentence = Pick<Sentence, 'text' | 'basis' | 'source' | 'evidence'>;

/**
 * Gives the statements of one article their ids: a hash of what makes a sentence what it is, so that one that stays keeps
 * its id when others come and go. Equal ones differ by their order.
 */
export function createStatementIds(): (sentence: IdentifiedSentence) => WrittenStatement {
  const times = new Map<string, number>();
  return ({ text, basis, source, evidence }) => {
    const files = [...new Set(evidence.map(({ fileName }) => fileName))];
    const hash = createHash('sha256')
      .update(JSON.stringify([text, basis, files]))
      .digest('hex')
      .slice(0, 12);
    const time = (times.get(hash) ?? 0) + 1;
    times.set(hash, time);
    return { id: time === 1 ? hash : `${hash}-${time}`, text, basis, ...(source && { source }), evidence };
  };
}
