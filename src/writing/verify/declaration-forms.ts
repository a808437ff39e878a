import { isWordCharacter } from './find-name.ts';

/**
 * How a name stands on a line: declared by a keyword or as a method, given a value, or merely mentioned. This is no
 * grammar of any language: it knows what declarations look like in most of them, and nothing of how facts are found.
 */

/** Nobody writes declarations this long; what is longer is data. */
const longestLine = 1_000;

/** What stands before a name on a line, and what behind it; once for each time that it stands there. */
interface Around {
  before: string;
  behind: string;
}

function around(line: string, name: string): Around[] {
  const found: Around[] = [];
  if (name === '') return found;
  for (let at = line.indexOf(name); at >= 0; at = line.indexOf(name, at + name.length)) {
    const end = at + name.length;
    if (at > 0 && isWordCharacter(line.charAt(at - 1)) && isWordCharacter(name.charAt(0))) continue;
    if (isWordCharacter(line.charAt(end)) && isWordCharacter(name.at(-1) ?? '')) continue;
    found.push({ before: line.slice(0, at), behind: line.slice(end) });
  }
  return found;
}

const keywords = [
  'fn|func|fun|function|def|defp|defmacro|defmodule|sub|proc|lambda|init|subscript|operator|get|set',
  'class|struct|enum|union|trait|interface|protocol|extension|actor|record|object|mixin|impl|module|mod|namespace|package',
  'type|typealias|typedef|newtype|associatedtype|alias|using|data|annotation|template|concept|case|typename',
  'const|let|var|val|static|final|lazy|define|export|extern|global|local|attr_reader|attr_writer|attr_accessor',
  'table|view|index|trigger|procedure|message|service|rpc|resource|variable|output|task|target|macro_rules!|macro',
].join('|');

/** Between the keyword and the name may stand modifiers, generics, a receiver or the type that a method belongs to. */
const afterKeyword = new RegExp(
  `(?:^|[^\\w$.])(?:${keywords})[\\s*&]+(?:\\([^()]{0,120}\\)\\s*)?(?:<[^<>]{0,120}>\\s*)?(?:[\\w$*&.:<>,'[\\]?@]{1,80}[\\s*&]+){0,4}(?:[\\w$<>*]+(?:\\.|::))*[:*&'"\`]?$`,
);

const opensCall = /^\s{0,2}(?:::)?(?:<[^<>()]{0,120}>|\[[^[\]()]{0,80}\])?[!?]{0,2}\s{0,2}[({`]/;
const givesValue = /^["'`]?\??\s{0,40}(?::(?!:)|:?=(?![=>]))/;

/** Words that stand before a call and are no types. */
const statementWords =
  /(?:^|[^\w$])(?:return|await|new|throw|throws|else|yield|in|not|and|or|case|go|defer|if|elif|while|until|unless|for|switch|match|when|typeof|delete|echo|print|puts|assert|raise|with|from|import|as|is|do|then|catch|try|require|include|use|where|by|of)\s*$/;

/** A line that only explains. */
const isComment = (line: string): boolean =>
  /^\s*(?:\/\/|\/\*|\*(?![\w*])|#(?![!\w[])|--\s|<!--|;;|"""|'''|%\s)/.test(line);

const isCode = (line: string, name: string): boolean =>
  line.length <= longestLine && line.includes(name) && !isComment(line);

/** By a keyword, or as methods are in languages that have none for them. */
export const declares = (line: string, name: string): boolean =>
  isCode(line, name) &&
  around(line, name).some(
    ({ before, behind }) =>
      afterKeyword.test(before) || (opensCall.test(behind) && isMethodHead(before, behind)),
  );

/** Given a value or a type: a variable, a field, a key. */
export const gives = (line: string, name: string): boolean =>
  isCode(line, name) &&
  around(line, name).some(({ before, behind }) => givesValue.test(behind) && /^[^=(){}]*$/.test(before));

const isMethodHead = (before: string, behind: string): boolean =>
  isTyped(before) ||
  (/^\s*(?:(?:\w+::)+~?)?$/.test(before) &&
    /^\s*[<([].*(?:\{\s*\}?|\)\s*:\s*[^;]+[;,]?|\)\s*=>)\s*$/.test(behind));

/** Nothing but modifiers and types, and at least one of them. */
const isTyped = (before: string): boolean =>
  /^\s*(?:@[\w.]+(?:\([^()]*\))?\s+)*(?:(?:[\w$.]+(?:::[\w$]+)*(?:<[^=()]*>)?|\[[^\]]*\])(?:\[\])*[\s*&?]+)+(?:\w+::)*~?$/.test(
    before,
  ) && !statementWords.test(before);
