import type { News } from './compare/compare-file.ts';
import { detachText } from './detach-text.ts';
import type { AttentionPoint, FileKind } from './facts.ts';

/** What single statements of a file prove that readers should know: skipped tests and permissions. */
export function attentionIn(fileName: string, kind: FileKind, news: News[]): AttentionPoint[] {
  const own = marks.filter(({ kinds }) => kinds.includes(kind));
  return news.flatMap((unit) => own.flatMap((mark) => markedLine(fileName, mark, unit)));
}

interface LineMark {
  reason: AttentionPoint['reason'];
  kinds: FileKind[];
  pattern: RegExp;
}

const marks: LineMark[] = [
  {
    reason: 'testSkipped',
    kinds: ['test'],
    pattern:
      /^(?:x(?:it|describe|test)|(?:it|test|describe)\.(?:skip|todo))\(|^@(?:pytest\.mark\.(?:skip|xfail)|unittest\.skip|Disabled|Ignore)\b|^#\[ignore|\bt\.Skip(?:f|Now)?\(/,
  },
  {
    reason: 'permissionChanged',
    kinds: ['build', 'configuration'],
    pattern:
      /^((?:contents|packages|id-token|pull-requests|issues|actions|deployments|checks): *write)\b|^permissions: *(write-all)/,
  },
];

function markedLine(fileName: string, { reason, pattern }: LineMark, { come, gone }: News): AttentionPoint[] {
  const line = come.find(({ text }) => pattern.test(text));
  if (!line?.newLine || gone.some(({ text }) => pattern.test(text))) return [];
  const found = pattern.exec(line.text);
  const subject = found?.slice(1).find((group) => group !== undefined) ?? found?.[0] ?? line.text;
  const name = detachText(subject.replace(/[(\s]+$/, ''));
  const evidence = { fileName, startLine: line.newLine, endLine: line.newLine, side: 'new' } as const;
  return [{ reason, subjects: [name], evidence: [evidence] }];
}

/** Enough to show where; more would not say more. */
const evidencePerPoint = 5;
const subjectsPerPoint = 8;

/** Points of the same reason from several files become one, so that each reason is told once. */
export function mergeAttention(points: AttentionPoint[]): AttentionPoint[] {
  const byReason = Map.groupBy(points, ({ reason }) => reason);
  return [...byReason.values()].flatMap((same) => {
    const [first] = same;
    if (!first) return [];
    return {
      ...first,
      subjects: [...new Set(same.flatMap(({ subjects }) => subjects))].slice(0, subjectsPerPoint),
      evidence: same.flatMap(({ evidence }) => evidence).slice(0, evidencePerPoint),
    };
  });
}
