import type { FileDiff } from '../../reading/file-diff.ts';
import { translateDraft } from '../../writing/ai/translate-draft.ts';
import {
  checkDigest,
  type DigestChange,
  materialOfDigest,
  writeDigest,
} from '../../writing/ai/write-digest.ts';
import { isOfflineLanguage } from '../../writing/articles.ts';
import { checked } from '../../writing/questions/answer-by-search.ts';
import { createTelling, type ModelSource, type ModelTask } from '../articles/write-model-article.ts';
import {
  type FoundStatement,
  type NumberedPayload,
  type QuestionSource,
  readSource,
  withNumbers,
} from '../questions/answer-question.ts';

export interface ParagraphTask
  extends Pick<ModelTask, 'language' | 'project' | 'prompts' | 'mostBytes' | 'mostBytesToJudge' | 'seed'> {
  changes: DigestChange[];
  pullRequests: NumberedPayload[];
}

type ParagraphSource = QuestionSource & Pick<ModelSource, 'ask' | 'askJudge' | 'onControl'>;

export interface FoundParagraph {
  title: { text: string; prNumbers: number[] } | null;
  statements: FoundStatement[];
}

/** Reads the files that articles cite, and checks the paragraph of a model against them like an answer. */
export async function writeParagraph(
  { changes, pullRequests, ...task }: ParagraphTask,
  source: ParagraphSource,
): Promise<FoundParagraph | 'unread'> {
  const { language, mostBytes } = task;
  const cited = new Set(
    changes.flatMap(({ number, statements }) =>
      statements.flatMap(({ evidence }) => evidence.map(({ fileName }) => `#${number}/${fileName}`)),
    ),
  );
  const citedFirst = (number: number) => (files: FileDiff[]) =>
    files.toSorted(
      (one, other) => +cited.has(`#${number}/${other.path}`) - +cited.has(`#${number}/${one.path}`),
    );
  const read = await readSource({ question: '', isAboutRepository: true, pullRequests }, source, citedFirst);
  const numbered = changes.map((change) => ({
    ...change,
    statements: change.statements.map(({ text, evidence }) => ({
      text,
      evidence: evidence.map((one) => ({ ...one, fileName: `#${change.number}/${one.fileName}` })),
    })),
  }));
  const material = materialOfDigest(read, numbered, mostBytes);
  const check = checkDigest(read, material);
  const tellingIn = (code: string) => createTelling(task, source, check, code);
  const firstLanguage = isOfflineLanguage(language) ? language : 'en';
  const first = await writeDigest(tellingIn(firstLanguage), material, numbered);
  const written =
    first && language !== firstLanguage && first.draft.background.some(({ text }) => text !== '')
      ? await translateDraft(tellingIn(language), first.draft, material)
      : first;
  if (!written) return 'unread';
  const { background, title } = written.draft;
  const numbers = title.evidence.flatMap(({ fileName }) => read.placeOf(fileName).prNumber ?? []);
  return {
    title: title.text === '' ? null : { text: title.text, prNumbers: [...new Set(numbers)] },
    statements: checked(background, read.ground).map((one) => withNumbers(one, background, read)),
  };
}
