import type { Thing } from '../../draft.ts';
import { joinLines } from '../citation.ts';
import { declares, gives } from '../declaration-forms.ts';
import { blocksOf } from '../diff-lines.ts';
import { foldsOf, quotesFrom } from '../fold-words.ts';
import type { Scope } from '../scope.ts';
import {
  type ChangedSide,
  citedLines,
  fileLines,
  linesHolding,
  longestWord,
  otherSide,
  type Sighting,
} from '../sightings.ts';
import { isCodeFile, standsInText } from '../stands-in-text.ts';

/** What a thing is looked for as. */
type Form = 'declaration' | 'prose' | 'parts';

export const formOf: Record<Thing, Form> = {
  function: 'declaration',
  method: 'declaration',
  constructor: 'declaration',
  class: 'declaration',
  module: 'declaration',
  type: 'declaration',
  constant: 'declaration',
  field: 'declaration',
  test: 'prose',
  dependency: 'parts',
  commandLineOption: 'parts',
};

/** Whether a line declares a name as such a thing; constants and fields are often declared by their value alone. */
export function isDeclaredAs(thing: Thing, line: string, name: string): boolean {
  // What is private by its sign is another one without it.
  if (name.startsWith('#') && !line.includes(name)) return false;
  const last = name.split(/\.|::|->|#/).at(-1) ?? name;
  return declares(line, last) || ((thing === 'constant' || thing === 'field') && gives(line, last));
}

/** Whether a name, or the words that name a test, stand in a text that may run over several lines. */
function standsAs(form: Form, text: string, wanted: string, path: string): boolean {
  if (form === 'parts') return standInParts(text, partsOf(wanted), path);
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

/**
 * Whether something stands on one side of what is cited, and on the other side of the whole diff nowhere as the same kind
 * of thing. `added` asks whether it comes, `removed` whether it goes.
 */
export function standsOnlyOn(side: ChangedSide, thing: Thing, name: string, scope: Scope): boolean {
  if (formOf[thing] !== 'declaration') return standsAsText(side, thing, name, scope);
  const isOne = ({ line }: Sighting): boolean => isDeclaredAs(thing, line.text, name);
  return (
    reachFor(side, isOne, scope) &&
    !linesHolding(scope.ground, longestWord(name), otherSide(side)).some(isOne)
  );
}

/** In what is cited, or elsewhere in a cited file: then that line is cited too. */
function reachFor(side: ChangedSide, isOne: (sighting: Sighting) => boolean, scope: Scope): boolean {
  if (citedLines(scope, side).some(isOne)) return true;
  return scope.files.some(({ path }) => {
    const found = fileLines(scope.ground, path, side).find(isOne);
    return found !== undefined && scope.reach(path, found.line);
  });
}

const lockFile = /(?:^|\/)(?:[\w.-]*lock(?:file)?(?:\.\w+)?|go\.sum|Podfile\.lock|npm-shrinkwrap\.json)$/i;

function standsAsText(side: ChangedSide, thing: Thing, name: string, scope: Scope): boolean {
  const form = formOf[thing];
  const isCited =
    scope.files.some((file) => standsAs(form, file.text(side), name, file.path)) ||
    standsWithContext(side, form, name, scope) ||
    reachForText(side, form, name, scope);
  if (!isCited) return false;
  const isQuoted = scope.files.some((file) => standsInQuotes(file.text(side), name));
  for (const path of scope.ground.filesHolding(longestWord(name))) {
    const isManifest = !isCodeFile(path) || scope.files.some((file) => file.path === path);
    if (thing === 'dependency' && (lockFile.test(path) || !isManifest)) continue;
    const others = scope.ground.lines.changed(path, otherSide(side));
    if (thing === 'test' ? namesTest(others, name, isQuoted) : standsAs(form, others, name, path))
      return false;
  }
  return true;
}

const quotationMarks = [`"`, `'`, '`'];

const standsInQuotes = (text: string, name: string): boolean =>
  quotationMarks.some((mark) => text.includes(`${mark}${name}${mark}`));

/** A test is named by a text in quotation marks, or by a function: the same words elsewhere name none. */
function namesTest(text: string, name: string, isQuoted: boolean): boolean {
  if (/\s/.test(name.trim())) return standsAs('prose', text, name, '');
  if (isQuoted) return standsInQuotes(text, name);
  if (!/^[\w.]+$/.test(name)) return standsAs('prose', text, name, '');
  const last = name.split('.').at(-1) ?? name;
  return text
    .split('\n')
    .some(
      (line) =>
        isDeclaredAs('function', line, last) || (/^\s*(?:TEST|SCENARIO)/.test(line) && line.includes(last)),
    );
}

/** A name of several parts may begin on a line that stayed. */
function standsWithContext(side: ChangedSide, form: Form, name: string, { files }: Scope): boolean {
  const [now, before] = side === 'added' ? (['new', 'old'] as const) : (['old', 'new'] as const);
  return files.some(
    (file) =>
      standsAs(form, file.text(now), name, file.path) && !standsAs(form, file.text(before), name, file.path),
  );
}

function reachForText(side: ChangedSide, form: Form, name: string, scope: Scope): boolean {
  const word = longestWord(name);
  return scope.files.some(({ path }) => {
    const block = blocksOf(scope.ground.lines.of(path)).find((lines) =>
      standsAs(form, joinLines(lines, side), name, path),
    );
    const own = block?.filter((line) => line.side === side) ?? [];
    const found = own.find(({ text }) => text.includes(word)) ?? own[0];
    return found !== undefined && scope.reach(path, found);
  });
}
