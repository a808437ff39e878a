import {
  hasNoText,
  isFoldedAway,
  isHidden,
  isKnownElement,
  isStruckOut,
  markdownFor,
  mayStandAlone,
} from './html-elements.ts';
import { lexMarkup, type Tag, type Token } from './lex-markup.ts';
import { MarkdownWriter } from './markdown-writer.ts';

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

/** Nobody nests tags in tags more than once without meaning to deceive. */
const mostRounds = 3;

const summary = /<summary[^<>]{0,200}>([\s\S]{0,400}?)<\/summary>/i;

/**
 * Markdown without HTML, links, images and emphasis. Comments, hidden elements and what robots fenced in are gone with
 * all that is in them; of everything else the text stays. Code is left as it is.
 */
export function stripMarkup(text: string): string {
  let stripped = text;
  for (let round = 0; round < mostRounds; round += 1) {
    stripped = stripOnce(stripped);
    if (!hasMarkup(stripped)) return stripped;
  }
  return stripped.replace(/<(?=[a-zA-Z/!?])/g, '< ');
}

/** Whether the pieces left over have come together as a new tag, as those of `<scr<b>ipt>` do. */
function hasMarkup(text: string): boolean {
  if (!text.includes('<')) return false;
  return lexMarkup(text).some(
    ({ kind, tag }) => kind === 'comment' || (tag && (tag.attributes !== '' || isKnownElement(tag.name))),
  );
}

function stripOnce(text: string): string {
  const tokens = lexMarkup(text);
  const partners = matchTags(tokens);
  const writer = new MarkdownWriter();
  const withoutEnd = new Set<RobotSection>();
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at] as Token;
    const source = text.slice(token.start, token.end);
    if (token.kind === 'text') writer.text(source);
    else if (token.kind === 'code') writer.verbatim(source.replaceAll('\n', ' '));
    else if (token.kind === 'fence') writer.verbatim(source);
    else if (token.kind === 'comment') at = endOfRobotSection(text, tokens, at, withoutEnd);
    else if (token.tag) at = writeTag(writer, text, tokens, partners, at, token.tag);
  }
  return writer.toString();
}

/** For each opening tag, the token that closes it. */
function matchTags(tokens: Token[]): Map<number, number> {
  const open = new Map<string, number[]>();
  const partners = new Map<number, number>();
  tokens.forEach(({ tag }, at) => {
    if (!tag) return;
    const sameName = open.get(tag.name) ?? [];
    if (!tag.isClosing) {
      sameName.push(at);
      open.set(tag.name, sameName);
      return;
    }
    const start = sameName.pop();
    if (start === undefined) return;
    partners.set(start, at);
    partners.set(at, start);
  });
  return partners;
}

/** Writes what stands for a tag and says up to which token everything has been dealt with. */
function writeTag(
  writer: MarkdownWriter,
  text: string,
  tokens: Token[],
  partners: Map<number, number>,
  at: number,
  tag: Tag,
): number {
  const token = tokens[at] as Token;
  const partner = partners.get(at);
  const isOpening = !tag.isClosing;
  if (isOpening && isHidden(tag)) return partner ?? (mayStandAlone(tag.name) ? at : tokens.length);
  if (isOpening && partner !== undefined) {
    if (hasNoText(tag.name) || isStruckOut(tag.name)) return partner;
    if (tag.name === 'details' && foldsAway(text, tokens, token, partner)) return partner;
  }
  if (isKnownElement(tag.name) && (partner !== undefined || mayStandAlone(tag.name) || tag.attributes)) {
    writer.verbatim(markdownFor(tag));
    return at;
  }
  if (tag.attributes) return at;
  // A lone tag is what the author talks about, such as "support <script> in layouts" or "returns Promise<User>".
  if (isOpening || !isKnownElement(tag.name)) {
    writer.literalTag(text.slice(token.start, token.end), isKnownElement(tag.name));
  }
  return at;
}

function foldsAway(text: string, tokens: Token[], token: Token, partner: number): boolean {
  const end = Math.min((tokens[partner] as Token).start, token.end + 800);
  const title = summary.exec(text.slice(token.end, end))?.[1] ?? '';
  return isFoldedAway(title.replace(/<[^<>]*>/g, ' '));
}

/** The comment itself, or the last token of the section that it opens. */
function endOfRobotSection(text: string, tokens: Token[], at: number, withoutEnd: Set<RobotSection>): number {
  const opening = tokens[at] as Token;
  const head = text.slice(opening.start + 4, Math.min(opening.end, opening.start + 204));
  const section = robotSections.find(({ from }) => from.test(head));
  if (!section || withoutEnd.has(section)) return at;
  for (let next = at + 1; next < tokens.length; next += 1) {
    const token = tokens[next] as Token;
    if (token.kind !== 'comment') continue;
    if (section.to.test(text.slice(token.start + 4, Math.min(token.end, token.start + 204)))) return next;
  }
  withoutEnd.add(section);
  return at;
}
