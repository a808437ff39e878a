import { takesParameter } from '../facts/signatures.ts';
import { foldsOf, quotesFrom } from '../fold-words.ts';
import type { Mark, MarkedText } from '../marked-text.ts';
import type { ChangedSide } from '../sightings.ts';
import { namesFile, standsInText } from '../stands-in-text.ts';
import { isOnSide } from './check-side.ts';
import { isCounted } from './count-said.ts';
import { english } from './english.ts';
import { japanese } from './japanese.ts';
import { arrow, readPhrases } from './phrases.ts';
import type { Said, Sentence } from './said.ts';
import { isSame, withoutMarks } from './same-mark.ts';
import { versionOrder } from './version-order.ts';

/** What the words of a sentence say of what it marks, as far as it can be told what a verb governs. */
export const saidIn = (marked: MarkedText): Said[] =>
  readPhrases(
    [
      arrow,
      ...(/[a-z]/iu.test(marked.masked) ? english : []),
      ...(/[\u3040-\u30ff\u3400-\u9fff]/u.test(marked.masked) ? japanese : []),
    ],
    marked,
  );

/** What of that the lines or the sentence's own facts do not say. */
export const findFalseWords = (said: Said[], sentence: Sentence): string[] =>
  said.flatMap((one) => complaintsAbout(one, sentence));

type SaidOf<Kind extends Said['kind']> = Extract<Said, { kind: Kind }>;

function complaintsAbout(said: Said, sentence: Sentence): string[] {
  switch (said.kind) {
    case 'side':
      return said.marks
        .filter((mark) => !isOnSide(mark, said, sentence))
        .map(({ text }) => `\`${text}\` is not ${said.side} in what is cited`);
    case 'turn':
      return isTurn(said, sentence)
        ? []
        : [`\`${said.from.text}\` does not become \`${said.to.text}\` in what is cited`];
    case 'order':
      return isInOrder(said) ? [] : [`\`${said.from.text}\` and \`${said.to.text}\` are in another order`];
    case 'move':
      return isMove(said, sentence) ? [] : [`\`${said.marks[0]?.text ?? ''}\` does not move like that`];
    case 'take':
      return isTaken(said, sentence)
        ? []
        : [`\`${said.by.text}\` is taken by what it is said to take, and not the reverse`];
    case 'count':
      return isCounted(said, sentence) ? [] : [`${said.value} is not the number of ${said.of}`];
    case 'file':
      return isFile(said, sentence) ? [] : ['that is not what happened to the file'];
  }
}

function isTurn({ from, to }: SaidOf<'turn'>, { facts, scope }: Sentence): boolean {
  const pairs = facts.filter((fact) => fact.relation === 'becomes' || fact.relation === 'reworded');
  // Where only marks tell the two apart, each is known by them.
  const isOne = (mark: Mark, name: string, other: string): boolean =>
    isSame(mark, name) && (withoutMarks(name) !== withoutMarks(other) || mark.text.trim() === name.trim());
  if (pairs.some((pair) => isOne(from, pair.from, pair.to) && isOne(to, pair.to, pair.from))) return true;
  const isTold = (mark: Mark) => pairs.some((pair) => isSame(mark, pair.from) || isSame(mark, pair.to));
  if (isTold(from) || isTold(to)) return false;
  if (
    [from, to].some(({ text }) =>
      scope.files.some(({ path, previousPath }) => namesFile(text, path, previousPath)),
    )
  )
    return true;
  const stands = ({ kind, text }: Mark, side: 'old' | 'new' | ChangedSide) =>
    scope.files.some((file) =>
      kind === 'quotation'
        ? quotesFrom(foldsOf(file.text(side)), text)
        : standsInText(text, file.text(side), file.path),
    );
  const isFromGone = stands(from, 'removed');
  const isToNew = stands(to, 'added');
  return (isFromGone && isToNew) || ((isFromGone || isToNew) && stands(from, 'old') && stands(to, 'new'));
}

function isInOrder({ from, to, isRise }: SaidOf<'order'>): boolean {
  const order = versionOrder(from.text, to.text);
  return order === null || (isRise ? order < 0 : order > 0);
}

/** Something moves to a file where it is added, and from one where it is removed. */
function isMove({ marks, from, to }: SaidOf<'move'>, { facts, scope: { ground } }: Sentence): boolean {
  const files = [...ground.lines.files];
  const named = (mark: Mark | null) =>
    mark ? files.filter(({ path, previousPath }) => namesFile(mark.text, path, previousPath)) : [];
  const [origins, targets] = [named(from), named(to)];
  // What moves to no file moves in another sense.
  if ((from && origins.length === 0) || (to && targets.length === 0)) return true;
  const moved = facts.filter((fact) => fact.relation === 'moved');
  if (moved.length > 0) {
    return moved.every(
      ({ fromFile, toFile }) =>
        (from === null || namesFile(from.text, fromFile)) && (to === null || namesFile(to.text, toFile)),
    );
  }
  if (facts.some((fact) => fact.relation === 'file' && fact.status === 'renamed')) return true;
  const stands = (name: string, side: ChangedSide, some: typeof files) =>
    some.length === 0 ||
    some.some(({ path }) =>
      ground.lines.of(path).some((line) => line.side === side && standsInText(name, line.text, path)),
    );
  return marks.every(({ text }) => stands(text, 'added', targets) && stands(text, 'removed', origins));
}

/** The lines may not show a head at all; what they show the other way round is wrong. */
const isTaken = ({ by, marks }: SaidOf<'take'>, { scope }: Sentence): boolean =>
  marks.every(({ text }) => takesParameter(by.text, text, scope) || !takesParameter(text, by.text, scope));

function isFile({ status }: SaidOf<'file'>, { facts, file }: Sentence): boolean {
  const stated = facts.filter((fact) => fact.relation === 'file');
  if (stated.length > 0) return stated.some((fact) => fact.status === status);
  return !file || file.status === status;
}
