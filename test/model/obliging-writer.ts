import type { HeardRequest } from './scripted-model.ts';
import type { Reply } from './wire.ts';

/** The kind of a request, by the schema of its reply. */
export type Asked =
  | 'article'
  | 'digest'
  | 'answer'
  | 'points'
  | 'looks'
  | 'notes'
  | 'verdicts'
  | 'mended'
  | 'said again';

interface Question {
  asked: Asked;
  instructions: string;
  /** The fenced material. */
  material: string;
}

/** The texts of a request in any protocol: instructions first, then the messages. */
export function wordsIn({ protocol, body }: HeardRequest): string[] {
  const join = (parts: { text: string }[] | string): string =>
    typeof parts === 'string' ? parts : parts.map(({ text }) => text).join('');
  const said = (messages: { content: { text: string }[] | string }[]) =>
    messages.map(({ content }) => join(content));
  switch (protocol) {
    case 'anthropic':
      return [join(body.system), ...said(body.messages)];
    case 'openai':
      return said(body.input);
    case 'google':
      return [body.systemInstruction, ...body.contents].map(({ parts }) => join(parts));
    case 'compatible':
      return said(body.messages);
  }
}

/** Some requests have no schema, so the kind is recognized by the instructions. */
export function questionIn(request: HeardRequest): Question {
  const [instructions = '', material = ''] = wordsIn(request);
  const asked: Asked = instructions.includes('"verdicts"')
    ? 'verdicts'
    : instructions.includes('"points"')
      ? 'points'
      : instructions.includes('"looks"')
        ? 'looks'
        : instructions.includes('"notes"')
          ? 'notes'
          : instructions.includes('"sections"')
            ? 'article'
            : instructions.includes('"title"')
              ? 'digest'
              : instructions.includes('"found"')
                ? 'answer'
                : instructions.includes('"refs"')
                  ? 'mended'
                  : 'said again';
  return { asked, instructions, material };
}

/** Sentences that are true of every diff with an added line, in several languages. */
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

/** A model that writes true sentences about the first added line, in the requested language. */
export function writeObligingly(request: HeardRequest): Reply {
  const { asked, instructions, material } = questionIn(request);
  if (asked === 'verdicts') return { text: JSON.stringify(judgeHonestly(material)), usage: usageOf(request) };
  const language = Object.keys(wordings).find((name) => instructions.includes(name)) ?? 'English';
  const { title, say } = wordings[language] ?? { title: '', say: String };
  if (asked === 'said again') {
    const sentences = [...material.matchAll(/^(\d+) (.*)$/gm)].map(([, n, text]) => ({
      n: Number(n),
      text: text?.includes('`') ? say(/`([^`]+)`/.exec(text)?.[1] ?? '') : title,
    }));
    return { text: JSON.stringify({ sentences }), usage: usageOf(request) };
  }
  if (asked === 'points') return { text: '{"points":[]}', usage: usageOf(request) };
  if (asked === 'looks') return { text: '{"looks":[]}', usage: usageOf(request) };
  if (asked === 'notes') return { text: JSON.stringify(noteFirstLine(material)), usage: usageOf(request) };
  if (asked === 'mended') return { text: '{"sentences":[]}', usage: usageOf(request) };
  const { ref, name } = firstAdded(material) ?? { ref: '', name: '' };
  const sentence = { refs: [ref], quote: name, basis: 'diff', text: say(name) };
  if (asked === 'digest')
    return {
      text: JSON.stringify({ sentences: [sentence], title: { of: ['b1'], text: title } }),
      usage: usageOf(request),
    };
  if (asked === 'answer')
    return { text: JSON.stringify({ found: name !== '', sentences: [sentence] }), usage: usageOf(request) };
  const reply = {
    background: [],
    sections: [{ changeTypes: ['FEAT'], sentences: [sentence], show: ref, heading: '' }],
    beforeAfter: [],
    rest: [],
    lead: { of: [], text: '' },
    title: { of: ['s1.1'], text: title },
  };
  return { text: JSON.stringify(reply), usage: usageOf(request) };
}

/** The first added line with content: its label and a name in it. */
function firstAdded(material: string): { file: string; ref: string; name: string } | null {
  let file = '';
  for (const line of material.split('\n')) {
    file = /^(f\d+) /.exec(line)?.[1] ?? file;
    const [, number, text = ''] = /^(\d+)\+(.*\p{L}{3,}.*)$/u.exec(line) ?? [];
    const name = /\p{L}[\p{L}\d_]{2,}/u.exec(text)?.[0];
    if (number && name) return { file, ref: `${file}+${number}`, name };
  }
  return null;
}

/** A note about the first added line in a part of a large pull request. */
function noteFirstLine(material: string) {
  const found = firstAdded(material);
  if (!found) return { notes: [] };
  const { ref, name } = found;
  return { notes: [{ refs: [ref], quote: name, weight: 3, text: `One of the lines says \`${name}\`.` }] };
}

/** A sentence about a line that does not reverse the change. */
const isSaidToGo = /no longer|removes|drops|any more|is gone|does without|なくなります|削除/u;

/** Only control sentences are about conditions and scopes here. */
const isTurnedRound =
  /makes way for|had `.*now it has|returns at once|does nothing more|goes on only if|fails (?:as soon|because)|ends in an error|has to do with|stays within|何もせずに|エラーになり|だけです|`[^`]*` では `/u;

/** A judge that checks whether the code quoted by a sentence is in the cited line. */
export function judgeHonestly(material: string) {
  const lines = material.split('\n').map((line) => line.replace(/\s+/g, ' '));
  const shown = lines.filter((line) => !/^s\d+ \(/.test(line));
  const paths = shown.flatMap((line) => /^[fu]\d+ ([^,(]+?)(?:,| \(|$)/.exec(line)?.[1] ?? []);
  const byLabel = linesByLabel(shown);
  const verdicts = [...material.matchAll(/^s(\d+) \(([^)]*)\) (.*)$/gmu)].map(
    ([, n, refs = '', text = '']) => {
      const quoted = Array.from(text.matchAll(/`([^`]+)`/g), ([, code = '']) => code);
      const cited = citedBy(refs, byLabel);
      const among = cited.length > 0 ? [...cited, ...paths] : shown;
      const isShown = quoted.every((code) => among.some((line) => line.includes(code)));
      const code = quoted.filter((one) => !paths.includes(one));
      const stands = shown.some((line) => /^\d+[+ ]/.test(line) && code.some((one) => line.includes(one)));
      // Only parts of such code are in the lines, so a block counts as true.
      const isBlock = refs.startsWith('before and after');
      const isTrue =
        isBlock ||
        (!isTurnedRound.test(text) && (quoted.length === 0 || (isShown && stands !== isSaidToGo.test(text))));
      return {
        n: Number(n),
        reason: isTrue ? '' : 'the lines say otherwise',
        verdict: isTrue ? 'holds' : 'contradicted',
      };
    },
  );
  return { verdicts };
}

/** Lines by the labels that sentences cite: `f2+41`, `f2-38`. */
function linesByLabel(shown: string[]): Map<string, string> {
  const lines = new Map<string, string>();
  let file = '';
  for (const line of shown) {
    file = /^([fu]\d+) /.exec(line)?.[1] ?? file;
    const [, number = '', sign = '', text = ''] = /^(\d+)([+ -])(.*)$/.exec(line) ?? [];
    if (number !== '') lines.set(`${file}${sign === '-' ? '-' : '+'}${number}`, text);
  }
  return lines;
}

/** The lines of labels such as `f2+41-45`; none if anything else is cited. */
function citedBy(refs: string, lines: Map<string, string>): string[] {
  const labels = refs.split(/[,;] /).filter((ref) => /^[fukw]\d/.test(ref));
  if (labels.some((label) => !/^[fu]\d+[+-]\d/.test(label))) return [];
  return labels.flatMap((label) => {
    const [, side = '', from = '', to = from] = /^([fu]\d+[+-])(\d+)(?:-(\d+))?$/.exec(label) ?? [];
    const count = Number(to) - Number(from) + 1;
    return Array.from({ length: count }, (_, at) => lines.get(`${side}${Number(from) + at}`) ?? '');
  });
}

/** Token counts that a model would report for a text. */
const usageOf = (request: HeardRequest) => ({
  input: Math.ceil(Buffer.byteLength(wordsIn(request).join('')) / 3),
  output: 200,
});
