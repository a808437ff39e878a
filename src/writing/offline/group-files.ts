import type { FileFacts } from '../../reading/facts.ts';
import { isPartial } from './left-out.ts';
import { tell, type Unit } from './outline.ts';
import { extentOf, pathsOf, placesOf } from './plan-company.ts';
import type { Context } from './plan-file.ts';
import { placesWith } from './plan-rest.ts';
import type { Statement } from './statements.ts';

/** Whether nothing but what comments say is told. */
export const isWords = (units: Unit[]): boolean =>
  units.every(({ told }) => told.every(({ statement: { say } }) => say === 'remarks' || say === 'rewords'));

/** What two files have in common that are told of together. */
export function keyOf({ path }: FileFacts, units: Unit[], { diffOf }: Context): string {
  const told = units.flatMap((unit) => unit.told);
  const statements = told.map(({ statement }) => statement);
  const [only] = statements;
  const whole = statements.length === 1 && only ? wholeFileStatus(only) : null;
  if (whole) return `${whole.status} ${whole.other ?? ''}`;
  // What says only how many lines changed says nothing that two files could have in common.
  const isPart = !statements.some(({ say }) => say === 'replacedOften') && isPartial(diffOf(path), told);
  // That the same is told of a part of two files does not make the lines beside it the same.
  return isPart || statements.every(({ say }) => say === 'counts')
    ? path
    : JSON.stringify(statements, (key, value) =>
        key === 'path' || key === 'paths' || key === 'evidence' || key === 'count' ? undefined : value,
      );
}

type WholeStatus = Extract<Statement, { say: 'manyFiles' }>['status'];

/** What happened to a file as a whole, where that is all there is to say. */
function wholeFileStatus(statement: Statement): { status: WholeStatus; other: string | null } | null {
  const none = (status: WholeStatus) => ({ status, other: null });
  if (statement.say === 'newFile') return { status: 'added', other: statement.other };
  if (statement.say === 'removedFile') return { status: 'removed', other: statement.other };
  if (statement.say === 'movedFile') return statement.isEdited ? null : none('moved');
  return statement.say === 'binaryFile' ? none('binary') : null;
}

/** What is told of several files at once: what came, went or moved as a whole, or what was done in all of them. */
export function together(files: FileFacts[], units: Unit[], context: Context): Unit[] {
  const [, ...others] = files;
  if (others.length === 0) return units;
  const statements = units.flatMap(({ told }) => told.map(({ statement }) => statement));
  const [only] = statements;
  const whole = statements.length === 1 && only ? wholeFileStatus(only) : null;
  const { paths, additions, deletions } = extentOf(files);
  const one = (statement: Statement): Unit[] => [
    {
      told: [tell(statement, placesWith(files, whole?.other ?? null, context))],
      weight: 100,
      about: null,
    },
  ];
  if (whole) return one({ say: 'manyFiles', ...whole, paths, lines: additions + deletions });
  if (only?.say === 'importsOnly' || only?.say === 'reformatted') return one({ say: only.say, paths });
  const isPart = statements.some(
    (statement) => statement.say === 'replacedOften' && context.isSwappedBeside(statement, paths),
  );
  const also = tell({ say: 'alsoIn', paths: pathsOf(others), isPart }, placesOf(others));
  const [first, ...rest] = units;
  return first ? [{ ...first, told: [...first.told, also] }, ...rest] : [];
}
