import type { StoredKind } from '../db/storage.ts';

const inMebibytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MiB`;
const inThousands = (count: number): string => count.toLocaleString('en-US');

/** What lies where, as a table for a terminal. */
export function describeStorage({ kinds, diskBytes }: { kinds: StoredKind[]; diskBytes: number }): string {
  const sum = (of: (kind: StoredKind) => number) => kinds.reduce((total, kind) => total + of(kind), 0);
  const rows = [
    ['stored', 'rows', 'bytes', 'on disk', 'due to go', 'bytes'],
    ...kinds.map(({ kind, rows, bytes, due, ...taken }) => [
      kind,
      inThousands(rows),
      inMebibytes(bytes),
      inMebibytes(taken.diskBytes),
      due ? inThousands(due.rows) : '',
      due ? inMebibytes(due.bytes) : '',
    ]),
    ['everything else', '', '', inMebibytes(diskBytes - sum((kind) => kind.diskBytes)), '', ''],
    [
      'all',
      '',
      inMebibytes(sum(({ bytes }) => bytes)),
      inMebibytes(diskBytes),
      '',
      inMebibytes(sum(({ due }) => due?.bytes ?? 0)),
    ],
  ];
  const widthOf = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0));
  const align = (cell: string, column: number) =>
    column === 0 ? cell.padEnd(widthOf(column)) : cell.padStart(widthOf(column));
  return [
    ...rows.map((row) => row.map(align).join('  ').trimEnd()),
    'On disk are indexes too, and room that is used again. Due is what the next housekeeping removes.',
  ].join('\n');
}
