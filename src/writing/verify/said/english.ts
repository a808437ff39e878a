import {
  type Mark,
  type MarkedText,
  markAt,
  marksIn,
  matchAround,
  placeholder as P,
} from '../marked-text.ts';
import type { Said } from './said.ts';

/** What something can be called between a verb and its name. */
const kinds =
  'functions?|methods?|class(?:es)?|types?|constants?|fields?|parameters?|arguments?|options?|flags?|keys?|variables?|routes?|tests?|sections?|headings?|comments?|checks?|conditions?|calls?|lines?|dependenc(?:y|ies)|imports?|exports?|headers?|errors?|messages?|cases?|branch(?:es)?|macros?|structs?|enums?|variants?|traits?|interfaces?|propert(?:y|ies)|modules?|packages?|crates?|files?|alias(?:es)?|hooks?|helpers?|handlers?|middlewares?|attributes?|annotations?|decorators?|constructors?|getters?|setters?|overloads?|implementations?|declarations?|definitions?|entr(?:y|ies)|values?|ones?|values?|elements?|columns?|tables?|commands?|scripts?|jobs?|steps?|settings?|uses?';
const modifiers =
  'the|a|an|its|their|his|our|this|that|these|new|old|own|all|both|another|second|third|first|last|public|private|static|optional|required|unused|more|two|three|four|five|several|some|few|environment|configuration|command-line|default|internal|exported|async|abstract|generic|missing|deprecated|single|only|now|also|extra|additional|named|called';
const gap = `(?:(?:${modifiers}|${kinds})[\\s:,]+){0,6}(?:(?:to|on|of)\\s+(?:(?:${modifiers}|${kinds})\\s+){0,3})?:?\\s*`;
const joint = `(?:\\s*,\\s*(?:and\\s+)?|\\s+and\\s+|\\s+or\\s+|\\s+)(?:(?:the|a|an|its|new)\\s+)*(?:(?:${kinds})\\s+)?`;
const list = `${P}(?:${joint}${P})*`;

/** What is not, was not, or only might be says nothing of the lines. */
const unreal =
  /(?:\b(?:not|never|without|instead of|rather than|cannot|could|would|should|might|may|must|meant to|used to|want(?:s|ed)? to|tries to|to|than|before|when|if|unless)|n't)\s+(?:\w+\s+){0,1}$/i;

const nowDoes =
  'calls?|uses?|requires?|accepts?|takes?|branch(?:es)? on|imports?|exports?|reads?|throws?|raises?|needs?|depends? on|includes?|contains?|supports?|emits?|sends?|sets?|logs?|catch(?:es)?|carries|carry';

const sideVerbs: { side: 'added' | 'removed'; verb: string }[] = [
  { side: 'removed', verb: `no longer\\s+(?:also\\s+)?(?:(?:${nowDoes}|has|have|returns?)\\s+)?` },
  {
    side: 'removed',
    verb: '(?:removes?|removed|removing|drops?|dropped|dropping|deletes?|deleted|takes? out|took out|loses?|gets? rid of|strips?)\\s+',
  },
  { side: 'added', verb: `now\\s+(?:also\\s+)?(?:${nowDoes})\\s+` },
  {
    side: 'added',
    verb: '(?:adds?|added|adding|introduces?|introduced|defines|creates|brings? in|gains?|gets?|inserts?|can(?: now)? fail with|can now meet)\\s+',
  },
];

/** Of the sentence as it stands in English, or nothing where it is in another language. */
export function saidInEnglish(marked: MarkedText): Said[] {
  return [
    ...sidesOfObjects(marked),
    ...sidesOfSubjects(marked),
    ...turns(marked),
    ...orders(marked),
    ...moves(marked),
    ...takes(marked),
    ...needs(marked),
    ...counts(marked),
    ...imports(marked),
    ...same(marked),
    ...files(marked),
  ];
}

function sidesOfObjects(marked: MarkedText): Said[] {
  const said: Said[] = [];
  const taken: { start: number; end: number }[] = [];
  for (const { side, verb } of sideVerbs) {
    for (const { 0: whole, 1: objects = '', index } of matchAround(marked, `\\b${verb}${gap}(${list})`)) {
      const end = index + whole.length;
      // "no longer calls" is not "calls" once more.
      if (taken.some((one) => index < one.end && end > one.start)) continue;
      taken.push({ start: index, end });
      if (unreal.test(marked.masked.slice(0, index))) continue;
      // What is added to, or removed from, a name is not the name.
      said.push({ kind: 'side', side, marks: marksIn(marked, objects) });
    }
  }
  return said;
}

const being =
  '(?:\\s+(?:in|of|from)\\s+' +
  P +
  ')?\\s+(?:(?:is|are|was|were|gets?|has been|have been)\\s+)(?:now\\s+|also\\s+)?';

function sidesOfSubjects(marked: MarkedText): Said[] {
  const find = (side: 'added' | 'removed', words: string): Said[] =>
    matchAround(marked, `(${list})${words}`).map(({ 1: subjects = '' }) => ({
      kind: 'side',
      side,
      marks: marksIn(marked, subjects),
    }));
  return [
    ...find('removed', `${being}(?:removed|dropped|deleted|gone|taken out)\\b(?!\\s+(?:from|to))`),
    ...find('removed', '(?:\\s+could be used from outside and)\\s+(?:is|are) gone\\b'),
    ...find('removed', '\\s+(?:goes|disappears?|vanish(?:es)?)(?=[\\s]*(?:[.,;]|$|and\\b))'),
    ...find('removed', '\\s+can no longer be set'),
    ...find('added', `${being}(?:added|introduced|new|created|inserted)\\b(?!\\s+(?:to|in)\\b)`),
  ];
}

const noun = `(?:(?:${modifiers}|${kinds})\\s+){0,4}`;

/** What was stands first. */
const forward = [
  `(${P})\\s+(?:now\\s+)?becomes?\\s+(?:in\\s+\\d[\\d,]*\\s+places?\\s+)?${noun}(${P})`,
  `(${P})(?:\\s+(?:of|in)\\s+${P}|\\s+could be used from outside and)?\\s+(?:is|are)\\s+(?:now\\s+)?(?:called|named|renamed to|replaced by|replaced with|turned into|changed to)\\s+${noun}(${P})`,
  `\\brenam(?:es?|ed|ing)\\s+${noun}(${P})\\s+(?:to|as)\\s+${noun}(${P})`,
  `\\breplac(?:es?|ed|ing)\\s+${noun}(${P})\\s+(?:with|by)\\s+${noun}(${P})`,
  `\\b(?:chang(?:es?|ed)|turn(?:s|ed)?)\\s+${noun}(${P})\\s+(?:to|into)\\s+${noun}(${P})`,
  `\\bswap(?:s|ped)?\\s+${noun}(${P})(?:\\s+${P})?\\s+for\\s+${noun}(${P})`,
  `\\bfrom\\s+(${P})\\s+to\\s+(${P})`,
];

/** What is stands first. */
const backward = [
  `(${P})(?:\\s+by default)?,?\\s+(?:instead of|in place of|rather than|where it was)\\s+${noun}(${P})`,
  `(${P})\\s+replaces\\s+${noun}(${P})(?!\\s+(?:with|by)\\b)`,
];

function pairs(marked: MarkedText, pattern: string): { first: Mark; second: Mark }[] {
  return matchAround(marked, pattern).flatMap(({ 1: one = '', 2: other = '' }) => {
    const [first, second] = [markAt(marked, one), markAt(marked, other)];
    return first && second ? [{ first, second }] : [];
  });
}

const turns = (marked: MarkedText): Said[] => [
  ...forward.flatMap((pattern) =>
    pairs(marked, pattern).map(({ first, second }): Said => ({ kind: 'turn', from: first, to: second })),
  ),
  ...backward.flatMap((pattern) =>
    pairs(marked, pattern).map(({ first, second }): Said => ({ kind: 'turn', from: second, to: first })),
  ),
];

const orderVerbs = [
  { isRise: true, verb: '(?:upgrad\\w*|ris(?:es?|en)|rais\\w*|bumps?)' },
  { isRise: false, verb: '(?:downgrad\\w*|goes? down|falls?|lowers?|lowered)' },
];
const fromTo = new RegExp(`\\bfrom\\s+(${P})\\s+to\\s+(${P})`, 'giu');

/** A verb of rising or falling governs every pair behind it, up to the next verb. */
const orders = (marked: MarkedText): Said[] =>
  orderVerbs.flatMap(({ isRise, verb }) =>
    matchAround(marked, `\\b${verb}\\b(?:(?!\\b(?:upgrad|downgrad|adds|drops|changes|moves)).)*`).flatMap(
      ({ 0: clause }) =>
        Array.from(clause.matchAll(fromTo)).flatMap(({ 1: one = '', 2: other = '' }): Said[] => {
          const [from, to] = [markAt(marked, one), markAt(marked, other)];
          return from && to ? [{ kind: 'order', from, to, isRise }] : [];
        }),
    ),
  );

function moves(marked: MarkedText): Said[] {
  return matchAround(
    marked,
    `(?:(${list})\\s+)?\\bmov(?:es?|ed)\\s+(?:here\\s+)?(?:(${list})\\s+(?:here\\s+)?)?(?:from\\s+(${P}))?\\s*(?:to\\s+(${P}))?`,
  ).flatMap(({ 1: subjects = '', 2: objects = '', 3: origin = '', 4: target = '' }): Said[] => {
    const from = markAt(marked, origin) ?? null;
    const to = markAt(marked, target) ?? null;
    const marks = marksIn(marked, subjects + objects);
    return from || to ? [{ kind: 'move', marks, from, to }] : [];
  });
}

const taking = '(?:now\\s+|no longer\\s+)?(?:also\\s+)?(?:takes|requires|accepts|gains|receives)';

const takes = (marked: MarkedText): Said[] =>
  matchAround(marked, `(${P})\\s+${taking}\\s+${gap}(${list})`).flatMap(
    ({ 1: subject = '', 2: objects = '' }): Said[] => {
      const by = markAt(marked, subject);
      return by ? marksIn(marked, objects).map((mark): Said => ({ kind: 'take', by, mark })) : [];
    },
  );

function needs(marked: MarkedText): Said[] {
  return [
    ...matchAround(marked, `\\bnow (?:requires?|takes? the required)\\s+${gap}(${list})`).map(
      ({ 1: objects = '' }): Said => ({ kind: 'need', marks: marksIn(marked, objects), isOptional: false }),
    ),
    ...matchAround(marked, `\\bnow also accepts?\\s+${gap}(${list})`).map(
      ({ 1: objects = '' }): Said => ({ kind: 'need', marks: marksIn(marked, objects), isOptional: true }),
    ),
  ];
}

const counted: { of: Extract<Said, { kind: 'count' }>['of']; pattern: string }[] = [
  { of: 'additions', pattern: '(\\d[\\d,]*) lines? added' },
  { of: 'deletions', pattern: '(\\d[\\d,]*)(?: lines?)? removed' },
  { of: 'changedLines', pattern: '\\((\\d[\\d,]*) lines?(?: in all)?\\)' },
  {
    of: 'files',
    pattern: '(\\d[\\d,]*) (?:(?:more|test|changed|new|other|binary|source)\\s+)*(?:files?|documents?)\\b',
  },
  { of: 'places', pattern: '\\bin (\\d[\\d,]*) places?\\b' },
  { of: 'more', pattern: '\\band (\\d[\\d,]*) more\\b(?! files?)' },
  { of: 'tests', pattern: '(\\d[\\d,]*) (?:(?:more|new|other|unit)\\s+)*tests?\\b(?! files?)' },
];

const counts = (marked: MarkedText): Said[] =>
  counted.flatMap(({ of, pattern }) =>
    matchAround(marked, pattern).map(
      ({ 1: number = '' }): Said => ({ kind: 'count', of, value: Number(number.replaceAll(',', '')) }),
    ),
  );

const same = (marked: MarkedText): Said[] =>
  matchAround(marked, `\\bthe same is done in\\s+(${list})`).map(
    ({ 1: named = '' }): Said => ({ kind: 'same', marks: marksIn(marked, named) }),
  );

const imports = (marked: MarkedText): Said[] =>
  matchAround(marked, `\\bonly imports (?:change|differ)(?:\\s+in\\s+(${list}))?`).map(
    ({ 1: named = '' }): Said => ({ kind: 'imports', marks: marksIn(marked, named) }),
  );

function files(marked: MarkedText): Said[] {
  const status = (is: Extract<Said, { kind: 'file' }>['status'], pattern: string): Said[] =>
    matchAround(marked, pattern).length > 0 ? [{ kind: 'file', status: is }] : [];
  return [
    ...status(
      'added',
      '^(?:this (?:binary )?(?:file|document) is (?:new|added)|this new file|a new binary file)\\b',
    ),
    ...status('removed', '^this (?:binary )?(?:file|document) is removed\\b'),
    ...status('executable', 'can now be executed'),
    ...status('notExecutable', 'can no longer be executed'),
  ];
}
