import type { HostPullRequest, Tree } from '../../code-hosts/code-host.ts';
import type { PublishedContent } from '../../db/articles.ts';
import { articleWordsFor } from '../../domain/article-words.ts';
import type { JobProgress } from '../../domain/jobs.ts';
import { ModelFailure } from '../../writing/ai/model-question.ts';
import { isOfflineLanguage, type WriterLabel, type WrittenArticle } from '../../writing/articles.ts';
import type { WritingModels } from '../deps.ts';
import { type ReadChange, readChange } from '../pull-requests/collect-diff.ts';
import { reviewTeller } from '../reviews/read-review.ts';
import { writtenOfflineOnly } from './compose-article.ts';
import type { RunInThread } from './thread-tasks.ts';
import { treeSource } from './tree-source.ts';
import { contentOf } from './write-article.ts';

/** The longest file name that leaves room for other words in a title. */
const mostOfName = 60;

export interface WantedModels {
  models: WritingModels;
  onProgress: (progress: JobProgress) => void;
  /** Called if the article is written without models because they failed. */
  onFailure: (failure: ModelFailure) => void;
}

/** An article with the diff that it is about. */
export interface Explained extends Pick<ReadChange, 'files' | 'parts'> {
  content: PublishedContent;
}

interface ExplainOptions {
  host: string;
  owner: string;
  repo: string;
  languageCode: string;
  maxDiffBytes: number;
  linesUrl: Parameters<typeof contentOf>[1]['codeHosts'][number]['linesUrl'];
  /** The words for a range of commits without a common title. */
  range: Parameters<ReturnType<typeof articleWordsFor>['range']>[0] | undefined;
  now: Date;
  wanted: WantedModels | null;
  tree: Tree | null;
}

/**
 * Reads a pull request and writes about it like the service, with or without models, but stores nothing. Throws a
 * ModelFailure if the models fail and the rules do not support the language.
 */
export async function explainPullRequest(
  run: RunInThread,
  onHost: HostPullRequest,
  { languageCode, linesUrl, range, now, wanted, tree, ...place }: ExplainOptions,
): Promise<Explained> {
  const change = { ...(await readChange(run, onHost, place)), languageCode, tree };
  const article = await (wanted ? writeAsWanted(run, change, wanted) : writeExplanation(run, change));
  const { host } = place;
  const title =
    article.title || (range ? articleWordsFor(languageCode).range(range) : untitled(article, languageCode));
  const content = contentOf(
    { ...article, title },
    {
      codeHosts: [{ id: host, linesUrl }],
      pullRequest: { host, ...change.texts },
      languageCode,
      now,
    },
  );
  const { files, parts } = change;
  const { discussion } = change.texts;
  if (!discussion) return { content, files, parts };
  const found = { ...change, ...change.texts, discussion, hasAllParts: change.payload.unread.length === 0 };
  const tell = await reviewTeller(found, { linesUrl });
  const review = tell(now.toISOString(), languageCode, article.chosen);
  return { content: { ...content, review }, files, parts };
}

type Change = ReadChange & { languageCode: string; tree: Tree | null };

async function writeAsWanted(
  run: RunInThread,
  change: Change,
  wanted: WantedModels,
): Promise<WrittenArticle> {
  try {
    const written = await writeWith(run, change, wanted);
    if (typeof written !== 'string') return written.words;
    if (written === 'tooLarge') throw new ModelFailure('tooLong');
    return await writeExplanation(run, change, written === 'trivial' ? { because: 'trivial' } : {});
  } catch (error) {
    if (!(error instanceof ModelFailure) || !isOfflineLanguage(change.languageCode)) throw error;
    wanted.onFailure(error);
    return writeExplanation(run, change, { because: error.reason === 'tooLong' ? 'tooLarge' : 'failed' });
  }
}

async function writeWith(
  run: RunInThread,
  { payload, languageCode: language, source, tree }: Change,
  { models, onProgress }: WantedModels,
) {
  if (payload.changedFiles === 0) return 'nothingToRead';
  const [{ writeWithModels, withoutNotes }, { createUnkeptQuestions }] = await Promise.all([
    import('./compose-with-model.ts'),
    import('./model-questions.ts'),
  ]);
  return writeWithModels(
    {
      runWriter: run,
      models,
      questions: createUnkeptQuestions(),
      source: { ...source(onProgress), ...withoutNotes, ...treeSource(async () => tree).source },
    },
    { payload, language, known: null, seed: payload.title },
    { onProgress, signal: new AbortController().signal },
  );
}

async function writeExplanation(
  run: RunInThread,
  { payload, languageCode, source }: Change,
  label: Omit<WriterLabel, 'kind'> = {},
): Promise<WrittenArticle> {
  if (!isOfflineLanguage(languageCode)) throw writtenOfflineOnly();
  const articles = await run('writeOffline', payload, source());
  const article = articles[languageCode];
  return { ...article, writer: { ...article.writer, ...label } };
}

/** A title for a diff without a title, made of the names of its files. */
function untitled({ mainChanges, also, counts }: WrittenArticle, languageCode: string): string {
  const [first = ''] = [...mainChanges.map(({ fileName }) => fileName), ...also.flatMap((row) => row.files)];
  const rest = counts.files - 1;
  const name = first.slice(-mostOfName);
  return rest > 0 ? `${name} ${articleWordsFor(languageCode).andMore(rest)}` : name;
}
