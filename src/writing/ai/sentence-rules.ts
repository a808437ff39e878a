import { type CommentSigns, commentSignsIn } from '../../reading/comment-signs.ts';
import { visibleText } from '../../reading/description/sentences.ts';
import type { Definition, Evidence } from '../../reading/facts.ts';
import { type FileDiff, type Hunk, linesOf } from '../../reading/file-diff.ts';
import { foldSpace } from '../../reading/text.ts';
import { type Draft, numberSentences, replaceSentences, type Sentence, type SpokenWords } from '../draft.ts';
import { holdsKey } from '../key-shapes.ts';
import { joinComplaints } from '../verify/check-sentence.ts';
import type { Ground } from '../verify/ground.ts';
import { checkDraft } from '../verify/verify-drafts.ts';
import { holdsAddress } from './holds-address.ts';
import type { Finding } from './material.ts';
import type { CheckedSentence } from './prompts.ts';
import { mostCharactersOf } from './summaries.ts';

interface RuleGround {
  diff: FileDiff[];
  words: SpokenWords[];
  findings: Pick<Finding, 'text'>[];
  definitions?: ReadonlyMap<string, Definition[]>;
}

type RuleVerdict =
  | { kind: 'kept'; sentence: Sentence; isRepaired: boolean }
  | { kind: 'broken'; reason: string };

interface Checking extends RuleGround {
  ground: Ground;
}

export function checkFreeWriting({ ground, ...rules }: Checking): (draft: Draft) => CheckedSentence[] {
  const obey = createSentenceRules(rules);
  const obeyAsSummary = (summary: Sentence, mostCharacters: number): RuleVerdict => {
    if ([...summary.text].length > mostCharacters)
      return { kind: 'broken', reason: `it is longer than ${mostCharacters} characters` };
    if (summary.evidence.length === 0)
      return { kind: 'broken', reason: 'it rests on no sentence that is about lines and holds' };
    const guess = guessesIn(summary);
    // It sums up, and quotes nothing.
    const verdict = obey({ ...summary, basis: 'judgement' });
    if (verdict.kind === 'broken' || guess.length === 0)
      return verdict.kind === 'kept' ? { ...verdict, sentence: summary } : verdict;
    return { kind: 'broken', reason: joinComplaints(guess) };
  };
  return (draft) => {
    const sentences = numberSentences(draft);
    const obeyed = sentences.map((sentence, index) => {
      const mostCharacters = mostCharactersOf(draft, index);
      return mostCharacters === null ? obey(sentence) : obeyAsSummary(sentence, mostCharacters);
    });
    // What breaks these rules says nothing that other sentences could follow from.
    const rest = replaceSentences(
      draft,
      obeyed.map((verdict, index) =>
        verdict.kind === 'kept' ? verdict.sentence : { ...(sentences[index] ?? draft.title), text: '' },
      ),
    );
    const unruly = obeyed.some(({ kind }) => kind === 'broken') ? checkDraft(draft, ground) : [];
    return checkDraft(rest, ground).map((checked, index): CheckedSentence => {
      const verdict = obeyed[index];
      if (verdict?.kind === 'broken') {
        const also = unruly[index];
        return {
          kept: null,
          reason: joinComplaints([verdict.reason, ...(also?.kept === null ? [also.reason] : [])]),
        };
      }
      if (!checked.kept) return checked;
      return { kept: checked.kept, isRepaired: checked.isRepaired || (verdict?.isRepaired ?? false) };
    });
  };
}

/** Rules for what a model writes, beside those that every sentence is checked by. */
export function createSentenceRules({
  diff,
  words,
  findings,
  definitions = new Map(),
}: RuleGround): (sentence: Sentence) => RuleVerdict {
  const files = new Map(diff.map((file) => [file.path, file]));
  const others = runsOf([
    ...words.map(({ text }) => text),
    ...diff.map(({ path }) => path),
    ...[...definitions.values()].flat().map(({ lines }) => lines.join('\n')),
    ...diff.flatMap((file) =>
      file.hunks.flatMap((hunk) => [commentsIn(hunk, commentSignsIn(file)), hunk.text()]),
    ),
  ]);
  const found = findings.map(({ text }) => text).join('\n');
  const standsInCode = (code: string): boolean => {
    const pieces = code.split('…').map((piece) => Buffer.from(piece.trim()));
    return diff.some(({ bytes }) => pieces.every((piece) => bytes.includes(piece)));
  };
  return (sentence) => {
    const broken = [
      ...foreignMatter(sentence.text, standsInCode),
      ...unattributed(sentence),
      ...unquoted(sentence, others),
      ...claimsTooMuch(sentence.text, found),
      ...guessesIn(sentence),
    ];
    const placed = placeQuote(sentence, { files, definitions });
    const complaints = placed.kind === 'broken' ? [...broken, placed.reason] : broken;
    return complaints.length === 0 ? placed : { kind: 'broken', reason: joinComplaints(complaints) };
  };
}

const markup =
  /<\/?[a-z!]|\]\(|\]\[|!\[|\*\*|__\w|~~|^\s*(?:#{1,6}|[-*+]|\d+[.)])\s|&(?:#\d+|[a-z]{2,8});|\|.*\|/i;

const longestSentence = 1_000;

/** What must not get into an article by any way: it is refused, not cleaned. */
function foreignMatter(text: string, standsInCode: (code: string) => boolean): string[] {
  if (text === '') return ['it is empty'];
  if (text.length > longestSentence) return [`it is longer than ${longestSentence} characters`];
  const isSeen = visibleText(text) === text && !/\n/.test(text);
  const isClosed = (text.match(/`/g)?.length ?? 0) % 2 === 0;
  return [
    ...(isSeen ? [] : ['it holds characters that cannot be seen, or a line break']),
    ...(holdsKey(text) ? ['it holds something that looks like a key'] : []),
    ...(holdsAddress(text, standsInCode) ? ['it holds an address'] : []),
    ...(isClosed ? [] : ['a code mark is not closed']),
    ...(markup.test(text.replace(codeSpan, 'x')) ? ['it holds markup other than backticks'] : []),
  ];
}

const author = String.raw`\b(?:s?he|authors?)\b|\bcontributors?\b|\bau(?:tor|teur|tore|tora)s?\b|\bVerfasser|作者|著者|投稿者|автор|작성자|저자`;

/** How a sentence says whose words it tells, where it does not name them. */
const speakers: Record<SpokenWords['where'], RegExp> = {
  title: new RegExp(`${author}|\\btitle[ds]?\\b|題|タイトル`, 'iu'),
  description: new RegExp(`${author}|\\bdescri(?:ption|bes)\\b|\\bpull request\\b|説明|概要|本文`, 'iu'),
  commit: new RegExp(`${author}|\\bcommit(?:s|ter)?\\b|コミット`, 'iu'),
  issue: new RegExp(`${author}|\\bissues?\\b|\\breports?\\b|#\\d|課題|報告|イシュー`, 'iu'),
  comment:
    /\bcomment(?:s|er|ers)?\b|\breview(?:s|er|ers)?\b|\bmaintainers?\b|\bdiscussion\b|コメント|レビュ|議論/iu,
  code: /\bcomments?\b|\bdocstring\b|\bchangelog\b|\bcode\b|\bdocument(?:s|ation)?\b|コメント|コード|変更履歴|文書|説明/iu,
};

/** Languages that are written in these scripts are the ones whose words for speakers are known. */
const isKnownLanguage = (text: string): boolean =>
  /[\u3040-\u30ff]/u.test(text) || /^[\p{ASCII}\p{P}\p{S}\s]*$/u.test(text);

function saysWhoSpeaks(text: string, words: SpokenWords[]): boolean {
  return (
    words.some(
      ({ speaker, where }) => (speaker.length > 1 && text.includes(speaker)) || speakers[where].test(text),
    ) || !isKnownLanguage(text)
  );
}

function unattributed({ basis, text, words }: Sentence): string[] {
  if (basis !== 'words') return [];
  if (words.length === 0) return ['it tells what somebody says and cites no words (w…)'];
  return saysWhoSpeaks(text, words) ? [] : ['it does not say who says it'];
}

/** Code in its marks is quoted as such, and must stand in what is cited. */
function unquoted({ basis, text }: Sentence, others: Set<string>): string[] {
  if (basis === 'words') return [];
  const run = copiedRun(withoutQuoted(text, ' … '), others);
  return run === null ? [] : [`“${run}” is somebody else's wording and does not stand in quotation marks`];
}

/** A comment runs over several lines, without the marks at the beginning of each. */
function commentsIn(hunk: Hunk, { line }: CommentSigns): string {
  const comments = linesOf(hunk).filter(({ text }) => line.test(text));
  return comments.map(({ text }) => text.replace(line, '')).join(' ');
}

interface Quotable {
  files: Map<string, FileDiff>;
  definitions: ReadonlyMap<string, Definition[]>;
}

/** The quote must stand in what is cited; where it stands in one other place of a cited file, that is cited too. */
function placeQuote(sentence: Sentence, { files, definitions }: Quotable): RuleVerdict {
  const { basis, quote, evidence, words, facts } = sentence;
  if (basis === 'judgement' || quote === null) {
    // Findings are not quoted from.
    if (basis === 'judgement' || facts.length > 0) return { kind: 'kept', sentence, isRepaired: false };
    return { kind: 'broken', reason: 'it has no quote from what it cites' };
  }
  const wanted = foldSpace(quote);
  const isSaid = words.some(({ text }) => foldSpace(text).includes(wanted));
  const isDefined = evidence.some(
    ({ unchanged, fileName }) =>
      unchanged &&
      definitions.get(fileName)?.some(({ lines }) => foldSpace(lines.join(' ')).includes(wanted)),
  );
  if (isSaid || isDefined || evidence.some((one) => standsIn(wanted, one, files)))
    return { kind: 'kept', sentence, isRepaired: false };
  const elsewhere = [...new Set(evidence.map(({ fileName }) => fileName))].flatMap((path) =>
    placesOf(wanted, files.get(path)),
  );
  const [only] = elsewhere;
  if (!only || elsewhere.length > 1)
    return { kind: 'broken', reason: `the quote “${quote}” does not stand in what is cited` };
  // What was cited stays: a hunk is cited for its heading, too.
  return { kind: 'kept', sentence: { ...sentence, evidence: [only, ...evidence] }, isRepaired: true };
}

function standsIn(wanted: string, evidence: Evidence, files: Map<string, FileDiff>): boolean {
  const { fileName, side, startLine, endLine } = evidence;
  const lines = numbered(files.get(fileName), side).filter(([line]) => line >= startLine && line <= endLine);
  return foldSpace(lines.map(([, text]) => text).join(' ')).includes(wanted);
}

function placesOf(wanted: string, file: FileDiff | undefined): Evidence[] {
  if (!file) return [];
  return (['new', 'old'] as const).flatMap((side) =>
    numbered(file, side, true)
      .filter(([, text]) => foldSpace(text).includes(wanted))
      .map(([line]) => ({ fileName: file.path, side, startLine: line, endLine: line })),
  );
}

function numbered(
  file: FileDiff | undefined,
  side: Evidence['side'],
  changedOnly = false,
): [line: number, text: string][] {
  return (file?.hunks ?? []).flatMap((hunk) =>
    linesOf(hunk).flatMap(({ side: kind, text, oldLine, newLine }): [number, string][] => {
      const line = side === 'new' ? newLine : oldLine;
      return line === null || (changedOnly && kind === 'context') ? [] : [[line, text]];
    }),
  );
}

export const codeSpan = /`[^`]*`/g;

/** Words of others, in the quotation marks of whichever language. */
export const quotation = /“([^”]*)”|"([^"]*)"|「([^」]*)」|『([^』]*)』|«([^»]*)»|„([^“”]*)[“”]/g;

/** What a text says in its own words. Marks within code quote nothing. */
export const withoutQuoted = (text: string, instead = ' '): string =>
  text.replace(codeSpan, instead).replace(quotation, instead);

interface Excess {
  what: string;
  patterns: RegExp[];
}

const measured = '(?:fast|slow|small|larg|less|more|quick|cheap)\\w*';
const amount = '(?:\\d[\\d.,]*|two|three|four|five|ten|twenty|hundreds?|thousands?|many|several)';

/** Wordings that no diff can show. A finding that says the same makes them true. */
const excesses: Excess[] = [
  {
    what: 'a measure that nobody took',
    patterns: [
      new RegExp(`\\b${amount}(?: of)?[\\s-]?(?:times|fold|x|×)\\s+(?:as\\s+)?${measured}`, 'iu'),
      new RegExp(`\\b(?:\\d[\\d.,]*)\\s?(?:%|percent)\\s+(?:\\w+\\s+)?${measured}`, 'iu'),
      // What else is twice as large or long, two numbers in the lines may show.
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

/** Wordings that guess at what was not shown. What is meant as a judgement is labelled as one. */
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

/** What nobody reads across: brackets, and the end of a sentence or statement. */
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
