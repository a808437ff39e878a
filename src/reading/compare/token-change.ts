interface Token {
  text: string;
  start: number;
  end: number;
}

function tokensOf(line: string): Token[] {
  return Array.from(line.matchAll(/[\p{L}\p{N}_$]+|[^\s\p{L}\p{N}_$]/gu), ({ 0: text, index }) => ({
    text,
    start: index,
    end: index + text.length,
  }));
}

/** What is left of two lines without the tokens that they begin and end with alike. */
export function tokenChange(before: string, after: string): { from: string; to: string } {
  const old = tokensOf(before);
  const now = tokensOf(after);
  let start = 0;
  while (start < old.length && start < now.length && old[start]?.text === now[start]?.text) start++;
  let end = 0;
  while (
    end < old.length - start &&
    end < now.length - start &&
    old.at(-1 - end)?.text === now.at(-1 - end)?.text
  )
    end++;
  return { from: cut(before, old, start, end), to: cut(after, now, start, end) };
}

function cut(line: string, tokens: Token[], start: number, end: number): string {
  const first = tokens[start];
  const last = tokens[tokens.length - end - 1];
  return first && last && start < tokens.length - end ? line.slice(first.start, last.end) : '';
}
