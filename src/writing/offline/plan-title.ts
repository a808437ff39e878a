import type { ChangeType } from '../../domain/change-types.ts';
import type { Facts, FileFacts, SymbolChange } from '../../reading/facts.ts';
import type { ArticleSource } from '../article-source.ts';
import { isTelling } from '../words/telling-titles.ts';
import { isThirdPerson } from '../words/verbs.ts';
import { bareTitle } from './bare-title.ts';
import { beginsWithVerb } from './languages/english/verbs.ts';
import type { AuthorTitle, TitleFacts } from './outline.ts';

/** Of more commits than these, none speaks for all. */
const mostCommits = 12;

/** Of so few, one that says what it does speaks for the others. */
const fewCommits = 3;

/** The title that somebody gave it; where that one says too little, that of a commit which is about all of it. */
export function authorTitleOf(source: ArticleSource): AuthorTitle | null {
  const { title, author } = source;
  const own = bareTitle(title);
  const isOwn = isTelling(own.text);
  if (isOwn && !own.isWeak) return { whole: { speaker: author, where: 'title', text: title }, ...own };
  const better = commitTitle(source, isOwn);
  return better ?? (isOwn ? { whole: { speaker: author, where: 'title', text: title }, ...own } : null);
}

/** The title of a commit that says more; of several only where the title says nothing at all, and one that says what it does. */
function commitTitle({ commits, facts }: ArticleSource, isSpoken: boolean): AuthorTitle | null {
  if (commits.length > (isSpoken ? 1 : mostCommits)) return null;
  const hasCode = facts.files.some(({ kind }) => kind === 'source');
  const titles = commits.map(titleOfCommit).filter(
    ({ text, whole, isWeak: isShort }) =>
      isTelling(text) &&
      !isShort &&
      text.length <= longestCommitTitle &&
      !/^(?:wip|fixup|squash|update \S+$)/i.test(text) &&
      // What goes with the code does not speak for it.
      !(hasCode && /\b(?:change-?log|docs?|docstring|news|readme|comments?|tests?|ci)\b/i.test(whole.text)),
  );
  const doing = titles.filter(({ text }) => beginsWithVerb(text));
  if (commits.length > fewCommits) return nearestToAll(doing);
  return doing[0] ?? titles[0] ?? null;
}

/** What a commit is called; where that says too little, what its message begins with. */
function titleOfCommit({ author: speaker, message }: ArticleSource['commits'][number]): AuthorTitle {
  const [subject = '', ...rest] = message.split('\n');
  const named = bareTitle(subject);
  const told = (text: string, title: typeof named): AuthorTitle => ({
    whole: { speaker, where: 'commit', text },
    ...title,
  });
  if (isTelling(named.text) && !named.isWeak) return told(subject, named);
  const [first = ''] = rest
    .join('\n')
    .trim()
    .split(/\n\s*\n/);
  const sentence = first.replace(/\s+/g, ' ');
  return says(sentence) ? told(sentence, bareTitle(sentence)) : told(subject, named);
}

/** Whether a sentence says what is done. */
const says = (sentence: string): boolean =>
  beginsWithVerb(sentence) || isThirdPerson((sentence.split(' ')[0] ?? '').toLowerCase());

/** Of many titles, the one with the most words that others have as well. */
function nearestToAll(titles: AuthorTitle[]): AuthorTitle | null {
  const words = titles.map(({ text }) => new Set(text.toLowerCase().match(/[\p{L}\p{N}]{4,}/gu) ?? []));
  const shared = words.map((own, index) =>
    words.reduce(
      (sum, other, at) => sum + (at === index ? 0 : [...own].filter((word) => other.has(word)).length),
      0,
    ),
  );
  const most = Math.max(...shared);
  return most >= leastShared ? (titles[shared.indexOf(most)] ?? null) : null;
}

/** Of commits that have less in common, none speaks for the others. */
const leastShared = 3;

/** A longer one is cut in a title. */
const longestCommitTitle = 80;

/** A word for a branch, or for any change. */
const namesNothing =
  /^(?:dev|develop|development|master|main|trunk|next|staging|wip|patch|temp|tmp|misc|stuff|merge|tests?|updates?|updated|fix(?:es|ed)?|bug(?:fix)?|hotfix|changes?|feature|feat|chore|refactor|commit|patches|work|improvements?|tweaks?|init|initial|bump|upgrade|add|remove)$/i;

/** The word that is all of a title, where it names something. */
export function titleWordOf({ title, author }: ArticleSource): AuthorTitle | null {
  const word = bareTitle(title);
  const isOne =
    /^\p{L}[\p{L}\p{N}]{2,23}(?:-\d+(?:\.\d+)+)?$/u.test(word.text) && !namesNothing.test(word.text);
  return isOne ? { whole: { speaker: author, where: 'title', text: title }, ...word, isWeak: true } : null;
}

/** More lines than these are more than one edit. */
const smallest = 12;

export const isSmall = ({ files }: Facts): boolean =>
  files.length === 1 && files.every(({ additions, deletions }) => additions + deletions <= smallest);

/** What can be put into a title from the diff alone; null where there is nothing to name. */
export function titleFactsOf({ changeType, files }: Facts): TitleFacts | null {
  const [first] = files;
  if (!first) return null;
  // A file that is new says more of a feature than that another one changes.
  const isNew = ({ kind, status }: FileFacts): boolean => kind === 'source' && status === 'added';
  const telling = (changeType === 'FEAT' && files.find(isNew)) || first;
  return dependencyTitle(files) ?? symbolTitle(changeType, files, first) ?? fileTitle(files, telling);
}

function dependencyTitle(files: FileFacts[]): TitleFacts | null {
  const dependencies = files.flatMap((file) => file.dependencies).filter(({ change }) => change !== 'moved');
  const isAboutThem = files.every(
    ({ kind, dependencies: own }) =>
      ['manifest', 'lock', 'vendored', 'generated'].includes(kind) || own.length > 0,
  );
  const [first] = dependencies;
  if (!first || !isAboutThem) return null;
  const { name, change, from, to, evidence } = first;
  const hasMore = dependencies.some((other) => other.name !== name);
  const isWhole = change === 'added' || change === 'removed';
  return {
    action: isWhole ? change : 'upgraded',
    subject: name,
    from,
    to,
    hasMore,
    evidence: [evidence],
    facts: isWhole
      ? [{ relation: change === 'added' ? 'comes' : 'goes', thing: 'dependency', name }]
      : [{ relation: 'version', of: name, from, to }],
  };
}

/** What became of a declaration, from what says most in a title to what says least. */
const telling: SymbolChange['change'][] = ['added', 'renamed', 'removed', 'signatureChanged', 'bodyChanged'];

function symbolTitle(changeType: ChangeType, files: FileFacts[], first: FileFacts): TitleFacts | null {
  if (first.kind !== 'source') return null;
  const rank = ({ change }: SymbolChange): number =>
    changeType === 'FIX' ? -telling.indexOf(change) : telling.indexOf(change);
  const [best] = first.symbols
    .filter(({ change }) => telling.includes(change))
    .sort((one, other) => Number(other.isPublic) - Number(one.isPublic) || rank(one) - rank(other));
  if (!best || isReplacement(best, first)) return null;
  const { change, kind, name, previousName, evidence } = best;
  const hasMore = files.some((file) =>
    file.symbols.some((other) => other.change === change && other.name !== name),
  );
  const about = { subject: name, from: previousName, to: null, hasMore, evidence: [evidence] };
  if (change === 'added')
    return { ...about, action: change, facts: [{ relation: 'comes', thing: kind, name }] };
  if (change === 'removed')
    return { ...about, action: change, facts: [{ relation: 'goes', thing: kind, name }] };
  if (change === 'renamed' && previousName !== null)
    return {
      ...about,
      action: change,
      facts: [{ relation: 'renamed', thing: kind, from: previousName, to: name }],
    };
  return { ...about, action: 'changed', facts: [{ relation: 'within', name }] };
}

/** Whether something comes where another of its kind goes: it may take the place of that, and so neither is the news. */
const isReplacement = ({ kind, change }: SymbolChange, { symbols }: FileFacts): boolean =>
  (change === 'added' || change === 'removed') &&
  symbols.some((other) => other.kind === kind && other.change === (change === 'added' ? 'removed' : 'added'));

function fileTitle(files: FileFacts[], first: FileFacts): TitleFacts {
  const { path, kind, status, place } = first;
  const subject = path.length <= 40 ? path : (path.split('/').at(-1) ?? path);
  const isWhole = status === 'added' || status === 'removed';
  const action = isWhole
    ? status
    : kind === 'test'
      ? 'tested'
      : kind === 'documentation'
        ? 'documented'
        : 'changed';
  return {
    action,
    subject,
    from: null,
    to: null,
    hasMore: files.some((file) => file !== first && file.kind === kind),
    evidence: place ? [place] : [],
    facts: isWhole ? [{ relation: 'file', path, status, from: null }] : [],
  };
}
