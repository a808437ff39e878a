import { verbs } from '../../../words/verbs.ts';

/** Whether a title begins with what is done, in whatever form. */
export const beginsWithVerb = (title: string): boolean => inflected(title) !== null;

const adverbs = /^(?:always|also|only|(?!apply|supply|reply|comply)\w{3,}ly)$/;

/** A title, and whether it begins with what the change does. */
interface Said {
  text: string;
  isVerb: boolean;
}

/** Begins with what the change does: "Add x" becomes "Adds x". Other titles only get their capital letter. */
export function thirdPerson(title: string): Said {
  const said = inflected(title);
  return { text: said ?? capital(title), isVerb: said !== null };
}

/** Verbs that are hardly ever nouns, and so can be told as what a change does beside something else. */
const plainVerbs = new Set(
  (
    'add allow avoid clarify deprecate delete disable drop enable ensure expose extract fix handle ignore implement improve include introduce ' +
    'keep make migrate move optimize prefer prevent provide reduce refactor remove rename replace restore reuse rewrite simplify update use'
  ).split(' '),
);

/**
 * The rest of a title with its other verbs in the form of the first one; null where one of its parts may begin with a verb
 * or with a noun, so that the whole is better left as its author wrote it.
 */
function inflectRest(rest: string): string | null {
  const parts = rest.split(/( (?:and|&|then) |[,;] (?:and |then )?|\. )/);
  let isSure = true;
  const said = parts.map((part, index) => {
    const [, word = '', behind = ''] = /^([A-Za-z-]+)(\s.*)?$/.exec(part) ?? [];
    const lower = word.toLowerCase();
    if (index === 0 || index % 2 === 1 || behind === '' || !verbs.has(lower)) return part;
    if (!plainVerbs.has(lower)) isSure = false;
    const form = inflect(lower);
    return `${parts[index - 1] === '. ' ? capital(form) : form}${behind}`;
  });
  return isSure ? said.join('') : null;
}

/** "Limit improvements" names some; "Fix updates" fixes them. */
export const namesThings = (title: string): boolean =>
  /^\S+ (?:improvements?|updates?|changes?|tweaks?|clean-?ups?|fixes|enhancements?)$/i.test(title) &&
  !plainVerbs.has(title.split(' ')[0]?.toLowerCase() ?? '');

/** Verbs that go on with "for" or "of"; any other word before these names something, as in "Support for streams". */
const goesOnWithFor =
  /^(?:account|allow|ask|check|dispose|fall|get|listen|look|make|poll|prepare|scan|search|take|test|wait|watch)$/;

/** "Test coverage for …", "Lock file …" and "Cache headers …" begin with a noun as often as with a verb. */
const nouns = new Set(
  (
    'archive batch block bound break bundle cache call change check clone copy cover default delay display document embed escape export filter flush force format gate group ' +
    'guard hook import launch limit link list load lock log look map mark match merge mock name nest note order output override patch pin poll port print process pull ' +
    'push quote record release reload report request reset retry return round run scan schedule scope seed setup share shift sign sort split state stream stub surface swap ' +
    'switch sync tag target test throttle toggle track trigger tweak type upload vendor wait wire wrap'
  ).split(' '),
);

/** What can only stand behind a verb. */
const beginsObject =
  /^(?:(?:the|an?|all|any|each|every|only|that|if|when|for|from|with|to|in|into|on|it|its|their|this|these|out|up|down|off|back|over)$|`)/i;

function inflected(title: string): string | null {
  const refused = /^(?:don'?t|don’t|do not)\s+(\w+)\s+(.*)$/i.exec(title);
  if (refused) return `No longer ${inflect((refused[1] ?? '').toLowerCase())} ${refused[2]}`;
  const [first = '', ...rest] = title.split(' ');
  // Of two verbs in a row, both would have to be told alike.
  const isFollowed =
    /^(?:and|&|or|\/)$/i.test(rest[0] ?? '') || plainVerbs.has((rest[0] ?? '').toLowerCase());
  if (namesThings(title) || isFollowed) return null;
  const lower = presentOf(first.toLowerCase());
  if (!(verbs.has(lower) || adverbs.test(lower)) || rest.length === 0) return null;
  if (/^(?:for|of)$/i.test(rest[0] ?? '') && !goesOnWithFor.test(lower)) return null;
  if (nouns.has(lower) && !beginsObject.test(rest[0] ?? '')) return null;
  if (adverbs.test(lower)) {
    const [next = '', ...others] = rest;
    return verbs.has(next.toLowerCase())
      ? `${capital(lower)} ${inflect(next.toLowerCase())} ${others.join(' ')}`.trim()
      : null;
  }
  const others = inflectRest(rest.join(' '));
  return others === null ? null : `${capital(inflect(lower))} ${others}`;
}

/** Some say what they did. Other words of this form are as often adjectives: "Retained scopes". */
const past =
  /^(add|chang|correct|creat|disabl|dropp|enabl|enhanc|extract|fix|implement|improv|introduc|migrat|modifi|mov|refactor|remov|renam|replac|simplifi|updat|upgrad)ed$/;

function presentOf(word: string): string {
  const stem = past.exec(word)?.[1];
  if (stem === undefined) return word;
  const forms = [stem, `${stem}e`, stem.replace(/i$/, 'y'), stem.replace(/(.)\1$/, '$1')];
  return forms.find((form) => verbs.has(form)) ?? word;
}

function inflect(verb: string): string {
  if (/(?:s|x|z|ch|sh|o)$/.test(verb)) return `${verb}es`;
  if (/[^aeiou]y$/.test(verb)) return `${verb.slice(0, -1)}ies`;
  if (verb === 'cleanup') return 'cleans up';
  if (verb === 'setup') return 'sets up';
  return `${verb}s`;
}

/** A title may begin with an identifier, whose spelling is its own. */
function capital(title: string): string {
  const first = title.split(/\s/)[0] ?? '';
  return /^[a-z]+[,.:;]?$/.test(first) ? title.charAt(0).toUpperCase() + title.slice(1) : title;
}
