import {
  hasNoText,
  isFoldedAway,
  isHidden,
  isKnownElement,
  isStruckOut,
  mayStandAlone,
} from './html-elements.ts';
import type { Piece, Tag } from './markup-piece.ts';

interface RobotSection {
  from: RegExp;
  to: RegExp;
}

/** Robots fence what they write into a description with comments, so that they can find it again. */
const robotSections: RobotSection[] = [
  { from: /auto-generated comment/i, to: /end of auto-generated comment/i },
  { from: /^\W*CURSOR_SUMMARY/, to: /\/CURSOR_SUMMARY/ },
  { from: /^\W*ELLIPSIS_HIDDEN/, to: /ELLIPSIS_HIDDEN/ },
  { from: /^\W*BUGBOT_STATUS/, to: /\/BUGBOT_STATUS/ },
  { from: /^\W*start pr-codex/i, to: /end pr-codex/i },
  {
    from: /^\W*(?:greptile_comment|devin-review-badge-begin)/,
    to: /^\W*\/?(?:greptile_comment|devin-review-badge-end)/,
  },
  { from: /^\W*START COPILOT (?:ORIGINAL PROMPT|CODING AGENT)/, to: /^\W*END COPILOT/ },
  { from: /^\W*pre-commit\.ci start/, to: /pre-commit\.ci end/ },
];

/** A robot names its section at once. */
const headOf = (comment: string): string => comment.slice(0, 200);

/** A summary follows its `<details>` at once. */
const piecesToSummary = 8;

/** What the page shows: without comments, hidden elements and what robots fenced in, and with all that is in them gone too. */
export function dropHidden(pieces: Piece[]): Piece[] {
  const partners = matchTags(pieces);
  const withoutEnd = new Set<RobotSection>();
  const shown: Piece[] = [];
  for (let at = 0; at < pieces.length; at += 1) {
    const piece = pieces[at] as Piece;
    if (piece.kind === 'comment') at = endOfRobotSection(pieces, at, headOf(piece.text), withoutEnd);
    else if (piece.kind !== 'tag') shown.push(piece);
    else {
      const end = endOfUnseen(pieces, at, piece.tag, partners.get(at));
      if (end !== null) at = end;
      else shown.push(...asShown(piece, partners.has(at)));
    }
  }
  return shown;
}

/** For each tag that opens or closes an element, the piece that does the other. */
function matchTags(pieces: Piece[]): Map<number, number> {
  const open = new Map<string, number[]>();
  const partners = new Map<number, number>();
  for (const [at, piece] of pieces.entries()) {
    if (piece.kind !== 'tag') continue;
    const { name, isClosing } = piece.tag;
    const sameName = open.get(name) ?? [];
    open.set(name, sameName);
    if (!isClosing) sameName.push(at);
    else {
      const start = sameName.pop();
      if (start === undefined) continue;
      partners.set(start, at);
      partners.set(at, start);
    }
  }
  return partners;
}

/** The last piece of an element that nobody is to read, or null where it is to be read. */
function endOfUnseen(pieces: Piece[], at: number, tag: Tag, partner: number | undefined): number | null {
  if (tag.isClosing) return null;
  if (isHidden(tag)) return partner ?? (mayStandAlone(tag.name) ? at : pieces.length);
  if (partner === undefined) return null;
  const isUnseen =
    hasNoText(tag.name) ||
    isStruckOut(tag.name) ||
    (tag.name === 'details' && isFoldedAway(summaryBehind(pieces, at)));
  return isUnseen ? partner : null;
}

/** A lone tag is what the author talks about, such as "support <script> in layouts" or "returns Promise<User>". */
function asShown(piece: Piece & { kind: 'tag' }, hasPartner: boolean): Piece[] {
  const { tag, source } = piece;
  const isElement = isKnownElement(tag.name);
  if (isElement && (hasPartner || mayStandAlone(tag.name) || tag.attributes)) return [piece];
  if (tag.attributes || (tag.isClosing && isElement)) return [];
  return [{ kind: 'literal', source, isElement }];
}

function summaryBehind(pieces: Piece[], at: number): string {
  const following = pieces.slice(at + 1, at + 1 + piecesToSummary);
  const start = following.findIndex((piece) => piece.kind === 'tag' && piece.tag.name === 'summary');
  if (start === -1) return '';
  return following
    .slice(start)
    .map((piece) => (piece.kind === 'text' ? piece.text : ' '))
    .join('');
}

/** The comment itself, or the last piece of the section that it opens. */
function endOfRobotSection(pieces: Piece[], at: number, head: string, withoutEnd: Set<RobotSection>): number {
  const section = robotSections.find(({ from }) => from.test(head));
  if (!section || withoutEnd.has(section)) return at;
  for (let next = at + 1; next < pieces.length; next += 1) {
    const piece = pieces[next];
    if (piece?.kind === 'comment' && section.to.test(headOf(piece.text))) return next;
  }
  withoutEnd.add(section);
  return at;
}
