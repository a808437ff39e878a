import type { Hunk, HunkLine, WrittenArticle } from '../../src/writing/articles.ts';
import type { Problem } from './check-text.ts';
import type { GitFile, GitLine } from './git-diff.ts';

const mostLines = 60;

/** The position of an article's line in the diff. */
interface Place {
  hunk: GitLine[];
  at: number;
}

/** Compares every hunk of an article with the output of git. */
export function checkHunks({ mainChanges }: WrittenArticle, files: Map<string, GitFile>): Problem[] {
  const problems: Problem[] = [];
  const shown = new Set<GitLine>();
  for (const { hunk, fileName } of mainChanges) {
    if (!hunk) continue;
    const file = files.get(hunk.fileName);
    if (hunk.fileName !== fileName)
      problems.push(['hunk of another file than its change', `${hunk.fileName} under ${fileName}`]);
    if (file) problems.push(...checkHunk(hunk, file, shown));
    else problems.push(['hunk of a file that git does not print', hunk.fileName]);
  }
  return problems;
}

function checkHunk(hunk: Hunk, file: GitFile, shown: Set<GitLine>): Problem[] {
  const { fileName, lines } = hunk;
  const problems: Problem[] = [];
  const where = (line: HunkLine | undefined): string =>
    `${fileName}:${line?.newLine ?? line?.oldLine} ${line?.text.trim().slice(0, 60)}`;
  if (lines.length > mostLines)
    problems.push([`hunk over ${mostLines} lines`, `${lines.length} ${where(lines[0])}`]);
  if (!lines.some(({ kind }) => kind !== 'context'))
    problems.push(['hunk without a changed line', where(lines[0])]);
  const places = lines.map((line) => {
    const place = findPlace(line, file);
    const problem = problemOfLine(line, place?.hunk[place.at]);
    if (problem) problems.push([problem, where(line)]);
    return place;
  });
  for (const [index, place] of places.entries()) {
    const before = places[index - 1];
    if (before && place && (before.hunk !== place.hunk || before.at + 1 !== place.at))
      problems.push(['gap inside a hunk', where(lines[index])]);
    const line = place?.hunk[place.at];
    if (!line || line.kind === 'context') continue;
    if (shown.has(line)) problems.push(['changed line shown twice', where(lines[index])]);
    shown.add(line);
  }
  const found = places.filter((place) => place !== null);
  for (const run of replacedRuns(found)) {
    const own = run.filter((line) => found.some(({ hunk: of, at }) => of[at] === line));
    if (own.length > 0 && new Set(own.map(({ kind }) => kind)).size === 1)
      problems.push([
        'one side of a replacement without the other',
        `${where(own[0])} (${own[0]?.kind} only)`,
      ]);
  }
  problems.push(...checkRest(hunk, file, found));
  return problems;
}

function findPlace({ kind, oldLine, newLine }: HunkLine, { hunks }: GitFile): Place | null {
  for (const hunk of hunks) {
    const at = hunk.findIndex((line) =>
      kind === 'removed' ? line.oldLine === oldLine : line.newLine === newLine,
    );
    if (at >= 0) return { hunk, at };
  }
  return null;
}

function problemOfLine(line: HunkLine, git: GitLine | undefined): string | null {
  if (!git) return 'hunk line that git does not print';
  if (line.kind !== git.kind)
    return line.kind === 'context' ? 'changed line without its sign' : 'line with a wrong sign';
  if (line.oldLine !== git.oldLine || line.newLine !== git.newLine) return 'line with a wrong number';
  return line.text.replace(/\r$/, '') === git.text.replace(/\r$/, '') ? null : 'line with another text';
}

/** Runs of changed lines with both removed and added ones. */
function replacedRuns(places: Place[]): GitLine[][] {
  const runs: GitLine[][] = [];
  for (const hunk of new Set(places.map((place) => place.hunk))) {
    let run: GitLine[] = [];
    for (const line of [...hunk, null]) {
      if (line && line.kind !== 'context') run.push(line);
      else {
        if (new Set(run.map(({ kind }) => kind)).size === 2) runs.push(run);
        run = [];
      }
    }
  }
  return runs;
}

/** The number of changed lines that an article counts before and after a hunk must not exceed that of the file. */
function checkRest(
  { fileName, moreBefore, moreAfter }: Hunk,
  { hunks }: GitFile,
  places: Place[],
): Problem[] {
  const all = hunks.flat();
  const [first, last] = [places[0], places.at(-1)].map((place) =>
    place ? all.indexOf(place.hunk[place.at] as GitLine) : -1,
  );
  if (first === undefined || last === undefined || first < 0) return [];
  const changed = (lines: GitLine[]): number => lines.filter(({ kind }) => kind !== 'context').length;
  const [before, after] = [changed(all.slice(0, first)), changed(all.slice(last + 1))];
  const isSo = moreBefore >= 0 && moreBefore <= before && moreAfter >= 0 && moreAfter <= after;
  const said = `${fileName}: says ${moreBefore} and ${moreAfter}, git has ${before} and ${after}`;
  return isSo ? [] : [['more lines left out than git has', said]];
}
