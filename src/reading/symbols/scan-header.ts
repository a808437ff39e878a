import type { HunkLine } from '../hunk-lines.ts';
import type { Header, LanguageRules, SeenDeclaration, SymbolKind } from './language-rules.ts';

const mostLines = 40;
const mostCharacters = 2000;

const continuesAfter = /(?:[=|&,(<:?+\\]|=>|->|\b(?:extends|implements|where|throws))$/;
const continuesBefore = /^(?:[{>)\]|&:=?.+]|->|(?:extends|implements|where|throws|requires|permits)\b)/;
const plain = /[\w \t.]+/y;
const closing: Record<string, string> = { '(': ')', '[': ']', '{': '}' };

/**
 * Reads a declaration from its first line to the beginning of its body. In languages with braces in types, which brace
 * begins the body is a guess.
 */
export function scanHeader(
  lines: HunkLine[],
  start: number,
  rules: LanguageRules,
  found: SeenDeclaration,
): Header {
  const scanner = new HeaderScanner(rules, found);
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
  readonly #rules: LanguageRules;
  readonly #kind: SymbolKind;

  constructor(rules: LanguageRules, found: SeenDeclaration) {
    this.#rules = rules;
    this.#kind = found.kind;
  }

  get isOpen(): boolean {
    return this.#open.length > 0;
  }

  get length(): number {
    return this.text.length;
  }

  finish(endedBy: Header['endedBy'], end: number): Header {
    return { text: this.text.trimEnd(), rest: this.#rest, endedBy, end, isFunction: this.#isFunction };
  }

  readLine(line: string, next: string): Header['endedBy'] | null {
    if (this.text !== '') this.text += ' ';
    for (let index = 0; index < line.length; index++) {
      plain.lastIndex = index;
      if (plain.test(line)) {
        this.text += line.slice(index, plain.lastIndex);
        index = plain.lastIndex;
        if (index === line.length) break;
      }
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

  #endsHere(character: string, line: string, index: number, next: string): Header['endedBy'] | null {
    const { blocks, functionValue } = this.#rules;
    const isValue = this.#kind === 'constant' || this.#kind === 'field';
    if (character === ';' || (character === ',' && this.#kind === 'field')) return 'semicolon';
    if (character === ':' && blocks === 'colon' && !isValue) return 'colon';
    if (character === '=' && isAssignment(line, index)) {
      this.#hasAssigned = true;
      if (isValue) {
        const value = line.slice(index + 1).trim() || next;
        if (!functionValue?.test(value)) return 'value';
        this.#isFunction = true;
      }
    }
    if (character === '>' && line[index - 1] === '=' && this.#hasAssigned && this.#kind !== 'type') {
      this.text += '>';
      return 'arrow';
    }
    return character === '{' && blocks === 'braces' && this.#opensBody() ? 'body' : null;
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

export interface Signature {
  text: string;
  isCut: boolean;
}

export function signatureOf({ text, endedBy }: Header): Signature {
  const isCut = endedBy === 'hunk';
  return { text: isCut ? `${tidy(text)} …` : tidy(text), isCut };
}

export function isSameSignature(one: Signature, other: Signature): boolean {
  const first = withoutLayout(one.text);
  const second = withoutLayout(other.text);
  if (first === second) return true;
  if (!one.isCut && !other.isCut) return false;
  const length = Math.min(first.length, second.length) - 1;
  return first.slice(0, length) === second.slice(0, length);
}

const withoutLayout = (text: string): string =>
  text
    .replace(/^(?:const|var) /, '')
    .replace(/[\s;]+/g, '')
    .replace(/,([)\]}>])/g, '$1');

const tidy = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .replace(/([([]) /g, '$1')
    .replace(/,? ([)\]])/g, '$1')
    .replace(/(\w<) /g, '$1')
    .replace(/,? >(?=[\s(),]|$)/g, '>')
    .replace(/(?<!\s)\s*(?:=>|=|\{|:)\s*$/, '')
    .trim();
