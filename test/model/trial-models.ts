import type { Sample } from '../../src/actions/trial/prepare-sample.ts';
import { judgeHonestly, questionIn, wordsIn } from './obliging-writer.ts';
import type { HeardRequest } from './scripted-model.ts';
import type { Reply } from './wire.ts';

/** What a scripted model does where it is tried. */
export interface Part {
  article: (material: string) => object;
  verdict: (sentence: string, honest: string) => string;
  /** The prose of a sentence in a language, around the names that it must keep. */
  say: (language: string, names: string[]) => string;
}

const prose: Record<string, (names: string) => string> = {
  Japanese: (names) => `この文は依頼された言語で書かれており、${names} という名前をそのまま残しています。`,
  French: (names) =>
    `Cette phrase est écrite dans la langue demandée par le lecteur et garde les noms ${names} tels quels.`,
  German: (names) =>
    `Dieser Satz steht in der Sprache, die der Leser haben möchte, und behält die Namen ${names} so, wie sie sind.`,
  Chinese: (names) => `这句话是用读者要求的语言写成的，并且原样保留了 ${names} 这些名称，没有作任何改动。`,
};

/** Tells of lines that came, a dozen of them, what can be seen of each: that it holds a name. */
export function writeHonestly(material: string): object {
  const found = namedLines(material).slice(0, 12);
  const mainChanges = [...Map.groupBy(found, ({ file }) => file)].map(([file, lines]) => ({
    file,
    changeTypes: ['FEAT'],
    sentences: lines.map(({ ref, name }) => ({
      refs: [ref],
      quote: name,
      basis: 'diff',
      text: `One of the lines that are there now, and were not there before, says \`${name}\`.`,
    })),
  }));
  return {
    background: [],
    mainChanges,
    notablePoints: [],
    standfirst: { of: ['c1.1'], text: `One of the lines that are there now says \`${found[0]?.name}\`.` },
    title: { of: ['c1.1'], text: 'A line that was not there before' },
  };
}

/** Lines that came, each with a name that no line before it has, at most four of a file. */
function namedLines(material: string): { file: string; ref: string; name: string }[] {
  const found: { file: string; ref: string; name: string }[] = [];
  let file = '';
  for (const line of material.split('\n')) {
    file = /^(f\d+) /.exec(line)?.[1] ?? file;
    const [, number, text = ''] = /^(\d+)\+(.*)$/u.exec(line) ?? [];
    const names = text.match(/\b[a-z]+[A-Z]\w+\b/gu) ?? [];
    const name = names.find((one) => !found.some((other) => other.name === one));
    const isFull = found.filter((one) => one.file === file).length >= 4;
    if (number && name && !isFull) found.push({ file, ref: `${file}+${number}`, name });
  }
  return found;
}

/** A model that tells the truth, reads what it is shown and speaks every language. */
export const honest: Part = {
  article: writeHonestly,
  verdict: (_, verdict) => verdict,
  say: (language, names) => prose[language]?.(names.join(' · ')) ?? names.join(' '),
};

/** Plays a part; what an honest reader would say of a sentence is known for those that were made for the trial. */
export function playPart(
  { article, verdict, say }: Part,
  samples: Sample[],
): (request: HeardRequest) => Reply {
  const known = new Map(
    samples.flatMap((sample) => sample.known.map(({ sentence, lie }) => [sentence.text, lie])),
  );
  const readerOf = (material: string) => {
    const texts = new Map(
      Array.from(material.matchAll(/^s(\d+) \([^)]*\) (.*)$/gmu), ([, n, text = '']) => [Number(n), text]),
    );
    const { verdicts } = judgeHonestly(material);
    return verdicts.map(({ n, verdict: seen }) => {
      const text = texts.get(n) ?? '';
      const truth = known.has(text) ? (known.get(text) === null ? 'holds' : 'contradicted') : seen;
      const said = verdict(text, truth);
      return { n, reason: said === 'holds' ? '' : 'the lines say otherwise', verdict: said };
    });
  };
  return (request) => {
    const { asked, instructions, material } = questionIn(request);
    const language = Object.keys(prose).find((name) => instructions.includes(`in ${name}`)) ?? '';
    const sentences = [...material.matchAll(/^(\d+) (.*)$/gm)].map(([, n, text = '']) => {
      const names = [
        ...(text.match(/`[^`]+`/g) ?? []),
        ...(text.replace(/`[^`]+`/g, '').match(/\d+/g) ?? []),
      ];
      return { n: Number(n), text: say(language, names) };
    });
    const answers = {
      article: () => article(material),
      verdicts: () => ({ verdicts: readerOf(material) }),
      'said again': () => ({ sentences }),
      mended: () => ({ sentences: [] }),
      notes: () => ({ notes: [] }),
    };
    const text = JSON.stringify(answers[asked]());
    const bytes = Buffer.byteLength(wordsIn(request).join(''));
    return { text, usage: { input: tokensOf(bytes), output: tokensOf(Buffer.byteLength(text)) } };
  };
}

/** Diffs with line numbers have about so many bytes in a token. */
const tokensOf = (bytes: number): number => Math.ceil(bytes / 3);
