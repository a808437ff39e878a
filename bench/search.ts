import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { saveArticle } from '../src/db/articles.ts';
import type { Database } from '../src/db/database.ts';
import { searchArticles } from '../src/db/search.ts';
import { sql } from '../src/db/sql.ts';
import { findMatches } from '../src/domain/search/find-matches.ts';
import { sectionsOf } from '../src/domain/search/indexed-words.ts';
import { isProblem, readQuestion } from '../src/domain/search/question.ts';
import { numbersFrom } from '../test/chance.ts';
import { fillDatabase, makeBenchFolder, openDatabase } from './local-server.ts';
import { type RealArticle, readArticles } from './search/corpus.ts';
import { fillSearch } from './search/fill-search.ts';
import { countWords, manyQuestions, rarestWords } from './search/questions.ts';

// Whether articles are found, and how fast. For 300 real articles in English and Japanese: whether the three rarest
// words of a sentence find it among the first ten, and so do one and two characters, paths, numbers and mixtures. For
// generated ones from the same sentences: the time of 200 questions of every kind, against a tenth as many articles,
// and with nine tenths hidden against the visible tenth alone; and how much the index adds to storing an article.
// Usage: node bench/search.ts [--articles 200000] [--rounds 3] [--count 300] [--seed 7] [--recall] MIRROR
const usage =
  'Usage: node bench/search.ts [--articles 200000] [--rounds 3] [--count 300] [--seed 7] [--recall] MIRROR';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    articles: { type: 'string', default: '200000' },
    rounds: { type: 'string', default: '3' },
    count: { type: 'string', default: '300' },
    seed: { type: 'string', default: '7' },
    recall: { type: 'boolean', default: false },
  },
});
const [mirror] = positionals;
if (!mirror) {
  console.log(usage);
  process.exit(2);
}

const seed = Number(values.seed);
const viewer = { userId: null, now: new Date(), purpose: 'list', confirmedWithinMs: 86_400_000 } as const;
const folder = makeBenchFolder();

async function ask(database: Database, q: string, limit = 20) {
  const question = readQuestion(q);
  if (isProblem(question)) throw new Error(`${q} cannot be searched for: ${question.problem}`);
  const { repository: { owner, name: repo } = {}, ...asked } = question;
  const found = await searchArticles(database, {
    viewer,
    ...asked,
    owner,
    repo,
    languages: ['en'],
    limit,
    offset: 0,
  });
  for (const { sections } of found.rows) findMatches(sections, question.terms, 3);
  return found;
}

/** Stores real articles as the service does, and returns the cost of the index. */
async function storeArticles(database: Database, articles: RealArticle[]): Promise<void> {
  await database.runScript(`
    INSERT INTO repositories (host, host_repo_id, owner, name, is_private, checked_at) VALUES ('bench', 1, 'real', 'one', false, '2100-01-01Z')`);
  const spent = { with: 0, without: 0 };
  for (const [index, { number, contents }] of articles.entries()) {
    const [pull] = await database.query<{ id: string }>(sql`
      INSERT INTO pull_requests (repository_id, number, title, author_login, state, head_sha, host_created_at, fetched_at)
      SELECT id, ${number}, 'A change', 'rin', 'merged', ${'a'.repeat(40)}, now(), now() FROM repositories WHERE owner = 'real'
      ON CONFLICT DO NOTHING RETURNING id`);
    for (const content of pull ? Object.values(contents) : []) {
      for (const kind of index % 2 ? (['with', 'without'] as const) : (['without', 'with'] as const)) {
        const start = performance.now();
        await database.transaction(async (tx) => {
          const queries = kind === 'with' ? tx : withoutIndexing(tx);
          await saveArticle(queries, {
            pullRequestId: pull?.id ?? '',
            content,
            offlineWriter: 1,
            nextTry: null,
            now: new Date(),
          });
        });
        spent[kind] += performance.now() - start;
      }
    }
  }
  console.log(
    `storing an article: ${(spent.with / articles.length / 2).toFixed(2)} ms, ${(spent.with / spent.without).toFixed(2)} times as long as without the index`,
  );
}

const withoutIndexing = (tx: Parameters<Parameters<Database['transaction']>[0]>[0]): typeof tx => ({
  ...tx,
  query: (statement) =>
    statement.strings[0]?.includes('INSERT INTO article_search') ? Promise.resolve([]) : tx.query(statement),
});

async function measureRecall(database: Database, articles: RealArticle[]): Promise<void> {
  const told: Record<string, { asked: number; found: number }> = {};
  const note = async (kind: string, q: string, number: number, most = 10) => {
    const { rows } = await ask(database, q, most);
    told[kind] ??= { asked: 0, found: 0 };
    told[kind].asked += 1;
    if (rows.some((row) => row.number === number)) told[kind].found += 1;
    else if (told[kind].asked - told[kind].found < 4) console.log(`  not found, ${kind}: ${q} (#${number})`);
  };
  for (const language of ['en', 'ja']) {
    const counts = countWords(articles, language);
    for (const { number, contents } of articles) {
      const sections = contents[language] ? sectionsOf(contents[language]) : [];
      const sentences = sections.filter(
        ({ kind, text }) => kind !== 'file' && kind !== 'title' && rarestWords(text, counts).length === 3,
      );
      const sentence = sentences[number % Math.max(1, sentences.length)];
      const words = sentence ? rarestWords(sentence.text, counts) : [];
      if (words.length === 3) await note(`three rarest words, ${language}`, words.join(' '), number);
      const signs =
        language === 'ja' && sentence
          ? [...(/[\p{sc=Han}\p{sc=Kana}]{2,}/u.exec(sentence.text)?.[0] ?? '')]
          : [];
      if (signs.length > 1) {
        await note('one sign', signs[0] ?? '', number, 1_000);
        await note('two signs', signs.slice(0, 2).join(''), number, 1_000);
        const latin = words.find((word) => /^[a-z]/i.test(word));
        if (latin) await note('mixed', `${latin} ${signs.slice(0, 2).join('')}`, number);
      }
      const path = sections.find(({ kind }) => kind === 'file')?.text;
      if (path) await note('path', path, number, 1_000);
      await note('number', `#${number}`, number);
    }
  }
  console.table(told);
}

const settingsOf = (name: string) => ({ PULLQUOTE_DATA: join(folder, name.replaceAll(/\W+/g, '_')) });

interface Filled {
  name: string;
  database: Database;
}

async function fillNew(
  name: string,
  articles: RealArticle[],
  size: { articles: number; hiddenOfTen: number },
): Promise<Filled> {
  const start = performance.now();
  const settings = settingsOf(name);
  await fillDatabase(settings.PULLQUOTE_DATA, async (database) => {
    await fillSearch(database, articles, { ...size, repositories: 1_000, seed });
    await database.runScript('VACUUM (ANALYZE)');
  });
  console.log(`${name}: filled in ${Math.round((performance.now() - start) / 1000)} s`);
  return { name, database: await openDatabase(settings) };
}

const quantile = (times: number[], share: number): number =>
  times.toSorted((one, other) => one - other)[Math.min(times.length - 1, Math.floor(times.length * share))] ??
  0;

/** Each question is asked of all variants in turn, so that disturbances affect all of them; the best round counts. */
async function measureTimes(all: Filled[], articles: RealArticle[]): Promise<void> {
  const questions = manyQuestions(articles, numbersFrom(seed + 1));
  const times = all.map((): number[] => []);
  const slowest = all.map((): { ms: number; q: string }[] => []);
  for (const { kind, q } of questions) {
    const best = all.map(() => Number.POSITIVE_INFINITY);
    for (let round = 0; round < Number(values.rounds); round += 1) {
      for (const [index, { database }] of all.entries()) {
        const start = performance.now();
        await ask(database, q);
        best[index] = Math.min(best[index] ?? 0, performance.now() - start);
      }
    }
    for (const [index, ms] of best.entries()) {
      times[index]?.push(ms);
      slowest[index]?.push({ ms, q: `${kind}: ${q}` });
    }
  }
  const table = Object.fromEntries(
    all.map(({ name }, index) => [
      name,
      Object.fromEntries(
        [0.5, 0.9, 0.99].map((share) => [
          `p${share * 100}, ms`,
          Number(quantile(times[index] ?? [], share).toFixed(2)),
        ]),
      ),
    ]),
  );
  console.table(table);
  for (const [index, { name }] of all.entries()) {
    const worst = (slowest[index] ?? []).toSorted((one, other) => other.ms - one.ms).slice(0, 4);
    console.log(
      `  slowest of ${name}: ${worst.map(({ ms, q }) => `${ms.toFixed(1)} ms ${q.slice(0, 60)}`).join('; ')}`,
    );
  }
}

/** The time of filling on two quiet cores, and of everything else. */
const secondsPerThousand = 0.8;
const otherSeconds = 120;

async function measureAll(articles: RealArticle[], size: number): Promise<void> {
  const seconds = otherSeconds + (values.recall ? 0 : (size / 1_000) * secondsPerThousand);
  console.log(`\n${size} articles: about ${Math.ceil(seconds / 60)} minutes on two quiet cores`);
  const real = await openDatabase(settingsOf('real'));
  await storeArticles(real, articles);
  await measureRecall(real, articles);
  await real.close();
  if (values.recall) return;
  const sizes = {
    'a tenth': { articles: size / 10, hiddenOfTen: 0 },
    'all, nine tenths hidden': { articles: size, hiddenOfTen: 9 },
    all: { articles: size, hiddenOfTen: 0 },
  };
  const all = await Promise.all(
    Object.entries(sizes).map(async ([name, filling]) => fillNew(name, articles, filling)),
  );
  await measureTimes(all, articles);
  for (const { database } of all) await database.close();
}

try {
  const articles = await readArticles(mirror, Number(values.count), numbersFrom(seed + 2));
  console.log(`${articles.length} real articles, in English and Japanese`);
  await measureAll(articles, Number(values.articles));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
