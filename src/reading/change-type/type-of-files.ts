import type { ChangeType } from '../../domain/change-types.ts';
import type { FileKind } from '../facts.ts';
import type { KindedFile } from './shape-features.ts';

const wholes: [ChangeType, FileKind[]][] = [
  ['DOCS', ['documentation']],
  ['TEST', ['test']],
  ['BUILD', ['build', 'lock']],
];

// A release may touch nothing but a changelog, and a new version of a tool nothing but documents.
const versions =
  /\b(?:re-?leas\w+|bump\w*|upgrade\w*|change-?logs?|dependenc(?:y|ies)|versions?|v?\d+\.\d+\.\d+)\b/i;

/** What a change must be by what was touched: nothing but documents, tests, or what builds it. */
export function typeOfFiles(title: string, files: KindedFile[]): ChangeType | null {
  if (files.length === 0 || versions.test(title)) return null;
  const whole = wholes.find(([, kinds]) => files.every(({ kind }) => kinds.includes(kind)));
  return whole?.[0] ?? null;
}
