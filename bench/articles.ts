import { parseArgs } from 'node:util';
import { contentOf } from '../src/actions/articles/content-of-article.ts';
import { articleMarkdown } from '../src/writing/article-markdown.ts';
import { offlineLanguages } from '../src/writing/languages.ts';
import { writeOffline } from '../src/writing/rules/write.ts';
import type { WrittenArticle } from '../src/writing/written-article.ts';
import { numbersFrom } from '../test/chance.ts';
import { problemsOf } from './article-problems.ts';
import { formProblemKinds, formProblemsOf } from './form-problems.ts';
import type { MergedPullRequest } from './mirrors.ts';
import { nameOf, readMerged } from './read-merged.ts';

// Writes articles about real pull requests in every offline language and counts what is wrong with them, by checks that
// share no code with the writer; --show prints some of them, chosen by the seed.
const usage = 'Usage: node bench/articles.ts [--count 200] [--show 0] [--seed 1] [--number N] MIRROR …';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string', default: '200' },
    show: { type: 'string', default: '0' },
    seed: { type: 'string', default: '1' },
    number: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help || positionals.length === 0) {
  console.log(usage);
  process.exit(values.help ? 0 : 2);
}

interface Written {
  name: string;
  pullRequest: MergedPullRequest;
  articles: Record<string, WrittenArticle>;
}

const random = numbersFrom(Number(values.seed));
const written: Written[] = [];
const problems = new Map<string, string[]>();
let claims = 0;
let dropped = 0;
let repaired = 0;

for (const mirror of positionals) {
  const isWanted = ({ title }: MergedPullRequest) =>
    values.number === undefined || title.endsWith(`(#${values.number})`);
  for await (const { pullRequest, bytes, source } of readMerged(
    mirror,
    Number(values.count),
    random,
    isWanted,
  )) {
    const { facts, diff } = source;
    const read = facts.files.filter(({ skipped }) => skipped === null);
    const linesOf = (files: typeof read) =>
      files.reduce((sum, file) => sum + file.additions + file.deletions, 0);
    const skipped = facts.files.flatMap(({ path, skipped: reason }) =>
      reason === null ? [] : [{ fileName: path, reason }],
    );
    const coverage = {
      filesRead: read.length,
      filesTotal: diff.length,
      linesRead: linesOf(read),
      linesTotal: linesOf(facts.files),
      skipped,
      skippedTotal: skipped.length,
    };
    const articles = writeOffline(source, coverage);
    claims += articles.en.verification.claims;
    dropped += articles.en.verification.dropped;
    repaired += articles.en.verification.repaired;
    written.push({
      name: nameOf(mirror),
      pullRequest,
      articles,
    });
    for (const [language, article] of Object.entries(articles)) {
      const words = [source.title, source.body ?? '', ...source.commits.map(({ message }) => message)].join(
        '\n',
      );
      const ofForm = formProblemsOf({ article, files: facts.files, diff: bytes.toString(), words });
      for (const problem of [...problemsOf(article, pullRequest.title, bytes), ...ofForm]) {
        problems.set(problem, [
          ...(problems.get(problem) ?? []),
          `${mirror} ${language} ${pullRequest.title}`,
        ]);
      }
    }
  }
}

console.log(
  `${written.length} pull requests of ${positionals.length} repositories, in ${offlineLanguages.join(' and ')}; seed ${values.seed}`,
);
console.log(`claims ${claims}, dropped ${dropped}, repaired ${repaired}`);
for (const problem of [
  'fails the schema',
  'names a file that is not in the diff',
  'has evidence outside the diff',
  'has a title over 80 characters',
  'has the raw title with its prefix',
  'has markup or a link in its text',
  ...formProblemKinds,
]) {
  const found = problems.get(problem) ?? [];
  console.log(`${problem}: ${found.length} of ${written.length * offlineLanguages.length}`);
  for (const example of found.slice(0, 5)) console.log(`   ${example}`);
}

for (let shown = 0; shown < Number(values.show); shown++) {
  const one = written[Math.floor(random() * written.length)];
  const language = offlineLanguages[shown % offlineLanguages.length] ?? 'en';
  const article = one?.articles[language];
  if (!one || !article) continue;
  const [owner = '', repo = ''] = one.name.split('+');
  const content = contentOf(article, {
    codeHosts: [],
    pullRequest: {
      host: '',
      hostUrl: null,
      headSha: one.pullRequest.sha,
      baseSha: one.pullRequest.parent ?? '',
    },
    languageCode: language,
    now: new Date(),
  });
  const number = Number(/#(\d+)/.exec(one.pullRequest.title)?.[1] ?? 0);
  console.log(`\n${'='.repeat(80)}\n[${language}] ${one.name}: ${one.pullRequest.title}\n`);
  console.log(
    articleMarkdown(
      {
        owner,
        repo,
        prNumber: number,
        hostPrUrl: null,
        authorLogin: '',
        state: 'merged',
        content,
      },
      language,
    ),
  );
}
