import { questionIn, writeObligingly } from '../../test/model/obliging-writer.ts';
import type { HeardRequest } from '../../test/model/scripted-model.ts';
import type { Reply } from '../../test/model/wire.ts';

/** Takes as many notes on a part as are asked for at most, each of lines of its own, and writes as obligingly as any. */
export function noteParts(request: HeardRequest): Reply {
  const obliged = writeObligingly(request);
  const { asked, material } = questionIn(request);
  if (asked !== 'notes') return obliged;
  let label = '';
  const found = material.split('\n').flatMap((line) => {
    label = /^(f\d+) /.exec(line)?.[1] ?? label;
    const [, number, name] = /^(\d+)\+.*?(remaining\d+of\d+|open - \d+|isReturned)/.exec(line) ?? [];
    return number && name ? [{ label, number, name }] : [];
  });
  if (found.length === 0) return obliged;
  const notes = found.slice(0, 8).map(({ label: file, number, name }, index) => ({
    refs: [`${file}+${number}`],
    quote: name,
    weight: 1 + (index % 5),
    text: `One of the lines says \`${name}\`.`,
  }));
  return { ...obliged, text: JSON.stringify({ notes }) };
}

/** The question itself, whatever fence was made for it. */
export const nameOf = (request: HeardRequest): string =>
  `${questionIn(request).asked} ${request.body.messages[1].content.replaceAll(/q[0-9a-f]{10}/g, 'q')}`;

/** What a question takes of a model's window. */
export const bytesOf = (request: HeardRequest): number =>
  request.body.messages.reduce(
    (sum: number, { content }: { content: string }) => sum + Buffer.byteLength(content),
    0,
  );
