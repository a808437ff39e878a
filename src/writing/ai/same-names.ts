import type { Sentence } from '../draft.ts';
import { codeSpan, quotation } from './sentence-rules.ts';

const number = /(?<![\p{Script=Latin}\d])v?\d+(?:[.,:]\d+)*/giu;

/** Why another wording does not name the same things: code, numbers, versions, quotations and people; null where it does. */
export function differenceOfNames(
  { text, words }: Pick<Sentence, 'text' | 'words'>,
  other: string,
): string | null {
  const [before, after] = [namesIn(text), namesIn(other)];
  const lost = missingFrom(after, before);
  if (lost !== undefined) return `it has lost “${lost}”`;
  const gained = missingFrom(before, after);
  if (gained !== undefined) return `“${gained}” is not in what it says again`;
  const unnamed = words.find(({ speaker }) => text.includes(speaker) && !other.includes(speaker));
  return unnamed ? `it has lost “${unnamed.speaker}”` : null;
}

/** The first name of a list that another has not, or has less often. */
function missingFrom(names: string[], wanted: string[]): string | undefined {
  const left = [...names];
  return wanted.find((name) => {
    const at = left.indexOf(name);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

function namesIn(text: string): string[] {
  const prose = text.normalize('NFKC').replace(codeSpan, ' ');
  const quoted = [...prose.matchAll(quotation)].flatMap((match) => match.slice(1).filter(Boolean));
  return [
    ...(text.match(codeSpan) ?? []),
    ...quoted.map((words) => words.replace(/(?<![\s.,。、])[\s.,。、]+$/u, '').trim()),
    ...(prose.replace(quotation, ' ').match(number) ?? []),
  ];
}
