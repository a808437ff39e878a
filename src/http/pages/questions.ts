import type { FastifyReply } from 'fastify';
import { findJobsAfterRenewal } from '../../actions/articles/request-article.ts';
import type { SignedUpViewer } from '../../actions/deps.ts';
import { requireOwnAnswer } from '../../actions/questions/request-answer.ts';
import type { Look } from '../../actions/repositories/find-repository.ts';
import { LanguageCode, Uuid } from '../../contract/formats.ts';
import type { Answer } from '../../contract/questions.ts';
import { Type } from '../../contract/type.ts';
import { deleteAnswer, listAnswers, type StoredAnswer, shareAnswer } from '../../db/questions.ts';
import type { DetailScope } from '../../db/visibility.ts';
import { isOver } from '../../domain/jobs.ts';
import { articleLink, repositoryLink } from '../../pages/links.ts';
import type { Deps } from '../deps.ts';
import { requireResult } from '../jobs.ts';
import { pullRequestPath, repositoryParams } from '../pull-requests.ts';
import { createAnswerer } from '../questions.ts';
import { hostQuery, requestedAddress } from '../requests/choose-code-host.ts';
import { abortOnDisconnect } from '../requests/parse-requests.ts';
import { presentAnswer } from '../responses/present.ts';
import { asUser, ownForm, pageOfForm } from './page.ts';

const mostShown = 20;

export async function answersOnPage(
  { database }: Deps,
  about: Parameters<typeof listAnswers>[1]['about'],
  viewer: DetailScope,
  language: string,
): Promise<Answer[]> {
  const rows = await listAnswers(database, { about, viewer, limit: mostShown, offset: 0 });
  const isMeant = ({ userId, languageCode }: StoredAnswer): boolean =>
    userId !== null || languageCode === language;
  return rows.filter(isMeant).map((row) => presentAnswer(row, viewer.userId));
}

export async function isAnswering(deps: Deps, jobId: string | undefined, look: Look): Promise<boolean> {
  const viewer = asUser(look.viewer);
  if (jobId === undefined || !viewer) return false;
  const visible = await findJobsAfterRenewal(deps)(jobId, { ...look, viewer });
  if (!visible) return false;
  requireResult(visible.found, look.now);
  return !isOver(visible.found.state);
}

/**
 * How long the page waits for an answer: longer than a search takes. If a model is still answering then, the page says
 * so and reloads.
 */
const patienceMs = 10_000;

export const answeringQuery = { answering: Type.Optional(Uuid('The job of a question.')) };

const body = { question: Type.String(), language: LanguageCode() };

function createAsking(deps: Deps) {
  const answer = createAnswerer(deps);
  return async (
    request: Parameters<typeof answer>[0],
    { viewer, reply }: { viewer: SignedUpViewer; reply: FastifyReply },
    pageWith: (query: { answering?: string }) => string,
  ): Promise<string> => {
    const timeout = AbortSignal.timeout(deps.patience?.questionMs ?? patienceMs);
    const asked = await answer(request, viewer, AbortSignal.any([abortOnDisconnect(reply), timeout]));
    if (asked.answer) return `${pageWith({})}#answer-${asked.answer.id}`;
    return `${pageWith(asked.jobId === null ? {} : { answering: asked.jobId })}#questions`;
  };
}

export const askForm = (deps: Deps) => {
  const ask = createAsking(deps);
  return ownForm({
    params: pullRequestPath,
    query: hostQuery(deps.codeHosts),
    body,
    submit({ params, query, body, ...call }) {
      const { number } = params;
      const address = requestedAddress(deps.codeHosts, params, query);
      const place = { host: address.codeHost.id, owner: address.owner, repo: address.name, prNumber: number };
      const firstHost = deps.codeHosts[0]?.id ?? '';
      return ask({ ...address, number, ...body }, call, (asked) =>
        articleLink(place, firstHost, { language: body.language, ...asked }),
      );
    },
  });
};

export const askRepositoryForm = (deps: Deps) => {
  const ask = createAsking(deps);
  return ownForm({
    params: repositoryParams,
    query: hostQuery(deps.codeHosts),
    body,
    submit({ params, query, body, ...call }) {
      const address = requestedAddress(deps.codeHosts, params, query);
      const place = { host: address.codeHost.id, owner: address.owner, repo: address.name };
      const firstHost = deps.codeHosts[0]?.id ?? '';
      return ask({ ...address, number: null, ...body }, call, (asked) =>
        repositoryLink(place, firstHost, { tab: 'articles', ...asked }),
      );
    },
  });
};

const params = { id: Uuid('The answer.') };

export const shareAnswerForm = (deps: Deps) =>
  ownForm({
    params,
    body: { shared: Type.Enum(['yes', 'no'], { type: 'string' }) },
    async submit({ params, body, viewer, request }) {
      const { id: answerId } = await requireOwnAnswer(deps, params.id, { viewer, now: deps.clock() });
      const change = { answerId, userId: viewer.user.id, isShared: body.shared === 'yes' };
      await shareAnswer(deps.database, change);
      return `${pageOfForm(request)}#answer-${answerId}`;
    },
  });

export const deleteAnswerForm = (deps: Deps) =>
  ownForm({
    params,
    async submit({ params, viewer, request }) {
      const { id: answerId } = await requireOwnAnswer(deps, params.id, { viewer, now: deps.clock() });
      await deleteAnswer(deps.database, { answerId, userId: viewer.user.id });
      return `${pageOfForm(request)}#questions`;
    },
  });
