import type { HeardRequest } from './scripted-model.ts';
import type { Reply } from './wire.ts';

/** What a request asks for, by the form that the answer is to have. */
export type Asked = 'article' | 'verdicts' | 'mended' | 'said again';

interface Question {
  asked: Asked;
  /** What others wrote, behind its fence. */
  material: string;
}

/** Reads a request of the `compatible` protocol. */
export function questionIn({ body }: HeardRequest): Question {
  const [instructions, material = ''] = body.messages.map(({ content }: { content: string }) => content);
  // Not everybody is sent a schema; the words ask for the same.
  const schema = body.response_format?.json_schema;
  const form: string = schema ? JSON.stringify(schema) : instructions;
  const asked: Asked = form.includes('"verdicts"')
    ? 'verdicts'
    : form.includes('"mainChanges"')
      ? 'article'
      : form.includes('"refs"')
        ? 'mended'
        : 'said again';
  return { asked, material };
}

/** Sentences that are true of any diff in which a line was added, in several languages. */
const wordings: Record<string, { title: string; say: (name: string) => string }> = {
  English: {
    title: 'A line that was not there before',
    say: (name) => `One of the lines that are there now says \`${name}\`.`,
  },
  Japanese: {
    title: '一行が加わります',
    say: (name) => `今ある行のひとつには \`${name}\` と書かれています。`,
  },
  French: {
    title: 'Une ligne qui n’y était pas',
    say: (name) => `Une des lignes qui sont là maintenant dit \`${name}\`.`,
  },
};

/** A writer that tells the truth about the first line that was added, in the language that it is asked for. */
export function writeObligingly(request: HeardRequest): Reply {
  const { asked, material } = questionIn(request);
  if (asked === 'verdicts') {
    const verdicts = [...material.matchAll(/^s(\d+) /gm)].map(([, n]) => ({
      n: Number(n),
      reason: '',
      verdict: 'holds',
    }));
    return { text: JSON.stringify({ verdicts }), usage: usageOf(request) };
  }
  const instructions: string = request.body.messages[0].content;
  const language = Object.keys(wordings).find((name) => instructions.includes(name)) ?? 'English';
  const { title, say } = wordings[language] ?? { title: '', say: String };
  if (asked === 'said again') {
    const sentences = [...material.matchAll(/^(\d+) (.*)$/gm)].map(([, n, text]) => ({
      n: Number(n),
      text: Number(n) === 0 ? title : say(/`([^`]+)`/.exec(text ?? '')?.[1] ?? ''),
    }));
    return { text: JSON.stringify({ sentences }), usage: usageOf(request) };
  }
  if (asked === 'mended') return { text: '{"sentences":[]}', usage: usageOf(request) };
  const [, line, text = ''] = /^(\d+)\+(.*\p{L}{3,}.*)$/mu.exec(material) ?? [];
  const [name = ''] = /\p{L}[\p{L}\d_]{2,}/u.exec(text) ?? [];
  const sentence = { refs: [`f1+${line}`], quote: name, basis: 'diff', text: say(name) };
  const answer = {
    background: [],
    mainChanges: [{ file: 'f1', changeTypes: ['FEAT'], sentences: [sentence] }],
    notablePoints: [],
    title,
  };
  return { text: JSON.stringify(answer), usage: usageOf(request) };
}

/** What a model would report for this much text. */
const usageOf = ({ body }: HeardRequest) => ({
  input: Math.ceil(Buffer.byteLength(JSON.stringify(body.messages)) / 3),
  output: 200,
});
