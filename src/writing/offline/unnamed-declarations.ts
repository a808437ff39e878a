import { type FileDiff, linesOf } from '../../reading/file-diff.ts';

const declared =
  /^(\s*)(?:(?:export|pub(?:\([^)]*\))?|public|private|protected|internal|static|async|default|override|abstract|final|sealed|suspend|inline|local|unsafe|virtual)\s+)*(?:(?:function|fn|func|fun|def|defp|defmacro|class|struct|enum|trait|interface|module|proc|template|macro|sub|object|method|record|protocol)\s+(?:self\.|\([^()]*\)\s*)?((?:[\p{L}_$][\p{L}\p{N}_$?!]*[.:]+)*[\p{L}_$][\p{L}\p{N}_$?!]*)|([\p{L}_$][\p{L}\p{N}_$:-]*)\s*\(\)\s*\{|([\p{L}_$.][\p{L}\p{N}_$.]*)\s*(?:<-|=)\s*(?:async\s+)?function\b|(?:const|let|var)\s+([\p{L}_$][\p{L}\p{N}_$]*)\s*=\s*(?:async\s+)?(?:\([^()]*\)|[\w$]+)\s*=>)/u;

interface Declared {
  name: string;
  indent: number;
}

const lastOf = (name: string): string => name.split(/[.:#]+/).at(-1) ?? name;

const declaredIn = (text: string): Declared[] => {
  const [, indent = '', ...names] = declared.exec(text) ?? [];
  const name = names.find((one) => one !== undefined);
  return name === undefined ? [] : [{ name: lastOf(name), indent: indent.length }];
};

/** Whether a file declares something newly, or no longer, beside these names and no further in than they stand. */
export function declaresMore(
  diff: FileDiff | undefined,
  side: 'added' | 'removed',
  names: string[],
): boolean {
  const lines = (diff?.hunks ?? []).flatMap(linesOf);
  const others = new Set(
    lines.flatMap((line) => (line.side === side ? [] : declaredIn(line.text).map(({ name }) => name))),
  );
  const own = lines.flatMap((line) => (line.side === side ? declaredIn(line.text) : []));
  const named = own.filter(({ name }) => names.some((one) => lastOf(one) === name));
  const deepest = Math.max(0, ...named.map(({ indent }) => indent));
  return own.some((one) => !named.includes(one) && one.indent <= deepest && !others.has(one.name));
}
