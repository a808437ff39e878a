import type { ArticleSource } from './article-source.ts';
import type { Outline } from './outline.ts';
import { planBackground } from './plan-background.ts';
import { planChanges } from './plan-changes.ts';
import { planPoints } from './plan-points.ts';
import { bareTitle, titleFactsOf } from './plan-title.ts';

/** Decides what an article says, before any language comes in: all of them say the same, in the same order. */
export function outlineArticle(source: ArticleSource): Outline {
  const { title, author, facts } = source;
  return {
    changeType: facts.changeType,
    authorTitle: { whole: { speaker: author, where: 'title', text: title }, ...bareTitle(title) },
    titleFacts: titleFactsOf(facts),
    background: planBackground(source),
    changes: planChanges(facts.files),
    points: planPoints(facts),
  };
}
