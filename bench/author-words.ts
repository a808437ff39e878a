import { parseArgs } from 'node:util';
import type { Draft } from '../src/writing/draft.ts';
import { spokenWords } from '../src/writing/spoken-words.ts';
import { Ground } from '../src/writing/verify/ground.ts';
import { verifyDrafts } from '../src/writing/verify/verify-drafts.ts';
import { type AuthorWords, readAuthorWords } from '../src/writing/words/read-author-words.ts';
import { numbersFrom } from '../test/chance.ts';
import { type MergedPullRequest, runGit } from './mirrors.ts';
import { nameOf, readMerged } from './read-merged.ts';

// Takes out of real pull requests what their authors say of them, and counts how many have what; --show prints it.
const usage = 'Usage: node bench/author-words.ts [--count 100] [--seed 1] [--show] MIRROR …';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    show: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help || positionals.length === 0) {
  console.log(usage);
  process.exit(values.help ? 0 : 2);
}

const random = numbersFrom(Number(values.seed));
const counts = { all: 0, quote: 0, why: 0, callouts: 0, breaking: 0, longTitle: 0, cutTitle: 0, refused: 0 };

for (const mirror of positionals) {
  for await (const { pullRequest, source: read } of readMerged(mirror, Number(values.count), random)) {
    const source = {
      ...read,
      repository: nameOf(mirror).replace('+', '/'),
      commits: commitsOf(mirror, pullRequest),
    };
    const words = readAuthorWords(source);
    const { title, quote, why, callouts } = words;
    const isBreaking = callouts.some(({ label }) => label === 'breaking');
    const cleaned = {
      speaker: source.author,
      where: 'description' as const,
      text: source.facts.description.text,
    };
    const { articles, verification } = verifyDrafts(
      [draftOf(words)],
      new Ground({
        diff: source.diff,
        words: [...spokenWords(source), cleaned],
      }),
    );
    const isRefused = verification.dropped > 0 || articles[0]?.title !== title.text;
    counts.all += 1;
    counts.quote += Number(quote !== null);
    counts.why += Number(why.length > 0);
    counts.callouts += Number(callouts.length > 0);
    counts.breaking += Number(isBreaking);
    counts.longTitle += Number([...title.text].length > 80);
    counts.cutTitle += Number(title.text.endsWith('…'));
    counts.refused += Number(isRefused);
    if (!values.show) continue;
    console.log(`\n=== ${nameOf(mirror)} ${pullRequest.title}${isRefused ? '   REFUSED' : ''}`);
    console.log(
      `T ${title.text}   [${title.words.map(({ where }) => where)}]${isBreaking ? ' BREAKING' : ''}`,
    );
    if (quote) console.log(`Q ${quote.text}   [${quote.from}]`);
    for (const { text, source: from } of why) console.log(`W ${text}   [${from}]`);
    for (const { label, sentences } of callouts)
      for (const { text, source: from } of sentences) console.log(`C ${label}: ${text}   [${from}]`);
  }
}

console.log(`${counts.all} pull requests of ${positionals.length} repositories; seed ${values.seed}`);
for (const [name, count] of Object.entries(counts))
  console.log(`${name}: ${count} (${((100 * count) / Math.max(1, counts.all)).toFixed(1)} %)`);

/** What the branch brought, as far as the mirror has it; otherwise the one commit that it became. */
function commitsOf(
  mirror: string,
  { sha, parent, title }: MergedPullRequest,
): { author: string; message: string }[] {
  const number = /#(\d+)/.exec(title)?.[1];
  const log = (...range: string[]): string =>
    runGit(mirror, [
      'log',
      '--reverse',
      '--no-merges',
      '--max-count=250',
      '--format=%an%x00%B%x00',
      ...range,
    ]).toString();
  const heads = [`refs/pull/${number}/head`, `${sha}^2`, sha];
  for (const head of heads) {
    try {
      const fields = log(head, ...(parent ? [`^${parent}`] : [])).split('\0');
      const commits = Array.from({ length: Math.floor(fields.length / 2) }, (_, index) => ({
        author: (fields[index * 2] ?? '').trim(),
        message: (fields[index * 2 + 1] ?? '').trim(),
      }));
      if (commits.length > 0) return commits;
    } catch {
      // The mirror has no such head; the next one may be there.
    }
  }
  return [];
}

function draftOf({ title, ownTitle, why, callouts }: AuthorWords): Draft {
  return {
    title,
    ownTitle,
    scope: null,
    authorWords: null,
    tests: null,
    standfirst: null,
    changeTypes: [],
    background: why,
    mainChanges: [],
    notablePoints: callouts,
    also: [],
  };
}
