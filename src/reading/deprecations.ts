import { splitLine } from './description/sentences.ts';
import type { Evidence, FileFacts } from './facts.ts';
import { type FileDiff, linesOf } from './file-diff.ts';

/** Something that others can use and that its own documentation newly calls deprecated. */
export interface Deprecation {
  name: string;
  /** What it says about that, in one sentence. */
  note: string | null;
  evidence: Evidence;
}

const mark =
  /^\s*(?:(?:\/\/[/!]?|\/?\*+|#)\s*(?:@deprecated\b:?|Deprecated:)\s*(.*)|#\[deprecated\b.*|@Deprecated\b.*|@(?:\w+\.)*deprecated\b.*|\[Obsolete\b.*)$/;
const between = /^\s*(?:\/\/|\/?\*|#|@|\[|$)/;
const declared =
  /^\s*(?:(?:export|default|declare|pub|public|static|final|abstract|async|override|open|virtual|sealed|const|unsafe)\s+)*(?:func(?:\s*\(\s*\w*\s*\*?(\w+)[^)]*\))?|fn|def|fun|class|function|const|let|var|val|type|struct|enum|interface|trait)\s+([\p{L}_$][\w$]*)/u;
const method = /^\s*(?:public|export)\s[\w<>[\],.? ]*?\b([\p{L}_$][\w$]*)\s*\(/u;

/** Whether the line that declares it says that others can use it. */
function isOpen(line: string, name: string, language: string | null): boolean {
  if (language === 'Go') return /^\p{Lu}/u.test(name);
  if (language === 'Python' || language === 'Ruby') return !name.startsWith('_');
  return /\b(?:pub|public|export)\b(?!\s*\()/.test(line);
}

export function deprecationsIn({ path, language }: FileFacts, { hunks }: FileDiff): Deprecation[] {
  return hunks.flatMap((hunk) => {
    const lines = linesOf(hunk);
    const gone = new Set(lines.filter(({ side }) => side === 'removed').map(({ text }) => text.trim()));
    const shown = lines.filter(({ side }) => side !== 'removed');
    return shown.flatMap(({ side, text, newLine }, at): Deprecation[] => {
      const found = side === 'added' && !gone.has(text.trim()) ? mark.exec(text) : null;
      if (!found || newLine === null) return [];
      const below = shown.slice(at + 1, at + 12).find((line) => !between.test(line.text));
      const [, owner, plain] = declared.exec(below?.text ?? '') ?? [];
      const name = plain ?? method.exec(below?.text ?? '')?.[1];
      // What is new and deprecated at once was never to be used.
      if (!below || name === undefined || below.side === 'added' || !isOpen(below.text, name, language))
        return [];
      const [note = ''] = splitLine((found[1] ?? '').replace(/\*\/\s*$/, '').trim());
      const evidence: Evidence = { fileName: path, startLine: newLine, endLine: newLine, side: 'new' };
      return [
        {
          name: owner === undefined ? name : `${owner}.${name}`,
          note: isWhole(note, shown[at + 1]?.text ?? '') ? note : null,
          evidence,
        },
      ];
    });
  });
}

/** Without a full stop, a note may go on in the next line. */
const isWhole = (note: string, next: string): boolean =>
  /\p{L}{2,}\s+\S/u.test(note) &&
  note.length < 220 &&
  (/[.!]$/.test(note) || !/^\s*(?:\/\/|\*(?!\/)|#)\s*\S/.test(next));
