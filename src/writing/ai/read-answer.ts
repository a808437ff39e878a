/**
 * The JSON object that a model answered with, whatever it put around it: thinking, fences, prose. Undefined where there is
 * none. What was cut off is never completed: half an answer may say the opposite of the whole.
 */
export async function readAnswer(text: string, { isCut }: { isCut: boolean }): Promise<unknown> {
  const said = withoutThinking(text);
  const whole = largestObject(said);
  if (whole !== undefined || isCut) return whole;
  const first = said.indexOf('{');
  const last = said.lastIndexOf('}');
  if (first < 0 || last < first) return undefined;
  const { jsonrepair } = await import('jsonrepair');
  return objectIn(() => jsonrepair(said.slice(first, last + 1)));
}

/** Some models think aloud, and some templates leave out where that begins. */
function withoutThinking(text: string): string {
  const end = Math.max(
    ...['</think>', '</thinking>', '</thought>'].map((tag) => {
      const at = text.lastIndexOf(tag);
      return at < 0 ? -1 : at + tag.length;
    }),
  );
  const rest = end < 0 ? text : text.slice(end);
  return rest.includes('{') ? rest : text;
}

/** Braces in prose are skipped; what stands inside of braces is never taken for the whole. */
function largestObject(text: string): unknown {
  let found: unknown;
  let size = 0;
  let start = text.indexOf('{');
  while (start >= 0) {
    const end = endOfObject(text, start);
    if (end < 0) break;
    const value = end - start > size ? objectIn(() => text.slice(start, end)) : undefined;
    if (value !== undefined) {
      found = value;
      size = end - start;
    }
    start = text.indexOf('{', end);
  }
  return found;
}

/** Where the brace that stands at `start` is closed; -1 if it is not. */
function endOfObject(text: string, start: number): number {
  let depth = 0;
  let isQuoted = false;
  for (let at = start; at < text.length; at += 1) {
    const character = text[at];
    if (isQuoted) {
      if (character === '\\') at += 1;
      else if (character === '"') isQuoted = false;
    } else if (character === '"') isQuoted = true;
    else if (character === '{') depth += 1;
    else if (character === '}') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return -1;
}

function objectIn(print: () => string): unknown {
  try {
    const value: unknown = JSON.parse(print());
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
