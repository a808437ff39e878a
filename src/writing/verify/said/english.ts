import { placeholder as P } from '../marked-text.ts';
import type { Phrase } from './phrases.ts';

const kinds =
  'functions?|methods?|class(?:es)?|types?|constants?|fields?|parameters?|arguments?|options?|flags?|keys?|variables?|routes?|tests?|sections?|headings?|comments?|checks?|conditions?|calls?|lines?|dependenc(?:y|ies)|imports?|exports?|headers?|errors?|messages?|cases?|branch(?:es)?|macros?|structs?|enums?|variants?|traits?|interfaces?|propert(?:y|ies)|modules?|packages?|crates?|files?|alias(?:es)?|hooks?|helpers?|handlers?|middlewares?|attributes?|annotations?|decorators?|constructors?|getters?|setters?|overloads?|implementations?|declarations?|definitions?|entr(?:y|ies)|values?|ones?|elements?|columns?|tables?|commands?|scripts?|jobs?|steps?|settings?|uses?';
const modifiers =
  'the|a|an|its|their|his|our|this|that|these|new|old|own|all|both|another|second|third|first|last|public|private|static|optional|required|unused|more|two|three|four|five|several|some|few|environment|configuration|command-line|default|internal|exported|async|abstract|generic|missing|deprecated|single|only|now|also|extra|additional|named|called';
const gap = `(?:(?:${modifiers}|${kinds})[\\s:,]+){0,6}(?:(?:to|on|of)\\s+(?:(?:${modifiers}|${kinds})\\s+){0,3})?:?\\s*`;
const joint = `(?:\\s*,\\s*(?:and\\s+)?|\\s+and\\s+|\\s+or\\s+|\\s+)(?:(?:the|a|an|its|new)\\s+)*(?:(?:${kinds})\\s+)?`;
const what = `(?<what>${P}(?:${joint}${P})*)`;
const noun = `(?:(?:${modifiers}|${kinds})\\s+){0,4}`;

/** Negations and possibilities say nothing about the lines. */
const real =
  "(?<!(?:\\b(?:not|never|no longer|without|instead of|rather than|cannot|could|would|should|might|may|must|meant to|used to|want(?:s|ed)? to|tries to|to|than|before|when|if|unless)|n't)\\s+(?:\\w+\\s+)?)\\b";

const does =
  'calls?|uses?|requires?|accepts?|takes?|branch(?:es)? on|imports?|exports?|reads?|throws?|raises?|needs?|depends? on|includes?|contains?|supports?|emits?|sends?|sets?|logs?|catch(?:es)?|carries|carry';
const drops =
  'removes?|removed|removing|drops?|dropped|dropping|deletes?|deleted|takes? out|took out|loses?|gets? rid of|strips?';
/** Objects that code creates or gets at run time are not changes of the code. */
const adds =
  'adds?|added|adding|introduces?|introduced|defines|brings? in|gains?|(?:creates|gets?|inserts?)(?!\\s+(?:its|their)\\b)|can(?: now)? fail with';
const being = `(?:\\s+(?:in|of|from)\\s+${P})?\\s+(?:is|are|was|were|gets?|has been|have been)\\s+(?:now\\s+|also\\s+)?`;

const ceases = `${real}no longer\\s+(?:also\\s+)?(?:(?:${does}|has|have|returns?)\\s+)?${gap}${what}`;
const begins = `${real}now\\s+(?:also\\s+)?(?:${does})\\s+${gap}${what}`;
/** If "methods of `A` and `B` are gone", the classes stay. */
const notItsMembers = `(?<!\\b(?:methods|functions|helpers|fields|members|properties|parameters|options)\\s+of\\s+(?:${P}${joint})*)`;
const gone = [
  `${real}(?:${drops})\\s+${gap}${what}`,
  `${notItsMembers}${what}${being}(?:removed|dropped|deleted|gone|taken out)\\b(?!\\s+(?:from|to))`,
  `${what}\\s+(?:goes|disappears?|vanish(?:es)?)(?=\\s*(?:[.,;]|$|and\\b))`,
];
const come = [
  `${real}(?:${adds})\\s+${gap}${what}`,
  `${what}${being}(?:added|introduced|new|created|inserted)\\b(?!\\s+(?:to|in)\\b)`,
];

const [from, to] = [`${noun}(?<from>${P})`, `${noun}(?<to>${P})`];

const turns = [
  `(?<from>${P})\\s+(?:now\\s+)?becomes?\\s+${to}`,
  `(?<from>${P})(?:\\s+(?:of|in)\\s+${P})?\\s+(?:is|are)\\s+(?:now\\s+)?(?:called|named|renamed to|replaced by|replaced with|turned into|changed to)\\s+${to}`,
  `\\brenam(?:es?|ed|ing)\\s+${from}\\s+(?:to|as)\\s+${to}`,
  `\\breplac(?:es?|ed|ing)\\s+${from}\\s+(?:with|by)\\s+${to}`,
  `\\b(?:chang(?:es?|ed)|turn(?:s|ed)?)\\s+${from}\\s+(?:to|into)\\s+${to}`,
  `\\bswap(?:s|ped)?\\s+${from}(?:\\s+${P})?\\s+for\\s+${to}`,
  `\\bfrom\\s+(?<from>${P})\\s+to\\s+(?<to>${P})`,
  `(?<to>${P}),?\\s+(?:instead of|in place of|rather than)\\s+${from}`,
  `(?<to>${P})\\s+replaces\\s+${from}(?!\\s+(?:with|by)\\b)`,
];

/** The end of a clause, or the beginning of the other time. */
const end =
  '[;,.:()—]|\\b(?:now|used to|previously|formerly|before|until now|no longer|instead of|rather than|in place of|like|than|but|where|while|whereas|because|since|so|if|unless|when|which|that|and)\\b';
/** Negations, which no line can prove. */
const denied = "[^.;]{0,60}(?:\\b(?:no|not|never|nothing|none)|n['’]t)\\b";
const clause = `(?<what>(?:(?!${end}).){0,300})`;

/** A verb of rising or falling applies to every pair after it, up to the next verb. */
const order = (verb: string): string =>
  `\\bfrom\\s+(?<from>${P})\\s+to\\s+(?<to>${P})(?<=\\b${verb}\\b(?:(?!\\b(?:upgrad|downgrad|adds|drops|changes|moves)).)*)`;

export const english: Phrase[] = [
  { kind: 'side', side: 'removed', isDoing: true, pattern: ceases },
  { kind: 'side', side: 'added', isDoing: true, pattern: begins },
  ...gone.map((pattern): Phrase => ({ kind: 'side', side: 'removed', pattern })),
  ...come.map((pattern): Phrase => ({ kind: 'side', side: 'added', pattern })),
  ...turns.map((pattern): Phrase => ({ kind: 'turn', pattern })),
  {
    kind: 'time',
    side: 'old',
    pattern: `\\b(?:used to|no longer|(?:previously|formerly|until now)\\b(?!${denied}))\\b${clause}`,
  },
  {
    kind: 'time',
    side: 'old',
    pattern: `(?<!(?:\\b(?:as|no|not|never|nothing|none)|n['’]t)\\b[^.;,]{0,60})\\bbefore(?!,?${denied})(?=\\s*(?:[,.;)]|$)),?${clause}`,
  },
  { kind: 'time', side: 'new', pattern: `(?<!\\buntil\\s)\\b(?:now|from now on)\\b${clause}` },
  { kind: 'order', isRise: true, pattern: order('(?:upgrad\\w*|ris(?:es?|en)|rais\\w*|bumps?)') },
  { kind: 'order', isRise: false, pattern: order('(?:downgrad\\w*|goes? down|falls?|lowers?|lowered)') },
  {
    kind: 'move',
    pattern: `\\bmov(?:es?|ed)\\s+${what}\\s+(?:here\\s+)?(?:from\\s+(?<from>${P}))?\\s*(?:to\\s+(?<to>${P}))?`,
  },
  {
    kind: 'move',
    pattern: `(?:${what}\\s+)?\\bmov(?:es?|ed)\\s+(?:here\\s+)?(?:from\\s+(?<from>${P}))?\\s*(?:to\\s+(?<to>${P}))?`,
  },
  {
    kind: 'take',
    pattern: `(?<by>${P})\\s+(?:now\\s+|no longer\\s+)?(?:also\\s+)?(?:takes|requires|accepts|gains|receives)\\s+${gap}${what}`,
  },
  { kind: 'call', pattern: `${P}\\s+(?:(?:also|still|now)\\s+)?calls?\\s+(?<what>${P})` },
  {
    kind: 'call',
    pattern: `(?<what>${P})\\s+(?:is|was)\\s+(?:(?:also|still|now)\\s+)?called\\s+(?:by|from|in)\\s+${P}`,
  },
  { kind: 'count', of: 'additions', pattern: '(?<number>\\d[\\d,]*) lines? added' },
  { kind: 'count', of: 'deletions', pattern: '(?<number>\\d[\\d,]*)(?: lines?)? removed' },
  {
    kind: 'count',
    of: 'files',
    pattern:
      '(?<number>\\d[\\d,]*) (?:(?:more|test|changed|new|other|binary|source)\\s+)*(?:files?|documents?)\\b',
  },
  {
    kind: 'count',
    of: 'tests',
    pattern: '(?<number>\\d[\\d,]*) (?:(?:more|new|other|unit)\\s+)*tests?\\b(?! files?)',
  },
  {
    kind: 'file',
    status: 'added',
    pattern: '^(?:the|this) (?:binary )?(?:file|document) is (?:new|added)\\b',
  },
  { kind: 'file', status: 'removed', pattern: '^(?:the|this) (?:binary )?(?:file|document) is removed\\b' },
];
