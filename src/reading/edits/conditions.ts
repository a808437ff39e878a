import type { HunkLine } from '../hunk-lines.ts';
import { branchIn, quotable } from './code-words.ts';
import { isComment } from './comments.ts';

/** A branch as one side of a hunk shows it. */
export interface Branch {
  condition: string;
  /** The lines of its head. */
  lines: HunkLine[];
  /** The first statements that it guards, as written. */
  effect: string[];
  /** Whether what it guards stood there before. */
  isAroundOld: boolean;
}

/** A line without what stands behind its code and does nothing; a quotation mark there could as well end a string. */
function withoutRemark(text: string): string {
  const quoted = Math.max(...['"', "'", '`'].map((mark) => text.lastIndexOf(mark))) + 1;
  return text.slice(0, quoted) + text.slice(quoted).replace(/(?<!\s)\s+(?:\/\/|#)\s.*$/, '');
}

// A condition over more lines than this is no sentence that anybody wants to read.
const mostLines = 6;
const mostEffects = 2;
const longestEffect = 90;

/** Branches with a changed line in their head, read across line breaks. */
export function branchesIn(lines: HunkLine[], stood: (line: HunkLine) => boolean): Branch[] {
  const branches: Branch[] = [];
  for (let index = 0; index < lines.length; index++) {
    const first = lines[index] as HunkLine;
    if (
      first.hidden !== 'code' ||
      !/^(?:\}\s*)?(?:else\s+)?(?:if|elif|elsif|unless|guard)\b/.test(first.text)
    )
      continue;
    const head = headFrom(lines, index);
    if (!head.some(({ isChanged }) => isChanged)) continue;
    const branch = branchIn(head.map(({ text }) => withoutRemark(text)).join(' '));
    if (!branch) continue;
    const guarded = branch.rest !== '' ? [] : guardedLines(lines, index + head.length, first.indent);
    branches.push({
      condition: branch.condition,
      lines: head,
      effect: branch.rest !== '' ? [branch.rest] : guarded.map(({ text }) => statementOf(text)),
      isAroundOld: guarded.length > 0 && guarded.every((line) => isKept(line, stood)),
    });
  }
  return branches;
}

/** Whether a statement stood before; those that only end something stand everywhere, and tell nothing. */
const isKept = (line: HunkLine, stood: (line: HunkLine) => boolean): boolean =>
  (!line.isChanged || stood(line)) && !/^(?:return|break|continue|pass|next|throw|raise)\b/.test(line.text);

/** The lines from a first one to where its brackets are closed and nothing more is expected. */
function headFrom(lines: HunkLine[], start: number): HunkLine[] {
  const head: HunkLine[] = [];
  let open = 0;
  for (const [index, line] of lines.slice(start, start + mostLines).entries()) {
    head.push(line);
    for (const character of line.text) {
      if (character === '(' || character === '[') open++;
      else if (character === ')' || character === ']') open--;
    }
    const next = lines[start + index + 1]?.text ?? '';
    const goesOn = /(?:&&|\|\||\band|\bor|\\)$/.test(line.text) || /^(?:\??\.(?!\.)|&&|\|\|)/.test(next);
    if (open <= 0 && !goesOn) break;
  }
  return head;
}

/** A statement that goes on in the next line is cut where it does. */
const statementOf = (text: string): string => (/[([{,]$/.test(text) ? `${text} …` : quotable(text));

function guardedLines(lines: HunkLine[], from: number, indent: number): HunkLine[] {
  const guarded: HunkLine[] = [];
  let inner = -1;
  for (const line of lines.slice(from)) {
    if (line.text === '' || isComment(line) || line.hidden === 'comment') continue;
    if (line.indent <= indent) break;
    if (inner < 0) inner = line.indent;
    const isTold =
      line.indent === inner &&
      line.hidden === 'code' &&
      line.text.length <= longestEffect &&
      /[\p{L}\p{N}]/u.test(line.text) &&
      !/^[)\]}@]|^(?:end|else|begin|do|fi|done|esac|endif)\b\W*$|(?:"""|'''|<<[-~<]?\w+)$/.test(line.text);
    if (isTold && !line.text.includes('`')) guarded.push(line);
    if (guarded.length === mostEffects) break;
  }
  return guarded;
}
