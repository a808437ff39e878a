import type { Thing } from '../../draft.ts';
import { declares, gives } from '../declaration-forms.ts';
import { foldsOf, foldWords, quotesFrom } from '../fold-words.ts';
import { longestWord } from '../sightings.ts';
import { standsInText } from '../stands-in-text.ts';

/** What a thing is looked for as. */
export type Form = 'declaration' | 'code' | 'prose' | 'heading' | 'parts';

export const formOf: Record<Thing, Form> = {
  function: 'declaration',
  method: 'declaration',
  constructor: 'declaration',
  class: 'declaration',
  module: 'declaration',
  type: 'declaration',
  constant: 'declaration',
  field: 'code',
  condition: 'code',
  line: 'code',
  heading: 'heading',
  text: 'prose',
  test: 'prose',
  dependency: 'parts',
  commandLineOption: 'parts',
};

/** Whether a line declares a name as such a thing; constants and fields are often declared by their value alone. */
export function isDeclaredAs(thing: Thing, line: string, name: string): boolean {
  // What is private by its sign is another one without it.
  if (name.startsWith('#') && !line.includes(name)) return false;
  const last = name.split(/\.|::|->|#/).at(-1) ?? name;
  return declares(line, last) || (thing === 'constant' && gives(line, last));
}

/** Whether a piece of code, or somebody's words, stand in a text that may run over several lines. */
export function standsAs(form: Form, text: string, wanted: string, path: string): boolean {
  if (form === 'parts') return standInParts(text, partsOf(wanted), path);
  if (form === 'heading') return text.split('\n').some((line) => foldsOf(line).includes(foldWords(wanted)));
  if (form !== 'prose') return standsInText(wanted, text, path);
  // Most texts hold no such words at all, and markup need not be taken out of them.
  return text.includes(longestWord(wanted)) && quotesFrom(foldsOf(text), wanted);
}

/** A route is a method and a path, a key may be a way through several levels: each part has its own place. */
const partsOf = (name: string): string[] => name.split(/\s+/).filter((part) => part !== '');

/** The method and the path of a route stand together, on a line or two. */
function standInParts(text: string, parts: string[], path: string): boolean {
  const [first = ''] = parts;
  if (!method.test(first) || parts.length < 2) return parts.every((part) => holdsPart(text, part, path));
  const lines = text.split('\n');
  return lines.some((line, index) =>
    parts.every((part) => holdsPart(`${line}\n${lines[index + 1] ?? ''}`, part, path)),
  );
}

const method = /^(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS|TRACE|CONNECT|ANY|ALL)$/;

function holdsPart(text: string, part: string, path: string): boolean {
  // A slash alone is a path only in quotation marks.
  if (part === '/') return /(["'`])\/\1/.test(text);
  if (standsInText(part, text, path)) return true;
  if (method.test(part)) return standsInText(part, text.toUpperCase(), path);
  // An option is declared without its dashes.
  const bare = part.replace(/^-+/, '');
  if (bare !== part && (text.includes(`"${bare}"`) || text.includes(`'${bare}'`))) return true;
  // A package may be named by its group and its own name, which stand apart.
  const names = part.split(':').filter((name) => name !== '');
  if (names.length > 1 && names.every((name) => standsInText(name, text, path))) return true;
  const levels = part.split('.');
  return levels.length > 1 && standsInText(levels.at(-1) ?? part, text, path);
}
