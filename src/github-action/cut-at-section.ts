interface Place {
  /** How many characters come before it, and how many bytes. */
  at: number;
  bytes: number;
  isSection: boolean;
}

/** Where Markdown can be cut: before headings, and between paragraphs; nowhere inside of a code block. */
function* placesToCut(markdown: string): Generator<Place> {
  let fence = '';
  let at = 0;
  let bytes = 0;
  for (const line of markdown.split('\n')) {
    const [run = ''] = /^ {0,3}(?:`{3,}|~{3,})/.exec(line) ?? [];
    const marks = run.trim();
    if (fence === '') {
      const isSection = /^#{1,6} /.test(line);
      if (isSection || line.trim() === '') yield { at, bytes, isSection };
      fence = marks;
    } else if (marks.startsWith(fence) && line.trim() === marks) fence = '';
    at += line.length + 1;
    bytes += Buffer.byteLength(line) + 1;
  }
}

/**
 * Markdown of so many bytes at most, cut where a section ends, which a note at its end says. Where the first section is too
 * large by itself, it is cut between paragraphs.
 */
export function cutAtSection(markdown: string, mostBytes: number, note: string): string {
  if (Buffer.byteLength(markdown) <= mostBytes) return markdown;
  const room = mostBytes - Buffer.byteLength(`\n\n${note}\n`);
  const fitting = [...placesToCut(markdown)].filter(({ at, bytes }) => at > 0 && bytes <= room);
  const last = fitting.findLast(({ isSection }) => isSection) ?? fitting.at(-1);
  return `${markdown.slice(0, last?.at ?? 0).trimEnd()}\n\n${note}\n`;
}
