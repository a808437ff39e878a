import type { Evidence, FileFacts } from '../../reading/facts.ts';
import { captionByName, statusOf } from './caption-by-name.ts';
import { say } from './captions/captions.ts';
import { mostCitedFiles } from './captions/file-captions.ts';
import type { RowKind } from './excerpt/excerpt-form.ts';
import type { PlannedRow } from './row-of-file.ts';

/** A place in each file that has hunks, for what is said of whole files. */
export const citedIn = (files: FileFacts[]): Evidence[] =>
  files.slice(0, mostCitedFiles).flatMap(({ place }) => place ?? []);

/** Files that are told by their names alone: those that were edited, and apart from them those that came, went or moved. */
export function rowsByName(kind: RowKind, files: FileFacts[]): PlannedRow[] {
  return [...Map.groupBy(files, statusOf).values()].map((some) => ({
    kind,
    captions: [captionByName(some)],
    times: null,
    files: some,
    evidence: citedIn(some),
  }));
}

/** Of files of which the same is to be said, there is one row. */
export function joinAlike(rows: PlannedRow[]): PlannedRow[] {
  const said = ({ kind, captions }: PlannedRow): string =>
    `${kind} ${captions.map((caption) => say('en', caption)).join(' ')}`;
  return [...Map.groupBy(rows, said).values()].flatMap(([first, ...others]) => {
    if (!first) return [];
    const all = [first, ...others];
    const evidence = all.flatMap((row) => row.evidence.slice(0, others.length > 0 ? 1 : row.evidence.length));
    return [{ ...first, files: all.flatMap(({ files }) => files), evidence }];
  });
}

/** Whether a row says no more than which files there are, or where in them something is. */
export const isBareRow = ({ captions }: PlannedRow): boolean =>
  captions.every((caption) => {
    switch (caption.kind) {
      case 'places':
      case 'within':
      case 'inFile':
      case 'changed':
      case 'moreFiles':
        return true;
      case 'newFile':
        return caption.names.length === 0 && caption.doc === null && caption.from === null;
      case 'removedFile':
        return caption.names.length === 0;
      default:
        return false;
    }
  });
