import { requireOwnAnswer } from '../../actions/questions/request-answer.ts';
import { type Look, seenBy } from '../../actions/repositories/find-repository.ts';
import type { Answer } from '../../contract/answer.ts';
import { LanguageCode, Uuid } from '../../contract/formats.ts';
import { Type } from '../../contract/type.ts';
import { deleteAnswer, listAnswers, shareAnswer } from '../../db/answers.ts';
import { articleLink, repositoryLink } from '../../pages/links.ts';
import { presentAnswer } from '../answers/present.ts';
import type { Deps } from '../deps.ts';
import { pullRequestPath, repositoryParams } from '../pull-requests.ts';
import { createAnswerer } from '../questions.ts';
import { addressOf, hostQuery } from '../requests/choose-code-host.ts';
import { abortOnDisconnect } from '../requests/parse-requests.ts';
import { ownForm, pageOfForm } from './page.ts';

const mostShown = 20;

/** The answers that a page shows: none without an account. */
export async function answersFor(
  { database }: Deps,
  about: Parameters<typeof listAnswers>[1]['about'],
  look: Look,
): Promise<Answer[]> {
  const { viewer } = look;
  if (!viewer?.user) return [];
  const wanted = { about, viewer: seenBy(look), limit: mostShown, offset: 0 };
  const rows = await listAnswers(database, wanted);
  return rows.map((row) => presentAnswer(row, viewer));
}

/** As long as the API waits; an answer that takes longer shows once the page is loaded again. */
const patienceMs = 60_000;

const askedThere = (answer: Answer | null): string => (answer ? `#answer-${answer.id}` : '#questions');

const body = { question: Type.String(), language: LanguageCode() };

export const askForm = (deps: Deps) => {
  const answer = createAnswerer(deps);
  return ownForm({
    params: pullRequestPath,
    query: hostQuery(deps.codeHosts),
    body,
    async submit({ params, query, body, viewer, reply }) {
      const { number } = params;
      const address = addressOf(deps.codeHosts, params, query);
      const signal = AbortSignal.any([abortOnDisconnect(reply), AbortSignal.timeout(patienceMs)]);
      const answered = await answer({ ...address, number, ...body }, viewer, signal);
      const place = { host: address.codeHost.id, owner: address.owner, repo: address.name, prNumber: number };
      const { language } = body;
      return articleLink(place, deps.codeHosts[0]?.id ?? '', { language }) + askedThere(answered);
    },
  });
};

export const askRepositoryForm = (deps: Deps) => {
  const answer = createAnswerer(deps);
  return ownForm({
    params: repositoryParams,
    query: hostQuery(deps.codeHosts),
    body,
    async submit({ params, query, body, viewer, reply }) {
      const address = addressOf(deps.codeHosts, params, query);
      const signal = AbortSignal.any([abortOnDisconnect(reply), AbortSignal.timeout(patienceMs)]);
      const answered = await answer({ ...address, number: null, ...body }, viewer, signal);
      const place = { host: address.codeHost.id, owner: address.owner, repo: address.name };
      const firstHost = deps.codeHosts[0]?.id ?? '';
      return repositoryLink(place, firstHost, { tab: 'articles' }) + askedThere(answered);
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
