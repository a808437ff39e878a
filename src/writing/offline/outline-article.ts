import type { ArticleSource } from '../article-source.ts';
import { plainText } from '../plain-text.ts';
import { type Outline, quotesIn } from './outline.ts';
import { planBackground } from './plan-background.ts';
import { planChanges } from './plan-changes.ts';
import { planPoints } from './plan-points.ts';
import { authorTitleOf, isSmall, titleFactsOf, titleWordOf } from './plan-title.ts';
import { titleWordsOf } from './title-nearness.ts';
import { unsaidKindOf } from './unsaid-kind.ts';

/** Decides what an article says, before any language comes in: all of them say the same, in the same order. */
export function outlineArticle(source: ArticleSource): Outline {
  const { title, facts } = source;
  const background = planBackground(source);
  const quotes = new Set(background.flatMap(quotesIn));
  const authorTitle = authorTitleOf(source);
  const words = titleWordsOf(`${title} ${authorTitle?.whole.text ?? ''}`);
  const changes = planChanges(source, words, (told) =>
    quotesIn(told).some((quote) => [...quotes].some((known) => known.startsWith(quote) || quote === known)),
  );
  return {
    changeType: facts.changeType,
    authorTitle,
    titleFacts: titleFactsOf(facts),
    titleWord: authorTitle ? null : titleWordOf(source),
    isSmall: isSmall(facts),
    unsaidKind: unsaidKindOf(authorTitle, facts.files),
    ownTitle: plainText(title),
    background,
    changes,
    points: planPoints(source),
  };
}
