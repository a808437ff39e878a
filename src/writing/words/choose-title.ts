import type { ArticleSource } from '../article-source.ts';
import { longestTitle, type Sentence, type SpokenWords } from '../draft.ts';
import { plainText, scriptOf } from '../plain-text.ts';
import { bareTitle } from './bare-title.ts';
import type { ChangelogEntry } from './changelog-entries.ts';
import { ownCommits, textsSayingWhy } from './own-texts.ts';
import { passagesOf } from './passages.ts';
import { shortenTitle } from './shorten-title.ts';
import { tellsSomething } from './telling-sentences.ts';
import { isGeneric, isTelling, isWeak } from './telling-titles.ts';
import { beginsWithVerb, isBaseForm, isThirdPerson } from './verbs.ts';
import { leansBack } from './whole-thoughts.ts';

interface Candidate {
  text: string;
  /** What stands before it where it tells what was wrong: see `fixMark`. */
  mark: string;
  words: SpokenWords[];
  evidence: Sentence['evidence'];
}

/** What the change is called in its author's words: by its title, or where that says too little by what says more. */
export function chooseTitle(source: ArticleSource, entries: ChangelogEntry[]): Sentence {
  const own = ownTitleOf(source);
  const isSpoken = isTelling(own.text) && !mergedBranch.test(source.title);
  const chosen = isSpoken && !isPoor(own.text) ? own : (better(source, entries, isSpoken) ?? own);
  const text = tidied(chosen, source);
  return { text, basis: 'words', quote: null, evidence: chosen.evidence, words: chosen.words, facts: [] };
}

/** The pull request's own title, tidied. */
export const tidiedTitle = (source: ArticleSource): string => tidied(ownTitleOf(source), source);

const tidied = ({ text, mark }: Candidate, source: ArticleSource): string =>
  shortenTitle(mark === '' ? capitalise(text, source) : mark + text, longestTitle);

const beforeVerb = /^(?:\w+ly|always|never|also|only|should(?: not)?|must(?: not)?) /i;
const fixing = /^(?:fix|bug ?fix|bug|hotfix)\b/i;

/** "fix: crash on start" names what was wrong, and not what is done: without its first word, it would tell of a crash that comes. */
function fixMark(prefix: string, text: string): string {
  const [word = ''] = fixing.exec(prefix) ?? [];
  const isDone = beginsWithVerb(text.replace(beforeVerb, '')) || scriptOf(text) !== 'latin';
  return word === '' || isDone ? '' : `${word.charAt(0).toUpperCase()}${word.slice(1).toLowerCase()}: `;
}

const isPoor = (text: string): boolean => isWeak(text) || isGeneric(text);

/** A host that cuts a title off goes on with it in the description. */
const cutOff = /(?:…|\.\.\.)\s*$/;
const goesOn = /^\s*(?:…|\.\.\.)(\S[^\n]*)/;

const mergedBranch = /^Merge pull request #\d+ from [^/\s]+\/(\S+)$/;

function ownTitleOf({ title, body, author }: ArticleSource): Candidate {
  const rest = cutOff.test(title) ? goesOn.exec(body ?? '')?.[1] : undefined;
  const whole = rest === undefined ? title : title.replace(cutOff, '') + rest.trimEnd();
  const { text, prefix, ...bare } = bareTitle(whole);
  const scope = bare.scope ?? /^\s*\[([a-z][\w/.-]{3,29})\]/.exec(whole)?.[1] ?? null;
  const words: SpokenWords[] = [{ speaker: author, where: 'title', text: title }];
  if (rest !== undefined) words.push({ speaker: author, where: 'description', text: rest.trimEnd() });
  const branch = mergedBranch.exec(text)?.[1];
  const said = branch === undefined ? text : plainText(branch.replace(/[-_/]+/g, ' '));
  // What is left of "docs(jwt): update" or "fix: typo" says nothing without what stands before it.
  const before = scope ?? (/\s/.test(said) ? '' : prefix.replace(/!?:.*$/, ''));
  const isBare = before !== '' && isPoor(said) && !said.includes(before);
  return {
    text: (isBare ? `${before}: ${said}` : said) || plainText(title),
    mark: isBare ? '' : fixMark(prefix, said),
    words,
    evidence: [],
  };
}

/** Of so few commits, the first that says something speaks for the others. */
const fewCommits = 3;

/** What says more than a title that says little; and than one that says nothing, whatever there is. */
function better(source: ArticleSource, entries: ChangelogEntry[], isSpoken: boolean): Candidate | null {
  const { title, author } = source;
  const commits = ownCommits(source, true);
  // Of a range that nobody has called anything, no single part tells what all of it is about.
  if (title === '' && commits.length > 1) return null;
  const [word = ''] = /^\S*(?:[a-z][A-Z]|\w[_.]\w)\S*$/.exec(bareTitle(title).text) ?? [];
  const named = commits
    .filter(({ subject }) => subject.includes(word) && !isAside(subject, source))
    .flatMap(({ author: speaker, subject }) => candidate({ speaker, where: 'commit', text: subject }));
  const first = !isSpoken || commits.length <= fewCommits ? named.slice(0, 1) : [];
  const listed = entries.flatMap(({ text, evidence }) =>
    candidate({ speaker: author, where: 'code', text }, [evidence]),
  );
  const described = textsSayingWhy(source)
    .filter(({ source: from, isStep }) => from === 'description' && !isStep)
    .flatMap(({ text }) => passagesOf(text).slice(0, 2))
    .filter(({ text, isWhole, isItem }) => isWhole && !isItem && beginsWithVerb(text))
    .flatMap(({ text }) => candidate({ speaker: author, where: 'description', text }));
  const sentences = [...listed, ...described].filter(
    ({ text }) => text.length <= longestTitle && !leansBack(text) && tellsSomething(text),
  );
  const isCommit = !isSpoken || commits.length === 1;
  return (isCommit ? [...first, ...sentences] : [...sentences, ...first])[0] ?? null;
}

/** What somebody wrote as a title, where it would make a good one. */
function candidate(words: SpokenWords, evidence: Sentence['evidence'] = []): Candidate[] {
  const { text, prefix } = bareTitle(words.text);
  const isFit = isTelling(text) && !isPoor(text) && !/^(?:wip|fixup|squash|update \S+$)/i.test(text);
  return isFit ? [{ text, mark: fixMark(prefix, text), words: [words], evidence }] : [];
}

const aside =
  /\b(?:change-?logs?|changes|docs?|docstrings?|news|readme|comments?|tests?|specs?|ci|lint\w*|format(?:ting)?|typos?|snapshots?)\b/i;

/** Whether a subject names what goes with the code, where code changes: it does not speak for that. */
export const isAside = (subject: string, { facts }: ArticleSource): boolean =>
  aside.test(subject) && facts.files.some(({ kind }) => kind === 'source');

/** Tools that are written small wherever they stand. */
const small = new Set(
  'npm npx pnpm yarn git curl wget pip uv eslint webpack vite esbuild deno bun jq gcc clang gofmt rustfmt rustc cargo serde tokio mypy ruff isort pytest tox nginx systemd kubectl sqlite zsh bash fish sudo ssh iOS macOS eBPF gRPC'.split(
    ' ',
  ),
);

/** With a capital letter, unless it begins with a name that has none: of a tool, of the repository, of something in the code. */
export function capitalise(title: string, source: ArticleSource): string {
  const [first = ''] = title.split(/\s/);
  const word = first.replace(/[,.;]$/, '');
  const isWord = /^\p{Ll}+(?:['’]\p{Ll}+|-\p{Ll}+)?$/u.test(word);
  const isVerb = isBaseForm(word) || isThirdPerson(word);
  return isWord && (isVerb || !isName(word, source)) ? title.charAt(0).toUpperCase() + title.slice(1) : title;
}

function isName(word: string, { repository, facts: { files }, diff }: ArticleSource): boolean {
  if (small.has(word) || repository.split('/').includes(word)) return true;
  if (files.some(({ symbols }) => symbols.some(({ name }) => name === word))) return true;
  const [first = '', ...rest] = word.split('-');
  if (rest.length === 0) return false;
  // Packages, rules and options have hyphens in their names as compound words do.
  return (
    small.has(first) ||
    files.some(({ path }) => path.split(/[/.]/).includes(word)) ||
    diff.some(({ bytes }) => [`"${word}"`, `'${word}'`, `\`${word}\``].some((name) => bytes.includes(name)))
  );
}
