import { isNameless, placesOf } from './find-name.ts';
import { countSpelled } from './spellings.ts';

const codeFile =
  /\.(?:c|cc|cpp|cs|cts|cxx|dart|ex|exs|go|h|hh|hpp|java|js|jsx|kt|kts|m|mjs|mm|mts|php|py|rb|rs|scala|swift|ts|tsx|zig)$/i;

export const isCodeFile = (path: string): boolean => codeFile.test(path);

/** Whether a name stands in a text. In code a hyphen between two names is usually a minus, but never in quotation marks. */
export function standsInText(name: string, text: string, path = ''): boolean {
  if (isNameless(name)) return text.includes(name.replaceAll('…', '').trim());
  const [found] = placesOf(name, text);
  if (found || countSpelled(name, text) > 0) return true;
  if (!text.includes('-') || !codeFile.test(path)) return false;
  for (const { start } of placesOf(name, text, 'operators')) if (!isInQuotes(text, start)) return true;
  return false;
}

function isInQuotes(text: string, index: number): boolean {
  const before = text.slice(text.lastIndexOf('\n', index) + 1, index);
  return (before.match(/["'`]/g)?.length ?? 0) % 2 === 1;
}

/** How often a name stands in a text. */
export const countIn = (text: string, name: string): number =>
  Array.from(placesOf(name, text)).length || countSpelled(name, text);

/** A file is named by its path, by the end of its path, or by a folder that it is in. */
export function namesFile(name: string, ...paths: (string | null)[]): boolean {
  const wanted = name.replace(/^\.?\//, '').replace(/\/$/, '');
  return (
    wanted !== '' &&
    paths.some(
      (path) =>
        path !== null &&
        (path === wanted || path.endsWith(`/${wanted}`) || `/${path}`.includes(`/${wanted}/`)),
    )
  );
}
