import { longestTitle } from '../../../draft.ts';
import { shortenTitle } from '../../../words/shorten-title.ts';
import { isVersion } from '../../../words/telling-titles.ts';
import { isThirdPerson } from '../../../words/verbs.ts';
import { noteBehind } from '../../note-behind.ts';
import type { AuthorTitle, Outline, TitleFacts } from '../../outline.ts';
import { thirdPerson } from './verbs.ts';
import { code } from './words.ts';

/** The author's own words where they are English, said of the change; otherwise what the diff shows. */
export function titleInEnglish({ authorTitle, titleFacts, unsaidKind, ownTitle }: Outline): string {
  if (authorTitle?.script === 'latin') return fromAuthor(authorTitle, unsaidKind);
  return fromFacts(titleFacts) ?? (authorTitle?.text || ownTitle || 'An empty change');
}

/** A title that does not say that something is fixed or new gets a note; who puts a verb before it guesses what it is. */
function fromAuthor({ text, scope, prefix }: AuthorTitle, unsaidKind: Outline['unsaidKind']): string {
  const said = thirdPerson(text);
  const isUnsaid = prefix === 'FIX' && !saysFix.test(text);
  const isNew = prefix === 'FEAT' && !said.isVerb && !isSentence(text) && !negated.test(text);
  const whole = isVersion(text) ? `Version ${text}` : said.text;
  const notes = [scope, isUnsaid && 'fix', isNew && 'feature'];
  const note = noteBehind(whole, notes, unsaidKind && kinds[unsaidKind], ', ');
  return `${shortenTitle(whole, longestTitle - note.length)}${note}`;
}

const kinds = { documentation: 'documentation', test: 'tests' };

/** What does not name a thing that could be new. */
const negated = /^(?:no|not|never|only|more|less|fewer|better|faster|when|if|always)\b/i;

/** Whether a title says by itself that something was wrong. */
const saysFix = /\b(?:fix|bug|correct|repair|solve|resolve|prevent|avoid|mend)/i;

/** Whatever stands right before one of these is done to what they begin, be it a verb that is known or not. */
const determiner = /^(?:an?|the|all|any|each|every|its|their|this|that|these|those)$/i;

/** Whether a title says what something does or is, or what was done, and so names no thing. */
function isSentence(text: string): boolean {
  const [first = '', ...rest] = text.split(/\s+/);
  return (
    /(?:ed|ing)$/i.test(first) ||
    determiner.test(rest[0] ?? '') ||
    rest.some((word) => finite.test(word) || (/^[a-z]+$/.test(word) && isThirdPerson(word)))
  );
}

const finite = /^(?:is|are|was|were|be|works?|does|do|should|can|cannot|must|will|has|have|now)$/i;

function fromFacts(facts: TitleFacts | null): string | null {
  if (!facts) return null;
  const { action, from, to, hasMore } = facts;
  const subject = `${code(facts.subject)}${hasMore ? ' and more' : ''}`;
  if (action === 'upgraded')
    return from && to && !hasMore ? `Upgrades ${subject} from ${from} to ${to}` : `Upgrades ${subject}`;
  if (action === 'added') return `Adds ${subject}`;
  if (action === 'removed') return `Removes ${subject}`;
  if (action === 'renamed') return `Renames ${code(from ?? '')} to ${code(facts.subject)}`;
  if (action === 'tested') return `Changes the tests in ${subject}`;
  if (action === 'documented') return `Revises ${subject}`;
  return `Changes ${subject}`;
}
