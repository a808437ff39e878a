import type { FileFacts } from '../../reading/facts.ts';
import type { Claim, Verify } from '../verify.ts';
import type { Verification } from '../written-article.ts';
import type { BackgroundStatement, Outline, PlannedChange } from './outline.ts';
import type { PhraseBook } from './phrase-book.ts';
import { phrasesFor, sayBackground, sayStatement } from './phrases.ts';

interface Checked {
  outline: Outline;
  verification: Verification;
}

/**
 * Keeps of an outline what can be proven, in the words of every language, so that no language says more than another. A
 * file whose statements fail is told by its counts alone: passing over it would leave a hole in the article.
 */
export function checkOutline(
  outline: Outline,
  files: FileFacts[],
  verify: Verify,
  languages: readonly string[],
): Checked {
  const verification: Verification = { claims: 0, verified: 0, repaired: 0, dropped: 0 };
  const phrases = languages.map(phrasesFor);
  const check = (claim: Claim, repair?: () => boolean) => {
    verification.claims += 1;
    const evidence = verify(claim);
    if (evidence) verification.verified += 1;
    else if (repair?.()) verification.repaired += 1;
    else verification.dropped += 1;
    return evidence;
  };

  const isTitleProven = check(titleClaim(outline, phrases), () => true) !== null;
  const titled = isTitleProven ? outline : { ...outline, titleFacts: null };
  const background = outline.background.filter((statement: BackgroundStatement) =>
    check({ texts: phrases.map((some) => sayBackground(some, statement)), fileName: null, evidence: [] }),
  );
  const changes = outline.changes.flatMap((change): PlannedChange[] => {
    const plain = countsOnly(change, files);
    const texts = phrases.map((some) =>
      some.joinSentences(change.statements.map((statement) => sayStatement(some, statement))),
    );
    const evidence = check(
      { texts, fileName: change.fileName, evidence: change.evidence },
      () => plain !== null,
    );
    if (evidence) return [{ ...change, evidence }];
    return plain ? [plain] : [];
  });
  const points = outline.points.flatMap((point) => {
    const texts = phrases.map((some) => some.points[point.reason](point));
    const evidence = check({ texts, fileName: null, evidence: point.evidence });
    return evidence && texts.every((text) => text !== '') ? [{ ...point, evidence }] : [];
  });
  return { outline: { ...titled, background, changes, points }, verification };
}

/** A title that names what cannot be proven gives way to the author's own. */
function titleClaim(outline: Outline, phrases: PhraseBook[]): Claim {
  return { texts: phrases.map((some) => some.title(outline)), fileName: null, evidence: [] };
}

function countsOnly({ fileName, changeTypes }: PlannedChange, files: FileFacts[]): PlannedChange | null {
  const file = files.find(({ path }) => path === fileName);
  if (!file) return null;
  const { additions, deletions, place } = file;
  return {
    fileName,
    changeTypes,
    statements: [{ say: 'reworked', names: [], additions, deletions }],
    evidence: place ? [place] : [],
  };
}
