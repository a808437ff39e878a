import { scriptOf } from '../plain-text.ts';
import { beginsWithVerb, isBaseForm } from './verbs.ts';

/** What a code host or git made out of the name of a branch. */
const branchNames = [
  /^merg(?:e[sd]?|ing)\b.*\b(?:branch|remote|tag|pull|master|main|trunk|develop|dev|upstream|latest|stable)\b/i,
  /^patch[- ]?\d+$/i,
  /^[\w.-]+\/[\w./-]+$/,
  /^(?:[A-Z]?[a-z]{1,2}|(?:feat(?:ure)?|fix|bug(?:fix)?|hotfix|chore|docs?|dev|user|topic|refactor|test|release)s?)\/[\w-]+(?:\s|$)/,
  /^(?:Feat(?:ure)?|Fix|Bug(?:fix)?|Hotfix|Chore|Docs?|Dev|User|Topic|Refactor|Test|Release)s?\/[\w-]+(?:\s|$)/,
  /^\w+(?:-\w+){2,}$/,
  /^[a-z\d]+(?:_[a-z\d]+){2,}$/,
];

/** What somebody says of their own doing. */
const chatter =
  /^(?:idk|dunno|oops|sorry|whatever|wip|please ignore|no idea|trying things)\b|\bI (?:forgot|missed|broke|should have)\b/i;

/** What is left of a title that names only an issue: nothing. */
const withoutNumber = (text: string): string =>
  text
    .replace(/\b(?:gh-?)?#?\d+\b/gi, '')
    .replace(
      /\b(?:fix(?:e[sd])?|clos(?:e[sd]?|ing)|resolve[sd]?|issues?|bugs?|pr|ticket|tests?|patch|gh|rt|for|the|and)\b/gi,
      '',
    )
    .replace(/[^\p{L}\p{N}]+/gu, '');

/** Titles that name a place, and not what is done there. */
const namesPlace = [
  /^(?:[\w./'`-]+\s+){0,3}(?:improvements?|updates?|changes?|tweaks?|clean-?ups?|fixes|stuff|polish|work|modifications?|enhancements?|refactor(?:ing)?|misc)$/i,
  /^(?:updat|chang|edit|fix|modif|revis|improv|correct)(?:e[sd]?|es|s|y|ied|ing)?\s+(?:the\s+)?(?:\S+\.\w{1,8}|\S*change-?log|\S*readme|docs?|documentation|news|history|tests?|code|ci|deps|dependencies|packages|versions)(?: file| files)?$/i,
  /^(?:an? |some |just )*(?:(?:small|minor|tiny|quick|little|few|various|several|simple|general) )?(?:updates?|fix(?:es)?|changes?|improvements?|tweaks?|corrections?|clean-?ups?|edits?|additions?) (?:to|of|in|for|on) (?:the |our )?(?:docs?|documentation|readme|\S+\.\w{1,8}|change-?log|tests?|code|comments?|website|ci)(?: files?)?$/i,
];

/** A name in code marks, and nothing about it. */
const onlyName = /^`[^`]+`$/;

/** What a release is called says what it is. */
const release = /^(?:prepare |bump )?(?:release|version)s? v?\d+\.\d\S*$|^v?\d+\.\d\S* release$/i;

/** What is written as a name: with a capital inside, a sign or a number. */
const isName = (word: string): boolean => /^[A-Z][a-z]*[A-Z]|[_\d]|^[a-z]+[A-Z]/.test(word);

/** Whether a title is so short, or so general, that a reader cannot tell from it what changes. */
export function isWeak(text: string): boolean {
  if (namedVersion.test(text)) return false;
  if (onlyName.test(text) || /^\p{L}+ (?:gh-)?#\d+$/iu.test(text)) return true;
  if (scriptOf(text) !== 'latin' || text.includes('`') || isVersion(text) || release.test(text)) return false;
  const words = text.split(/\s+/).filter((word) => word !== '');
  const mayDo = words.length === 3 && isBaseForm(words[0]?.toLowerCase() ?? '');
  return (
    namesPlace.some((pattern) => pattern.test(text)) ||
    (words.length <= 3 && !mayDo && !beginsWithVerb(text) && !words.slice(1).some(isName))
  );
}

/** Words beside verbs that any change may be told with. */
const generic = new Set(
  (
    'a an the all some any its of in on for to from with and or one two only just not now more other deprecated api apis initial dependency dependencies deps package packages ' +
    'valid invalid correct right proper properly correctly better new old missing wrong incorrect unused unnecessary redundant useless extra small minor tiny simple different ' +
    'consistent default same appropriate outdated obsolete duplicate duplicated broken bad parameter parameters param params name names naming value values type types argument ' +
    'arguments arg args variable variables function functions method methods class classes file files path paths test tests code error errors message messages string strings typo ' +
    'typos bug bugs issue issues condition conditions check checks option options import imports line lines link links url version whitespace space spaces formatting format style ' +
    'logic call calls warning warnings colon comma semicolon bracket brackets quote quotes comment comments field fields property key keys spelling grammar word words indentation ' +
    'mistake sentence constant flag setting settings'
  ).split(' '),
);
const doing =
  /^(?:add|bump|use|fix|update|correct|change|remove|improve|rename|replace|make|set|handle|allow|clean|simplif|avoid|tweak|adjust|init)(?:s|e?d|es|ing|ped|y|ies|ied)?$/;

/** Whether a title names nothing that only this change has. */
export const isGeneric = (text: string): boolean => {
  const words = text.toLowerCase().split(/\s+/);
  return words.length <= 6 && words.every((word) => generic.has(word) || doing.test(word));
};

/** Something that is published, with its version. */
const namedVersion = /^@?[\p{L}\d][\p{L}\d_./-]*[:@]v?\d+\.\d[\w.+-]*$/u;

/** A version by itself is what a release is called. */
const isVersion = (text: string): boolean => /^v?\d+\.\d+[\w.+-]*$/.test(text);

/** Whether somebody who reads a title knows more than before. */
export function isTelling(text: string): boolean {
  const words = text.split(/\s+/).filter((word) => word !== '');
  if (branchNames.some((pattern) => pattern.test(text)) || chatter.test(text)) return false;
  if (isVersion(text) || namedVersion.test(text) || onlyName.test(text)) return true;
  if (withoutNumber(text) === '') return false;
  if (scriptOf(text) !== 'latin') return text.length >= 4;
  return (
    words.length >= 2 && words.slice(1).some((word) => /[\p{L}\p{N}]{3,}|\d\.\d|^[A-Z]{2,}$/u.test(word))
  );
}
