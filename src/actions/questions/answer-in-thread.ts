import {
  answerWithModel,
  checkAnswers,
  materialFor,
  questionLine,
} from '../../writing/ai/answer-with-model.ts';
import { lookAround } from '../../writing/ai/looks/look-around.ts';
import { translateDraft } from '../../writing/ai/translate-draft.ts';
import { isOfflineLanguage } from '../../writing/articles.ts';
import { checked, lookedAtIn } from '../../writing/questions/answer-by-search.ts';
import type { TreeSource } from '../articles/tree-source.ts';
import {
  createTelling,
  lookingIn,
  type ModelSource,
  type ModelTask,
} from '../articles/write-model-article.ts';
import {
  type FoundAnswer,
  type QuestionSource,
  type QuestionTask,
  readSource,
  withNumbers,
} from './answer-question.ts';

export type ModelQuestionTask = QuestionTask &
  Pick<ModelTask, 'language' | 'project' | 'prompts' | 'mostBytes' | 'mostBytesToJudge' | 'looks' | 'seed'>;

type ModelQuestionSource = QuestionSource &
  Pick<ModelSource, 'ask' | 'askJudge' | 'askLooks' | 'onControl' | keyof TreeSource>;

/**
 * Finds the material for a question, and checks the answer of the model. The rules support two languages, so an answer
 * in any other is a translation of a checked English one.
 */
export async function answerQuestionWithModel(
  task: ModelQuestionTask,
  source: ModelQuestionSource,
): Promise<FoundAnswer | 'unread' | 'tooLarge'> {
  const { question, language } = task;
  const read = await readSource(task, source);
  const shownMaterial = materialFor(read, question, task.mostBytes);
  if (!shownMaterial) return 'tooLarge';
  const firstLanguage = isOfflineLanguage(language) ? language : 'en';
  const { material, looked } = await lookAround(
    // A question about a repository has no looks, because its pull requests have different trees.
    lookingIn({ ...task, looks: task.isAboutRepository ? 0 : task.looks }, source, firstLanguage),
    shownMaterial,
    { diff: read.diff, files: read.facts.files },
    [questionLine(question)],
  );
  read.ground.takeIn(looked);
  const check = checkAnswers(read, material, question);
  const tellingIn = (code: string) => createTelling(task, source, check, code);
  const first = await answerWithModel(tellingIn(firstLanguage), material, question);
  const isAnswered = first?.draft.background.some(({ text }) => text !== '') ?? false;
  const isSaidAgain = language !== firstLanguage && isAnswered;
  const written =
    first && isSaidAgain ? await translateDraft(tellingIn(language), first.draft, material) : first;
  if (!written) return 'unread';
  const { background } = written.draft;
  const statements = checked(background, read.ground);
  const found = statements.length > 0;
  const shown = found ? statements : checked([lookedAtIn(read.lookedAt, firstLanguage)], read.ground);
  return {
    found,
    statements: shown.map((one) => withNumbers(one, background, read)),
    verification: written.verification,
  };
}
