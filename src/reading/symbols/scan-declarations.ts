import type { Hidden, HunkLine, HunkLines } from '../hunk-lines.ts';
import { hiddenOn } from './hide-text.ts';
import type { FileNames, Header, LanguageRules, Place, SeenDeclaration } from './language-rules.ts';
import { scanHeader } from './scan-header.ts';

export interface Declaration {
  found: SeenDeclaration;
  container: string | null;
  key: string;
  isPublic: boolean | null;
  line: string;
  isTestOnly: boolean;
  start: number;
  end: number;
  isClosed: boolean;
  header: Header | null;
}

export interface DeclaredSide {
  lines: HunkLine[];
  declarations: Declaration[];
  owners: (Declaration | null)[];
  heading: Declaration | null;
}

interface Scope {
  indent: number;
  holds: Place | null;
  declaration: Declaration | null;
  section: string | null;
  isDecorator?: boolean;
  /** The declaration around an unnamed block, to which declarations in the block belong. */
  around?: Declaration | null;
}

export type FindBlock = (line: string, below: string, place: Place | null) => SeenDeclaration | null;

interface Scan {
  side: 'old' | 'new';
  rules: LanguageRules;
  isWhole: boolean;
  findBlock?: FindBlock;
}

const widestStep = 4;

export const scanDeclarations = (hunk: HunkLines, scan: Scan): DeclaredSide =>
  new DeclarationScanner(hunk[scan.side], hiddenOn(scan.side, hunk, scan.rules), scan).run(hunk.hunk.heading);

class DeclarationScanner {
  readonly #lines: HunkLine[];
  readonly #hidden: Hidden[];
  readonly #rules: LanguageRules;
  readonly #scan: Scan;
  readonly #names: FileNames;
  readonly #scopes: Scope[] = [];
  readonly #result: DeclaredSide;
  /** Visibility of types by name, for members declared outside of their type, as in Go and Rust. */
  readonly #types = new Map<string, boolean | null>();
  #lastCode = -1;
  #headerEnd = -1;
  #isBelowTestMark = false;
  #step = widestStep;

  constructor(lines: HunkLine[], hidden: Hidden[], scan: Scan) {
    this.#lines = lines;
    this.#hidden = hidden;
    this.#rules = scan.rules;
    this.#scan = scan;
    for (const [index, line] of lines.entries()) line.hidden = hidden[index] ?? 'code';
    this.#names =
      scan.rules.namesIn?.(lines.filter(({ hidden }) => hidden === 'code').map(({ text }) => text)) ?? {};
    this.#result = { lines, declarations: [], owners: [], heading: null };
  }

  run(heading: string): DeclaredSide {
    const { owners, declarations } = this.#result;
    const hidden = this.#hidden;
    this.#enterHeading(heading);
    // If a string has no end, its beginning may be the end of another one, so nothing in it is read.
    const lastEnd = hidden.findLastIndex((kind) => kind !== 'string');
    for (let index = 0; index < this.#lines.length; index++) {
      const line = this.#lines[index] as HunkLine;
      if (hidden[index] !== 'code')
        owners.push(hidden[index] === 'string' && index < lastEnd ? this.#owner() : null);
      else if (line.text === '' || this.#rules.comment.test(line.text)) {
        if (this.#rules.testMark?.test(line.text)) this.#isBelowTestMark = true;
        owners.push(null);
      } else {
        const closed = index > this.#headerEnd ? this.#readLine(line, index) : null;
        owners.push(closed ?? this.#owner());
        this.#lastCode = index;
        this.#isBelowTestMark = false;
      }
    }
    for (const declaration of declarations) if (!declaration.isClosed) declaration.end = this.#lastCode;
    return this.#result;
  }

  #owner(): Declaration | null {
    for (let index = this.#scopes.length - 1; index >= 0; index--) {
      const { declaration, isDecorator } = this.#scopes[index] as Scope;
      if (isDecorator) return null;
      if (declaration) return declaration;
    }
    return null;
  }

  /**
   * In the heading of a hunk git prints the last unindented line above it, or the last line that it recognizes as a
   * definition.
   */
  #enterHeading(heading: string): void {
    if (heading === '') return;
    for (const line of this.#lines) {
      if (line.indent > 0 && line.indent < this.#step && !this.#rules.comment.test(line.text)) {
        this.#step = line.indent;
      }
    }
    const { found, isMethod } = readHeading(heading, this.#lines, this.#rules);
    if (isMethod) this.#scopes.push({ indent: 0, holds: 'members', declaration: null, section: null });
    if (found) this.#enter(this.#declare(found, heading.trim(), -1, null), isMethod ? this.#step : 0);
    else this.#scopes.push({ indent: 0, holds: null, declaration: null, section: null });
    this.#result.heading = this.#scopes.at(-1)?.declaration ?? null;
  }

  #enter(declaration: Declaration, indent: number): void {
    const section = declaration.start < 0 ? 'unknown' : null;
    this.#scopes.push({ indent, holds: declaration.found.holds ?? null, declaration, section });
  }

  #readLine(line: HunkLine, index: number): Declaration | null {
    const { text, indent } = line;
    const first = text[0] as string;
    if (first === '{' || first === ')' || first === ']') {
      const block = first === ']' ? this.#block(index, null) : null;
      if (block) {
        this.#leave(indent);
        this.#enterDeclaration(block, line, index, this.#scopes.at(-1) ?? null);
      }
      return null;
    }
    if (first === '}' || (this.#rules.blocks === 'end' && /^end\b/.test(text)))
      return this.#close(indent, index);
    if (this.#rules.outdented?.test(text)) {
      this.#enterSection(text);
      return null;
    }
    this.#leave(indent);
    const parent = this.#scopes.at(-1);
    const place = parent ? parent.holds : indent === 0 ? 'file' : null;
    const around = parent?.declaration?.found.name ?? null;
    const found =
      this.#block(index, place) ??
      (place && this.#isOneStepIn(parent, indent) ? this.#rules.find(text, place, around) : null);
    const isLocal = parent?.declaration?.start === -1 && /^va[lr]\s.*[^,]$/.test(text);
    // Below a class in the heading, Kotlin fields look like local variables of a method.
    if (found && !isLocal && this.#enterDeclaration(found, line, index, parent ?? null)) return null;
    if (place || !parent)
      this.#scopes.push({
        indent,
        holds: this.#scan.findBlock ? place : null,
        declaration: null,
        section: null,
        isDecorator: first === '@',
        around: parent?.declaration ?? parent?.around ?? null,
      });
    return null;
  }

  #block(index: number, place: Place | null): SeenDeclaration | null {
    const text = this.#lines[index]?.text ?? '';
    return this.#scan.findBlock?.(text, this.#lines[index + 1]?.text ?? '', place) ?? null;
  }

  #enterDeclaration(
    found: SeenDeclaration,
    { text, indent }: HunkLine,
    index: number,
    parent: Scope | null,
  ): boolean {
    // The brackets of a group or a test enclose its content and are not a header.
    const hasHeader = found.reported !== 'never' && !found.isTest;
    const header = hasHeader ? scanHeader(this.#lines, index, this.#rules, found) : null;
    if (header && found.needsBody && !this.#hasBody(header)) return false;
    const declaration = this.#declare(header ? settled(found, header) : found, text, index, parent);
    if (header) {
      declaration.header = header;
      declaration.end = header.end;
      this.#headerEnd = header.end;
    }
    this.#result.declarations.push(declaration);
    this.#enter(declaration, indent);
    return true;
  }

  #hasBody(header: Header): boolean {
    const { endedBy } = header;
    return endedBy === 'body' || endedBy === 'hunk' || (this.#rules.isDeclaration?.(header) ?? false);
  }

  #enterSection(text: string): void {
    const section = /^(?:public|private|protected)\b/.exec(text)?.[0];
    const scope =
      section && this.#scopes.findLast(({ holds, declaration }) => holds === 'members' && declaration);
    if (scope) scope.section = section;
  }

  /** Between a class in the heading and the hunk, lines are missing, so deeper lines may be inside a method. */
  #isOneStepIn(parent: Scope | undefined, indent: number): boolean {
    return parent?.declaration?.start !== -1 || indent === this.#step;
  }

  #leave(indent: number): void {
    for (let scope = this.#scopes.at(-1); scope && scope.indent >= indent; scope = this.#scopes.at(-1)) {
      this.#scopes.pop();
      if (scope.declaration) this.#finish(scope.declaration, this.#lastCode);
    }
  }

  #close(indent: number, index: number): Declaration | null {
    let closed: Declaration | null = null;
    for (let scope = this.#scopes.at(-1); scope && scope.indent >= indent; scope = this.#scopes.at(-1)) {
      this.#scopes.pop();
      if (!scope.declaration) continue;
      this.#finish(scope.declaration, scope.indent > indent ? this.#lastCode : index);
      closed = scope.declaration;
    }
    return closed;
  }

  #finish(declaration: Declaration, end: number): void {
    declaration.end = Math.max(end, declaration.header?.end ?? -1);
    declaration.isClosed = true;
  }

  #declare(found: SeenDeclaration, line: string, start: number, parent: Scope | null): Declaration {
    const around = parent?.declaration ?? parent?.around ?? null;
    const isMember = parent?.holds === 'members' || parent?.holds === 'fields';
    const container = found.container ?? ((isMember && around?.found.name) || null);
    const variant = found.variant ?? (isMember ? around?.found.variant : undefined) ?? '';
    const isTestOnly = this.#isBelowTestMark || (around?.isTestOnly ?? false);
    const isApart = found.container !== undefined || around?.found.reported === 'body';
    const isContainerPublic = isApart ? this.#types.get(container ?? '') : isMember ? around?.isPublic : null;
    const isPublic = isTestOnly
      ? false
      : this.#rules.isPublic({
          kind: found.kind,
          name: found.name,
          line,
          container,
          isContainerPublic: isContainerPublic ?? null,
          containerLine: isMember && around ? around.line : null,
          section: parent?.section ?? null,
          isWhole: this.#scan.isWhole,
          file: this.#names,
        });
    if (container === null && !found.reported) this.#types.set(found.name, isPublic);
    const key = `${variant}\0${container ?? ''}\0${found.name}`;
    const place = { start, end: start, isClosed: false, header: null };
    return { found, container, key, isPublic, line, isTestOnly, ...place };
  }
}

/** An assigned value is a function only if it has an arrow or a body; a field with such a value is a method. */
function settled(found: SeenDeclaration, header: Header): SeenDeclaration {
  if (header.isFunction) return { ...found, kind: found.kind === 'field' ? 'method' : 'function' };
  const at = /^(?:export\s+)?(?:const|let|var)\s/.test(header.text) ? header.text.indexOf('=') : -1;
  const isValue = header.endedBy === 'line' || header.endedBy === 'semicolon';
  if (found.kind !== 'function' || at < 0 || !isValue) return found;
  header.rest = header.text.slice(at + 1) + header.rest;
  header.text = header.text.slice(0, at);
  return { ...found, kind: 'constant' };
}

// Git cuts headings to 80 bytes.
const longestHeading = 80;
const opens = /(?:[{([<,=:|&]|=>)$/;

/** Reads the heading of a hunk: the last line that git considers important, which is not always around the hunk. */
function readHeading(
  heading: string,
  lines: HunkLine[],
  rules: LanguageRules,
): { found: SeenDeclaration | null; isMethod: boolean } {
  const text = heading.trim();
  const method = findMethod(text, rules);
  const found = method ?? rules.find(text, 'file', null);
  const isMethod = method !== null;
  const isCut = Buffer.byteLength(heading) >= longestHeading - 3;
  const isTrusted =
    found !== null &&
    (!found.needsBody || looksLikeDefinition(text)) &&
    !rules.doubtfulHeading?.test(text) &&
    !(isCut && text.endsWith(found.name)) &&
    (isCut || goesOn(text, found, rules)) &&
    (isMethod || isClosedAsExpected(text, found, lines, rules));
  return { found: isTrusted ? found : null, isMethod };
}

/** In languages that git knows, headings name methods without their class and indentation. */
function findMethod(text: string, rules: LanguageRules): SeenDeclaration | null {
  const isMethod =
    /\(\s*(?:&?(?:mut\s+)?self|cls)\b/.test(text) || /^(?:public|private|protected|internal)\s/.test(text);
  const found = isMethod && looksLikeDefinition(text) ? rules.find(text, 'members', null) : null;
  return found?.kind === 'method' ? found : null;
}

const looksLikeDefinition = (text: string): boolean =>
  !/[;=]$/.test(text) && /^[\w~][\w\s*&<>:,~.[\]]*\(/.test(text);

function goesOn(text: string, { kind }: SeenDeclaration, { blocks, hasBracesBelow }: LanguageRules): boolean {
  if (opens.test(text) || blocks === 'end') return true;
  return hasBracesBelow === true && kind !== 'constant' && !/[;}]$/.test(text);
}

/** The first unindented line ends the declaration, and shows whether it was the one in the heading. */
function isClosedAsExpected(
  text: string,
  { kind }: SeenDeclaration,
  lines: HunkLine[],
  rules: LanguageRules,
): boolean {
  if (kind === 'constant' || rules.blocks === 'end') return true;
  const place = lines.findIndex((line) => line.indent === 0 && line.text !== '');
  const edge = lines[place]?.text ?? '';
  if (rules.blocks === 'colon') {
    if (/^[)\]}]/.test(edge)) return edge.endsWith(':');
    return !isList(place < 0 ? lines : lines.slice(0, place));
  }
  const closing = lines.find((line) => line.indent === 0 && /^[)\]}]/.test(line.text))?.text;
  if (closing === undefined) return true;
  if (/^[)\]}]+\./.test(closing)) return false;
  return !text.endsWith('{') || /^\}[;,]?$|(?:\{|=>)$/.test(closing);
}

/** Lines that are only list items may be in a decorator of the next definition. */
const isList = (lines: HunkLine[]): boolean =>
  lines.every(({ text }) => text === '' || /[,([{]$/.test(text) || /^[)\]}]/.test(text) || /^#/.test(text));
