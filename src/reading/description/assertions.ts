import { codeSpans } from './mentions.ts';
import type { PlacedSentence } from './sentences.ts';

/** Sections that tell how things were, could be or are tried out, but not what this change does. */
const otherSection =
  /repro|steps|how to|test plan|testing|tested|verif|before|background|motivation|problem|context|alternativ|current|actual|expected|bug|issue|why|broken|cause|future|follow|next|not in|out of scope|limitation|usage|example|note|remark|caveat|risk|question|discussion|history|todo|related|prior|observ|symptom|benchmark|migrat|upgrad|背景|再現|今後|注意|課題|问题|原因|контекст/i;

const doubt = new RegExp(
  [
    // Denied, or left out.
    "\\b(?:no|not|never|without|none|neither|nor|cannot|isn't|aren't|doesn't|don't|didn't|won't|can't|wasn't|weren't|hasn't|haven't|unrelated|unaffected|unchanged|omit\\w*|skip\\w*|untouched|avoid\\w*|except|excluding|rather than|out of scope|unneeded|unnecessary|lacks?|missing from)\\b",
    // Wished for, planned, supposed or left to others.
    "\\b(?:will|would|could|should|may|might|can|shall|must|going to|plan\\w*|later|to-?do|follow-?ups?|follow up|future|next|eventually|soon|wip|needs?|needed|want\\w*|try|tried|trying|attempt\\w*|let's|let us|maybe|perhaps|possibly|probably|hopefully|consider\\w*|propos\\w*|suggest\\w*|idea|alternatively|if|unless|whether|until|once|when|wish|hope|think|believe|assum\\w*|seems?|appears?|supposed|expect\\w*|intend\\w*|able|ability|lets?|allows?|allowing|enables?|so that|in order to|separate(?:ly)?|another|other pr|split|instead|temporar\\w*|for now|feel free|please|you|your|users?|people|someone|anyone)\\b",
    // How it was, or what others did.
    '\\b(?:previously|previous|used to|originally|formerly|already|currently|at the moment|so far|until now|in the past|earlier|before|existing|historically|had|ago|initially|today|right now|as of|since|because|due to|caused?|causes|broke|breaks?|fails?|failed|crash\\w*|reverts?|reverted|regressed|upstream|downstream|elsewhere|like|similar\\w*|same|inspired|based on|copied|borrowed|see|per|according|discussed|mentioned|reported|as described|example|e\\.g|for instance|such as|i\\.e|which was|that was|noticed|found|realized|discovered|saw)\\b',
    '^(?:edit|edited|update|upd|ps|p\\.s|note|nb|fyi|first|then|finally)\\d?\\b',
    '(?:#\\d|https?:|@\\w|\\b[\\da-f]{7,40}\\b|/pull/|\\bin v?\\d+\\.\\d|\\bv\\d+ )|[?？]|\\.\\.\\.|…',
    '(?:ません|ない|なし|予定|今後|以前|これまで|従来|場合|べき|かもしれ|できます|検討|していた|ていまし|でした$|将来|不|没|未|如果|以后|将|之前)',
  ].join('|'),
  'iu',
);

/** Whether a sentence plainly says what this change does; where a word leaves room for doubt it does not. */
export function isAsserted({ text, heading }: PlacedSentence): boolean {
  if (heading !== null && otherSection.test(heading)) return false;
  return !doubt.test(withoutNames(text));
}

/** Code and quotes are names: what they say is not said by the sentence. */
export function withoutNames(sentence: string): string {
  const spans = codeSpans(sentence).length > 0 ? sentence.replace(/`[^`\n]{1,200}`/g, '`x`') : sentence;
  return spans.replace(/"[^"\n]{1,200}"|“[^”\n]{1,200}”|「[^」\n]{1,200}」/g, '"x"');
}
