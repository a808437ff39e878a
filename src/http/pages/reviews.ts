import { readReviewPage } from '../../actions/reviews/read-review.ts';
import type { Hunk } from '../../contract/article-parts.ts';
import { Type } from '../../contract/type.ts';
import { reviewOrders } from '../../domain/reviews.ts';
import type { HunkCode } from '../../pages/articles/shown-article.ts';
import { reviewPage as showReview } from '../../pages/reviews.ts';
import type { Deps } from '../deps.ts';
import { pageAboutArticle } from './about-article.ts';
import { languageOf, setHunk } from './code-lines.ts';
import type { SetBlock } from './highlight.ts';

export const getReviewPage = (deps: Deps) =>
  pageAboutArticle(deps, {
    query: {
      order: Type.Optional(Type.Enum([...reviewOrders], { type: 'string' })),
      page: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })),
    },
    async show({ query: { order = 'time', page = 1 }, stored, seen, about, context, findChange }) {
      const [read, change] = await Promise.all([
        readReviewPage(deps, stored, { viewer: seen, order, page }),
        findChange([]),
      ]);
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
      const shown = { ...about, change, hunks, newSentences: new Set<string>() };
      return { page: showReview(context, shown, { ...read, order, page }), isComplete };
    },
  });
