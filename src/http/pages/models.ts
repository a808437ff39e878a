import type { Static, TObject } from 'typebox';
import { contentInLanguage } from '../../actions/articles/read-article.ts';
import type { SignedUpViewer } from '../../actions/deps.ts';
import {
  applyModels,
  changeModelLimits,
  chooseModels,
  connectModel,
  dropDraft,
} from '../../actions/models/connect-model.ts';
import { removeModelSettings, requireModelOperator } from '../../actions/models/model-settings.ts';
import { requestPreview, requestTest } from '../../actions/models/request-trial.ts';
import { mostPartBytes } from '../../actions/pull-requests/cite-lines.ts';
import type { Seen } from '../../actions/repositories/find-repository.ts';
import type { ArticleContent } from '../../contract/articles.ts';
import { OneOf, Uuid } from '../../contract/formats.ts';
import type { Job as ShownJob } from '../../contract/jobs.ts';
import { wantedModelFields } from '../../contract/models.ts';
import { Type } from '../../contract/type.ts';
import { listArticles } from '../../db/article-lists.ts';
import { findArticlePageData } from '../../db/article-pages.ts';
import { findArticleOfPullRequest, type StoredContent } from '../../db/articles.ts';
import { findModelDraft } from '../../db/model-drafts.ts';
import { findModelRevision } from '../../db/models.ts';
import { Failure } from '../../domain/errors.ts';
import type { Job } from '../../domain/jobs.ts';
import { modelProblems, providers } from '../../domain/model-providers.ts';
import { isSameDiff } from '../../domain/pull-requests.ts';
import { parsePastedAddress } from '../../domain/repositories.ts';
import { alone, type ShownArticle } from '../../pages/articles/shown-article.ts';
import { withQuery } from '../../pages/links.ts';
import { modelsPage, type ShownPreview } from '../../pages/models.ts';
import type { Deps } from '../deps.ts';
import { jobFinders } from '../jobs.ts';
import { presentSettings } from '../models.ts';
import { chooseCodeHost } from '../requests/choose-code-host.ts';
import { citedFiles, setCode } from './code-lines.ts';
import { ownForm, ownPage, presentIn } from './page.ts';

const path = '/settings/model';

const mostOffered = 10;

/** Its articles are written by a recorded model. */
const sampleRepository = 'harborline/parcel';

export const getModelsPage = (deps: Deps) => {
  const finders = jobFinders(deps);
  return ownPage({
    query: {
      job: Type.Optional(Uuid()),
      side: Type.Optional(Type.Literal('present')),
      provider: Type.Optional(OneOf(providers, 'The provider that could not be connected.')),
      problem: Type.Optional(OneOf(modelProblems, 'The reason.')),
    },
    async show({ query: { job: jobId, side, provider, problem }, viewer, request, reply, contextIn }) {
      requireModelOperator(deps, viewer);
      reply.header('cache-control', 'no-store');
      const { database, clock, listViewer } = deps;
      const context = contextIn(undefined);
      const found = jobId === undefined ? null : await finders.findJob(jobId, { viewer, now: clock() });
      const job = found && (await finders.present(found, request.id));
      const { rows } = await listArticles(database, {
        viewer: listViewer(viewer),
        onceIn: [context.language],
        limit: mostOffered,
        offset: 0,
      });
      const draft = await findModelDraft(database, viewer.user.id);
      return {
        page: modelsPage(context, {
          settings: await presentSettings(deps, viewer),
          revision: await findModelRevision(database),
          draft,
          refused: provider && problem ? { provider, problem } : null,
          job: job?.work === 'test' || job?.work === 'preview' ? job : null,
          preview: found && job ? await previewOf(deps, found, job, side === 'present') : null,
          pulls: rows.map(({ owner, repo, number }) => `${owner}/${repo}#${number}`),
          example: rows.find(({ owner, repo }) => `${owner}/${repo}` === sampleRepository) ?? null,
        }),
      };
    },
  });
};

async function previewOf(
  deps: Deps,
  { found, seen }: Seen<Job>,
  { preview }: ShownJob,
  isPresentShown: boolean,
): Promise<ShownPreview | null> {
  if (found.work !== 'preview' || !preview || !found.pullRequestId) return null;
  const article = await findArticleOfPullRequest(deps.database, found.pullRequestId, seen);
  if (!article) return null;
  const { languageCode } = preview;
  const stored = contentInLanguage(article, { requested: undefined, own: languageCode, acceptLanguage: '' });
  const presented = presentIn(article, stored);
  const show = async (content: ArticleContent, of: Pick<StoredContent, 'baseSha' | 'headSha'>) => {
    const data = await findArticlePageData(deps.database, {
      articleId: article.id,
      languageCode: stored.languageCode,
      fileNames: citedFiles(content),
      mostPartBytes,
      viewer: seen,
    });
    const change = data?.change ?? null;
    const diff = change && isSameDiff(of, change) ? change : null;
    const { cited, hunks } = await setCode(
      deps.highlighter,
      content,
      change && { files: change.files, diff },
    );
    const shown: ShownArticle = {
      ...alone,
      article: presented.article,
      content,
      isPrivate: article.repository.isPrivate,
      change,
      cited,
      hunks,
    };
    return shown;
  };
  const seconds = found.startedAt
    ? (Date.parse(preview.summaryGeneratedAt) - found.startedAt.getTime()) / 1000
    : 0;
  return {
    written: await show(preview, preview),
    present: await show(presented.content, stored),
    isPresentShown,
    seconds: Math.max(1, Math.round(seconds)),
  };
}

const { provider } = wantedModelFields;

const modelName = Type.Optional(Type.String({ pattern: '^[\\w.:/@+-]{0,120}$' }));

const unusableIn = ({
  apiKey = '',
  baseUrl,
}: {
  apiKey?: string | undefined;
  baseUrl?: string | undefined;
}) =>
  /^[\x21-\x7e]{0,1000}$/.test(apiKey)
    ? baseUrl === undefined || /^https?:\/\/[^\s@?#]{1,400}$/.test(baseUrl)
      ? null
      : 'unreachable'
    : 'wrongKey';

const orNone = (given: string | undefined): string | undefined => given?.trim() || undefined;

export const connectModelForm = (deps: Deps) =>
  ownForm({
    body: {
      provider,
      apiKey: Type.Optional(Type.String({ maxLength: 1100 })),
      baseUrl: Type.Optional(Type.String({ maxLength: 500 })),
    },
    async submit({ body: given, viewer }) {
      const wanted = {
        provider: given.provider,
        apiKey: orNone(given.apiKey),
        baseUrl: orNone(given.baseUrl),
      };
      requireModelOperator(deps, viewer);
      const problem = unusableIn(wanted) ?? (await connectModel(deps, viewer, wanted));
      return problem ? withQuery(path, { provider: wanted.provider, problem }) : path;
    },
  });

const draftId = Uuid('The connection that the form is about.');

/** The fields of the form in which models are chosen, tried and used. */
const chosenFields = {
  draft: Type.Optional(draftId),
  writer: modelName,
  reader: modelName,
  private: Type.Optional(Type.Literal('yes')),
  pull: Type.Optional(Type.String({ maxLength: 400 })),
};

type Chosen = Static<TObject<typeof chosenFields>>;

function chosenIn({ draft: id = '', writer = '', reader = '', private: isPrivate }: Chosen) {
  if (writer === '')
    throw new Failure('INVALID_REQUEST', 'The model that writes is missing.', { remedy: 'Name one.' });
  return { id, writer, reader: reader === '' ? null : reader, mayReadPrivate: isPrivate !== undefined };
}

async function triedIn(deps: Deps, viewer: SignedUpViewer, chosen: Chosen) {
  requireModelOperator(deps, viewer);
  return chosen.draft === undefined ? null : chooseModels(deps, viewer, chosenIn(chosen));
}

/** Without a fragment, with which browsers do not load the page again. */
const jobLink = (job: string): string => withQuery(path, { job });

export const testModelsForm = (deps: Deps) =>
  ownForm({
    body: chosenFields,
    submit: async ({ body, viewer }) =>
      jobLink(await requestTest(deps, await triedIn(deps, viewer, body), viewer)),
  });

export const previewForm = (deps: Deps) =>
  ownForm({
    body: chosenFields,
    async submit({ body, viewer }) {
      const models = await triedIn(deps, viewer, body);
      const { codeHosts } = deps;
      const { host, owner, repo, number = null } = parsePastedAddress(body.pull ?? '', codeHosts) ?? {};
      if (owner === undefined || repo === undefined || number === null)
        throw new Failure('INVALID_REQUEST', 'This is not a pull request.', {
          remedy: 'Enter owner/repo#12 or its URL.',
        });
      const address = { codeHost: chooseCodeHost(codeHosts, host), owner, name: repo };
      const wish = { address, number, language: null };
      return jobLink(await requestPreview(deps, models, wish, viewer));
    },
  });

export const useModelsForm = (deps: Deps) =>
  ownForm({
    body: chosenFields,
    async submit({ body, viewer }) {
      requireModelOperator(deps, viewer);
      await applyModels(deps, viewer, chosenIn(body));
      await deps.reloadModels();
      return path;
    },
  });

export const dropModelForm = (deps: Deps) =>
  ownForm({
    body: { draft: draftId },
    async submit({ body: { draft }, viewer }) {
      await dropDraft(deps, viewer, draft);
      return path;
    },
  });

const revision = Type.String({ maxLength: 30 });

export const modelOffForm = (deps: Deps) =>
  ownForm({
    body: { revision },
    async submit({ body, viewer }) {
      await removeModelSettings(deps, viewer, body.revision);
      await deps.reloadModels();
      return path;
    },
  });

const amount = Type.Optional(Type.String({ pattern: '^\\d{0,13}$' }));

export const modelLimitsForm = (deps: Deps) =>
  ownForm({
    body: {
      revision,
      tokensPerDay: amount,
      tokensPerMonth: amount,
      articlesPerDay: amount,
      private: Type.Optional(Type.Literal('yes')),
    },
    async submit({ body: { tokensPerDay, tokensPerMonth, articlesPerDay, ...rest }, viewer }) {
      // Fields that the environment sets are disabled, so browsers leave them out.
      const isSet = 'mayReadPrivate' in deps.environmentLimits;
      const limits = {
        ...(tokensPerDay && { tokensPerDay: Number(tokensPerDay) }),
        ...(tokensPerMonth !== undefined && {
          tokensPerMonth: tokensPerMonth === '' ? null : Number(tokensPerMonth),
        }),
        ...(articlesPerDay && { articlesPerDay: Number(articlesPerDay) }),
        ...(!isSet && { mayReadPrivate: rest.private !== undefined }),
      };
      await changeModelLimits(deps, viewer, { limits, revision: rest.revision });
      await deps.reloadModels();
      return path;
    },
  });

export const cancelTrialForm = (deps: Deps) => {
  const { cancel } = jobFinders(deps);
  return ownForm({
    body: { job: Uuid('The test or preview.') },
    async submit({ body: { job }, viewer }) {
      await cancel(job.toLowerCase(), { viewer, now: deps.clock() });
      return jobLink(job);
    },
  });
};
