import type { CodeHost, HostPullRequest, Tree } from '../../code-hosts/code-host.ts';
import type { Answer } from '../../contract/questions.ts';
import type { DiffLine } from '../../reading/file-diff.ts';
import { ModelFailure } from '../../writing/ai/model-question.ts';
import { isOfflineLanguage, type WriterLabel } from '../../writing/articles.ts';
import { writtenOfflineOnly } from '../articles/compose-article.ts';
import type { WantedModels } from '../articles/explain-pull-request.ts';
import type { RunInThread } from '../articles/thread-tasks.ts';
import { treeSource } from '../articles/tree-source.ts';
import { citeLines, readFilesOfDiff } from '../pull-requests/cite-lines.ts';
import { type ReadChange, readChange } from '../pull-requests/collect-diff.ts';
import type { FoundAnswer, LabelledAnswer, QuestionTask } from './answer-question.ts';

interface AnswerOptions {
  host: string;
  owner: string;
  repo: string;
  languageCode: string;
  maxDiffBytes: number;
  linesUrl: CodeHost['linesUrl'];
  wanted: WantedModels | null;
  tree: Tree | null;
}

type CitedStatement = Answer['statements'][number] & {
  lines: Pick<DiffLine, 'side' | 'text'>[][];
};

export type AnswerHere = Pick<
  Answer,
  'question' | 'languageCode' | 'found' | 'writer' | 'verification' | 'usage'
> & { statements: CitedStatement[] };

/**
 * Answers a question about a pull request like the service, with or without models, but stores nothing. Throws a
 * ModelFailure if the models fail and the rules do not support the language.
 */
export async function answerAboutChange(
  run: RunInThread,
  onHost: HostPullRequest,
  question: string,
  { languageCode, linesUrl, wanted, tree, ...place }: AnswerOptions,
): Promise<AnswerHere> {
  const change = await readChange(run, onHost, place);
  const { payload, texts } = change;
  const pullRequests = [{ number: onHost.number, payload }];
  const asked = { change, tree, languageCode, task: { question, isAboutRepository: false, pullRequests } };
  const answer = await (wanted ? answerAsWanted(run, asked, wanted) : search(run, asked));
  const linesOf = await readCited(change, answer);
  const statements = answer.statements.map(({ comments: _, ...statement }) => ({
    ...statement,
    evidence: statement.evidence.map((lines) => ({
      ...lines,
      hostUrl: linesUrl(texts.hostUrl, texts.headSha, lines),
    })),
    lines: statement.evidence.map(linesOf),
  }));
  return { question, languageCode, ...answer, statements };
}

interface Asked {
  change: ReadChange;
  tree: Tree | null;
  languageCode: string;
  task: QuestionTask;
}

/** Answers with models, or by search if they fail, which the answer says. */
async function answerAsWanted(run: RunInThread, asked: Asked, wanted: WantedModels): Promise<LabelledAnswer> {
  try {
    return await answerWith(run, asked, wanted);
  } catch (error) {
    if (!(error instanceof ModelFailure) || !isOfflineLanguage(asked.languageCode)) throw error;
    wanted.onFailure(error);
    return search(run, asked, { because: error.reason === 'tooLong' ? 'tooLarge' : 'failed' });
  }
}

async function answerWith(
  run: RunInThread,
  { change, tree, languageCode: language, task }: Asked,
  { models, onProgress }: WantedModels,
): Promise<LabelledAnswer> {
  const [{ answerWithModels }, { createUnkeptQuestions }] = await Promise.all([
    import('./answer-with-models.ts'),
    import('../articles/model-questions.ts'),
  ]);
  return answerWithModels(
    {
      runWriter: run,
      models,
      questions: createUnkeptQuestions(),
      source: { ...change.source(onProgress), ...treeSource(async () => tree).source },
    },
    { ...task, language, seed: task.question },
    { onProgress, signal: new AbortController().signal },
  );
}

async function search(
  run: RunInThread,
  { change, languageCode: language, task }: Asked,
  label: Omit<WriterLabel, 'kind'> = {},
): Promise<LabelledAnswer> {
  if (!isOfflineLanguage(language)) throw writtenOfflineOnly(true);
  const found = await run('searchForAnswer', { ...task, language }, change.source());
  return { ...found, writer: { kind: 'offline', ...label } };
}

const bounds = { linesEach: 5, linesInAll: 5, context: 0 };

async function readCited({ source }: ReadChange, { statements }: FoundAnswer) {
  const { nextPart } = source();
  const parts: Uint8Array[] = [];
  for (let part = await nextPart(); part; part = await nextPart()) parts.push(part);
  const wanted = new Set(statements.flatMap(({ evidence }) => evidence.map(({ fileName }) => fileName)));
  const files = await readFilesOfDiff(parts, wanted);
  return ({ fileName, ...range }: FoundAnswer['statements'][number]['evidence'][number]) => {
    const [shown] = citeLines(files, [{ fileName, ranges: [range] }], bounds);
    return (shown?.runs ?? []).flat().map(({ side, text }) => ({ side, text }));
  };
}
