import type { Static, TObject, TProperties } from 'typebox';
import { contentInLanguage, findArticleAbout } from '../../actions/articles/read-article.ts';
import { mostPartBytes } from '../../actions/pull-requests/cite-lines.ts';
import { LanguageCode } from '../../contract/formats.ts';
import { Type } from '../../contract/type.ts';
import { findArticlePageData, type ShownDiff } from '../../db/article-pages.ts';
import type { StoredArticle } from '../../db/articles.ts';
import type { DetailScope } from '../../db/visibility.ts';
import { isSameDiff } from '../../domain/pull-requests.ts';
import type { Html } from '../../pages/html.ts';
import type { PageContext } from '../../pages/layout.ts';
import { articleCachePolicy } from '../cache/cache-policy.ts';
import type { Deps } from '../deps.ts';
import { pullRequestAddress, pullRequestPath } from '../pull-requests.ts';
import { hostQuery } from '../requests/choose-code-host.ts';
import { type PageCall, page, presentIn } from './page.ts';

interface AboutArticle<Query extends TProperties> extends Pick<PageCall, 'reply'> {
  query: Static<TObject<Query>>;
  stored: StoredArticle;
  seen: DetailScope;
  /** The article in the language that fits the reader. */
  about: ReturnType<typeof presentIn>;
  context: PageContext;
  /** The pull request's files, with the diffs of some. */
  findChange: (fileNames: string[]) => Promise<(ShownDiff & { isSame: boolean }) | null>;
}

interface Described<Query extends TProperties> {
  query?: Query;
  /** The article to show, such as the one without a model. */
  choose?: (
    found: Awaited<ReturnType<typeof findArticleAbout>>,
    query: Static<TObject<Query>>,
  ) => Promise<StoredArticle>;
  show: (call: AboutArticle<Query>) => Promise<{ page: Html; isComplete?: boolean }>;
}

/** A page about an article, such as its diff. It is cached unless it is incomplete. */
export const pageAboutArticle = <Query extends TProperties>(
  deps: Deps,
  { query: own, choose = async ({ found }) => found, show }: Described<Query>,
) =>
  page({
    params: pullRequestPath,
    query: { ...hostQuery(deps.codeHosts), language: Type.Optional(LanguageCode()), ...own },
    async show({ params, query: given, viewer, reply, acceptLanguage, contextIn }) {
      const query = given as { host?: string; language?: string } & Static<TObject<Query>>;
      const visible = await findArticleAbout(deps, pullRequestAddress(deps, { params, query }), viewer);
      const stored = await choose(visible, query);
      const wish = { requested: query.language, own: viewer?.user?.language, acceptLanguage };
      const content = contentInLanguage(stored, wish);
      const { languageCode } = content;
      const { seen } = visible;
      const findChange = async (fileNames: string[]) => {
        const wanted = { articleId: stored.id, languageCode, fileNames, mostPartBytes, viewer: seen };
        const change = (await findArticlePageData(deps.database, wanted))?.change ?? null;
        return change && { ...change, isSame: isSameDiff(content, change) };
      };
      const about = presentIn(stored, content);
      const context = contextIn(languageCode);
      const made = await show({ query, reply, stored, seen, about, context, findChange });
      return { page: made.page, ...(made.isComplete !== false && articleCachePolicy(stored)) };
    },
  });
