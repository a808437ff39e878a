import type { ArticleSource } from './article-source.ts';
import type { Outline } from './outline.ts';
import { planBackground } from './plan-background.ts';
import { planChanges } from './plan-changes.ts';
import { planPoints } from './plan-points.ts';
import { authorTitleOf, titleFactsOf } from './plan-title.ts';

/** Decides what an article says, before any language comes in: all of them say the same, in the same order. */
export function outlineArticle(source: ArticleSource): Outline {
  return {
    authorTitle: authorTitleOf(source.title),
    titleFacts: titleFactsOf(source.facts),
    background: planBackground(source),
    changes: planChanges(source.facts.files),
    points: planPoints(source.facts),
  };
}
