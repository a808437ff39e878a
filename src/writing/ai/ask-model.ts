import type { Static, TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { ModelFailure, type ModelQuestion, type ModelReply } from './model-question.ts';
import { type Ask, languageName, type Question } from './prompts.ts';
import { mayBeLeftOut, noLabel } from './reply-forms.ts';
import { withoutQuoted } from './sentence-rules.ts';

const lettersOfReply = 60;

/** The language of eight in ten sentences with 25 to 40 letters is detected, and of nearly all longer ones. */
const lettersOfSentence = 25;

/** The letters from which the script of a text is recognized: fewer may be names. */
const lettersOfScript = 12;

/** A character of a script that writes syllables or words counts as several letters. */
const syllables = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/gu;

/** Similar languages such as Norwegian and Danish score alike, and other languages score far less. */
const closeEnough = 0.85;

const countIn = (text: string, pattern: RegExp): number => text.match(pattern)?.length ?? 0;
const lettersIn = (text: string): number => countIn(text, /\p{L}/gu) + 2 * countIn(text, syllables);

export function isInLanguage(texts: string[], language: string): Promise<boolean> {
  const prose = texts.map((text) => withoutQuoted(text)).join('\n');
  return soundsLike(prose, language, lettersOfReply);
}

async function soundsLike(prose: string, language: string, leastLetters: number): Promise<boolean> {
  if (lettersIn(prose) < leastLetters) return true;
  const { eld } = await import('eld/extrasmall');
  const found = eld.detect(prose);
  if (found.language === language || !found.isReliable()) return true;
  const scores = found.getScores();
  return (scores[language] ?? 0) >= closeEnough * (scores[found.language] ?? 1);
}

/** Unicode has no script for languages written in several scripts. */
const scriptsOf: Record<string, string[]> = {
  Jpan: ['Han', 'Hiragana', 'Katakana'],
  Hans: ['Han'],
  Hant: ['Han'],
  Kore: ['Hangul'],
};

function scriptOf(language: string): { pattern: RegExp; isLatin: boolean } {
  const name = new Intl.Locale(language).maximize().script ?? 'Latn';
  // Serbian is written in both scripts.
  const scripts = language === 'sr' ? ['Cyrl', 'Latn'] : (scriptsOf[name] ?? [name]);
  const pattern = scripts.map((script) => `\\p{Script=${script}}`).join('');
  return { pattern: new RegExp(`[${pattern}]`, 'gu'), isLatin: name === 'Latn' };
}

const kana = /[\p{Script=Hiragana}\p{Script=Katakana}]/u;

/** A short Japanese heading may have no kana; a longer text without kana is Chinese. */
const longestWithoutKana = 36;

/** Sentences about code contain many Latin names in any language, but Latin sentences contain no other script. */
const leastOfScript = 0.2;
const leastOfLatin = 0.5;

/** Whether a single sentence is in a language: by its script first, then by detection. */
export async function isSentenceInLanguage(text: string, language: string): Promise<boolean> {
  const prose = withoutQuoted(text);
  const letters = lettersIn(prose);
  if (letters < lettersOfScript) return true;
  const { pattern, isLatin } = scriptOf(language);
  const own = lettersIn((prose.match(pattern) ?? []).join(''));
  if (own < (isLatin ? leastOfLatin : leastOfScript) * letters) return false;
  if (language === 'ja' && letters > longestWithoutKana && !kana.test(prose)) return false;
  return soundsLike(prose, language, lettersOfSentence);
}

function wordsIn(reply: unknown): string[] {
  if (Array.isArray(reply)) return reply.flatMap(wordsIn);
  if (typeof reply !== 'object' || reply === null) return [];
  return Object.entries(reply).flatMap(([name, value]) =>
    typeof value === 'string' ? (name === 'text' || name === 'title' ? [value] : []) : wordsIn(value),
  );
}

type Fitted<Schema extends TSchema> =
  | { fits: true; reply: Static<Schema> }
  | { fits: false; complaint: string };

const mostComplaints = 5;

/** Checks a reply against its schema. Missing lists become empty, and unknown fields are removed. */
export function fitReply<Schema extends TSchema>(schema: Schema, value: unknown): Fitted<Schema> {
  if (value === undefined) return { fits: false, complaint: 'it is not a JSON object.' };
  const reply = withLists(schema, value);
  if (isReplyTo(schema, value) && Value.Check(schema, reply)) return { fits: true, reply };
  const complaints = Value.Errors(schema, reply)
    .slice(0, mostComplaints)
    .map(({ instancePath, message }) => `${instancePath || 'the object'} ${message}`);
  return {
    fits: false,
    complaint: `${complaints.join('; ') || 'it has none of the fields of the schema'}.`,
  };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** An object without any property of the schema is not a reply. */
function isReplyTo(schema: TSchema, value: unknown): boolean {
  const properties = Reflect.get(schema, 'properties');
  return isRecord(value) && isRecord(properties) && Object.keys(properties).some((name) => name in value);
}

function withLists(schema: unknown, value: unknown): unknown {
  if (!isRecord(schema)) return value;
  if (schema.type === 'array')
    return Array.isArray(value) ? value.map((item) => withLists(schema.items, item)) : (value ?? []);
  if (Array.isArray(schema.enum) && schema.enum.includes(noLabel)) return value ?? noLabel;
  if (schema.description === mayBeLeftOut) return value ?? '';
  if (schema.type !== 'object' || !isRecord(schema.properties) || !isRecord(value)) return value;
  const kept = Object.entries(schema.properties).map(([name, property]) => [
    name,
    withLists(property, value[name]),
  ]);
  return Object.fromEntries(kept.filter(([, item]) => item !== undefined));
}

interface Asking {
  put: (question: ModelQuestion) => Promise<ModelReply>;
  askAgain: string;
  language: string | null;
  maxOutputTokens: number;
  signal: AbortSignal;
  onText: (soFar: string) => void;
  onWait?: () => void;
}

/** A model that has not replied correctly after this many calls will not do so. */
const mostCalls = 3;

/** The characters of a useless reply that are shown: enough to see what is wrong with it. */
const mostShown = 20_000;

export function createAsk({ put, askAgain, language, ...rest }: Asking): Ask {
  return async <Schema extends TSchema>(question: Question<Schema>): Promise<Static<Schema>> => {
    const earlier: ModelQuestion['earlier'] = [];
    let failure = new ModelFailure('badOutput');
    let wasInWrongLanguage = false;
    while (earlier.length < mostCalls) {
      const said = await put({ ...question, ...rest, earlier: [...earlier] });
      const fitted = said.isCutOff ? null : fitReply(question.schema, said.value);
      if (fitted?.fits && (!language || (await isInLanguage(wordsIn(fitted.reply), language))))
        return fitted.reply;
      if (fitted?.fits && wasInWrongLanguage) break;
      wasInWrongLanguage = fitted?.fits ?? false;
      failure = new ModelFailure(fitted ? 'badOutput' : 'cutOff');
      const complaint = complaintAbout(fitted, language);
      earlier.push({
        reply: said.text.trim().slice(0, mostShown) || '(nothing)',
        complaint: askAgain.replace('{{complaint}}', complaint).trim(),
      });
    }
    throw failure;
  };
}

function complaintAbout(fitted: ReturnType<typeof fitReply> | null, language: string | null): string {
  if (!fitted)
    return 'it was cut off because it is too long. Give less: fewer items, and at most half as many sentences.';
  return fitted.fits ? `it is not in ${languageName(language ?? '')}.` : fitted.complaint;
}
