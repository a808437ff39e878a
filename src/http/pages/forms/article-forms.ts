import { requestArticle } from '../../../actions/articles/request-article.ts';
import { sealIntent } from '../../../actions/articles/writing-intents.ts';
import { likeArticle, unlikeArticle } from '../../../actions/likes/like-article.ts';
import { LanguageCode, Uuid } from '../../../contract/formats.ts';
import { Type } from '../../../contract/type.ts';
import { articleLink, signInLink, signUpLink } from '../../../pages/links.ts';
import type { Deps } from '../../deps.ts';
import { dropFrom } from '../../likes.ts';
import { pullRequestParams } from '../../pull-requests.ts';
import { chooseCodeHost, hostQuery } from '../../requests/choose-code-host.ts';
import { setIntentCookie } from '../../requests/intent-cookie.ts';
import { form, ownForm, pageOfForm } from '../form.ts';

interface Place {
  params: { owner: string; repo: string; number: number };
  query: { host?: string };
}

function placeOf({ codeHosts }: Deps, { params, query }: Place) {
  const { owner, repo, number: prNumber } = params;
  return { host: chooseCodeHost(codeHosts, query.host).id, owner, repo, prNumber };
}

const firstHost = ({ codeHosts }: Deps): string => codeHosts[0]?.id ?? '';

/** Likes an article, or no longer. */
export const likeForm = (deps: Deps) =>
  ownForm({
    params: pullRequestParams,
    query: Type.Object(hostQuery(deps.codeHosts)),
    body: Type.Object(
      {
        article: Uuid('The article.'),
        language: LanguageCode(),
        like: Type.Enum(['yes', 'no'], { type: 'string' }),
      },
      { additionalProperties: false },
    ),
    async submit({ body: { article: articleId, language, like }, viewer, ...call }) {
      const change = like === 'yes' ? likeArticle : unlikeArticle;
      await change(deps, { articleId, languageCode: language }, viewer);
      dropFrom(deps.cache, articleId);
      const page = pageOfForm(call.request);
      return /^\/liked(?:$|\?)/.test(page)
        ? page
        : articleLink(placeOf(deps, call), firstHost(deps), { language });
    },
  });

/**
 * Has an article written. A visitor who is no user yet is led to signing in first; what they wanted is kept in their browser,
 * sealed, and is begun when they come back.
 */
export const writeForm = (deps: Deps) =>
  form({
    params: pullRequestParams,
    query: Type.Object(hostQuery(deps.codeHosts)),
    body: Type.Object({ language: LanguageCode() }, { additionalProperties: false }),
    async submit({ body: { language }, viewer, request, reply, ...call }) {
      const { owner, repo, number } = call.params;
      const place = placeOf(deps, call);
      if (!viewer?.user) {
        const page = articleLink(place, firstHost(deps));
        const intent = sealIntent(deps, { ...place, number, language });
        setIntentCookie(reply, { request, publicUrl: deps.publicUrl }, intent);
        return viewer ? signUpLink(page) : signInLink(page);
      }
      const address = { codeHost: chooseCodeHost(deps.codeHosts, call.query.host), owner, name: repo };
      const wish = { address, number, language, regenerate: false };
      await requestArticle(deps, wish, { viewer: { ...viewer, user: viewer.user }, watched: null });
      return articleLink(place, firstHost(deps), { language });
    },
  });
