import { parseArgs } from 'node:util';
import type { WrittenArticle } from '../src/writing/articles.ts';
import { writeOffline } from '../src/writing/rules/write.ts';
import { checkClaims, type Sides } from './form/check-claims.ts';
import { checkHunks } from './form/check-hunks.ts';
import { checkText, type Ground } from './form/check-text.ts';
import { readGitDiff, readNumstat } from './form/git-diff.ts';
import { nameOf, numberOf, printAll, type ReadPullRequest, readMerged, readTexts } from './mirrors.ts';

// Writes articles about the last merged pull requests without a model, in every language, and counts contradictions
// with git or the author: lines of hunks, signs, gaps, counts, names of tests, quotations and words, and claims about
// new, removed or updated names. Ends with 1 if anything is wrong.
const usage = 'Usage: node bench/form.ts [--count 50] MIRROR …';

const { values, positionals: mirrors } = parseArgs({
  allowPositionals: true,
  options: { count: { type: 'string', default: '50' }, help: { type: 'boolean', default: false } },
});
if (values.help || mirrors.length === 0) {
  console.log(usage);
  process.exit(values.help ? 0 : 2);
}

const coverage = { filesRead: 0, filesTotal: 0, linesRead: 0, linesTotal: 0, skipped: [], skippedTotal: 0 };
const shownOfKind = 5;

interface Tally {
  'pull requests': number;
  articles: number;
  hunks: number;
  lines: number;
  lead: number;
  scope: number;
  words: number;
  tests: number;
  problems: number;
}

const tallies: Record<string, Tally> = {};
/** Contradictions of each kind, each once for all languages that have it. */
const problems = new Map<string, Map<string, string[]>>();

function sidesOf(mirror: string, { pullRequest, bytes }: ReadPullRequest): Sides {
  const { sha, parent } = pullRequest;
  const files = [...readGitDiff(bytes.toString()).values()];
  const texts = readTexts(
    mirror,
    files.flatMap(({ path, previousPath }) => [`${parent}:${previousPath}`, `${sha}:${path}`]),
  );
  return files.map(({ path }, at) => ({ path, old: texts[2 * at] ?? '', new: texts[2 * at + 1] ?? '' }));
}

function groundOf(mirror: string, { pullRequest, bytes, source }: ReadPullRequest): Ground {
  const { sha, parent } = pullRequest;
  const files = readGitDiff(bytes.toString());
  // The first line is the commit that git counts for.
  const numstat = printAll(mirror, [pullRequest], '-z', '--numstat')
    .toString()
    .replace(/^[0-9a-f]{40,}\0/, '');
  const places = [...files.values()].flatMap(({ path, previousPath }) => [
    `${sha}:${path}`,
    `${parent}:${previousPath}`,
  ]);
  let whole: string | null = null;
  return {
    files,
    counts: readNumstat(numstat),
    title: source.title,
    body: source.body,
    commits: source.commits.map(({ message }) => message),
    commitAuthors: source.commits.map(({ author }) => author),
    wholeFiles: () => {
      whole ??= readTexts(mirror, places)
        .filter((text) => text !== null)
        .join('\n');
      return whole;
    },
  };
}

function count(tally: Tally, { mainChanges, standfirst, scope, authorWords, tests }: WrittenArticle): void {
  const hunks = mainChanges.flatMap(({ hunk }) => hunk ?? []);
  tally.articles += 1;
  tally.hunks += hunks.length;
  tally.lines += hunks.reduce((lines, hunk) => lines + hunk.lines.length, 0);
  tally.lead += Number(standfirst !== null);
  tally.scope += Number(scope !== null);
  tally.words += Number(authorWords !== null);
  tally.tests += Number(tests !== null);
}

for (const mirror of mirrors) {
  const tally: Tally = {
    'pull requests': 0,
    articles: 0,
    hunks: 0,
    lines: 0,
    lead: 0,
    scope: 0,
    words: 0,
    tests: 0,
    problems: 0,
  };
  const name = nameOf(mirror).replace('+', '/');
  tallies[name] = tally;
  for await (const read of readMerged(mirror, Number(values.count))) {
    tally['pull requests'] += 1;
    const ground = groundOf(mirror, read);
    const sides = sidesOf(mirror, read);
    for (const [language, article] of Object.entries(writeOffline(read.source, coverage))) {
      count(tally, article);
      for (const [kind, what] of [
        ...checkHunks(article, ground.files),
        ...checkText(article, ground),
        ...checkClaims(article, sides),
      ]) {
        tally.problems += 1;
        const found = problems.get(kind) ?? new Map<string, string[]>();
        const place = `${name}#${numberOf(read.pullRequest)} ${what.replaceAll('\n', ' ')}`;
        problems.set(kind, found.set(place, [...(found.get(place) ?? []), language]));
      }
    }
  }
}

console.table(tallies);
for (const [kind, found] of [...problems].sort(([, one], [, other]) => other.size - one.size)) {
  console.log(`${kind}: ${found.size}`);
  for (const [place, languages] of [...found].slice(0, shownOfKind))
    console.log(`   ${place} [${[...new Set(languages)].join(' ')}]`);
}
console.log(problems.size === 0 ? 'No problems.' : '');
process.exitCode = problems.size === 0 ? 0 : 1;
