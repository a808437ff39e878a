import { type Draft, mapSentences, type PlacedSentence, placeSentences, type Sentence } from '../draft.ts';
import { type CheckedRound, checkAndJudge, keepWhatHeld, type ModelArticle } from './check-and-judge.ts';
import { type Material, oneLine } from './material.ts';
import { fillPrompt, type WritingDeps } from './prompts.ts';
import { SayAgainReply } from './reply-forms.ts';
import { codeSpan, quotation } from './sentence-rules.ts';
import { mostCharacters, withoutReader } from './summaries.ts';

interface Missing extends PlacedSentence {
  reason: string | null;
}

/**
 * Translates a checked article sentence by sentence, so that the diff is read only once. Each translation is compared
 * with the original sentence and checked against the lines. Sentences that fail are requested once more and then
 * dropped. Null if a required second model is missing.
 */
export async function translateDraft(
  deps: WritingDeps,
  known: Draft,
  material: Material,
): Promise<ModelArticle | null> {
  const article = deps.judge ? known : withoutReader(known);
  const said = placeSentences(article);
  const first = await askFor(
    deps,
    said.flatMap((one) => (one.sentence.text === '' ? [] : [{ ...one, reason: null }])),
    said.length,
  );
  const round = await checkSaid(deps, article, first, material);
  if (!round) return null;
  const missing = missingIn(article, first, round);
  if (missing.length === 0) return keepWhatHeld(asDraft(article, first), round, new Set(), material);
  // If the second request fails, only its sentences are dropped.
  const again = await askFor(deps, missing, said.length).catch(() => new Map<number, Wording>());
  const mended = new Set(missing.map(({ id }) => id));
  const wordings = new Map([...first, ...again]);
  for (const id of mended) if (!again.has(id)) wordings.delete(id);
  const last = await checkSaid(deps, article, wordings, material, { mended, judgement: round.judgement });
  return last && keepWhatHeld(asDraft(article, wordings), last, mended, material);
}

type Wording = { text: string } | { text: null; reason: string };

const asDraft = (article: Draft, wordings: Map<number, Wording>): Draft =>
  mapSentences(article, ({ id, sentence }) => ({ ...sentence, text: wordings.get(id)?.text ?? '' }));

const checkSaid = (
  deps: WritingDeps,
  article: Draft,
  wordings: Map<number, Wording>,
  material: Material,
  earlier?: Parameters<typeof checkAndJudge>[3],
): Promise<CheckedRound | null> =>
  checkAndJudge(deps, { draft: asDraft(article, wordings), rests: [] }, material, earlier);

function missingIn(article: Draft, wordings: Map<number, Wording>, { outcomes }: CheckedRound): Missing[] {
  return placeSentences(article).flatMap((placed) => {
    const outcome = outcomes[placed.id];
    if (placed.sentence.text === '' || outcome?.kept !== null) return [];
    const wording = wordings.get(placed.id);
    return [{ ...placed, reason: wording?.text === null ? wording.reason : outcome.reason }];
  });
}

async function askFor(
  { ask, prompts, project, language, onProgress }: WritingDeps,
  missing: Missing[],
  total: number,
): Promise<Map<number, Wording>> {
  onProgress('writing', total - missing.length, total);
  const lines = missing.flatMap(({ id, part, sentence, reason }) => [
    `${id}${part in mostCharacters ? ` (at most ${mostCharacters[part]} characters)` : ''} ${oneLine(sentence.text)}`,
    ...(reason === null ? [] : [`failed${id} ${oneLine(reason)}`]),
  ]);
  const filled = fillPrompt(prompts['say-again'], { language, project, lines });
  const reply = await ask({ ...filled, schema: SayAgainReply });
  const wordings = new Map<number, Wording>();
  for (const { n, text } of reply.sentences) {
    const original = missing.find(({ id }) => id === n)?.sentence;
    if (!original) continue;
    const reason = differenceOfNames(original, text);
    wordings.set(n, reason === null ? { text: text.trim() } : { text: null, reason });
  }
  return wordings;
}

const number = /(?<![\p{Script=Latin}\d])v?\d+(?:[.,:]\d+)*/giu;

/**
 * Why a translation does not have the same code, numbers, versions, quotations and names of people; null if it does.
 */
export function differenceOfNames(
  { text, words }: Pick<Sentence, 'text' | 'words'>,
  other: string,
): string | null {
  const [before, after] = [namesIn(text), namesIn(other)];
  const lost = missingFrom(after, before);
  if (lost !== undefined) return `it has lost “${lost}”`;
  const gained = missingFrom(before, after);
  if (gained !== undefined) return `“${gained}” is not in what it says again`;
  const unnamed = words.find(({ speaker }) => text.includes(speaker) && !other.includes(speaker));
  return unnamed ? `it has lost “${unnamed.speaker}”` : null;
}

function missingFrom(names: string[], wanted: string[]): string | undefined {
  const left = [...names];
  return wanted.find((name) => {
    const at = left.indexOf(name);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

function namesIn(text: string): string[] {
  const prose = text.normalize('NFKC').replace(codeSpan, ' ');
  const quoted = [...prose.matchAll(quotation)].flatMap((match) => match.slice(1).filter(Boolean));
  return [
    ...(text.match(codeSpan) ?? []),
    ...quoted.map((words) => words.replace(/(?<![\s.,。、])[\s.,。、]+$/u, '').trim()),
    ...(prose.replace(quotation, ' ').match(number) ?? []),
  ];
}
