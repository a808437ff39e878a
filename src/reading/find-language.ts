import type { FileDiff } from './file-diff.ts';
import type { PathParts } from './path-parts.ts';
import { languageByEnding, languageByFileName, languageByInterpreter } from './programming-languages.ts';

// Licence headers stand before markers; longer ones are not worth the time for every file.
const openingBytes = 1500;
const hunkMark = Buffer.from('\n@@ ');

/** The first lines of a file as the diff prints them; empty when the diff begins further down. */
export function openingOf(file: FileDiff): string {
  const [first] = file.hunks;
  if (!first || Math.min(first.oldStart, first.newStart) > 3) return '';
  const heading = file.bytes.indexOf(hunkMark);
  const start = heading < 0 ? -1 : file.bytes.indexOf(10, heading + 1);
  return start < 0 ? '' : file.bytes.toString('latin1', start + 1, start + openingBytes);
}

const shebang =
  /^[ +-]#!\s{0,4}(?:\/usr\/bin\/env\s{1,4}(?:-S\s{1,4})?)?(?:[\w./-]{0,80}\/)?([a-z][\w-]{0,30})/;

/** The display name of what a file is written in, or null. */
export function findLanguage({ name, ending, directories }: PathParts, opening: string): string | null {
  const byName = languageByFileName.get(name);
  if (byName) return byName;
  if (ending !== '') {
    if (name.endsWith('.blade.php')) return 'Blade';
    // A document's class stands by itself, and those of a program among others.
    if (ending === 'cls' && directories.includes('classes')) return 'Apex';
    const byEnding = languageByEnding.get(ending);
    if (byEnding) return byEnding;
  }
  if (name.startsWith('dockerfile') || name.endsWith('.dockerfile')) return 'Dockerfile';
  if (name.startsWith('.env')) return 'Dotenv';
  if (name.startsWith('makefile')) return 'Makefile';
  const interpreter = ending === '' ? shebang.exec(opening)?.[1]?.toLowerCase() : undefined;
  return (interpreter && languageByInterpreter.get(interpreter.replace(/(?<![\d.])[\d.]+$/, ''))) ?? null;
}
