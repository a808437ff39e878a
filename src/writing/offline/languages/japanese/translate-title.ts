import { isBaseForm, isThirdPerson } from '../../../words/verbs.ts';
import { beginsWithVerb } from '../english/verbs.ts';
import { adjectives, nouns, verbs } from './title-glossary.ts';
import { quote } from './words.ts';

/**
 * English titles follow few patterns: a verb, what it acts on, and where. Those that do are put into Japanese; what the
 * verb acts on stays in English where one of its words is not in the glossary. Anything else is left as its author wrote it.
 */

/** How the place behind a preposition joins what stands before it. */
const places: Record<string, (object: string, place: string) => string> = {
  for: (object, place) => `${place} の ${object}`,
  of: (object, place) => `${place} の ${object}`,
  in: (object, place) => `${place} の ${object}`,
  on: (object, place) => `${place} ${object.endsWith('依存関係') ? 'への' : 'での'} ${object}`,
  across: (object, place) => `${place} にわたる ${object}`,
  during: (object, place) => `${place} 中の ${object}`,
  between: (object, place) => `${place} 間の ${object}`,
  within: (object, place) => `${place} 内の ${object}`,
};

const clause =
  /n't\b|\b(?:when|if|while|because|so|that|which|after|before|unless|until|where|who|is|are|was|were|be|being|does|do|not|can|should|would|could|will|has|have|it|they|there|without|via|using|based|by|instead|rather|than|even|but|or|as|always|never|only|again|too|back|each|every)\b/i;

/** A title in Japanese, or null where it does not follow a pattern that can be put into Japanese without guessing. */
export function titleFromEnglish(title: string): string | null {
  const reverted = /^Reverts? ["“](.{1,70})["”]$/i.exec(title)?.[1];
  if (reverted !== undefined) return `${quote(reverted)}を差し戻し`;
  const spans: string[] = [];
  // Identifiers and code are carried over as they are.
  const masked = title
    .replace(/`[^`]+`|[\w.]*\{[^{}]*\}\S*/g, (span) => `\uE000${spans.push(span) - 1}\uE001`)
    .replace(/[“”"]/g, '')
    .replace(/\s+\(.*\)$/, '');
  const made = beginsWithVerb(title) ? translate(masked) : null;
  return made === null
    ? null
    : tidy(made.replace(/\uE000(\d+)\uE001/g, (_, index) => spans[Number(index)] ?? ''));
}

function translate(title: string): string | null {
  const [first = '', ...others] = title.split(/\s+/);
  const base = formsOf(first.toLowerCase()).find((form) => verbs.has(form)) ?? '';
  const verb = verbs.get(base);
  const rest = others.join(' ').replace(/^(?:up|out)\s+/, '');
  // A second verb has an object that cannot be told from that of the first.
  if (verb === undefined || rest === '' || /^(?:and|or)\b/i.test(rest) || torn.test(rest)) return null;
  // "To set up a default" says what for.
  if (isBaseForm(/\bto\s+([a-z]+)\s/i.exec(rest)?.[1]?.toLowerCase() ?? '')) return null;
  return pattern(base, rest) ?? special(base, rest) ?? plainObject(base, rest, verb);
}

/** Words whose second half looks like a preposition and is none. */
const torn =
  /\b(?:built|opt|opted|log|logged|sign|plug|drop|check|stand|fill|step|turn|turned|fall|roll|look|fade|tie|clean|set|time|back)[ -](?:in|on|out|of|off|up|for)\b/i;

/** What the first word of a title may be a form of: Add, Adds, Added. */
const formsOf = (word: string): string[] => [
  word,
  word.replace(/(?:(?<=[sxzo]|ch|sh)e)?s$/, ''),
  word.replace(/d$/, ''),
  word.replace(/ed$/, ''),
  word.replace(/(\w)\1ed$/, '$1'),
];

/** What a title speaks of, in Japanese as far as its words are known, and otherwise as it is. */
const named = (text: string): string | null => phrase(text) ?? inEnglish(text);

/** More words than these are a sentence. */
const mostEnglish = 6;

/** A few words that name something, as they are, without their article; null where there may be a sentence in them. */
function inEnglish(text: string): string | null {
  const plain = text.replace(/^(?:the|a|an|its|our|your|some)\s+/i, '').trim();
  const tokens = plain.split(/\s+/);
  // A word that is no name would be left in English beside Japanese ones.
  const isMixed = tokens.some((token) => !isName(token) && !/^(?:and|&)$/i.test(token));
  const isSentence =
    isMixed ||
    isHalfKnown(tokens) ||
    clause.test(plain) ||
    /[,;:!?]|[-=]>/.test(plain) ||
    /\b(?:to|from|with|into|for|in|on|of|at|over|under|per|up|out|more|less|no|through|against|about)\b/i.test(
      plain,
    ) ||
    plain
      .split(/\s+and\s+|\s*&\s*/i)
      .slice(1)
      .some((part) => isVerb(part)) ||
    tokens.slice(1).some((token) => nounFor(token) === undefined && isThirdPerson(token.toLowerCase())) ||
    /(?:^|\s)\w{2,}ly(?:\s|$)/i.test(plain) ||
    tokens.filter((token) => /ing$/.test(token)).length > 1 ||
    // "Tests failing" says what they do.
    (tokens.length > 1 && /ing$/.test(plain) && nounFor(tokens.at(-1) ?? '') === undefined);
  return plain === '' || isSentence || tokens.length > mostEnglish
    ? null
    : plain.replace(/\s+(?:and|&)\s+/g, ' と ');
}

/** Patterns that say more than a verb and its object. */
function pattern(verb: string, rest: string): string | null {
  const [, one = '', joint = '', other = ''] =
    /^(.+?)\s+(instead of|in place of|rather than|with|by)\s+(.+)$/.exec(rest) ?? [];
  const [first, second] = [named(one), named(other)];
  if (first !== null && second !== null) {
    if (/^(?:use|prefer)$/.test(verb) && /instead|place|rather/.test(joint))
      return `${second} の代わりに ${first} を使用`;
    if (/^(?:replace|swap)$/.test(verb) && /with|by/.test(joint)) return `${first} を ${second} に置き換え`;
  }
  const supported = /^(?:initial |basic |experimental )?support (?:for|of) (.+)$/.exec(rest)?.[1];
  const what = supported === undefined ? null : named(supported);
  if (what !== null && /^(?:add|introduce|implement)$/.test(verb)) return `${what} に対応`;
  if (what !== null && /^(?:drop|remove)$/.test(verb)) return `${what} のサポートを終了`;
  const group = /^the (\S+) group\b.* with (\d+) updates?$/.exec(rest);
  return group && verb === 'bump' ? `${group[1]} グループの ${group[2]} 件を更新` : null;
}

/** Verbs that take two things. */
function special(verb: string, rest: string): string | null {
  const pairs: [RegExp, (one: string, other: string) => string][] = [
    [/^(?:bump|update|upgrade)$/, (one, other) => `${one} を ${other} に更新`],
    [/^rename$/, (one, other) => `${one} を ${other} に改名`],
    [
      /^(?:move|migrate|convert|switch|change)$/,
      (one, other) =>
        `${one} を ${other} に${verb === 'move' ? '移動' : verb === 'convert' ? '変換' : verb === 'change' ? '変更' : '移行'}`,
    ],
    [
      /^(?:add|apply|pass)$/,
      (one, other) => `${other} に ${one} を${verb === 'add' ? '追加' : verb === 'apply' ? '適用' : '渡す'}`,
    ],
  ];
  const version = /^(.+?)\s+(?:from\s+(v?[\d.]+\S*)\s+)?(?:to\s+)?(v?\d[\d.]*\S*)(?:\s+in\s+(\S+))?$/.exec(
    rest,
  );
  if (version && /^(?:bump|update|upgrade)$/.test(verb)) {
    const packed = version[1] ?? '';
    // What has a version is a package, whatever it is called.
    const what = packed !== 'version' && /^[\w@./:-]+$/.test(packed) ? packed : named(packed);
    const place = version[4] === undefined ? '' : `${version[4]} の `;
    if (what !== null)
      return `${place}${what} を ${version[2] ? `${version[2]} から ` : ''}${version[3]} に更新`;
  }
  const joined = /^(.+?)\s+to\s+(.+)$/.exec(rest);
  for (const [pattern, make] of pairs) {
    const one = joined && pattern.test(verb) ? named(joined[1] ?? '') : null;
    const other = joined ? named(joined[2] ?? '') : null;
    if (one !== null && other !== null) return make(one, other);
  }
  const from = /^(.+?)\s+from\s+(.+)$/.exec(rest);
  if (from && /^(?:remove|exclude|exempt|drop|strip|delete|extract|omit)$/.test(verb)) {
    const one = named(from[1] ?? '');
    const other = named(from[2] ?? '');
    if (one !== null && other !== null)
      return `${other} から ${one} ${(verbs.get(verb) ?? 'を除外').replace('を対象外に', 'を除外')}`;
  }
  return null;
}

function plainObject(base: string, rest: string, verb: string): string | null {
  const placed = /^(.+?)\s+(for|of|in|on|across|during|between|within)\s+(.+)$/.exec(rest);
  // "In one query" tells how, not where.
  if (
    placed &&
    /^(?:one|two|a single|single|parallel|order|case|place|advance|favou?r|addition|bulk|batch(?:es)?|background|general|time|sync)\b/.test(
      placed[3] ?? '',
    )
  )
    return null;
  // What is written on something is about it.
  if (placed?.[2] === 'on' && /(?:documentation|docs?|notes?|info\w*|comments?)$/i.test(placed[1] ?? ''))
    return null;
  const join = placed && places[placed[2] ?? ''];
  if (placed && join) {
    const object = named(placed[1] ?? '');
    const place = nested(placed[3] ?? '');
    if (object === null || place === null) return null;
    const isPlace = placed[2] === 'in' || (placed[2] === 'on' && comesThere.test(base));
    if (!isPlace || belongsThere.test(base)) return `${join(object, place)} ${verb}`;
    if (comesThere.test(base)) return `${place} に ${object} ${verb}`;
    return doneThere.test(base) ? `${place} で ${object} ${verb}` : null;
  }
  // What gets a newer version is a package, whatever it is called.
  const isPackage = /^(?:bump|upgrade)$/.test(base) && /^[\w@./:-]+$/.test(rest);
  const object = isPackage ? rest : named(rest);
  return object === null ? null : `${object} ${verb}`;
}

/** What "in" says depends on the verb: some act on what belongs to a place, some bring it there, some do it there. */
const belongsThere =
  /^(?:bump|change|clarify|clean|cleanup|correct|delete|deprecate|document|drop|enhance|expand|fix|improve|increase|normalize|optimi[sz]e|reduce|refactor|remove|rename|reorder|replace|restore|revert|rewrite|simplify|sort|tweak|update|upgrade)$/;
const comesThere = /^(?:add|create|display|include|insert|introduce|show|store)$/;
const doneThere =
  /^(?:allow|avoid|call|disable|enable|ignore|log|prefer|prevent|print|return|run|skip|support|use)$/;

/** A place may have a place of its own, once. */
function nested(text: string): string | null {
  const placed = /^(.+?)\s+(of|in)\s+(.+)$/.exec(text);
  const join = placed && places[placed[2] ?? ''];
  if (!placed || !join) return named(text);
  const object = named(placed[1] ?? '');
  const place = named(placed[3] ?? '');
  return object === null || place === null ? null : join(object, place);
}

const isVerb = (part: string): boolean =>
  verbs.has((part.split(/\s+/)[0] ?? '').toLowerCase()) || /^re-/.test(part);

const mostWords = 5;

/** A few words that name something; null for anything longer, or with a sentence inside. */
function phrase(text: string): string | null {
  if (clause.test(text) || /[,;:!?]/.test(text) || /\b(?:to|from|with|into|for|in|on|of)\b/i.test(text))
    return null;
  const parts = text.split(/\s+and\s+|\s*&\s*/i);
  // A second verb begins a second sentence, and an adverb belongs to the verb.
  if (
    parts.slice(1).some((part) => isVerb(part)) ||
    /\b(?!only|early|apply|supply|reply|assembly|family)\w{2,}ly\b/i.test(text)
  )
    return null;
  const translated = parts.map((part) => words(part.replace(/^(?:the|a|an|its|our|your)\s+/i, '')));
  return translated.every((part) => part !== null) ? translated.join(' と ') : null;
}

/** Japanese has no plural. */
function nounFor(word: string): string | undefined {
  // A name that is spelled like a word.
  if (word === 'Windows') return undefined;
  const lower = word.toLowerCase();
  const singulars = [lower, lower.replace(/ies$/, 'y'), lower.replace(/es$/, ''), lower.replace(/s$/, '')];
  return singulars.map((form) => nouns.get(form)).find((found) => found !== undefined);
}

/** Code, identifiers, paths, versions and abbreviations are the same in every language. */
const isName = (token: string): boolean =>
  /[\uE000-\uE0FF\d_./@:[\]^|]|-.*-|[a-z][A-Z]|^[A-Z]{2,}s?$|^[A-Z][a-z]+$/u.test(token);

/** Beside words that are translated, a number would need its counter, and a capital letter makes no name. */
function isHalfKnown(tokens: string[]): boolean {
  const isKnown = (token: string): boolean =>
    nounFor(token) !== undefined || adjectives.has(token.toLowerCase());
  const capital = tokens.filter((token) => /^[A-Z][a-z]+$/.test(token));
  return (
    (tokens.some((token, at) => /^\d+$/.test(token) && (at === 0 || isKnown(tokens[at - 1] ?? ''))) &&
      tokens.some(isKnown)) ||
    (capital.some(isKnown) && !capital.every(isKnown))
  );
}

function words(text: string): string | null {
  const tokens = text.split(/\s+/).filter((token) => token !== '' && !/^(?:the|a|an|its)$/i.test(token));
  if (tokens.length === 0 || tokens.length > mostWords || isHalfKnown(tokens)) return null;
  const made: string[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const pair = nounFor(`${tokens[at]} ${tokens[at + 1]}`);
    if (pair !== undefined) {
      made.push(pair);
      at++;
      continue;
    }
    const token = tokens[at] ?? '';
    // A verb in the middle makes a sentence of it.
    if (at > 0 && nounFor(token) === undefined && isThirdPerson(token.toLowerCase())) return null;
    const isLast = at === tokens.length - 1;
    const meaning =
      (isLast ? undefined : adjectives.get(token.toLowerCase())) ??
      nounFor(token) ??
      (isName(token) ? token : undefined);
    if (meaning === undefined) return null;
    made.push(meaning);
  }
  // Behind another noun it is shorter.
  return made.join(' ').replace(/(?<=[ァ-ー一-鿿])(?<!各) 名前/gu, '名');
}

/** Japanese words stand together; a blank only parts them from other letters. */
function tidy(text: string): string {
  const wide = '[\\u3000-\\u30ff\\u4e00-\\u9fff]';
  return text
    .replace(new RegExp(`(?<=${wide}) (?=${wide})`, 'gu'), '')
    .replace(/\s+/g, ' ')
    .trim();
}
