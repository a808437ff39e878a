import type { PointLabel } from '../../domain/article.ts';
import type { Category } from '../../domain/change-types.ts';
import { isBalanced } from '../plain-text.ts';
import type { Passage } from './passages.ts';
import { repeats, tellsSomething } from './telling-sentences.ts';
import { leansBack } from './whole-thoughts.ts';

/** How one kind of warning is known: by the heading above it, or by what a sentence says and does not say. */
interface Kind {
  label: PointLabel;
  categories: Category[];
  heading: RegExp;
  /** What a sentence below such a heading must hold. */
  below?: RegExp;
  /** What some put before a sentence in place of a heading. */
  mark?: RegExp;
  said: RegExp;
  /** What makes it a warning of something else. */
  unless: RegExp;
}

const amount = String.raw`\d[\d.,]*\s?(?:%|x\b|×|times\b|ms\b|µs\b|us\b|ns\b|s\b|sec(?:ond)?s?\b|min(?:ute)?s?\b|[kmg]i?b\b|bytes?\b|(?:req(?:uest)?s?|ops?|rows?)\/s|allocations?\b)`;
const compared =
  'faster|slower|speed-?ups?|quicker|smaller|larger|reduc\\w+|improv\\w+|drop(?:s|ped)|(?:goes|went|down|up) from|down to|compared (?:to|with)|instead of|previously';
const past =
  'because|since|previous(?:ly)?|currently|used to|before|until now|formerly|already|was|were|if|would|could|whether|unless|upstream';

/** The gravest first. */
const kinds: Kind[] = [
  {
    label: 'breaking',
    categories: ['RISK'],
    heading: /^\W*(?:potentially )?(?:breaking|backwards?[- ]incompatib)|破壊的変更/i,
    mark: /^BREAKING[- ]CHANGES?\s*[:：-]\s*|^breaking(?: change)?\s*[:：]\s*/i,
    said: /\bbreaking[- ]changes?\b|\b(?:is|are|be) (?:a )?breaking\b|\bbackwards?[- ]incompatible\b|\b(?:breaks|will break|may break|might break) (?:backwards?|compatib\w+|existing|(?:the )?(?:public )?api|users?|callers|code|anyone|those)|破壊的変更/i,
    unless:
      /\b(?:no|non|not|without|avoid\w*|never|isn't|aren't|doesn't|don't|won't|shouldn't|wouldn't|prevents?|instead of|rather than|catch|detect\w*|accidental\w*|recently|help)\b.{0,60}\bbreak|\bbreaking changes?\b.{0,20}(?::|\?)\s*(?:no\b|none|n\/a|$)|\b(?:if|would|could|whether|unless|until|previous(?:ly)?|upstream|introduced (?:in|by)|due to|because of|since|next major|usually|often|typically|any|every|pull requests|was|were)\b.{0,80}\b(?:break|incompatible)|ではない|ありません|なし/i,
  },
  {
    label: 'migration',
    categories: ['RISK'],
    heading:
      /^\W*(?:how to )?(?:migrat|upgrad(?:e|ing) (?:notes|guide|path|steps|instructions)|upgrading)|移行/i,
    said: /\b(?:to migrate,|(?:users?|you|callers|consumers|applications?|projects|plugins?|anyone)\b(?:\s\w+){0,6}\s(?:must|need to|needs to|have to|has to|will need to|will have to) (?:now )?(?:update|change|replace|rename|switch|migrate|set|pass|move|import|upgrade|adjust|opt))\b/i,
    unless: new RegExp(`\\b(?:no|not|don't|doesn't|without|never|longer|${past})\\b`, 'i'),
  },
  {
    label: 'deprecated',
    categories: ['RISK'],
    heading: /^\W*deprecat/i,
    mark: /^deprecat(?:ed|ion|ions)\s*[:：]\s*/i,
    said: /^(?:deprecat(?:e|es|ed|ing)\b|(?:this|we|i)\b.{0,40}\bdeprecat(?:e|es|ing)\b)|\b(?:now|be|been|as) deprecated\b|\bis deprecated (?:in favou?r|and will|, use|\(use)/i,
    unless: new RegExp(
      `\\b(?:no|not|un|removes?|removed|drops?|warnings?|${past})\\b.{0,60}\\bdeprecat|\\btherefore\\b|\\bso (?:we|it)\\b|\\bdeprecat\\w+ (?:code|warnings?|apis?|methods?|functions?|features?)\\b`,
      'i',
    ),
  },
  {
    label: 'security',
    categories: ['SECURITY'],
    heading: /^\W*security\b/i,
    mark: /^security\s*[:：]\s*/i,
    said: /\bCVE-\d|\bGHSA-|\bvulnerabilit(?:y|ies)\b|\bvulnerable\b|\bXSS\b|\bCSRF\b|\bSSRF\b|\bReDoS\b|\b(?:sql|command|code|header|prompt) injection\b|\b(?:path|directory) traversal\b|\bdenial[- ]of[- ]service\b|\bprototype pollution\b|\bsecurity (?:issue|fix|hole|bug|flaw|risk|advisor\w+|problem|implication)|脆弱性/i,
    unless:
      /\b(?:no|not|without|isn't)\b.{0,40}\b(?:security|vulnerab)|\bsecurity (?:policy|scan\w*|tab|team)/i,
  },
  {
    label: 'measured',
    categories: ['PERF'],
    heading: /benchmark|performance|measure|results?$/i,
    below: new RegExp(amount, 'i'),
    said: new RegExp(`(?=.*${amount})(?=.*\\b(?:${compared})\\b)`, 'i'),
    unless:
      /\btime-?outs?\b|\bcoverage\b|\b(?:should|would|could|expect|hope|might)\b|\bpython \d|\bnode \d/i,
  },
  {
    label: 'limits',
    categories: ['RISK'],
    heading:
      /^\W*(?:known |current )?(?:limitations?|limits|caveats?|drawbacks?|trade-?offs?|downsides?|issues? (?:left|remaining)|out of scope|not (?:included|covered|supported|in scope)|制限|既知の問題)|^\W*known (?:issues?|problems?)/i,
    said: /\b(?:known (?:limitation|issue)s?|limitations? (?:is|are|of (?:this|the))|one (?:limitation|caveat|drawback|downside)|caveats?\b|drawback|downside|trade-?off|out of (?:the )?scope (?:of|for) this|not (?:yet )?(?:handled|implemented|covered|supported|addressed) (?:yet|by this|in this|here)|not yet (?:supported|handled|implemented|covered)|still (?:not|doesn't|does not|can't|cannot|fails?)|this (?:pr|pull request|change|patch|fix|implementation|feature) (?:does not|doesn't|won't|only (?:works|supports|covers|handles|applies)))\b/i,
    unless: new RegExp(
      `\\b(?:${past}|no longer|removes? (?:the|this)|fix(?:es|ed)?|lifts?|to avoid|without)\\b|\\b(?:change|break|affect|alter|add|introduce|modify|touch)\\b`,
      'i',
    ),
  },
];

/** A sentence that may warn of something. */
export type Warning = Pick<Passage, 'text' | 'heading' | 'isWhole' | 'isStep'>;

interface Callout<From> {
  label: PointLabel;
  categories: Category[];
  text: string;
  from: From;
}

/** In an article, and of one kind. */
const most = 6;
const mostOfKind = 2;
const longest = 300;

/** What the words say of the change that no reader may miss: each one whole sentence of theirs. */
export function findCallouts<From extends Warning>(spoken: From[]): Callout<From>[] {
  const told: string[] = [];
  const found = kinds.flatMap((kind) =>
    spoken
      .flatMap((from): Callout<From>[] => {
        const text = warningIn(from, kind);
        if (text === null || told.some((one) => repeats(text, one) || repeats(one, text))) return [];
        told.push(text);
        return [{ label: kind.label, categories: kind.categories, text, from }];
      })
      .slice(0, mostOfKind),
  );
  return found.slice(0, most);
}

/** What an empty section of a template is filled with. */
const nothing =
  /^\W*(?:no|none|n\/?a|not applicable|nope|nothing|there (?:are|is) no|does not|doesn't|なし)\b/i;

/** The warning that a sentence is, without a mark before it; null where it is none. */
function warningIn(passage: Warning, { heading, below, mark, said, unless }: Kind): string | null {
  const { isWhole, isStep } = passage;
  const marked = mark?.exec(passage.text)?.[0] ?? '';
  const text = passage.text.slice(marked.length);
  const isFit = isWhole && text.length <= longest && !/[?？]$/.test(text) && !nothing.test(text);
  // Behind a mark, two words are a warning.
  if (!isFit || marked !== '') return isFit && isBalanced(text) ? text : null;
  if (isStep || !tellsSomething(text)) return null;
  const isBelow = heading.test(passage.heading) && (below?.test(text) ?? true);
  if (leansBack(text.charAt(0).toUpperCase() + text.slice(1))) return null;
  const prose = text.replace(/`[^`]*`/g, '`x`');
  return isBelow || (said.test(prose) && !unless.test(prose)) ? text : null;
}
