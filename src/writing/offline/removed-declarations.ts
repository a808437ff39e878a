import { type FileDiff, linesOf } from '../../reading/file-diff.ts';

const declared =
  /\b(?:def|fn|func|fun|function|sub)\s+(?:self\.)?([A-Za-z_$][\w$]*)|\b(?:private|public|protected|internal|static|final|override)\b[^=;()]*\s([A-Za-z_$][\w$]*)\s*\(/;
const called = /(?<![\w$])([A-Za-z_$][\w$]*)[!?]?\s*\(/g;

/** Whether code calls what the same file no longer declares: such a call goes with it, and what it did may stay. */
export function callsWhatIsGone(diff: FileDiff | undefined): (code: string) => boolean {
  const gone = new Set(
    (diff?.hunks ?? []).flatMap(linesOf).flatMap(({ side, text }) => {
      const [, byKeyword, byModifier] = (side === 'removed' && declared.exec(text)) || [];
      return byKeyword ?? byModifier ?? [];
    }),
  );
  return (code) => gone.size > 0 && Array.from(code.matchAll(called)).some(([, name = '']) => gone.has(name));
}
