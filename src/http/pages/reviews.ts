import { contentInLanguage, findArticleAbout } from '../../actions/articles/read-article.ts';
import { mostPartBytes } from '../../actions/pull-requests/cite-lines.ts';
import { readReviewPage } from '../../actions/reviews/read-review.ts';
import type { Hunk } from '../../contract/article-parts.ts';
import { LanguageCode } from '../../contract/formats.ts';
import { Type } from '../../contract/type.ts';
import { findArticlePageData } from '../../db/article-pages.ts';
import { reviewOrders } from '../../domain/reviews.ts';
import type { HunkCode } from '../../pages/articles/shown-article.ts';
import { reviewPage as showReview } from '../../pages/reviews.ts';
import { articleCachePolicy } from '../cache/cache-policy.ts';
import type { Deps } from '../deps.ts';
import { pullRequestAddress, pullRequestPath } from '../pull-requests.ts';
import { hostQuery } from '../requests/choose-code-host.ts';
import { languageOf, setHunk } from './code-lines.ts';
import type { SetBlock } from './highlight.ts';
import { page, presentIn } from './page.ts';

export const getReviewPage = (deps: Deps) =>
  page({
    params: pullRequestPath,
    query: {
      ...hostQuery(deps.codeHosts),
      language: Type.Optional(LanguageCode()),
      order: Type.Optional(Type.Enum([...reviewOrders], { type: 'string' })),
      page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })),
    },
    async show({ params, query, viewer, acceptLanguage, contextIn }) {
      const address = pullRequestAddress(deps, { params, query });
      const { language, order = 'time', page = 1 } = query;
      const { found: article, seen } = await findArticleAbout(deps, address, viewer);
      const wish = { requested: language, own: viewer?.user?.language, acceptLanguage };
      const stored = contentInLanguage(article, wish);
      const { languageCode } = stored;
      const [read, data] = await Promise.all([
        readReviewPage(deps, article, { viewer: seen, order, page }),
        findArticlePageData(deps.database, {
          articleId: article.id,
          languageCode,
          fileNames: [],
          mostPartBytes,
          viewer: seen,
        }),
      ]);
      const change = data?.change ?? null;
      const blocks: SetBlock[] = [];
      const hunks = new Map<Hunk, HunkCode>();
      for (const item of read.items)
        for (const hunk of 'fileName' in item ? [item.hunkAsReviewed, item.hunk] : [])
          if (hunk)
            hunks.set(
              hunk,
              setHunk(blocks, hunk, { file: undefined, language: languageOf(hunk.fileName, change) }),
            );
      const isComplete = await deps.highlighter.highlight(blocks);
      const shown = { ...presentIn(article, stored), change, hunks, newSentences: new Set<string>() };
      return {
        page: showReview(contextIn(languageCode), shown, { ...read, order, page }),
        ...(isComplete && articleCachePolicy(article)),
      };
    },
  });
