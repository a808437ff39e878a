import type { Sample } from '../../src/actions/models/samples.ts';
import { judgeHonestly, questionIn, wordsIn } from './obliging-writer.ts';
import type { HeardRequest } from './scripted-model.ts';
import type { Reply } from './wire.ts';

/** The behaviour of a scripted model in a trial. */
export interface Part {
  /** The model's sentence about an added line with a given name. */
  tell: (name: string) => string;
  /** The model's verdict on a sentence, given an honest judge's verdict. */
  judge: (honest: string, sentence: string) => string;
  /** The language in which the model replies, given the one it is asked for; a bad model uses another. */
  speak: (language: string) => string;
  /** The model's reply instead of an article, by the number of earlier rejections. */
  blurt: (asked: string, complaints: number) => string | null;
  bytesPerToken: number;
}

/** A model that is truthful, reads everything, knows every language and follows the schema. */
export const honest: Part = {
  tell: (name) =>
    `One of the lines that are there now, and were not there before this change, says \`${name}\`.`,
  judge: (verdict) => verdict,
  speak: (language) => language,
  blurt: () => null,
  bytesPerToken: 3,
};

/** A sentence that no sample line shows and no rule rejects. */
export const tale = 'passwords are from now on kept as they were typed';

const prose: Record<string, (names: string) => string> = {
  English: (names) =>
    `This sentence is in the language of its author and keeps the names ${names} as they are.`,
  Japanese: (names) => `この文は依頼された言語で書かれており、${names} という名前をそのまま残しています。`,
  French: (names) =>
    `Cette phrase est écrite dans la langue demandée par le lecteur et garde les noms ${names} tels quels.`,
  German: (names) =>
    `Dieser Satz steht in der Sprache, die der Leser haben möchte, und behält die Namen ${names} so, wie sie sind.`,
  Chinese: (names) => `这句话是用读者要求的语言写成的，并且原样保留了 ${names} 这些名称，没有作任何改动。`,
};

/** Plays a model over the wire. The truth of the sentences made for the trial is known. */
export function playPart(part: Part, samples: Sample[]): (request: HeardRequest) => Reply {
  const lies = new Map(
    samples.flatMap(({ known }) => known.map(({ sentence, lie }) => [sentence.text, lie !== null])),
  );
  return (request) => {
    const { asked, instructions, material } = questionIn(request);
    const words = wordsIn(request);
    const replies = {
      article: () => writeAbout(material, part),
      verdicts: () => ({ verdicts: judge(material, lies, part) }),
      'said again': () => ({ sentences: sayAgain(instructions, material, part) }),
      mended: () => ({ sentences: [] }),
      notes: () => ({ notes: [] }),
      answer: () => ({ found: false, sentences: [] }),
      points: () => ({ points: [] }),
      digest: () => ({ sentences: [], title: { of: [], text: '' } }),
      looks: () => ({ looks: [] }),
    };
    const complaints = (words.length - 2) / 2;
    const text = part.blurt(asked, complaints) ?? JSON.stringify(replies[asked]());
    const tokensOf = (said: string) => Math.ceil(Buffer.byteLength(said) / part.bytesPerToken);
    return { text, usage: { input: tokensOf(words.join('')), output: tokensOf(text) } };
  };
}

/** Sentences about as many lines as an article has room for: each says that the line has a name. */
function writeAbout(material: string, { tell }: Part): object {
  const found = namedLines(material).slice(0, 15);
  const sections = [...Map.groupBy(found, ({ file }) => file).values()].map((lines) => ({
    changeTypes: ['FEAT'],
    sentences: lines.map(({ ref, name }) => ({ refs: [ref], quote: name, basis: 'diff', text: tell(name) })),
    show: '',
    heading: '',
  }));
  return {
    background: [],
    sections,
    beforeAfter: [],
    rest: [],
    lead: { of: ['s1.1'], text: tell(found[0]?.name ?? '') },
    title: { of: ['s1.1'], text: 'A line that was not there before' },
  };
}

/** Added lines, each with a name that no earlier line has, at most six per file. */
function namedLines(material: string): { file: string; ref: string; name: string }[] {
  const found: { file: string; ref: string; name: string }[] = [];
  let file = '';
  for (const line of material.split('\n')) {
    file = /^(f\d+) /.exec(line)?.[1] ?? file;
    const [, number, text = ''] = /^(\d+)\+(.*)$/u.exec(line) ?? [];
    const names = text.match(/\b[a-z]+[A-Z]\w+\b|\b[a-z]{6,}(?=\()/gu) ?? [];
    const name = names.find((one) => !found.some((other) => other.name === one));
    const isFull = found.filter((one) => one.file === file).length >= 6;
    if (number && name && !isFull) found.push({ file, ref: `${file}+${number}`, name });
  }
  return found;
}

function judge(material: string, lies: Map<string, boolean>, part: Part) {
  const texts = new Map(
    Array.from(material.matchAll(/^s(\d+) \([^)]*\) (.*)$/gmu), ([, n, text = '']) => [Number(n), text]),
  );
  return judgeHonestly(material).verdicts.map(({ n, verdict: seen }) => {
    const text = texts.get(n) ?? '';
    const isLie = text.includes(tale) ? true : lies.get(text);
    const verdict = part.judge(isLie === undefined ? seen : isLie ? 'contradicted' : 'holds', text);
    return { n, reason: verdict === 'holds' ? '' : 'the lines say otherwise', verdict };
  });
}

function sayAgain(instructions: string, material: string, { speak }: Part) {
  const wanted = Object.keys(prose).find((name) => instructions.includes(`in ${name}`)) ?? '';
  return [...material.matchAll(/^(\d+) (.*)$/gm)].map(([, n, text = '']) => {
    const code = text.match(/`[^`]+`/g) ?? [];
    const numbers = text.replace(/`[^`]+`/g, '').match(/\d+/g) ?? [];
    return { n: Number(n), text: prose[speak(wanted)]?.([...code, ...numbers].join(' · ')) ?? '' };
  });
}
