import type { ChangeType } from '../../domain/change-types.ts';
import type { KindedFile } from './shape-features.ts';

const aside =
  /\b(?:ci|builds?|changelogs?|clippy|comments?|docs?|documentation|examples?|flaky|format\w*|links?|lint\w*|readme|spelling|tests?|typos?|types?|warnings?)\b/i;

const openings: [ChangeType, RegExp][] = [
  ['FIX', /^\W*fix(?:e[sd]|ing)?\b/i],
  ['REFACTOR', /^\W*refactor(?:s|ed|ing)?\b/i],
];

/** Code can be documented in its own file: "Document that …" says so. */
const documenting =
  /^(?:[\w:./-]+:\s+)?document(?:s|ed)?\s+(?:an?|how|that|the|what|when|where|which|why)\b/i;

const releasing =
  /^(?:prepare |publish )?(?:for )?(?:the )?(?:next )?(?:pre-?)?release(?: v?\d\S*| [\w-]+)?$/i;

/** What the first words of a title call the change, as a prefix would: "Fix …" is a fix, unless of a test or a typo. */
export function typeOfWords(title: string, files: KindedFile[]): ChangeType | null {
  if (releasing.test(title)) return 'CHORE';
  if (documenting.test(title)) return 'DOCS';
  const isOfCode = files.length === 0 || files.some(({ kind }) => kind === 'source');
  if (!isOfCode || aside.test(title)) return null;
  return openings.find(([, opening]) => opening.test(title))?.[0] ?? null;
}
