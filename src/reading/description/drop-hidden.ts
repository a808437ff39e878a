import MarkdownIt from 'markdown-it';

export const pictureSign = '\ufffc';

const { unescapeAll } = new MarkdownIt().utils;

/** Bots enclose their part of a description in comments, so that they can replace it later. */
const robotSections: readonly [from: RegExp, to: RegExp][] = [
  [/auto-generated comment/i, /<!--.{0,200}end of auto-generated comment/i],
  [/^\W*CURSOR_SUMMARY/, /<!--\W*\/CURSOR_SUMMARY/],
  [/^\W*ELLIPSIS_HIDDEN/, /<!--\W*ELLIPSIS_HIDDEN/],
  [/^\W*BUGBOT_STATUS/, /<!--\W*\/BUGBOT_STATUS/],
  [/^\W*start pr-codex/i, /<!--\W*end pr-codex/i],
  [/^\W*greptile_comment/, /<!--\W*\/?greptile_comment/],
  [/^\W*devin-review-badge-begin/, /<!--\W*devin-review-badge-end/],
  [/^\W*START COPILOT/, /<!--\W*END COPILOT/],
  [/^\W*pre-commit\.ci start/, /<!--\W*pre-commit\.ci end/],
];

/** Folded sections written by bots or with logs are not the author's account of the change. */
const foldedAway =
  /^\W*(?:release notes|changelog|commits|dependabot|most recent ignore|original prompt|maintainer changes|.{0,30}\blogs?\b|.{0,20}\boutput\b|stack ?trace|.{0,20}\bscreenshots?\b|.{0,20}\bscreen ?recording|walkthrough|.{0,20}coderabbit|.{0,20}instructions|.{0,40}tips?\b|.{0,20}codecov|upgrade guide|files? (?:walkthrough|changed)|.{0,20}\bbenchmarks?\b|环境|ログ)/i;
const summary = /^[^<]{0,20}<summary[^<>]*>((?:[^<]|<(?!\/summary)){0,200})/i;

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));
/** Elements without words of the author: pictures, players, programs and struck-out text. */
const withoutWords = words(
  'audio canvas del iframe math noscript object picture s script strike style svg template video',
);
const standAlone = words('br dd dt hr img input li p source summary tbody td tfoot th thead tr wbr');
const inline = words(
  'a abbr b bdi bdo big cite dfn em font g-emoji i input ins label mark q small source span strong sub sup u var wbr',
);
const code = words('code kbd samp tt');
const block = words(
  'address article aside blockquote body button caption center col colgroup dd details div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 head header html legend link main meta nav ol option p path pre section select table tbody textarea tfoot thead title ul',
);
const marks: Record<string, readonly [string, string]> = {
  img: [pictureSign, ''],
  br: ['\n', '\n'],
  tr: ['\n', '\n'],
  td: ['| ', ' '],
  th: ['| ', ' '],
  hr: ['\n\n---\n\n', ''],
  li: ['\n- ', ''],
  pre: ['\n\n```\n', '\n```\n\n'],
  summary: ['\n\n###### ', '\n\n'],
  ...Object.fromEntries(
    [1, 2, 3, 4, 5, 6].map((level) => [`h${level}`, [`\n\n${'#'.repeat(level)} `, '\n\n']]),
  ),
  ...Object.fromEntries([...code].map((name) => [name, ['`', '`']])),
};

const isElement = (name: string): boolean =>
  [withoutWords, inline, code, block].some((names) => names.has(name)) || Object.hasOwn(marks, name);

const hiding =
  /(?:^|\s)(?:hidden|aria-hidden\s*=\s*["']?true)(?:$|[\s="'/])|display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)|opacity\s*:\s*0(?:[;"'\s.]|$)|font-size\s*:\s*0|(?:max-)?(?:width|height)\s*:\s*0(?:[;"'\sp]|$)|clip\s*:|text-indent\s*:\s*-/i;

const piece = new RegExp(
  [
    '^[ \\t>]*(?:[-*+] +)?(?<fence>`{3,}|~{3,})(?:[^\\n]*\\n(?:[^]*?\\n)??[ \\t>]*\\k<fence>[`~]*[ \\t]*$|[^]*)',
    '(?<=^[ \\t]*\\n)(?:(?: {4}|\\t)(?![ \\t]*(?:-|\\d+[.)]) )(?:[^\\n<]|<(?!!--))*(?:\\n|$))+',
    '(?<!`)(?<ticks>`+)(?!`)(?:(?!\\n[ \\t]*\\n)[^]){1,1000}?(?<!`)\\k<ticks>(?!`)',
    '<!--(?<comment>[^]*?)(?:-->|$(?![^]))',
    '<![A-Z][^<>]{0,2000}>|<\\?xml[^<>]{0,500}>',
    '<[^\\s<>@]{1,100}@[^\\s<>]{1,100}>',
    '<(?<closing>/?)(?<name>[a-zA-Z][\\w:.-]*)(?<attributes>(?:\\s(?:"[^"\\n]*"|\'[^\'\\n]*\'|[^<>"\'])*)?/?)>',
  ].join('|'),
  'gm',
);

/**
 * Markdown as the page shows it: without comments, hidden elements and sections of bots, and with other HTML as
 * Markdown.
 */
export function dropHidden(text: string): string {
  const reader = new HtmlReader(text);
  let end = 0;
  for (const found of text.matchAll(piece)) {
    reader.addText(text.slice(end, found.index));
    end = found.index + found[0].length;
    reader.addPiece(found, end);
  }
  reader.addText(text.slice(end));
  return reader.shown;
}

class HtmlReader {
  shown = '';
  readonly #text: string;
  readonly #withoutEnd = new Set<RegExp>();
  readonly #lastClosing = new Map<string, number>();
  #skipped: { name: string; depth: number } | null = null;
  #robotEnd: RegExp | null = null;
  #isAfterBlock = false;
  #isInCode = false;
  #isInPre = false;

  constructor(text: string) {
    this.#text = text;
    for (const { 0: tag, index } of text.matchAll(/<\/[a-z][\w:.-]*/gi))
      this.#lastClosing.set(tag.slice(2).toLowerCase(), index);
  }

  addText(text: string): void {
    if (this.#skipped || this.#robotEnd || text === '') return;
    const decoded = this.#isInCode || this.#isInPre ? unescapeAll(text) : text;
    // Indentation inside HTML does not make a code block.
    this.shown +=
      this.#isAfterBlock && !this.#isInPre ? decoded.replace(/^[ \t]*\n?[ \t]*(?=\S)/, '') : decoded;
    this.#isAfterBlock = false;
  }

  addPiece({ 0: source, index, groups = {} }: RegExpMatchArray, end: number): void {
    const { comment, name, closing, attributes = '' } = groups;
    if (comment !== undefined) this.#readComment(comment.slice(0, 200), end);
    else if (this.#robotEnd) return;
    else if (name !== undefined)
      this.#readTag(
        source,
        name.toLowerCase(),
        closing === '/',
        attributes.replace(/\/$/, '').trim(),
        index ?? 0,
      );
    else if (!/^<[^`]*>$/.test(source)) this.addText(source);
  }

  #readComment(head: string, end: number): void {
    if (this.#robotEnd) {
      if (this.#robotEnd.test(`<!--${head}`)) this.#robotEnd = null;
      return;
    }
    const [, to] = robotSections.find(([from]) => from.test(head)) ?? [];
    if (!to || this.#withoutEnd.has(to)) return;
    if (to.test(this.#text.slice(end))) this.#robotEnd = to;
    else this.#withoutEnd.add(to);
  }

  #readTag(source: string, name: string, isClosing: boolean, attributes: string, at: number): void {
    if (this.#skipped) {
      if (name === this.#skipped.name) this.#skipped.depth += isClosing ? -1 : 1;
      if (this.#skipped.depth === 0) this.#skipped = null;
      return;
    }
    const isClosed = (this.#lastClosing.get(name) ?? -1) > at;
    if (!isClosing && this.#isUnseen(name, attributes, isClosed, at + source.length)) {
      if (isClosed || !standAlone.has(name)) this.#skipped = { name, depth: 1 };
    } else if (!isElement(name) || (!isClosing && !isClosed && !attributes && !standAlone.has(name))) {
      // A tag without its partner is text, as in "support <script> in layouts" or "returns Promise<User>".
      if (/\w$/.test(this.shown) && !isClosing && !isElement(name)) this.shown += source;
      else
        this.shown = this.shown.endsWith('`')
          ? `${this.shown.slice(0, -1)}${source}\``
          : `${this.shown}\`${source}\``;
    } else this.#showTag(name, isClosing);
  }

  #isUnseen(name: string, attributes: string, isClosed: boolean, end: number): boolean {
    if (attributes !== '' && hiding.test(attributes)) return true;
    if (!isClosed) return false;
    const folded = name === 'details' ? summary.exec(this.#text.slice(end, end + 300))?.[1] : undefined;
    return (
      withoutWords.has(name) ||
      (folded !== undefined && foldedAway.test(folded.replace(/<[^>]*>|\s+/g, ' ').trim()))
    );
  }

  #showTag(name: string, isClosing: boolean): void {
    const isBlock = block.has(name);
    if (name === 'pre') this.#isInPre = !isClosing;
    if (name === 'img' && this.#isInPre) return;
    if (code.has(name)) {
      if (this.#isInPre) return;
      this.#isInCode = !isClosing;
    }
    const [open, close] = marks[name] ?? (isBlock ? ['\n\n', '\n\n'] : ['', '']);
    this.shown += isClosing ? close : open;
    this.#isAfterBlock = isBlock;
  }
}

const completeTag = /<(?=\/?([a-z][\w:.-]*)(?:\s[^<>]*)?>|!--)/gi;

/** Escaped HTML must not become HTML when it is unescaped. */
export const neutralizeTags = (text: string): string =>
  text.replace(completeTag, (mark, name) =>
    name === undefined || isElement(name.toLowerCase()) ? '< ' : mark,
  );

const trailer =
  /^[ \t>*-]*(?:(?:co-?authored|co-?developed|signed-?off|reviewed|acked|tested|reported|suggested|helped|approved|authored|submitted|landed|merged|requested|assisted|generated|ack'?d|pair(?:ed)?)-(?:by|with|off-by)|co-authored by|signed off by|change-id|pr-url|piperorigin-revid|git-svn-id|reviewed-on|differential revision|gitorigin-revid|source-link|commit-queue|cq-[\w-]+|cr-original-[\w-]+|auto-submit|bypass-[\w-]+|no-(?:presubmit|tree-checks|try)|tbr|link|message-id|cherry-picked-from|x-[\w-]+|release-note|skip-checks|(?:[a-z]{1,20}-)?on-behalf-of|bot|copybara-[\w-]+|(?:claude|copilot|codex|cursor|amp|agent)-[\w-]{1,40})[ \t]*:/i;
/** The rest of a trailer that a host wrapped and removed the address from. */
const wrappedAddress = /^[ \t]*<?[^\s<>@]{1,100}@[^\s<>]{1,100}>?$/;
const linkDefinition = /^ {0,3}\[[^\]\n]{1,200}\]:[ \t]+\S/;
const wholeDefinition =
  /^ {0,3}\[[^\]^\n][^\]\n]{0,200}\]:[ \t]+\S{1,2000}(?:[ \t]+["'(].{0,300}["')])?[ \t]*$/;
const command =
  /^\/(?:kind|sig|area|priority|cc|uncc|assign|unassign|lgtm|approve|hold|unhold|milestone|retest|test|triage|remove-[\w-]+|ok-to-test|cherry-?pick|label|release-note[\w-]*|close|reopen|claim|bounty|fixes|closes|wg|committee)\b/i;
const switchForChecks = /\[(?:skip ci|ci skip|no ci|skip actions|actions skip|skip netlify|skip vercel)\]/gi;
const cherryPick = /^[ \t]*\((?:cherry[- ]picked|backported) from commit [\da-f]{7,64}\)$/i;
const fence = /^[ \t>]*(?:[-*+] +)?(`{3,}|~{3,})/;

export function dropLines(text: string): string {
  const kept: string[] = [];
  const definitions: string[] = [];
  let inFence = '';
  let inMetadata = false;
  for (const line of text.split('\n')) {
    const marks = fence.exec(line)?.[1];
    if (inFence) {
      if (marks?.startsWith(inFence)) inFence = '';
      kept.push(line);
    } else if (marks) {
      inFence = marks;
      kept.push(line);
    } else if (inMetadata) inMetadata = line.trim() !== '...' && line.trim() !== '';
    else if (line.startsWith('updated-dependencies:')) inMetadata = true;
    else if (linkDefinition.test(line)) {
      if (wholeDefinition.test(line)) definitions.push(line);
    } else
      kept.push(isForPrograms(line) ? '' : line.replace(switchForChecks, '').replace(drawnBullet, '$1-'));
  }
  return definitions.length > 0 ? [...definitions, '', ...kept].join('\n') : kept.join('\n');
}

const drawnBullet = /^([ \t]*)[•‣](?=[ \t])/;

const isForPrograms = (line: string): boolean =>
  [trailer, command, wrappedAddress, cherryPick].some((pattern) => pattern.test(line));
