import { foldSpace } from '../../domain/text.ts';
import { commentSignsIn } from '../../reading/comment-signs.ts';
import type { Evidence } from '../../reading/facts.ts';
import { type DiffLine, type FileDiff, type Hunk, linesOf } from '../../reading/file-diff.ts';
import { emptySentence, type Sentence } from '../draft.ts';
import { isCodeFile } from '../verify/find-name.ts';
import type { Material } from './material.ts';
import { isOfRun, overlaps } from './references.ts';
import { codeSpan } from './sentence-rules.ts';

interface Wanted {
  sentences: Sentence[];
  language: string;
  shuffle: <Item>(items: Item[]) => Item[];
  used: number;
}

/**
 * A sentence that the lines around the others refute: it reverses a direction, condition, cause or scope, and all its
 * names are in the lines. It does not resemble the others, so that comparing them reveals nothing. If a second model
 * approves it, its other approvals do not count. Null if no line is shown.
 */
export function controlSentence(material: Material, wanted: Wanted): Sentence | null {
  const { sentences, language, shuffle, used } = wanted;
  const cited = linesCited(
    material,
    sentences.flatMap(({ evidence }) => evidence),
  );
  const lines = cited.some(({ side }) => side !== 'context') ? cited : [...firstHunk(material), ...cited];
  const say = wordings[language === 'ja' ? 'ja' : 'en'];
  const foreign = language in wordings ? [] : withOtherNames(sentences, lines);
  const kinds = [directions, replacements, conditions, scopes].map((make) =>
    shuffle(make(lines, say)).slice(0, mostOfKind),
  );
  const standing = shuffle(kinds.flat()).filter(
    (one) => !sentences.some((other) => shapeOf(one) === shapeOf(other)),
  );
  const spoken = sentences.map(({ text }) => text).join('\n');
  const isApart = ({ text }: Sentence) => text.match(codeSpan)?.some((span) => !spoken.includes(span));
  const found =
    foreign.length > 0
      ? shuffle(foreign)
      : [...standing.filter(isApart), ...standing.filter((one) => !isApart(one))];
  return found[used] ?? found[0] ?? ofWholeFile(lines, say);
}

/** The most candidates of a kind, so that no kind outnumbers the others. */
const mostOfKind = 3;

/** A sentence with its names replaced, to recognize sentences of the same form. */
const shapeOf = ({ text }: Sentence): string => text.replace(/`[^`]*`|\d+/g, '`').toLowerCase();

interface PlacedText extends DiffLine {
  path: string;
  /** The function around the line, or else the file. */
  within: string;
  /** The hunk of the lines; null if they are outside of the diff. */
  hunk: Hunk | null;
  isCode: boolean;
}

function linesCited(material: Material, evidence: Evidence[]): PlacedText[] {
  const stays = material.looked
    .filter((one) => evidence.some((cited) => isOfRun(cited, one)))
    .flatMap(({ fileName: path, lines }) =>
      lines.map((text): PlacedText => {
        const place = { side: 'context', oldLine: null, newLine: null, hunk: null, isCode: false } as const;
        return { ...place, path, within: path, text: foldSpace(text) };
      }),
    );
  const changed = [...material.files.values()].flatMap((file) => {
    const own = evidence.filter(({ fileName }) => fileName === file.path);
    return placed(
      file,
      file.hunks.filter((hunk) => own.some((one) => overlaps(one, hunk))),
      material,
    );
  });
  return [...changed, ...stays];
}

function firstHunk(material: Material): PlacedText[] {
  const first = material.files.values().find(({ hunks }) => hunks.length > 0);
  return first ? placed(first, first.hunks.slice(0, 1), material) : [];
}

const declared = /(?:^|\s)(?:function|func|fn|def|fun)\s+(?:\([^)]*\)\s*)?([\w$]{3,})/;

/** Comments and documents may mention names that are being removed. */
function placed(file: FileDiff, hunks: Hunk[], { heads }: Material): PlacedText[] {
  const comment = commentSignsIn(file).line;
  return hunks.flatMap((hunk) => {
    const head = heads.get(hunk) ?? '';
    const within = declared.exec(head)?.[1] ?? /^[\w$.#:]+$/.exec(head)?.[0] ?? file.path;
    return linesOf(hunk).map((line) => ({
      ...line,
      hunk,
      within,
      path: file.path,
      text: foldSpace(line.text),
      // Moved and reformatted lines were neither added nor removed.
      isCode:
        isCodeFile(file.path) &&
        !within.includes('`') &&
        !comment.test(line.text) &&
        !/\((?:moved|white space)/.test(head),
    }));
  });
}

const identifier = /(?<![\w$])[A-Za-z_$][\w$]{3,60}(?![\w$])/g;

/** Short lower-case words occur in every program, so they prove nothing. */
const isName = (word: string): boolean => /[A-Z_\d]/.test(word.slice(1)) || word.length > 6;

/** Lines that differ only in punctuation look the same to most readers. */
const lettersOf = (text: string): string => text.replace(/[^\p{L}\p{N}]+/gu, '').toLowerCase();

/** The only side that contains a piece of code; null if both do, or an unchanged line does. */
function sideOf(piece: string, lines: PlacedText[]): 'added' | 'removed' | null {
  const sides = new Set(
    lines.flatMap(({ side, text }) => (lettersOf(text).includes(lettersOf(piece)) ? [side] : [])),
  );
  const [side] = sides;
  return sides.size === 1 && side !== undefined && side !== 'context' ? side : null;
}

type Say = (typeof wordings)['en'];

const wordings = {
  en: {
    gone: [
      (name: string, within: string) => `\`${within}\` no longer uses \`${name}\`.`,
      (name: string, within: string) => `\`${name}\` is gone from \`${within}\`.`,
      (name: string, within: string) =>
        `\`${within}\` used to depend on \`${name}\` and does without it now.`,
    ],
    come: [
      (name: string, within: string) => `\`${within}\` now uses \`${name}\`.`,
      (name: string, within: string) => `\`${name}\` comes into \`${within}\`, which had no such thing.`,
      (name: string, within: string) => `From now on \`${within}\` depends on \`${name}\`.`,
    ],
    turned: [
      (from: string, to: string, within: string) => `In \`${within}\`, \`${from}\` makes way for \`${to}\`.`,
      (from: string, to: string, within: string) => `\`${within}\` had \`${from}\`; now it has \`${to}\`.`,
    ],
    leaves: [
      (within: string, condition: string) => `\`${within}\` returns at once if \`${condition}\` is there.`,
      (within: string, condition: string) =>
        `Because \`${condition}\` is there, \`${within}\` does nothing more.`,
    ],
    leavesWithout: [
      (within: string, condition: string) => `Without \`${condition}\`, \`${within}\` returns at once.`,
      (within: string, condition: string) => `\`${within}\` goes on only if \`${condition}\` is there.`,
    ],
    fails: [
      (within: string, condition: string) => `\`${within}\` fails as soon as it gets a \`${condition}\`.`,
      (within: string, condition: string) =>
        `Because there is a \`${condition}\`, \`${within}\` ends in an error.`,
    ],
    failsWithout: [
      (within: string, condition: string) => `Without \`${condition}\`, \`${within}\` ends in an error.`,
      (within: string, condition: string) => `\`${within}\` fails because \`${condition}\` is missing.`,
    ],
    only: [
      (name: string, within: string) => `Only \`${within}\` has to do with \`${name}\`.`,
      (name: string, within: string) => `\`${name}\` stays within \`${within}\`.`,
    ],
    deleted: (path: string) => `\`${path}\` no longer exists.`,
    created: (path: string) => `\`${path}\` did not exist before.`,
  },
  ja: {
    gone: [
      (name: string, within: string) => `\`${within}\` は \`${name}\` を使わなくなります。`,
      (name: string, within: string) => `これまで \`${within}\` にあった \`${name}\` がなくなります。`,
    ],
    come: [
      (name: string, within: string) => `\`${within}\` に \`${name}\` が加わります。`,
      (name: string, within: string) => `\`${within}\` は \`${name}\` を使うようになります。`,
    ],
    turned: [
      (from: string, to: string, within: string) =>
        `\`${within}\` では \`${from}\` が \`${to}\` に変わります。`,
    ],
    leaves: [
      (within: string, condition: string) =>
        `\`${condition}\` があれば、\`${within}\` は何もせずに戻ります。`,
    ],
    leavesWithout: [
      (within: string, condition: string) =>
        `\`${condition}\` がなければ、\`${within}\` は何もせずに戻ります。`,
    ],
    fails: [
      (within: string, condition: string) => `\`${condition}\` があると、\`${within}\` はエラーになります。`,
    ],
    failsWithout: [
      (within: string, condition: string) =>
        `\`${condition}\` がないため、\`${within}\` はエラーになります。`,
    ],
    only: [(name: string, within: string) => `\`${name}\` を使うのは \`${within}\` だけです。`],
    deleted: (path: string) => `\`${path}\` を削除しています。`,
    created: (path: string) => `\`${path}\` を新しく追加しています。`,
  },
};

const asControl = (text: string, ...lines: PlacedText[]): Sentence => ({
  ...emptySentence,
  text,
  evidence: lines.flatMap(evidenceOf),
});

function evidenceOf({ path, side, oldLine, newLine }: PlacedText): Evidence[] {
  const line = (side === 'removed' ? oldLine : newLine) ?? 0;
  return [{ fileName: path, side: side === 'removed' ? 'old' : 'new', startLine: line, endLine: line }];
}

/**
 * Sentences that call added code removed, or the reverse, by names or by whole lines that are short enough to quote.
 */
function directions(lines: PlacedText[], say: Say): Sentence[] {
  const changed = lines.filter(({ side }) => side !== 'context');
  const tell = (line: PlacedText, piece: string): Sentence[] => {
    const side = sideOf(piece, lines);
    if (!side || line.within.includes('`')) return [];
    return say[side === 'added' ? 'gone' : 'come'].map((one) => asControl(one(piece, line.within), line));
  };
  const named = changed.flatMap((line) =>
    line.isCode
      ? (line.text.match(identifier) ?? [])
          .filter((name) => isName(name) && !line.within.endsWith(name))
          .flatMap((name) => tell(line, name))
      : [],
  );
  if (named.length > 0) return named;
  const isQuotable = (text: string) => /^[^`]{4,80}$/u.test(text) && /(?:[\p{L}\p{N}].*){3}/u.test(text);
  return changed.slice(0, mostTried).flatMap((line) => (isQuotable(line.text) ? tell(line, line.text) : []));
}

/** If none of the first places is suitable, hardly any other is. */
const mostTried = 50;

/** Sentences about a replaced line or word with the direction reversed. */
function replacements(lines: PlacedText[], say: Say): Sentence[] {
  return lines.flatMap((line, at) => {
    const next = lines[at + 1];
    const isPair = line.side === 'removed' && next?.side === 'added' && line.hunk === next.hunk;
    const isAlone = lines[at - 1]?.side !== 'removed' && lines[at + 2]?.side !== 'added';
    if (!isPair || !isAlone || !line.isCode) return [];
    const [before, after] = [line, next].map(({ text }) => text.match(/[\p{L}\p{N}_$]+/gu) ?? []);
    const others = before?.flatMap((word, index) => (word === after?.[index] ? [] : [index])) ?? [];
    const [place] = others;
    if (others.length !== 1 || place === undefined || before?.length !== after?.length) return [];
    const [from, to] = [before?.[place] ?? '', after?.[place] ?? ''];
    return say.turned.map((one) => asControl(one(to, from, line.within), line, next));
  });
}

const nothing = '(?:null|nil|None|undefined)';
const exit = '(?<exit>return|throw|raise|panic)\\b';
const tested = new RegExp(
  `^if\\s*\\(?\\s*(?<no>!|not\\s+)?(?<name>[A-Za-z_$][\\w$.()[\\]]{2,60}?)(?:\\s*(?<is>===?|!==?|is not|is)\\s*${nothing})?\\s*\\)?\\s*[{:]?\\s*(?:${exit}.*)?$`,
);

/** Sentences that reverse the condition under which a function ends early. */
function conditions(lines: PlacedText[], say: Say): Sentence[] {
  return lines.flatMap((line, at) => {
    const found = line.side === 'added' && line.isCode ? tested.exec(line.text)?.groups : undefined;
    const next = lines[at + 1];
    const below =
      next && next.side !== 'removed' ? new RegExp(`^${exit}`).exec(next.text)?.groups : undefined;
    const ending = found?.exit ?? below?.exit;
    if (!found?.name || !ending || line.within === line.path || (found.no && found.is)) return [];
    // Whether the function ends early if the value is missing.
    const isMissing = found.is ? /^(?:===?|is)$/.test(found.is) : Boolean(found.no);
    const told =
      ending === 'return' ? (['leaves', 'leavesWithout'] as const) : (['fails', 'failsWithout'] as const);
    return say[told[isMissing ? 0 : 1]].map((one) => asControl(one(line.within, found.name ?? ''), line));
  });
}

/** Sentences that limit something to one place, although lines in two places use it. */
function scopes(lines: PlacedText[], say: Say): Sentence[] {
  const byName = new Map<string, Map<string, PlacedText>>();
  for (const line of lines) {
    if (line.side !== 'added' || !line.isCode) continue;
    for (const name of (line.text.match(identifier) ?? []).filter(isName)) {
      const places = byName.get(name) ?? new Map<string, PlacedText>();
      byName.set(name, places.set(line.within, places.get(line.within) ?? line));
    }
  }
  return [...byName].flatMap(([name, places]) => {
    const [first, second] = [...places.values()];
    if (!first || !second || first.within.endsWith(name)) return [];
    // A file contains its functions, so it is not another place.
    const isInOther =
      [first, second].every(({ within, path }) => within !== path) || first.path !== second.path;
    if (!isInOther) return [];
    return say.only.map((one) => asControl(one(name, first.within), first, second));
  });
}

/** For languages without wordings: a sentence of the article with all of its names exchanged, if it has several. */
function withOtherNames(sentences: Sentence[], lines: PlacedText[]): Sentence[] {
  const names = [...new Set(lines.flatMap(({ text }) => text.match(identifier) ?? []))].filter(isName);
  return sentences.flatMap(({ basis, text, evidence }) => {
    const spans = [...new Set(text.match(codeSpan) ?? [])];
    const others = names.filter((name) => !text.includes(name));
    if (basis !== 'diff' || spans.length < 2 || others.length < spans.length) return [];
    const told = text.replace(codeSpan, (span) => `\`${others[spans.indexOf(span)] ?? ''}\``);
    return [{ ...emptySentence, text: told, evidence }];
  });
}

/**
 * For lines without a piece that is on one side only, such as changes of white space: a sentence that the remaining or
 * removed lines disprove.
 */
function ofWholeFile(lines: PlacedText[], { deleted, created }: Say): Sentence | null {
  const first = lines.find(({ side }) => side !== 'context');
  if (!first) return null;
  const remains = lines.some(({ side, path }) => side !== 'removed' && path === first.path);
  return asControl((remains ? deleted : created)(first.path), first);
}
