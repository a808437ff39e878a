import type { Claim } from './claims.ts';
import type { KnownEdit, World } from './known-edit.ts';

export interface Judgement {
  contradictions: Claim[];
  isTold: boolean;
}

export function judge(edit: KnownEdit, claims: Claim[]): Judgement {
  const court = new Court(edit);
  return {
    contradictions: claims.filter((claim) => court.isContradicted(claim)),
    isTold: claims.some((claim) => court.tells(claim)),
  };
}

const tokensOf = (text: string): string[] => text.match(/[\p{L}\p{N}_$]+|[^\s\p{L}\p{N}_$]/gu) ?? [];

/** A text as tokens, so that a shorter one can be found in it regardless of the layout. */
const sequence = (tokens: string[]): string => `\u0001${tokens.join('\u0001')}\u0001`;

/** Words only, because wrapping and marks do not change a comment. */
const words = (text: string): string => sequence(text.match(/[\p{L}\p{N}_$]+/gu) ?? []);

/** Prose without wrapping and marks. */
const isProse = (thing: string): boolean => thing === 'text' || thing === 'test';

/** A name in which other names were renamed, as in the name of a test. */
const withName = (text: string, { from, to }: { from: string; to: string }): string =>
  text.replace(new RegExp(`(?<![\\w$])${from}(?![\\w$])`, 'g'), to);

class Court {
  readonly #edit: KnownEdit;
  readonly #old: string;
  readonly #new: string;
  readonly #oldText: string;
  readonly #newText: string;
  readonly #oldWords: Set<string>;
  readonly #newWords: Set<string>;

  constructor(edit: KnownEdit) {
    this.#edit = edit;
    this.#oldText = textOf(edit.before);
    this.#newText = textOf(edit.after);
    this.#old = sequence(tokensOf(this.#oldText));
    this.#new = sequence(tokensOf(this.#newText));
    this.#oldWords = new Set(tokensOf(edit.truth.oldWords));
    this.#newWords = new Set(tokensOf(edit.truth.newWords));
  }

  isContradicted(claim: Claim): boolean {
    const { truth } = this.#edit;
    switch (claim.relation) {
      case 'comes':
        return (
          this.#stands(claim.name, 'old', isProse(claim.thing)) ||
          !this.#stands(claim.name, 'new', isProse(claim.thing))
        );
      case 'goes':
        if (
          tokensOf(claim.name).some((token) => this.#oldWords.has(token)) &&
          this.#stands(claim.name, 'old')
        )
          return false;
        return this.#stands(claim.name, 'new') || !this.#stands(claim.name, 'old');
      case 'renamed':
        return !truth.renamed || withName(claim.from, truth.renamed) !== claim.to || claim.from === claim.to;
      case 'moved':
        return (
          !(truth.moved.includes(claim.name) || this.#wentAlong(claim.name)) ||
          claim.fromFile !== truth.fromFile ||
          claim.toFile !== truth.toFile
        );
      case 'becomes':
      case 'default':
      case 'returns':
        return !this.#isTheDifference(claim.from, claim.to);
      case 'reworked':
        return (
          !truth.touched.includes('*') &&
          !truth.touched.includes(claim.name.split('.').at(-1) ?? claim.name) &&
          !truth.touched.includes(claim.name.split('.')[0] ?? claim.name)
        );
      case 'parameter':
        return (
          claim.of !== truth.parameter?.of ||
          claim.name !== truth.parameter.name ||
          (claim.isOptional !== undefined && claim.isOptional !== truth.parameter.isOptional)
        );
      case 'reformatted':
        return !truth.isLayout;
      case 'touches':
        // Lines before and after the edit are not new.
        return (
          this.#stands(claim.name, 'old') &&
          this.#stands(claim.name, 'new') &&
          ![...this.#newWords, ...this.#oldWords].some(
            (word) => claim.name.includes(word) || word.includes(claim.name),
          )
        );
      case 'version':
        return true;
    }
  }

  tells(claim: Claim): boolean {
    if (this.isContradicted(claim)) return false;
    const { kind } = this.#edit;
    switch (claim.relation) {
      case 'moved':
      case 'renamed':
      case 'reformatted':
      case 'parameter':
      case 'default':
      case 'returns':
        return true;
      case 'becomes':
        return kind !== 'rename a function' && kind !== 'rename a type';
      case 'comes':
        return (
          kind !== 'rename a function' &&
          kind !== 'rename a type' &&
          [...this.#newWords].some((word) => claim.name.includes(word))
        );
      default:
        return false;
    }
  }

  #stands(text: string, side: 'old' | 'new', isProse = false): boolean {
    const plain = text.replace(/…/g, ' ').trim();
    const whole = side === 'old' ? this.#old : this.#new;
    if (whole.includes(sequence(tokensOf(plain)))) return true;
    if (!isProse) return false;
    const lines = side === 'old' ? this.#oldText : this.#newText;
    return /\s/.test(plain) && words(plain).length > 2 && words(lines).includes(words(plain));
  }

  /** Code inside of what was moved to another file, such as a nested test, was moved too. */
  #wentAlong(name: string): boolean {
    const { before, after, truth } = this.#edit;
    const times = (world: World, file: string) => (world.get(file) ?? '').split(name).length;
    return (
      times(before, truth.fromFile) > times(after, truth.fromFile) &&
      times(after, truth.toFile) > times(before, truth.toFile)
    );
  }

  /** Whether the two texts differ only by what the program changed. */
  #isTheDifference(from: string, to: string): boolean {
    const before = tokensOf(from.replace(/…/g, ' '));
    const after = tokensOf(to.replace(/…/g, ' '));
    let start = 0;
    while (start < before.length && start < after.length && before[start] === after[start]) start++;
    let end = 0;
    while (
      end < before.length - start &&
      end < after.length - start &&
      before.at(-1 - end) === after.at(-1 - end)
    )
      end++;
    // Truncated texts are cut in different places, so only the beginning of their difference counts.
    const isCut = from.endsWith('…') && to.endsWith('…');
    const gone = before.slice(start, isCut ? start + 1 : before.length - end);
    const come = after.slice(start, isCut ? start + 1 : after.length - end);
    if (gone.length + come.length === 0) return false;
    return (
      gone.every((token) => this.#oldWords.has(token) || come.includes(token)) &&
      come.every((token) => this.#newWords.has(token) || gone.includes(token))
    );
  }
}

function textOf(world: World): string {
  return [...world.values()].join('\n\n');
}
