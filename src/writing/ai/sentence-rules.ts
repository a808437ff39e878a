import { holdsKey } from '../../domain/secrets.ts';
import { type CommentSigns, commentSignsIn } from '../../reading/comment-signs.ts';
import { visibleText } from '../../reading/description/sentences.ts';
import type { Definition, LookedLines } from '../../reading/facts.ts';
import { type FileDiff, type Hunk, linesOf } from '../../reading/file-diff.ts';
import {
  type Draft,
  isSummary,
  mapSentences,
  placeSentences,
  type Sentence,
  type SpokenWords,
} from '../draft.ts';
import { type CheckedSentence, joinComplaints } from '../verify/check-sentence.ts';
import type { Ground } from '../verify/ground.ts';
import { checkDraft } from '../verify/verify-drafts.ts';
import type { Finding } from './material.ts';
import { createReviewRules, isFromReview, mostFromReview } from './review/review-rules.ts';
import { mostCharacters } from './summaries.ts';

interface RuleGround {
  diff: FileDiff[];
  words: SpokenWords[];
  findings: Pick<Finding, 'text'>[];
  definitions?: ReadonlyMap<string, Definition[]>;
  looked?: LookedLines[];
}

interface Checking extends RuleGround {
  ground: Ground;
}

export function checkFreeWriting({ ground, ...rules }: Checking): (draft: Draft) => CheckedSentence[] {
  const complaintsAbout = createSentenceRules(rules);
  const complaintsAboutReview = createReviewRules(rules.words);
  const complaintsAboutSummary = (summary: Sentence, most: number): string[] => {
    if ([...summary.text].length > most) return [`it is longer than ${most} characters`];
    if (summary.evidence.length === 0) return ['it rests on no sentence that is about lines and holds'];
    // Summaries contain no quotations, so they are checked like judgments.
    return [...complaintsAbout({ ...summary, basis: 'judgement' }), ...guessesIn(summary)];
  };
  return (draft) => {
    let fromReview = 0;
    const all = placeSentences(draft);
    const complaints = all.map((placed) => {
      const { part, sentence } = placed;
      const most = mostCharacters[part];
      if (isFromReview(sentence)) fromReview += 1;
      return [
        ...(most === undefined ? complaintsAbout(sentence) : complaintsAboutSummary(sentence, most)),
        ...(sentence.text === '' ? [] : complaintsAboutReview(placed)),
        ...(isFromReview(sentence) && fromReview > mostFromReview
          ? [`${mostFromReview} sentences on comments are enough`]
          : []),
      ];
    });
    const isBroken = (index: number): boolean => (complaints[index]?.length ?? 0) > 0;
    const alone = checkDraft(draft, ground);
    const fallen = new Set(
      all.flatMap((one) =>
        !isSummary(one) && (isBroken(one.id) || alone[one.id]?.kept === null) ? [one.sentence.text] : [],
      ),
    );
    // No sentence can follow from one that breaks these rules, and no summary can use the names of one that fails.
    const rest = mapSentences(draft, (one) => {
      const { id, sentence } = one;
      if (isBroken(id)) return { ...sentence, text: '' };
      const facts = sentence.facts.filter((fact) => fact.relation !== 'found' || !fallen.has(fact.text));
      return isSummary(one) ? { ...sentence, facts } : sentence;
    });
    return checkDraft(rest, ground).map((checked, index): CheckedSentence => {
      if (!isBroken(index)) return checked;
      const also = alone[index];
      const reasons = [...(complaints[index] ?? []), ...(also?.kept === null ? [also.reason] : [])];
      return { kept: null, reason: joinComplaints(reasons) };
    });
  };
}

export function createSentenceRules({
  diff,
  words,
  findings,
  definitions = new Map(),
  looked = [],
}: RuleGround): (sentence: Sentence) => string[] {
  const others = runsOf([
    ...words.map(({ text }) => text),
    ...diff.map(({ path }) => path),
    ...[...definitions.values()].flat().map(({ lines }) => lines.join('\n')),
    ...looked.flatMap(({ fileName, lines }) => [fileName, lines.join('\n')]),
    ...diff.flatMap((file) =>
      file.hunks.flatMap((hunk) => [commentsIn(hunk, commentSignsIn(file)), hunk.text()]),
    ),
  ]);
  const found = findings.map(({ text }) => text).join('\n');
  const shown = Buffer.from(looked.flatMap(({ lines }) => lines).join('\n'));
  const isInCode = (code: string): boolean => {
    const pieces = code.split('…').map((piece) => Buffer.from(piece.trim()));
    return [...diff.map(({ bytes }) => bytes), shown].some((bytes) =>
      pieces.every((piece) => bytes.includes(piece)),
    );
  };
  return (sentence) => [
    ...foreignMatter(sentence.text, isInCode),
    ...unattributed(sentence, words),
    ...unquoted(sentence, others),
    ...claimsTooMuch(sentence.text, found),
    ...guessesIn(sentence),
    ...withoutQuote(sentence),
  ];
}

/** Findings need no quotation. */
const withoutQuote = ({ basis, quote, facts }: Sentence): string[] =>
  basis === 'judgement' || quote !== null || facts.length > 0 ? [] : ['it has no quote from what it cites'];

const markup =
  /<\/?[a-z!]|\]\(|\]\[|!\[|\*\*|__\w|~~|^\s*(?:#{1,6}|[-*+]|\d+[.)])\s|&(?:#\d+|[a-z]{2,8});|\|.*\|/i;

const longestSentence = 1_000;

/** Content that must never get into an article: the sentence is rejected, not cleaned. */
function foreignMatter(text: string, isInCode: (code: string) => boolean): string[] {
  if (text === '') return ['it is empty'];
  if (text.length > longestSentence) return [`it is longer than ${longestSentence} characters`];
  const isSeen = visibleText(text) === text && !/\n/.test(text);
  const isClosed = (text.match(/`/g)?.length ?? 0) % 2 === 0;
  return [
    ...(isSeen ? [] : ['it holds characters that cannot be seen, or a line break']),
    ...(holdsKey(text) ? ['it holds something that looks like a key'] : []),
    ...(holdsAddress(text, isInCode) ? ['it holds an address'] : []),
    ...(isClosed ? [] : ['a code mark is not closed']),
    ...(markup.test(text.replace(codeSpan, 'x')) ? ['it holds markup other than backticks'] : []),
  ];
}

const author = String.raw`\b(?:s?he|his|hers?|him|authors?)\b|\bcontributors?\b|\bau(?:tor|teur|tore|tora)s?\b|\bVerfasser|作者|著者|投稿者|автор|작성자|저자`;

/** How a sentence attributes a text if it does not name the author. */
const speakers: Record<SpokenWords['where'], RegExp> = {
  title: new RegExp(`${author}|\\btitle[ds]?\\b|題|タイトル`, 'iu'),
  description: new RegExp(`${author}|\\bdescri(?:ption|bes)\\b|\\bpull request\\b|説明|概要|本文`, 'iu'),
  commit: new RegExp(`${author}|\\bcommit(?:s|ter)?\\b|コミット`, 'iu'),
  issue: new RegExp(`${author}|\\bissues?\\b|\\breports?\\b|#\\d|課題|報告|イシュー`, 'iu'),
  comment:
    /\bcomment(?:s|er|ers)?\b|\breview(?:s|er|ers)?\b|\bmaintainers?\b|\bdiscussion\b|コメント|レビュ|議論/iu,
  code: /\bcomments?\b|\bdocstring\b|\bchangelog\b|\bcode\b|\bdocument(?:s|ation)?\b|コメント|コード|変更履歴|文書|説明/iu,
};

/** In languages with these scripts, the words for speakers are known. */
const isKnownLanguage = (text: string): boolean =>
  /[\u3040-\u30ff]/u.test(text) || /^[\p{ASCII}\p{P}\p{S}\s]*$/u.test(text);

function unattributed({ basis, text, words: cited }: Sentence, words: SpokenWords[]): string[] {
  if (basis !== 'words') return [];
  if (cited.length === 0) return ['it reports what a person says and cites no words (w…)'];
  const isOfAuthor = ({ speaker }: SpokenWords): boolean =>
    words.some((one) => one.where === 'title' && one.speaker === speaker);
  const saysWhoSpeaks = cited.some(
    (one) =>
      // Stricter rules check the speakers of a review.
      one.said !== undefined ||
      (one.speaker.length > 1 && text.includes(one.speaker)) ||
      speakers[one.where].test(text) ||
      (isOfAuthor(one) && speakers.title.test(text)),
  );
  return saysWhoSpeaks || !isKnownLanguage(text) ? [] : ['it does not say who says it'];
}

/** Code in backticks counts as quoted, and must be in the cited lines. */
function unquoted({ basis, text }: Sentence, others: Set<string>): string[] {
  if (basis === 'words') return [];
  const run = copiedRun(withoutQuoted(text, ' … '), others);
  return run === null ? [] : [`“${run}” is another person's wording without quotation marks`];
}

/** The text of a comment over several lines, without the marks at their beginnings. */
function commentsIn(hunk: Hunk, { line }: CommentSigns): string {
  const comments = linesOf(hunk).filter(({ text }) => line.test(text));
  return comments.map(({ text }) => text.replace(line, '')).join(' ');
}

export const codeSpan = /`[^`]*`/g;

export const quotation = /“([^”]*)”|"([^"]*)"|「([^」]*)」|『([^』]*)』|«([^»]*)»|„([^“”]*)[“”]/g;

export const withoutQuoted = (text: string, instead = ' '): string =>
  text.replace(codeSpan, instead).replace(quotation, instead);

interface Excess {
  what: string;
  patterns: RegExp[];
}

const measured = '(?:fast|slow|small|larg|less|more|quick|cheap)\\w*';
const amount = '(?:\\d[\\d.,]*|two|three|four|five|ten|twenty|hundreds?|thousands?|many|several)';

/** Claims that no diff can prove. A finding that says the same makes them true. */
const excesses: Excess[] = [
  {
    what: 'a measure that was not taken',
    patterns: [
      new RegExp(`\\b${amount}(?: of)?[\\s-]?(?:times|fold|x|×)\\s+(?:as\\s+)?${measured}`, 'iu'),
      new RegExp(`\\b(?:\\d[\\d.,]*)\\s?(?:%|percent)\\s+(?:\\w+\\s+)?${measured}`, 'iu'),
      // Other sizes and lengths may be proved by two numbers in the lines.
      /\b(?:twice|half) as (?:fast|quick|slow|cheap|expensive|efficient|much (?:time|memory|work))\w*/iu,
      /\b(?:halv|doubl|tripl)(?:es?|ed|ing) (?:the|its|their) (?:time|speed|size|memory|throughput|latency)\b/iu,
      /\b(?:twice|half(?: of)?|a (?:third|quarter|tenth|fraction) of) (?:the|its|their) (?:time|speed|memory|throughput|latency|cost)\b/iu,
      /\b(?:an?|two|three|several|many) orders? of magnitude\b/iu,
      /(?:\d[\d.]*|[二三四五六七八九十百千数]+)\s?倍(?:も|ほど|以上|近く)?(?:速|早|遅|高速|小|大|効率)|\d+\s?(?:%|％|パーセント)(?:速|早|高速|削減|短縮|小さ)/u,
      /半分(?:以下)?の(?:時間|メモリ|コスト)|(?:時間|速度|コスト|使用量)(?:が|を)(?:半分に|半減|倍増)|[一二三数\d]?桁(?:違いに)?(?:速|早|遅|高速)/u,
    ],
  },
  {
    what: 'something of all cases',
    patterns: [
      /\bin (?:all|each and every|every(?: single| possible)?) (?:possible |conceivable )?(?:cases?|circumstances?|situations?|scenarios?)\b/iu,
      /\bunder (?:all|any|every) (?:possible )?(?:circumstances?|conditions?)\b|\bnever fails?\b/iu,
      // Lines can show callers, but never that there are no others.
      /\b(?:all|every|each|(?:the|its|their) only|no other) (?:other |known )?(?:callers?|call sites?)\b/iu,
      /(?:すべての|全ての|唯一の)呼び出し(?:元|側)|呼び出し(?:元|側)は[^。]{0,60}だけ/u,
      /(?:あらゆる|すべての|全ての|どんな|いかなる)(?:場合|状況|ケース)(?:でも|にも|で|に|において)|(?:決して|絶対に)失敗し/u,
    ],
  },
  {
    what: 'that something is absent',
    patterns: [
      /\b(?:untested|(?:is|are|was|were|remains?|stays?|goes|now|left|still) unused|undocumented|unreachable code|dead code|never (?:used|called|tested)|not (?:tested|covered|documented|used anywhere)|no (?:tests?|documentation|callers?|other callers?)|without (?:any )?tests?|lacks? (?:tests?|documentation)|nowhere else)\b|テスト(?:が|は)(?:ない|ありません|追加されてい(?:ない|ません))|使われてい(?:ない|ません)|文書化されてい(?:ない|ません)|ドキュメントが(?:ない|ありません)/iu,
    ],
  },
  {
    what: 'praise',
    patterns: [
      /\b(?:elegant|beautiful|excellent|impressive|robust|clean(?:er)? (?:code|design|solution|approach)|best practices?|well[- ](?:designed|written|tested|documented|structured)|state[- ]of[- ]the[- ]art|significantly (?:improv|enhanc)\w+|greatly (?:improv|enhanc)\w+|seamless(?:ly)?|powerful|nicely)\b|優れた|素晴らし|美しい|エレガント|堅牢|洗練/iu,
    ],
  },
];

function claimsTooMuch(text: string, findings: string): string[] {
  const prose = withoutQuoted(text);
  return excesses.flatMap(({ what, patterns }) => {
    const claimed = patterns.map((pattern) => pattern.exec(prose)?.[0]).find((found) => found !== undefined);
    if (claimed === undefined || patterns.some((pattern) => pattern.test(findings))) return [];
    return [`“${claimed}” claims ${what}, which no finding says`];
  });
}

/** Wordings of guesses. Judgments are labelled as such instead. */
const guesses = [
  /\b(?:presumably|probably|perhaps|possibly|apparently|seemingly|supposedly|(?:most |very )?likely (?=to\b)|seems? (?:like|to)|appears? to|might|could (?:well|potentially|possibly))\b/iu,
  /\bmay (?:now |also |then |well |still |even )*(?:find|cause|break|fail|change|lead|result|see|hit|match|behave|affect|miss|lose|need|differ|produce|depend|rely|expect|vary|no longer)\b/iu,
  /\b(?:if|unless|provided(?: that)?|assuming(?: that)?|as long as|where|when) (?:the |a |an |its |other )?(?:\u{e000}|it|they|code|callers?|clients?|library|framework|plugins?)(?: in turn| also| itself)? (?:compar|rel(?:y|ies)|depend|expect|assum|treat|interpret|implement|overrid|happen)\w*/iu,
  /おそらく|恐らく|たぶん|かもしれ(?:ない|ません)|と(?:思|推測さ|考えら)れ(?:る|ます)|(?:はず(?:です|である|だ(?!った))|でしょう|だろう)|可能性が(?:ある|あり|高)/u,
];

export const holdsGuess = (text: string): boolean => guessesIn({ basis: 'diff', text }).length > 0;

function guessesIn({ basis, text }: Pick<Sentence, 'basis' | 'text'>): string[] {
  if (basis !== 'diff') return [];
  const prose = withoutQuoted(text, '\u{e000}');
  const guess = guesses.map((pattern) => pattern.exec(prose)?.[0]).find((found) => found !== undefined);
  if (guess === undefined) return [];
  const shown = guess.replaceAll('\u{e000}', '…').trim();
  return [`“${shown}” guesses at code that is not shown: cite the line that shows it, or leave it out`];
}

const wordsInRun = 7;

const charactersInRun = 20;

const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Khmer}\p{Script=Lao}ー]+/gu;

function runsOf(texts: string[]): Set<string> {
  return new Set(texts.flatMap((text) => [...wordRuns(text), ...characterRuns(text)]));
}

function copiedRun(text: string, others: Set<string>): string | null {
  return [...wordRuns(text), ...characterRuns(text)].find((run) => others.has(run)) ?? null;
}

/** Ends a run of words: brackets, and the end of a sentence or statement. */
const boundary = /[()[\]{}（）［］【】;]|[.!?](?=["'”’)]?(?:\s|$))/gu;

function wordRuns(text: string): string[] {
  const all =
    text
      .replace(unspaced, ' … ')
      .replace(boundary, ' … ')
      .toLowerCase()
      .match(/[\p{L}\p{N}_'’]+|…/gu) ?? [];
  const runs: string[] = [];
  for (let at = 0; at + wordsInRun <= all.length; at += 1) {
    const run = all.slice(at, at + wordsInRun);
    if (!run.includes('…')) runs.push(run.join(' '));
  }
  return runs;
}

function characterRuns(text: string): string[] {
  return Array.from(text.matchAll(unspaced), ([run]) => run).flatMap((run) =>
    Array.from({ length: Math.max(0, run.length - charactersInRun + 1) }, (_, at) =>
      run.slice(at, at + charactersInRun),
    ),
  );
}

/** Letters of other scripts that look like Latin ones, paired by position. */
const alike = new Map(
  Array.from('аеорсхуіјѕһԁкмтвнгԛԝοανρικυτχεηγωսոօ', (letter, index) => [
    letter,
    'aeopcxyijshdkmtbhrqwoavpikutxenywuno'.charAt(index),
  ]),
);

/** A text as it looks: full-width characters become plain ones, and lookalikes become Latin letters and dots. */
const asSeen = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\0-\x7f]/gu, (letter) => alike.get(letter) ?? letter)
    // A Japanese full stop between Latin letters counts as a dot; elsewhere it ends a sentence.
    .replace(/(?<=[a-z\d-])。(?=[a-z])/g, '.')
    .replace(/(?<!\s)\s?[[({]\s?(?:\.|dot)\s?[\])}]\s?/g, '.')
    .replace(/ dot (?=(?:com|net|org|io|ru|cn|xyz|dev|app|info)(?![a-z\d]))/g, '.');

/** Top-level domains, without those that are also endings of files. */
const endings = asSeen(
  [
    'com|net|org|edu|gov|io|dev|app|info|biz|xyz|onion|example|shop|online|website|club|vip|icu|cyou|buzz|lol|casino|loan',
    'ai|au|br|ca|ch|cn|co|cz|de|eu|fr|gg|hk|ir|jp|kr|kz|ly|me|nl|nz|ru|se|su|tk|tr|tv|tw|ua|uk|us|vn|ws|za',
    'рф|укр|бел|сайт|中国|中國|公司|网络|网址|在线|みんな|コム|한국',
  ].join('|'),
);

/** Top-level domains that are also names of object members, which are allowed if the code contains them. */
const words =
  'top|site|store|live|life|tech|space|cloud|page|link|click|blog|news|wiki|work|zone|win|fun|host|press|pro|bet|download|support';

/** Endings of files, after which a slash may separate two names. */
const files =
  'js|ts|jsx|tsx|mjs|json|ya?ml|toml|md|py|rb|rs|go|java|kt|php|css|html|sh|txt|xml|sql|proto|net';

const label = '[\\p{L}\\p{N}](?:[\\p{L}\\p{N}_-]*[\\p{L}\\p{N}])?';

/** A name with this ending that neither continues nor is called. */
const nameWith = (ending: string): string =>
  `(?<![\\p{L}\\p{N}_./\\\\$@-])(?:${label}\\.)+(?:${ending})(?![\\p{L}\\p{N}_(-]|\\.[\\p{L}\\p{N}])`;

const memberLike = new RegExp(nameWith(words), 'gu');

const forms = [
  /(?<![a-z])(?:h(?:tt|xx)ps?:(?=[^\s`])|(?:mailto|javascript|data|tel):(?=[^\s`])|[a-z][a-z\d+.-]{1,15}:\/\/)/u,
  /(?<![\p{L}\p{N}])www\.[\p{L}\p{N}]/u,
  /\/\/[\p{L}\p{N}_-]+\.[\p{L}]/u,
  /[\p{L}\p{N}._+-]@(?:[\p{L}\p{N}_-]+\.)+\p{L}{2,}/u,
  new RegExp(
    `(?<![\\p{L}\\p{N}_./\\\\$@-])(?:${label}\\.)+(?!(?:${files})/)\\p{L}{2,}(?::\\d+)?/[^\\s/]`,
    'u',
  ),
  new RegExp(nameWith(endings), 'u'),
  /(?<![\d.])\d{1,3}(?:\.\d{1,3}){3}(?::\d{2,5}\b|\/[a-z])/u,
];

/** Products whose names look like host names. */
const products = /(?<![\w.])(?:(?:asp|ado|vb|ml)\.net|socket\.io)(?![\w/]|\.\w)/g;
const escapes = /\\[abfnrtv0]/g;

function isAddress(text: string, isInCode: (code: string) => boolean): boolean {
  const seen = asSeen(text.replace(escapes, ' ')).replace(products, ' ');
  if (forms.some((form) => form.test(seen))) return true;
  const plain = text.toLowerCase();
  return Array.from(seen.matchAll(memberLike), ([name]) => name).some((name) => {
    const at = plain.indexOf(name);
    return at < 0 || !isInCode(text.slice(at, at + name.length));
  });
}

/** Backticks around a part of a name do not divide it. */
const joinedSpan = /(?<=[^\s`][.@])`([^`]*)`|`([^`]*)`(?=[.@][\p{L}`])/gu;

/**
 * Whether a text contains an address, host name or mail address, however disguised. Code from the diff may contain them
 * in backticks.
 */
function holdsAddress(text: string, isInCode: (code: string) => boolean): boolean {
  const spans = text.match(codeSpan) ?? [];
  return (
    isAddress(text.replace(joinedSpan, '$1$2').replace(codeSpan, ' '), isInCode) ||
    spans.some((span) => {
      const code = span.slice(1, -1);
      return isAddress(code, isInCode) && !isInCode(code);
    })
  );
}
