import { evidenceOf } from '../compare/compare-file.ts';
import type { AttentionPoint } from '../facts.ts';
import type { HunkLine, HunkLines } from '../hunk-lines.ts';

/** Lists of what a module of JavaScript has for others: `export { a, b as c }` and `module.exports = { a, c: b }`. */
const list = /(?:\bexport\s+(?:type\s+)?|\bmodule\.exports\s*=\s*)\{([^{}]*)\}/g;
const listed = /(?:^|,)\s*(?:type\s+)?(?:[\w$]+\s+as\s+)?([\w$]+)\s*(?=[,:]|$)/g;

const namesIn = (lines: HunkLine[]): string[] => {
  const code = lines.filter(({ isComment }) => !isComment).map(({ text }) => text);
  return Array.from(code.join('\n').matchAll(list), ([, names = '']) =>
    Array.from(names.matchAll(listed), ([, name = '']) => name),
  ).flat();
};

const everything = /\bexport\s*\*|\bmodule\.exports\s*=\s*[^{\s]|^\.\.\./;

/** Names that such a list had and that none of the file has now. Where all of another module goes along, none is known. */
export function exportsGone(path: string, hunks: HunkLines[]): AttentionPoint[] {
  const isOpen = hunks.some((hunk) => hunk.new.some(({ text }) => everything.test(text)));
  if (!/\.[cm]?[jt]sx?$/.test(path) || isOpen) return [];
  const now = new Set(hunks.flatMap((hunk) => namesIn(hunk.new)));
  return hunks.flatMap((hunk) =>
    namesIn(hunk.old)
      .filter((name) => name !== 'default' && !now.has(name))
      .flatMap((subject): AttentionPoint[] => {
        const line = hunk.old.find(
          ({ text, isChanged }) => isChanged && text.split(/[^\w$]+/).includes(subject),
        );
        if (!line) return [];
        const evidence = [evidenceOf(path, [line])];
        return [
          { category: 'RISK', reason: 'publicApiRemoved', subjects: [subject], transitions: [], evidence },
        ];
      }),
  );
}
