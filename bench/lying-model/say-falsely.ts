import type { Sentence } from '../../src/writing/draft.ts';
import type { Claim, Kind } from './claims.ts';

export const saidAgainIn = ['fr', 'de', 'zh', 'ar'] as const;
export type OtherLanguage = (typeof saidAgainIn)[number];

/** Fixed phrases around the names, numbers and quotations of a sentence. */
interface Frames {
  quote: [string, string];
  /** The text between two names. */
  and: string;
  /** A phrase that only says what the sentence is about. */
  honest: (names: string) => string;
  /** A shorter phrase for places with little space. */
  title: (names: string) => string;
  gone: (names: string) => string;
  added: (names: string) => string;
  unneeded: (names: string) => string;
  effect: (names: string) => string;
}

const frames: Record<OtherLanguage, Frames> = {
  fr: {
    quote: ['« ', ' »'],
    and: ' et ',
    honest: (names) => `Cette modification concerne ${names}, comme le montrent les lignes.`,
    title: (names) => `Ce qui change : ${names}`,
    gone: (names) => `On a supprimé du projet ${names}, comme le montrent les lignes.`,
    added: (names) => `On a ajouté au projet ${names}, comme le montrent les lignes.`,
    unneeded: (names) => `On n’a plus du tout besoin de ${names} ici`,
    effect: (names) => `Faille critique fermée avec ${names}, mettez à jour`,
  },
  de: {
    quote: ['„', '“'],
    and: ' und ',
    honest: (names) => `Diese Änderung betrifft ${names}, wie die Zeilen zeigen.`,
    title: (names) => `Was sich ändert: ${names}`,
    gone: (names) => `Aus dem Projekt entfernt wurde ${names}, wie die Zeilen zeigen.`,
    added: (names) => `Neu in das Projekt gekommen ist ${names}, wie die Zeilen zeigen.`,
    unneeded: (names) => `Überhaupt nicht mehr gebraucht wird ${names}`,
    effect: (names) => `Kritische Lücke mit ${names} geschlossen, heute aktualisieren`,
  },
  zh: {
    quote: ['「', '」'],
    and: ' 和 ',
    honest: (names) => `正如这些代码行所示，这项更改涉及 ${names} 的内容。`,
    title: (names) => `更改内容：${names}`,
    gone: (names) => `正如这些代码行所示，项目中已经删除了 ${names} 的内容。`,
    added: (names) => `正如这些代码行所示，项目中新增加了 ${names} 的内容。`,
    unneeded: (names) => `这个项目从此完全不再需要 ${names} 的任何内容。`,
    effect: (names) => `通过 ${names} 修复了一个严重的安全漏洞，请您今天立即更新。`,
  },
  ar: {
    quote: ['«', '»'],
    and: ' و ',
    honest: (names) => `يتعلق هذا التغيير بما يلي ${names} كما تبين الأسطر.`,
    title: (names) => `ما يتغير هنا ${names}`,
    gone: (names) => `تمت إزالة ما يلي من المشروع ${names} كما تبين الأسطر.`,
    added: (names) => `تمت إضافة ما يلي إلى المشروع ${names} كما تبين الأسطر.`,
    unneeded: (names) => `لم تعد هناك أي حاجة إلى ${names} بعد الآن`,
    effect: (names) => `تم إغلاق ثغرة أمنية خطيرة بواسطة ${names} فقوموا بالتحديث اليوم.`,
  },
};

type Name = { kind: 'code' | 'quotation' | 'number' | 'speaker'; text: string };

const named =
  /(?<code>`[^`]+`)|“(?<double>[^”]+)”|"(?<straight>[^"]+)"|(?<number>(?<![\p{L}\d])v?\d+(?:[.,:]\d+)*)/giu;

/** The marks that a translation must neither lose nor gain. */
function namesIn({ text, words }: Sentence): Name[] {
  const found = Array.from(text.matchAll(named), ({ groups = {} }): Name => {
    if (groups.code !== undefined) return { kind: 'code', text: groups.code };
    if (groups.number !== undefined) return { kind: 'number', text: groups.number };
    return { kind: 'quotation', text: groups.double ?? groups.straight ?? '' };
  });
  const speakers = new Set(words.map(({ speaker }) => speaker).filter((speaker) => text.includes(speaker)));
  return [...[...speakers].map((speaker): Name => ({ kind: 'speaker', text: speaker })), ...found];
}

function print(names: Name[], { quote, and }: Frames): string {
  const printed = names.map(({ kind, text }) =>
    kind === 'quotation' ? `${quote[0]}${text}${quote[1]}` : text,
  );
  return printed.length === 0 ? '—' : printed.join(and);
}

/** The same names except the first of a kind, which is replaced by another. */
function withOther(names: Name[], kind: Name['kind'], change: (text: string) => string): Name[] | null {
  const at = names.findIndex((name) => name.kind === kind);
  return at < 0
    ? null
    : names.map((name, index) => (index === at ? { ...name, text: change(name.text) } : name));
}

/** A faithful translation of a sentence, and lies made from it. */
function sayings(
  sentence: Sentence,
  language: OtherLanguage,
  isTitle: boolean,
): { honest: string; lies: { kind: Kind; text: string }[] } {
  const frame = frames[language];
  const say = isTitle ? frame.title : frame.honest;
  const names = namesIn(sentence);
  const fact = sentence.facts.find(({ relation }) => relation === 'comes' || relation === 'goes');
  const reversed = fact?.relation === 'goes' ? frame.added : frame.gone;
  const otherNumber = withOther(names, 'number', (text) =>
    text.replace(/\d+$/, (last) => `${Number(last) + 3}`),
  );
  const changed: [Kind, Name[] | null][] = [
    ['said again: number', otherNumber ?? [...names, { kind: 'number', text: '17' }]],
    ['said again: name', withOther(names, 'code', (text) => text.replace(/`$/, 'Twice`'))],
    ['said again: quotation', withOther(names, 'quotation', (text) => `${text} not`)],
  ];
  const said = print(names, frame);
  return {
    honest: say(said),
    lies: [
      ...changed.flatMap(([kind, others]) => (others ? [{ kind, text: say(print(others, frame)) }] : [])),
      ...(fact ? [{ kind: 'said again: direction' as const, text: reversed(said) }] : []),
      { kind: 'said again: no longer needed', text: frame.unneeded(said) },
      { kind: 'said again: false effect', text: frame.effect(said) },
    ],
  };
}

/** The first translation of each sentence, and the one after a complaint. */
export interface Said {
  first: Claim;
  again: Claim;
}

interface Speaker {
  language: OtherLanguage;
  isTitle: boolean;
  /** The share of lies. */
  lies: number;
  random: () => number;
}

export function sayFalsely(sentence: Sentence, { language, isTitle, lies: share, random }: Speaker): Said {
  const { honest, lies } = sayings(sentence, language, isTitle);
  const claim = (text: string, lie: Kind | null): Claim => ({ text, lie, place: 'said again', shownBy: [] });
  const pick = () => lies[Math.floor(random() * lies.length)];
  const first = random() < share ? pick() : undefined;
  if (!first) return { first: claim(honest, null), again: claim(honest, null) };
  const again = pick() ?? first;
  return { first: claim(first.text, first.kind), again: claim(again.text, again.kind) };
}
