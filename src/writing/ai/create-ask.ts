import type { Static, TSchema } from 'typebox';
import { isInLanguage, wordsIn } from './check-language.ts';
import { languageName } from './fill-prompt.ts';
import { fitAnswer } from './fit-answer.ts';
import { ModelFailure } from './model-failure.ts';
import type { ModelAnswer, ModelQuestion } from './model-question.ts';
import type { Ask, Question } from './telling.ts';

interface Asking {
  /** Puts a question to the model. */
  put: (question: ModelQuestion) => Promise<ModelAnswer>;
  /** What a model is told whose answer is of no use. */
  askAgain: string;
  /** In which language the answer is to be; null where that does not matter. */
  language: string | null;
  maxOutputTokens: number;
  signal: AbortSignal;
  onText: (soFar: string) => void;
  onWait?: () => void;
}

/** Who has not understood after this many calls will not. */
const mostCalls = 3;

/** As much of a useless answer as it takes to see what is wrong with it. */
const mostShown = 20_000;

/** Asks until the answer has the form and the language that were asked for, a few times at most. */
export function createAsk({ put, askAgain, language, ...rest }: Asking): Ask {
  return async <Schema extends TSchema>(question: Question<Schema>): Promise<Static<Schema>> => {
    const earlier: ModelQuestion['earlier'] = [];
    let failure = new ModelFailure('badOutput');
    let wasInWrongLanguage = false;
    while (earlier.length < mostCalls) {
      const said = await put({ ...question, ...rest, earlier: [...earlier] });
      const fitted = said.isCutOff ? null : fitAnswer(question.schema, said.answer);
      if (fitted?.fits && (!language || (await isInLanguage(wordsIn(fitted.answer), language))))
        return fitted.answer;
      if (fitted?.fits && wasInWrongLanguage) break;
      wasInWrongLanguage = fitted?.fits ?? false;
      failure = new ModelFailure(fitted ? 'badOutput' : 'cutOff');
      const complaint = complaintAbout(fitted, language);
      earlier.push({
        answer: said.text.trim().slice(0, mostShown) || '(nothing)',
        complaint: askAgain.replace('{{complaint}}', complaint).trim(),
      });
    }
    throw failure;
  };
}

function complaintAbout(fitted: ReturnType<typeof fitAnswer> | null, language: string | null): string {
  if (!fitted)
    return 'it was cut off because it is too long. Give less: fewer items, and at most half as many sentences.';
  return fitted.fits ? `it is not in ${languageName(language ?? '')}.` : fitted.complaint;
}
