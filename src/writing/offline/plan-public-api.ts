import type { Facts, FileFacts, SignatureEdit } from '../../reading/facts.ts';
import { type FileDiff, linesOf } from '../../reading/file-diff.ts';
import { aside } from './aside.ts';
import { type PlannedPoint, type Told, tell } from './outline.ts';
import { bothNames, withoutMembers } from './plan-symbols.ts';
import { findStandingNames } from './standing-names.ts';
import { subjectsNamed } from './statements.ts';
import { declaresMore } from './unnamed-declarations.ts';

/** What others could use and cannot any more. What goes with its class, or only the language calls, is not missed by itself. */
export function publicApiGone({ files }: Facts, diff: FileDiff[]): PlannedPoint[] {
  const isElsewhere = findStandingNames(files, diff);
  const scripts = new Set(diff.filter(isScript).map(({ path }) => path));
  const gone = files.flatMap(({ kind, symbols, ...file }) =>
    kind === 'source' && !aside.test(file.path) && !scripts.has(file.path) && !hasVariant(file, files)
      ? withoutMembers(symbols.filter(({ change }) => change === 'removed' || change === 'renamed')).filter(
          (symbol) =>
            symbol.isPublic &&
            !/^(?:__\w+__|__\w+|initialize|constructor|handle_(?:call|cast|info|event)|init|terminate|code_change)$/.test(
              symbol.name,
            ) &&
            !isElsewhere(symbol),
        )
      : [],
  );
  const removed = [
    ...new Map(
      gone.filter(({ change }) => change === 'removed').map((symbol) => [symbol.name, symbol]),
    ).values(),
  ];
  const renamed = gone.filter(({ change }) => change === 'renamed');
  const unique = [
    ...new Map(renamed.map((symbol) => [`${symbol.previousName} ${symbol.name}`, symbol])).values(),
  ];
  const known = gone.map(({ kind, name, previousName }) => ({ kind, name: previousName ?? name }));
  const apart = files.flatMap(({ symbols }) =>
    symbols.filter(({ change, isPublic }) => change !== 'removed' || !isPublic).flatMap(bothNames),
  );
  const isPart =
    goesBeside(new Set(known.map(({ name }) => name)), files, diff) ||
    diff.some(
      (file) =>
        gone.some(({ evidence }) => evidence.fileName === file.path) &&
        declaresMore(file, 'removed', known, apart),
    );
  const points: Told[] = unique
    .slice(0, 2)
    .flatMap(({ kind, previousName: from, name: to, evidence }) =>
      from === null ? [] : [tell({ say: 'publicApiRenamed', kind, from, to }, [evidence])],
    );
  if (removed.length > 0) {
    const names = removed.map(({ kind, name }) => ({ kind, name }));
    const evidence = removed.slice(0, subjectsNamed).map((symbol) => symbol.evidence);
    // A longer list says by itself that it is not all.
    const isCut = names.length > subjectsNamed;
    points.unshift(tell({ say: 'publicApiRemoved', names, isPart: isPart && !isCut }, evidence));
  }
  if (points.length === 0) return [];
  const follows = tell({ say: 'reliersBreak', isOne: gone.length === 1 && !isPart }, []);
  return [{ reason: 'publicApiRemoved', categories: ['RISK'], told: [...points, follows] }];
}

/** What is run as a command has nothing that others could use. */
const isScript = ({ path, hunks: [first] }: FileDiff): boolean =>
  /(?:^|\/)(?:run|setup|manage|conftest|__main__)\.py$/.test(path) ||
  (first !== undefined && /^#!/.test(linesOf(first)[0]?.text ?? ''));

const publicly =
  /^\s*(?:pub|public|export)\s(?:[\w<>[\],.?*&]+\s+)*?(?:(?:fn|func|fun|function|class|struct|interface|enum|def)\s+([A-Za-z_]\w*)|const\s+([A-Za-z_]\w*)\s*[=:])/;

/** Whether other lines go that declare something public, by a name that no line has any more: then these are not all. */
function goesBeside(known: Set<string>, files: FileFacts[], diff: FileDiff[]): boolean {
  const sources = new Set(files.flatMap(({ path, kind }) => (kind === 'source' ? path : [])));
  const lines = diff.filter(({ path }) => sources.has(path)).flatMap(({ hunks }) => hunks.flatMap(linesOf));
  const gone = new Set(
    lines.flatMap(({ side, text }) => {
      const [, name, constant] = (side === 'removed' && publicly.exec(text)) || [];
      return name ?? constant ?? [];
    }),
  );
  for (const { side, text } of gone.size > 0 ? lines : [])
    if (side !== 'removed') for (const [word] of text.matchAll(/\w+/g)) gone.delete(word);
  return [...gone].some((name) => !known.has(name));
}

/** Whether a file that goes leaves another of its name, for another version or platform, that may declare the same. */
const hasVariant = ({ path, status }: Pick<FileFacts, 'path' | 'status'>, files: FileFacts[]): boolean =>
  status === 'removed' &&
  files.some(
    (other) => other.path !== path && other.status !== 'removed' && stemOf(other.path) === stemOf(path),
  );

/** A path up to where its name goes on with what kind of file it is: "parse" of "parse_test.go". */
function stemOf(path: string): string {
  const name = path.lastIndexOf('/') + 1;
  const length = path.slice(name).search(/(?<=.)[_.-]/);
  return (length < 0 ? path : path.slice(0, name + length)).toLowerCase();
}

/** Declarations that others use and that no longer take the calls they took, as far as their signatures tell. */
export function publicApiChanged({ files }: Facts): PlannedPoint[] {
  const changed = files.flatMap(({ kind, path, language, symbols }) =>
    symbols.filter(
      ({ isPublic, change, signatureEdits, signature, previousSignature }) =>
        kind === 'source' &&
        !aside.test(path) &&
        isPublic &&
        change === 'signatureChanged' &&
        bare(signature) !== bare(previousSignature) &&
        // Whatever is handed on is not told by its names.
        !signature?.includes('...') &&
        signatureEdits.some((edit) => isFeltByCallers(edit, typesOnPaper.has(language ?? ''))),
    ),
  );
  if (changed.length === 0) return [];
  const unique = [...new Map(changed.map((symbol) => [symbol.name, symbol])).values()];
  const names = unique.map(({ kind, name }) => ({ kind, name }));
  const evidence = unique.slice(0, subjectsNamed).map((symbol) => symbol.evidence);
  const told = [tell({ say: 'publicApiChanged', names }, evidence), tell({ say: 'callersFollow' }, [])];
  return [{ reason: 'publicApiChanged', categories: ['RISK'], told }];
}

/** A declaration without the annotations before it, which nobody who calls it has to know. */
const bare = (signature: string | null): string | null =>
  signature?.replace(/@\w+(?:\([^()]*\))?\s*|\[[A-Z]\w*(?:\([^()]*\))?\]\s*/g, '').trim() ?? null;

/** Languages that run the same whatever types are written. */
const typesOnPaper = new Set(['Python', 'Ruby', 'JavaScript', 'PHP', 'Elixir']);

function isFeltByCallers(edit: SignatureEdit, isUntyped: boolean): boolean {
  if (edit.kind === 'parameterRemoved') return true;
  if (edit.kind === 'parameterAdded') return !edit.isOptional;
  if (edit.kind !== 'parameterType' && edit.kind !== 'returns') return false;
  return !isUntyped && edit.from !== '' && edit.to !== '' && !/=(?!>)/.test(edit.from + edit.to);
}
