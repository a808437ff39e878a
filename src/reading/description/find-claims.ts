import type { DescriptionClaim } from '../facts.ts';
import { isAsserted, withoutNames } from './assertions.ts';
import { codeSpans, findMentions, isPath, isVersion } from './mentions.ts';
import { type PlacedSentence, placeSentences } from './sentences.ts';

/** A claim, and what the sentence says was done to which names. */
export interface StatedClaim extends DescriptionClaim {
  /** Names in code that were, as it says, added, changed, removed, renamed or described. */
  objects: string[];
  isHistory: boolean;
}

const lead =
  "(?:^|[,;:—–] |\\band |\\bthen |\\balso |\\bnow |\\b(?:this|the|my) (?:pr|pull request|commit|change|patch|mr|changeset) |\\b(?:it|i|we) (?:also |now |just )?|\\b(?:i|we)'ve (?:also )?|\\b(?:i|we) have (?:also )?)";
const filler =
  "(?:(?:a|an|the|some|more|few|several|many|new|unit|integration|e2e|end-to-end|functional|regression|additional|missing|failing|basic|simple|corresponding|relevant|appropriate|related|comprehensive|extra|further|our|its|respective|couple|of|snapshot|type|smoke|browser|extensive|proper|better|lots|\\d+|one|two|three|dedicated|focused|table-driven|and|&|docs|documentation|types|doc|code|project's|user|public|api|in|to|site|website|online|official|`x`),? )";
const adding =
  '(?:add(?:s|ed)?|wr(?:ite|ites|ote)|includes?|included|introduce[sd]?|extend(?:s|ed)?|create[sd]?)';
const updating =
  '(?:add(?:s|ed)?|update[sd]?|wr(?:ite|ites|ote)|improve[sd]?|extend(?:s|ed)?|rewr(?:ite|ites|ote)|expand(?:s|ed)?|adjust(?:s|ed)?|correct(?:s|ed)?)';
const headEnd =
  '(?=[.,;:!)]|$| (?:for|to|that|which|covering|cover|verifying|ensuring|checking|in|on|with|and|as well|accordingly|around|exercising|about|too)\\b)';

const tests = new RegExp(
  `${lead}${adding} ${filler}{0,7}(?:tests?|specs|test cases?|unit tests?|test coverage)${headEnd}|\\btests? (?:cases? )?(?:were|was|are|is|have been|has been) (?:also )?(?:added|written|included)\\b|テスト(?:コード|ケース)?を(?:追加|作成)し|(?:添加|增加|新增)了?.{0,6}测试`,
  'iu',
);
const documentation = new RegExp(
  `${lead}${updating} ${filler}{0,7}(?:docs|documentation|read ?me(?:\\.md)?|change ?log(?:\\.md)?)${headEnd}|\\b(?:docs|documentation|readme|changelog) (?:were|was|are|is|have been|has been) (?:also )?(?:added|updated|adjusted)\\b|(?:ドキュメント|README|変更履歴|文書)(?:も|を)(?:追加|更新|修正)し|更新了?.{0,4}(?:文档|README)`,
  'iu',
);
const dependency = new RegExp(
  `${lead}(?:bump(?:s|ed)?|upgrade[sd]?|downgrade[sd]?)(?: the)? (?:\`x\`|[@\\w./-]{2,60})(?: (?:dependency|package|crate|module))?(?: from \\S{1,40})? to (?:version )?(?:\`x\`|[~^]?v?\\d[\\w.-]{0,30})`,
  'iu',
);
const named = new RegExp(
  `${lead}(?:add(?:s|ed)?|introduce[sd]?|remove[sd]?|delete[sd]?|drop(?:s|ped)?|rename[sd]?|export(?:s|ed)?|deprecate[sd]?|create[sd]?|implement(?:s|ed)?|extract(?:s|ed)?|update[sd]?|change[sd]?|document(?:s|ed)?) (?:(?:a|an|the|new|optional|unused|public|private|internal|deprecated|legacy|global|shared|option|function|method|class|type|field|property|flag|helper|hook|constant|module|file|header|setting|parameter|argument|prop|config|configuration|command|and|both|old|own|small|dedicated|required|default) ){0,4}(?=\`x\`)`,
  'giu',
);
const namedPassive =
  /`x`(?: \w+)?,? (?:(?:and|or) `x`(?: \w+)? )?(?:is|are|was|were|has been|have been) (?:now |also )?(?:added|introduced|removed|deleted|dropped|renamed|exported|created|implemented|extracted|updated)\b/giu;
const describedIn = /^(?!as\b).{1,160}? (?:is|are) (?:now )?(?:described|documented|explained) in (?=`x`)/iu;
const behaves =
  /\b(?:is|are) (?:now )?(?:used|honou?red|respected|supported|accepted|recogni[sz]ed|obeyed|sent|emitted|exposed)\b/iu;
const namedElsewhere = /`x` ?(?:を|も|と)(?:新規に?)?(?:追加|削除|廃止|導入|変更|実装|作成|更新)し/giu;

/** What the description says was done, sentence by sentence, with the names in it. */
export function findStatedClaims(text: string): StatedClaim[] {
  return placeSentences(text).flatMap((placed) => readClaim(placed) ?? []);
}

function readClaim(placed: PlacedSentence): StatedClaim | null {
  const sentence = placed.text;
  const mentions = findMentions(sentence);
  const spans = codeSpans(sentence);
  const outline = withoutNames(sentence).replace(/^[a-z]{2,10}(?:\([^)]{0,40}\))?!?: /i, '');
  // "If a header is sent, it is used" claims something although it has an "if"; it is told by its verb and place.
  const isBehaviour = placed.isItem && behaves.test(outline) && spans.some(isDistinctive);
  if (!isAsserted(isBehaviour ? { ...placed, text: withoutCondition(sentence) } : placed)) return null;
  const objects = isBehaviour ? spans.filter(isDistinctive) : namedObjects(outline, spans);
  return {
    sentence,
    mentions,
    subject: subjectOf(outline, objects, mentions),
    objects,
    isHistory: placed.isHistory,
  };
}

function withoutCondition(sentence: string): string {
  return sentence.replace(/^(?:if|when)\b/i, '').replace(/\binstead of\b/i, '');
}

function isDistinctive(span: string): boolean {
  return /^[\w-]{4,60}$/.test(span) && /[a-z][A-Z]|\w[-_]\w/.test(span);
}

function subjectOf(outline: string, objects: string[], mentions: string[]): DescriptionClaim['subject'] {
  if (tests.test(outline)) return 'tests';
  if (documentation.test(outline)) return 'documentation';
  if (dependency.test(outline)) return 'dependency';
  const about = objects.length > 0 ? objects : mentions;
  if (about.some(isPath)) return 'file';
  return about.some((mention) => /^[\w$.#:@()-]+$/.test(mention) && !isVersion(mention)) ? 'symbol' : 'other';
}

/** The code spans of which the sentence says that something was done to them. */
function namedObjects(outline: string, spans: string[]): string[] {
  const objects: string[] = [];
  const places = Array.from(outline.matchAll(/`x`/g), (match) => match.index);
  for (const pattern of [named, namedPassive, namedElsewhere]) {
    for (const match of outline.matchAll(pattern)) {
      const from = pattern === named ? match.index + match[0].length : match.index;
      const at = places.findIndex((place) => place >= from);
      if (at !== -1) objects.push(spans[at] ?? '');
    }
  }
  const described = describedIn.exec(outline);
  const path = described ? spans[places.indexOf(described[0].length)] : undefined;
  if (path && isPath(path)) objects.push(path);
  return objects.filter((object) => object !== '');
}
