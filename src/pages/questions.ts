import type { ArticleContent } from '../contract/articles.ts';
import { type Answer, longestAsked } from '../contract/questions.ts';
import { judgementWord } from '../domain/article-words.ts';
import { risksOf } from '../domain/articles.ts';
import { linesOfPlace } from './articles/code.ts';
import { diffLinks } from './articles/diff-links.ts';
import type { ShownArticle } from './articles/shown-article.ts';
import { type Html, html, nothing } from './html.ts';
import { buttonForm, dated, hiddenFields, type PageContext } from './layout.ts';
import {
  apiPath,
  articleLink,
  hostNamed,
  type RepositoryPlace,
  repositoryLink,
  signInLink,
  signUpLink,
  webAddress,
  withQuery,
} from './links.ts';
import { languageToWriteIn } from './progress.ts';
import { fileName, languageAttribute, said } from './text.ts';

interface Asked {
  answers: Answer[];
  isAnswering: boolean;
  suggested?: string[];
  language: string;
  isPrivate: boolean;
  /** The link to a file in the diff of the pull request; by default, to the diff that a sentence names. */
  inDiff?: ((fileName: string) => string) | undefined;
}

export const questionScripts = ['questions.js'];
export const questionStyles = ['questions.css'];

/** The field for a question about a pull request or repository, and the answers that the reader may see. */
export function questions(
  context: PageContext,
  place: RepositoryPlace & { prNumber?: number },
  { answers, isAnswering, suggested = [], language: wished, ...shown }: Asked,
): Html {
  const { words, viewer, address, firstHost, ours, writesIn, models } = context;
  const { prNumber } = place;
  const { model, search, answered, loadsAgain } = words.questions;
  const isByModel = models !== null && (models.mayReadPrivate || !shown.isPrivate);
  const { change, repository, ask, signIn, answering, placeholder } = isByModel ? model : search;
  const about = prNumber === undefined ? repository : change;
  const below = html`<div id="answers">${answers.map((one) => answer(context, place, one, shown))}</div>`;
  if (!viewer?.language)
    return html`<section class="questions more" id="questions"${ours}><h2>${answers.length > 0 ? answered : about}</h2>
${answers.length > 0 && below}
<p class="meta"><a href="${(viewer ? signUpLink : signInLink)(address)}">${signIn}</a></p></section>`;
  const language = writesIn.includes(wished) ? wished : languageToWriteIn(context);
  const isOne = prNumber !== undefined;
  const action = isOne
    ? articleLink({ ...place, prNumber }, firstHost, {}, '/ask')
    : repositoryLink(place, firstHost, {}, '/ask');
  const path = isOne ? `/pulls/${prNumber}/questions` : '/questions';
  const api = withQuery(`${apiPath(place)}${path}`, hostNamed(place.host, firstHost));
  return html`<section class="questions more" id="questions" data-api="${api}"${ours}><h2>${about}</h2>
<form class="ask" method="post" action="${action}">${hiddenFields({ language })}<input name="question" id="question" required maxlength="${longestAsked}" autocomplete="off" aria-label="${about}" aria-keyshortcuts="a" placeholder="${placeholder}"> <button class="primary">${ask}</button></form>
${isByModel && suggested.length > 0 && html`<div class="suggested">${suggested.map((question) => buttonForm(action, { language, question }, html`<button class="tool">${question}</button>`))}</div>`}
<p class="progress" id="answering" hidden><span role="status">${answering}</span> <button type="button" class="plain">${words.doing.cancel}</button></p>
${isAnswering && html`<noscript><p class="progress" role="status">${answering} ${loadsAgain}</p></noscript>`}
${below}</section>`;
}

function answer(
  context: PageContext,
  place: RepositoryPlace,
  shown: Answer,
  { isPrivate, inDiff }: Pick<Asked, 'isPrivate' | 'inDiff'>,
): Html {
  const { words, language } = context;
  const { id, question, languageCode, writer, found, statements, stale, shared, own, createdAt } = shown;
  const { searched, notShown, outdated, onlyYou, share, unshare, remove } = words.questions;
  const isSearch = writer.kind === 'offline';
  const label = isSearch ? searched : found ? null : notShown;
  const word = (one: Answer['statements'][number]): Html => {
    const said = judgementWord(words.inArticle, one);
    return html`${said && html`<small class="judgement">${said}</small> `}`;
  };
  const sentence = (one: Answer['statements'][number]): Html =>
    html`<li><p class="told">${word(one)}<span${languageCode !== language && languageAttribute(languageCode)}>${said(languageCode, one.text)}</span></p>
${sources(context, { ...place, inDiff }, shown, one)}</li>`;
  const owned = own && [
    isPrivate &&
      buttonForm(
        `/answers/${id}/share`,
        { shared: shared ? 'no' : 'yes' },
        html`<button class="plain">${shared ? unshare : share}</button>`,
      ),
    buttonForm(`/answers/${id}/delete`, {}, html`<button class="plain">${remove}</button>`),
  ];
  return html`<div class="answer" id="answer-${id}" tabindex="-1"><h3><bdi>${question}</bdi></h3>
<div class="meta">${label && html`<b class="label">${label}</b> `}${stale && html`<span>${outdated}</span> `}<span>${dated(context, createdAt)}</span> ${isPrivate && own && !shared && html`<span>${onlyYou}</span> `}${owned}</div>
<ul>${statements.map(sentence)}</ul></div>`;
}

function sources(
  { words, firstHost }: PageContext,
  { inDiff, ...place }: RepositoryPlace & Pick<Asked, 'inDiff'>,
  shown: Answer,
  { evidence, prNumber }: Answer['statements'][number],
): Html {
  const diffOf = (prNumber: number): string => articleLink({ ...place, prNumber }, firstHost, {}, '/diff');
  const places = evidence.map((one) => {
    const { hostUrl } = one;
    const lines = linesOfPlace(words, one);
    const number = one.prNumber ?? shown.prNumber;
    const ownDiff = one.unchanged
      ? null
      : (inDiff?.(one.fileName) ?? (number === null ? null : diffOf(number)));
    const address = webAddress(hostUrl) ?? ownDiff;
    const said = html`${fileName(one.fileName)} ${lines}`;
    return address
      ? html`<a href="${address}" rel="nofollow noreferrer">${said}</a> `
      : html`<span>${said}</span> `;
  });
  const cited = prNumber ?? null;
  const named =
    cited !== null && html`<a href="${articleLink({ ...place, prNumber: cited }, firstHost)}">#${cited}</a> `;
  return places.length === 0 && !named ? nothing : html`<p class="source">${named}${places}</p>`;
}

const longestName = 60;

const exampleName = (statements: { text: string }[]): string | null =>
  statements
    .flatMap(({ text }) => Array.from(text.matchAll(/`([^`\s]+)`/g), ([, name = '']) => name))
    .find((name) => name.length <= longestName) ?? null;

/** Suggested questions that the article has facts for: what breaks, what is tested, and who is affected. */
function suggestedQuestions({ questions: words }: PageContext['words'], content: ArticleContent): string[] {
  const { tests, mainChanges, scope } = content;
  const broken = exampleName(risksOf(content).flatMap(({ point }) => point.statements));
  const tested = tests?.added.find((name) => name.length <= longestName);
  const affected = scope && exampleName(mainChanges.flatMap(({ statements }) => statements));
  return [
    ...(broken ? [words.breaks(broken)] : []),
    ...(tested ? [words.tested(tested)] : []),
    ...(affected ? [words.affected(affected)] : []),
  ];
}

export const articleQuestions = (context: PageContext, shown: ShownArticle): Html =>
  questions(context, shown.article, {
    answers: shown.answers,
    isAnswering: shown.isAnswering,
    isPrivate: shown.isPrivate,
    suggested: suggestedQuestions(context.words, shown.content),
    language: shown.content.languageCode,
    inDiff: diffLinks(context, shown),
  });
