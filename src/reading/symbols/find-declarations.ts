import type { Hidden, HunkLine, HunkLines } from '../hunk-lines.ts';
import { hiddenOn } from './hide-text.ts';
import type { LanguageRules, Place, SeenDeclaration } from './language-rules.ts';
import { readHeading } from './read-heading.ts';
import { type Header, scanHeader } from './scan-header.ts';

/** A declaration on one side of a hunk. Places are indexes into that side's lines. */
export interface Declaration {
  found: SeenDeclaration;
  container: string | null;
  /** Same for the same thing on both sides. */
  key: string;
  isPublic: boolean;
  /** Whether it stands in a class, so that it does not parse alone. */
  isMember: boolean;
  /** -1 when only the hunk's heading names it. */
  start: number;
  end: number;
  /** Whether its last line is in the hunk. */
  isClosed: boolean;
  header: Header | null;
}

/** One side of a hunk: its declarations, and to which of them each line belongs. */
export interface DeclaredSide {
  lines: HunkLine[];
  hidden: Hidden[];
  declarations: Declaration[];
  owners: (Declaration | null)[];
  heading: Declaration | null;
}

interface Scope {
  indent: number;
  /** What may be declared directly in it; null where whatever is declared is local. */
  holds: Place | null;
  declaration: Declaration | null;
  section: string | null;
  /** Whether it is a decorator, which belongs to what follows. */
  isDecorator?: boolean;
  /** What a block without a name stands in, where what is declared in it counts as declared there. */
  around?: Declaration | null;
}

/** What else has a name in a whole file, wherever it stands; the place is null inside of a function. */
export type FindBlock = (line: string, below: string, place: Place | null) => SeenDeclaration | null;

// Two spaces or a tab are possible too, but nobody indents by more.
const widestStep = 4;

/** Finds declarations by the look of their lines, and what belongs to them by indentation. */
export function findDeclarations(hunk: HunkLines, side: 'old' | 'new', rules: LanguageRules): DeclaredSide {
  return new DeclarationFinder(hunk[side], hiddenOn(side, hunk, rules), rules, null).run(hunk.hunk.heading);
}

/** The same for all lines of a file, where nothing is missing: blocks without a name are looked into as well. */
export function findAllDeclarations(
  hunk: HunkLines,
  rules: LanguageRules,
  findBlock: FindBlock,
): DeclaredSide {
  return new DeclarationFinder(hunk.new, hiddenOn('new', hunk, rules), rules, findBlock).run('');
}

class DeclarationFinder {
  readonly #lines: HunkLine[];
  readonly #rules: LanguageRules;
  readonly #findBlock: FindBlock | null;
  readonly #scopes: Scope[] = [];
  readonly #result: DeclaredSide;
  #lastCode = -1;
  #headerEnd = -1;
  /** How far the members of the class in the heading are indented. */
  #step = widestStep;

  constructor(lines: HunkLine[], hidden: Hidden[], rules: LanguageRules, findBlock: FindBlock | null) {
    this.#lines = lines;
    this.#rules = rules;
    this.#findBlock = findBlock;
    for (const [index, line] of lines.entries()) line.hidden = hidden[index] ?? 'code';
    this.#result = { lines, hidden, declarations: [], owners: [], heading: null };
  }

  run(heading: string): DeclaredSide {
    const { hidden, owners, declarations } = this.#result;
    this.#enterHeading(heading);
    // A text that does not end may have ended where it seems to begin: what stands in it is not known.
    const lastEnd = hidden.findLastIndex((kind) => kind !== 'string');
    for (let index = 0; index < this.#lines.length; index++) {
      const line = this.#lines[index] as HunkLine;
      if (hidden[index] !== 'code')
        owners.push(hidden[index] === 'string' && index < lastEnd ? this.#owner() : null);
      else if (line.text === '' || this.#rules.comment.test(line.text)) owners.push(null);
      else {
        const closed = index > this.#headerEnd ? this.#readLine(line, index) : null;
        owners.push(closed ?? this.#owner());
        this.#lastCode = index;
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

  /** Git names the last line before the hunk that begins at the left edge, or what it knows to be a definition. */
  #enterHeading(heading: string): void {
    if (heading === '') return;
    for (const line of this.#lines) {
      if (line.indent > 0 && line.indent < this.#step && !this.#rules.comment.test(line.text)) {
        this.#step = line.indent;
      }
    }
    const { found, isMethod, header } = readHeading(heading, this.#lines, this.#rules);
    if (isMethod) this.#scopes.push({ indent: 0, holds: 'members', declaration: null, section: null });
    if (found) {
      const declaration = this.#declare(found, heading.trim(), -1, null);
      declaration.header = header;
      this.#headerEnd = header?.end ?? -1;
      this.#enter(declaration, isMethod ? this.#step : 0);
    } else this.#scopes.push({ indent: 0, holds: null, declaration: null, section: null });
    this.#result.heading = this.#scopes.at(-1)?.declaration ?? null;
  }

  #enter(declaration: Declaration, indent: number): void {
    this.#scopes.push({ indent, holds: declaration.found.holds ?? null, declaration, section: null });
  }

  /** Returns the declaration that the line closes, if it closes one. */
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
    const found =
      this.#block(index, place) ??
      (place && this.#isOneStepIn(parent, indent) ? this.#rules.find(text, place) : null);
    if (found) this.#enterDeclaration(found, line, index, parent ?? null);
    // Whatever stands inside something local is local too, so that there is no need to remember it.
    else if (place || !parent)
      this.#scopes.push({
        indent,
        holds: this.#findBlock ? place : null,
        declaration: null,
        section: null,
        isDecorator: first === '@',
        around: parent?.declaration ?? parent?.around ?? null,
      });
    return null;
  }

  #block(index: number, place: Place | null): SeenDeclaration | null {
    const text = this.#lines[index]?.text ?? '';
    return this.#findBlock?.(text, this.#lines[index + 1]?.text ?? '', place) ?? null;
  }

  #enterDeclaration(
    found: SeenDeclaration,
    { text, indent }: HunkLine,
    index: number,
    parent: Scope | null,
  ): void {
    const declaration = this.#declare(found, text, index, parent);
    // A group's brackets are around what it holds, and those of a test around all of it: they are no header.
    if (found.told !== 'never' && !found.isTest) {
      const header = scanHeader(this.#lines, index, this.#rules, found, 0);
      if (header.isFunction) declaration.found = { ...found, kind: 'function' };
      declaration.header = header;
      declaration.end = header.end;
      this.#headerEnd = header.end;
    }
    this.#result.declarations.push(declaration);
    this.#enter(declaration, indent);
  }

  #enterSection(text: string): void {
    const section = /^(?:public|private|protected)\b/.exec(text)?.[0];
    const scope = section && this.#scopes.findLast(({ holds }) => holds === 'members');
    if (scope) scope.section = section;
  }

  /** Between a class in the heading and a line, lines are missing: what is deeper may be inside one of its methods. */
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
      // What is indented further has ended before.
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
    const isMember = parent?.holds === 'members';
    const container = found.container ?? (isMember ? (around?.found.name ?? null) : null);
    const variant = found.variant ?? (isMember ? around?.found.variant : undefined) ?? '';
    const isPublic = this.#rules.isPublic({
      kind: found.kind,
      name: found.name,
      line,
      container,
      isContainerPublic: isMember && around && !around.found.told ? around.isPublic : null,
      section: parent?.section ?? null,
    });
    const key = `${variant}\0${container ?? ''}\0${found.name}`;
    return { found, container, key, isPublic, isMember, start, end: start, isClosed: false, header: null };
  }
}
