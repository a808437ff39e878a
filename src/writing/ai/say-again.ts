import type { Draft, Sentence } from '../draft.ts';
import { numberSentences, replaceSentences } from '../number-sentences.ts';
import { SayAgainAnswer } from './answers.ts';
import { fillPrompt } from './fill-prompt.ts';
import type { Telling } from './telling.ts';
import type { ModelArticle } from './write-with-model.ts';

/**
 * Says an article that was checked in another language, sentence by sentence, so that the reading is paid once. A sentence
 * that lost or gained a name, number or quotation on the way is asked for once more, and then left out.
 */
export async function sayAgain(telling: Telling, article: Draft): Promise<ModelArticle> {
  const sentences = numberSentences(article);
  const said = new Map<number, Sentence>();
  for (const isLast of [false, true]) {
    const missing = sentences.flatMap((sentence, index) => (said.has(index) ? [] : [{ sentence, index }]));
    if (missing.length === 0) break;
    telling.onProgress('writing', said.size, sentences.length);
    for (const [index, sentence] of await askFor(telling, missing)) said.set(index, sentence);
    const outcomes = await telling.check(
      replaceSentences(
        article,
        sentences.map((sentence, index) => said.get(index) ?? { ...sentence, text: '' }),
      ),
    );
    for (const [index, { kept }] of outcomes.entries()) if (!kept) said.delete(index);
    if (isLast) break;
  }
  const isClaim = (index: number) => index > 0 && sentences[index]?.basis !== 'judgement';
  const claims = sentences.filter((_, index) => isClaim(index)).length;
  const verified = [...said.keys()].filter(isClaim).length;
  return {
    draft: replaceSentences(
      article,
      sentences.map((_, index) => said.get(index) ?? null),
    ),
    verification: { claims, verified, repaired: 0, dropped: claims - verified, judged: 0, unjudged: 0 },
  };
}

async function askFor(
  { ask, prompts, project, language }: Telling,
  missing: { sentence: Sentence; index: number }[],
): Promise<Map<number, Sentence>> {
  const lines = missing.map(({ sentence, index }) => `${index} ${sentence.text}`);
  const filled = fillPrompt(prompts['say-again'], { language, project, lines });
  const answer = await ask({ ...filled, schema: SayAgainAnswer });
  const said = new Map<number, Sentence>();
  for (const { n, text } of answer.sentences) {
    const original = missing.find(({ index }) => index === n)?.sentence;
    if (original && keepsNames(original.text, text)) said.set(n, { ...original, text: text.trim() });
  }
  return said;
}

/** Whether two wordings name the same things: code, numbers and quotations, in whatever order. */
export function keepsNames(one: string, other: string): boolean {
  return namesIn(one).join('\n') === namesIn(other).join('\n');
}

const code = /`[^`]+`/g;
const quotation = /“([^”]+)”|"([^"]+)"|「([^」]+)」|『([^』]+)』|«([^»]+)»|„([^“”]+)[“”]/g;
const number = /(?<![\p{L}\d])\d+(?:[.,:]\d+)*/gu;

function namesIn(text: string): string[] {
  const prose = text.replace(code, ' ');
  const quoted = Array.from(prose.matchAll(quotation), (match) => match.slice(1).find(Boolean) ?? '');
  return [
    ...(text.match(code) ?? []),
    ...quoted.map((words) => words.replace(/(?<![\s.,。、])[\s.,。、]+$/u, '').trim()),
    ...(prose.replace(quotation, ' ').match(number) ?? []),
  ].sort();
}
