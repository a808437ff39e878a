import { isImportLine } from '../../reading/edits/import-line.ts';
import type { Edit, Evidence, FileFacts } from '../../reading/facts.ts';
import type { FileDiff } from '../../reading/file-diff.ts';
import { isBalanced, isProse, losesAddress, plainText } from '../plain-text.ts';
import { tellsSomething } from '../words/telling-sentences.ts';
import { leansBack } from '../words/whole-thoughts.ts';
import { changelogQuote } from './changelog-quote.ts';
import type { Sides } from './compare-lines.ts';
import { quoteCode, type Told, tell, type Unit } from './outline.ts';
import { lineUnits } from './plan-line-edits.ts';
import { commentsIn, keyOfFirst, readsAsDocument, wordsOnlyIn } from './prose-lines.ts';
import { countSwaps, isWholeSwap, keyOf, type Swap, type SwapOf } from './repeated-swaps.ts';
import { isSoleEdit } from './sole-edits.ts';
import { namesPerList, type Statement } from './statements.ts';

/** A comment with one of these was written for whoever asks why. */
const givesReason =
  /\b(?:because|since(?! v?\d)|so that|otherwise|in order to|to avoid|to prevent|to ensure|workaround|on purpose)\b|ため|ので|から、/i;

/** What single lines show, told for each function. */
export function editUnits(
  file: FileFacts,
  diff: FileDiff | undefined,
  swapOf: SwapOf,
  sides: () => Sides,
): Unit[] {
  const words = diff ? wordsOnlyIn(diff) : new Set<number>();
  const comments = diff ? commentsIn(diff) : new Set<number>();
  const isDocument = readsAsDocument(file);
  const news = file.edits
    .filter((edit) => isNews(edit, file))
    .filter((edit) => !(isDocument || isAmong(edit, words)) || spoken.has(edit.kind));
  // Where both names stand before and after, or one comes more often than the other goes, each line is told by itself.
  const holds = (swap: Swap): boolean =>
    (swap.from === '' || countSwaps(swap, diff) !== null) && isWholeSwap(swap, diff);
  const known = new Map<string, boolean>();
  const swapHere: SwapOf = (edit) => {
    const swap = swapOf(edit);
    if (swap === null) return null;
    const isHere = known.get(keyOf(swap)) ?? holds(swap);
    known.set(keyOf(swap), isHere);
    return isHere ? swap : null;
  };
  const edits = news.filter((edit) => swapHere(edit) === null);
  const groups = Map.groupBy(uniqueOf(edits), ({ symbol }) => symbol);
  return [
    ...swapUnits(news, diff, swapHere),
    ...[...groups].flatMap(([symbol, same]) => {
      const place = symbol !== null && isFunction(symbol, file) ? symbol : null;
      return [
        ...same.flatMap((edit) => unitOf(edit, file, comments, diff)),
        ...lineUnits(place, same, diff, sides),
      ];
    }),
  ];
}

/** What lines say that are words and no code. */
const spoken = new Set<Edit['kind']>(['comment', 'reworded', 'heading', 'textAdded', 'changelogEntry']);

/** Languages that document in texts of several lines. */
export const documented = new Set(['Elixir', 'Python']);

const isAmong = ({ evidence }: Edit, lines: Set<number>): boolean => lines.has(keyOfFirst(evidence));

/** Only a function asks and calls; of a class or a constant, other lines may do so that nobody sees here. */
const isFunction = (name: string, { symbols }: FileFacts): boolean =>
  !symbols.some(
    (symbol) => symbol.name === name && !['function', 'method', 'constructor'].includes(symbol.kind),
  );

const uniqueOf = (edits: Edit[]): Edit[] => [
  ...new Map(edits.map((edit) => [`${edit.kind} ${edit.symbol} ${edit.before} ${edit.text}`, edit])).values(),
];

/** Whether an edit tells something that the declarations around it do not tell already. */
function isNews(edit: Edit, { symbols, kind, status }: FileFacts): boolean {
  if (edit.kind === 'comment') {
    return !symbols.some(
      ({ explanation }) =>
        explanation !== null && plainText(explanation).startsWith(plainText(edit.text).slice(0, 40)),
    );
  }
  const around = symbols.filter(({ name }) => name === edit.symbol);
  if (around.some(({ change }) => change === 'removed')) return false;
  if (kind === 'documentation' || kind === 'test') return true;
  if (status === 'added' || around.some(({ change }) => change === 'added')) return false;
  return !(edit.kind === 'replaced' && symbols.some((symbol) => isDeclaredBy(edit, symbol)));
}

/** Whether an edit is the line of a declaration whose difference is told by itself. */
function isDeclaredBy(
  { evidence }: Edit,
  {
    change,
    signature,
    value,
    evidence: { fileName, startLine, endLine, side },
  }: FileFacts['symbols'][number],
): boolean {
  if (value === null && change !== 'renamed' && (change !== 'signatureChanged' || signature === null))
    return false;
  return (
    evidence.fileName === fileName &&
    evidence.side === side &&
    evidence.startLine >= startLine &&
    evidence.endLine <= Math.min(endLine, startLine + 3)
  );
}

function unitOf(edit: Edit, file: FileFacts, comments: Set<number>, diff: FileDiff | undefined): Unit[] {
  const { language, status } = file;
  // Where texts document what is declared, what has no mark of a comment is one of them.
  const isComment = !documented.has(language ?? '') || isAmong(edit, comments);
  // What a comment looks like is not known of anything else.
  if (language === null && (edit.kind === 'comment' || edit.kind === 'reworded')) return [];
  const isDocument = readsAsDocument(file);
  const { text, before, evidence } = edit;
  // What holds everything is no place.
  const symbol = edit.symbol !== null && isFunction(edit.symbol, file) ? edit.symbol : null;
  const unit = (told: Told, weight: number): Unit[] => [{ told: [told], weight, about: symbol }];
  const say = (statement: Statement, weight: number, more: Evidence[] = []): Unit[] =>
    unit(tell(statement, [evidence, ...more]), weight);
  // What a document that stays says otherwise is told by its passages, and not by where their lines break.
  const isPassage = ['replaced', 'reworded', 'textAdded'].includes(edit.kind);
  if (isDocument && status !== 'added' && isPassage) return [];
  switch (edit.kind) {
    case 'replaced':
      if (before === null) return [];
      return say(
        { say: 'replaced', symbol, from: before, to: text, isPart: false },
        isImportLine(text) ? 4 : 28,
      );
    case 'repeated':
      return repeatedUnit(edit);
    // That something looks different is told of whole files.
    case 'reformatted':
      return [];
    case 'comment': {
      const quote = quotable(text);
      // What a comment asks, it asks whoever reads the next line.
      if (quote === null || isDocument || !tellsSomething(quote) || quote.includes('?')) return [];
      // What is no whole sentence narrates the next line, or goes on from the one above.
      if (!/^[\p{Lu}\p{Lo}`].*[.。]$/u.test(quote) || leansBack(quote)) return [];
      const told = quoteCode({ say: 'remarks', symbol, isComment, quote }, evidence);
      return unit(told, givesReason.test(quote) ? 26 : 7);
    }
    case 'reworded': {
      const quote = quotable(text);
      const from = before === null ? '' : quotable(before);
      return quote === null || from === null || quote === from || !isProse(quote) || isDocument
        ? []
        : unit(quoteCode({ say: 'rewords', symbol, isComment, from, quote }, evidence), 10);
    }
    case 'conditionChanged':
      return before === null || !isSoleEdit(edit, diff)
        ? []
        : say({ say: 'checksDifferently', symbol, from: before, to: text }, 32);
    // What a test throws, it throws to see what comes of it.
    case 'errorAdded':
      if (file.kind === 'test') return [];
      return say({ say: 'raises', symbol, message: messageOf(edit) }, 34);
    case 'heading':
      return [];
    case 'textAdded': {
      const quote = quotable(text);
      return quote === null || !isDocument || quote.length < 20 || looksLikeCode.test(quote)
        ? []
        : unit(quoteCode({ say: 'addsText', quote }, evidence), 28);
    }
    case 'changelogEntry': {
      const entry = quotable(text) === null ? null : changelogQuote(edit, diff);
      return entry === null ? [] : unit(entry, 44);
    }
    default:
      return [];
  }
}

/** Examples in documents are no sentences of them. */
const looksLikeCode =
  /^(?:return|import|from|def|class|if|for|while|raise|@|app\.|const|let|var|func|fn|use|export)\b.*[({=:;'"]|[;{}]\s*$|^[\w.]+\(.*\)$|^(?:[^(]|(?<!\w)\()*(?<=\w)\([^)]*\).*[={]/;

/** Somebody's words without markup; null where what is left is no sentence, as where a link goes on from the line before. */
function quotable(text: string): string | null {
  const isCutInCode = (text.match(/`/g)?.length ?? 0) % 2 === 1;
  if (isCutInCode || losesAddress(text)) return null;
  // The number of the next item of a list is no part of the sentence before it.
  const plain = plainText(text).replace(/(?<=\w)\s+\d{1,2}\.$/, '');
  const isOdd = !isBalanced(plain) || plain.includes('](') || /copyright|all rights reserved/i.test(plain);
  return /\p{L}{2,}/u.test(plain) && !isOdd ? plain : null;
}

/** The same in many places is one piece of news. */
function repeatedUnit({ text, before, count, evidence, places, symbol }: Edit): Unit[] {
  const path = evidence.fileName;
  const statement: Statement =
    before === null
      ? { say: 'addedOften', text, count, path }
      : { say: 'replacedOften', from: before, to: text, count, path };
  const weight = isImportLine(text) ? 6 : 38;
  return [{ told: [tell(statement, [evidence, ...places].slice(0, namesPerList))], weight, about: symbol }];
}

/** What is done in many lines of a change, once for each file. */
function swapUnits(edits: Edit[], diff: FileDiff | undefined, swapOf: SwapOf): Unit[] {
  const found = edits.flatMap((edit) => {
    const swap = swapOf(edit);
    return swap ? [{ edit, swap }] : [];
  });
  const groups = Map.groupBy(found, ({ swap }) => keyOf(swap));
  return [...groups.values()].flatMap((same) => {
    const [first] = same;
    if (!first) return [];
    const { from, to } = first.swap;
    const path = first.edit.evidence.fileName;
    const count = countSwaps(first.swap, diff);
    // What stood in other lines that went along was only put elsewhere.
    const core = from === '' ? countSwaps({ from, to: to.replace(/^\W+|(?<!\W)\W+$/g, '') }, diff) : count;
    if (core !== null && core < same.length) return [];
    // The beginning of something is not what was added.
    if (from === '' && /[.@([{,:=<]\s*$/.test(to)) return [];
    const statement: Statement =
      from === ''
        ? { say: 'addedOften', text: to, count, path }
        : { say: 'replacedOften', from, to, count, path };
    const places = same.slice(0, namesPerList).map(({ edit }) => edit.evidence);
    return [{ told: [tell(statement, places)], weight: isImportLine(first.edit.text) ? 6 : 38, about: null }];
  });
}

/** An error's message, without the full stop that would end our own sentence too early. */
const messageOf = ({ text }: Edit): string => plainText(text).replace(/\.$/, '');
