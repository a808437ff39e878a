import type { HunkLine } from '../hunk-lines.ts';
import type { LanguageRules, SeenDeclaration, SymbolKind } from './language-rules.ts';

/** The part of a declaration before its body. */
export interface Header {
  /** On one line, without comments and without what opens the body. */
  text: string;
  /** What is still open at its end, closed. */
  closers: string;
  /** What stands behind it on its last line: the body of a declaration on one line, the value of a constant. */
  rest: string;
  endedBy: 'body' | 'arrow' | 'colon' | 'semicolon' | 'value' | 'line' | 'hunk';
  /** The place of its last line. */
  end: number;
  /** Whether what looked like a constant has a function for its value. */
  isFunction: boolean;
}

// Longer ones exist, in generated code; what is cut off there is only less of a signature.
const mostLines = 40;
const mostCharacters = 2000;

const continuesAfter = /(?:[=|&,(<:?+\\]|=>|->|\b(?:extends|implements|where|throws))$/;
const continuesBefore = /^(?:[{>)\]|&:=?.+]|->|(?:extends|implements|where|throws|requires|permits)\b)/;
const closing: Record<string, string> = { '(': ')', '[': ']', '{': '}' };

/**
 * Reads a declaration from its first line to where its body begins. Which brace begins it is a guess where types have
 * braces too: `passOver` says how many of those that look like it do not.
 */
export function scanHeader(
  lines: HunkLine[],
  start: number,
  rules: LanguageRules,
  found: SeenDeclaration,
  passOver: number,
): Header {
  const scanner = new HeaderScanner(rules, found, passOver);
  const last = Math.min(lines.length, start + mostLines) - 1;
  for (let index = start; index <= last; index++) {
    const { text } = lines[index] as HunkLine;
    if (index > start && rules.comment.test(text)) continue;
    const end = scanner.readLine(text, lines[index + 1]?.text ?? '');
    if (end) return scanner.finish(end, index);
    if (scanner.length > mostCharacters) return scanner.finish('hunk', index);
    if (!scanner.isOpen && !continues(scanner.text, lines[index + 1]?.text, rules)) {
      return scanner.finish('line', index);
    }
  }
  return scanner.finish('hunk', last);
}

function continues(text: string, next: string | undefined, rules: LanguageRules): boolean {
  if (rules.blocks === 'colon') return text.endsWith('\\');
  if (continuesAfter.test(text)) return true;
  return rules.blocks === 'braces' && next !== undefined && continuesBefore.test(next);
}

class HeaderScanner {
  text = '';
  #rest = '';
  #open: string[] = [];
  #hasAssigned = false;
  #isFunction = false;
  #passOver: number;
  readonly #rules: LanguageRules;
  readonly #kind: SymbolKind;

  constructor(rules: LanguageRules, found: SeenDeclaration, passOver: number) {
    this.#rules = rules;
    this.#kind = found.kind;
    this.#passOver = passOver;
  }

  get isOpen(): boolean {
    return this.#open.length > 0;
  }

  get length(): number {
    return this.text.length;
  }

  finish(endedBy: Header['endedBy'], end: number): Header {
    const closers = this.#open.reverse().join('');
    return {
      text: this.text.trimEnd(),
      closers,
      rest: this.#rest,
      endedBy,
      end,
      isFunction: this.#isFunction,
    };
  }

  /** Takes a line and says what ended the header in it, if anything did. */
  readLine(line: string, next: string): Header['endedBy'] | null {
    if (this.text !== '') this.text += ' ';
    for (let index = 0; index < line.length; index++) {
      const character = line[index] as string;
      if (character === '"' || character === "'" || character === '`') {
        const end = this.#endOfString(line, index, character);
        this.text += line.slice(index, end);
        index = end - 1;
        continue;
      }
      if (line.startsWith(this.#rules.lineComment, index)) break;
      if (character === '/' && line[index + 1] === '*') {
        const end = line.indexOf('*/', index + 2);
        if (end < 0) break;
        index = end + 1;
        continue;
      }
      const ended = this.#readCharacter(character, line, index, next);
      if (ended) {
        this.#rest = line.slice(index + 1);
        return ended;
      }
    }
    this.text = this.text.trimEnd();
    return null;
  }

  #readCharacter(character: string, line: string, index: number, next: string): Header['endedBy'] | null {
    const isOutside = this.#open.length === 0;
    if (isOutside) {
      const ended = this.#endsHere(character, line, index, next);
      if (ended) return ended;
    }
    this.text += character;
    const closer = closing[character];
    if (closer) this.#open.push(closer);
    else if (character === this.#open.at(-1)) this.#open.pop();
    return null;
  }

  /** Judges a character outside all brackets. */
  #endsHere(character: string, line: string, index: number, next: string): Header['endedBy'] | null {
    const { blocks, functionValue } = this.#rules;
    if (character === ';') return 'semicolon';
    if (character === ':' && blocks === 'colon' && this.#kind !== 'constant') return 'colon';
    if (character === '=' && isAssignment(line, index)) {
      this.#hasAssigned = true;
      if (this.#kind === 'constant') {
        const value = line.slice(index + 1).trim() || next;
        if (!functionValue?.test(value)) return 'value';
        this.#isFunction = true;
      }
    }
    if (character === '>' && line[index - 1] === '=' && this.#hasAssigned && this.#kind !== 'type') {
      this.text += '>';
      return 'arrow';
    }
    if (character === '{' && blocks === 'braces' && this.#opensBody()) {
      if (this.#passOver === 0) return 'body';
      this.#passOver--;
    }
    return null;
  }

  #opensBody(): boolean {
    const before = this.text.slice(-12).trimEnd();
    if (before.endsWith('=')) return this.#kind === 'type';
    return this.#kind === 'type' || this.#kind === 'class'
      ? !this.#rules.typeBefore?.test(before)
      : !this.#rules.typeBefore?.test(before) && !this.#rules.typeBeforeInFunction?.test(before);
  }

  #endOfString(line: string, start: number, quote: string): number {
    if (quote === "'" && this.#rules.hasLooseApostrophes) {
      return /^'(?:\\.|[^'\\])'/.test(line.slice(start, start + 4)) ? start + 3 : start + 1;
    }
    for (let index = start + 1; index < line.length; index++) {
      if (line[index] === '\\') index++;
      else if (line[index] === quote) return index + 1;
    }
    return start + 1;
  }
}

function isAssignment(line: string, index: number): boolean {
  const next = line[index + 1];
  return next !== '=' && next !== '>' && !'=!<>+-*/|&'.includes(line[index - 1] ?? ' ');
}
