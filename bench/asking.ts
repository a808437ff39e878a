import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { numbersFrom } from '../test/chance.ts';
import { writeObligingly } from '../test/model/obliging-writer.ts';
import { startScriptedModel } from '../test/model/scripted-model.ts';
import { fillDatabase, makeBenchFolder } from './local-server.ts';
import { mergedPullRequests, numberOf } from './mirrors.ts';
import { createSession, median } from './reading-in-turns.ts';
import { runServer, service } from './run-server.ts';
import { type RealArticle, readArticles } from './search/corpus.ts';
import { fillSearch } from './search/fill-search.ts';
import { countWords, rarestWords } from './search/questions.ts';

// How long a question takes where no model has to be waited for: about a pull request, about a repository, and the list of answers
// about a pull request, in a service with many stored articles, against the same questions in one that has only those asked about.
// Each question is asked once, of both in turn. With --model, a model that answers at once is asked, and only what it answered is counted.
// Usage: node bench/asking.ts [--articles 200000] [--imported 40] [--questions 60] [--seed 7] [--model] MIRROR
const usage =
  'Usage: node bench/asking.ts [--articles 200000] [--imported 40] [--questions 60] [--seed 7] [--model] MIRROR';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    articles: { type: 'string', default: '200000' },
    imported: { type: 'string', default: '40' },
    questions: { type: 'string', default: '60' },
    seed: { type: 'string', default: '7' },
    model: { type: 'boolean', default: false },
  },
});
const [mirror] = positionals;
if (!mirror) {
  console.log(usage);
  process.exit(2);
}

const random = numbersFrom(Number(values.seed));
const folder = makeBenchFolder();
mkdirSync(join(folder, 'repos/some'), { recursive: true });
symlinkSync(resolve(mirror), join(folder, 'repos/some/mirror.git'));
const numbers = mergedPullRequests(mirror).map(numberOf).slice(0, Number(values.imported));

const model = values.model ? await startScriptedModel(writeObligingly) : null;
const environmentOf = (name: string) => ({
  PULLQUOTE_DATA: join(folder, name),
  GIT_REPOS: join(folder, 'repos'),
  ...(model && {
    AI_MODEL: 'compatible/scripted',
    AI_BASE_URL: model.url,
    AI_ARTICLES_PER_DAY: '10000',
    AI_TOKENS_PER_DAY: '1000000000',
  }),
});

/** Starts a service, with made-up articles beside those about the newest pull requests of the mirror. */
async function start(name: string, articles: RealArticle[], count: number) {
  const environment = environmentOf(name);
  if (count > 0)
    await fillDatabase(environment.PULLQUOTE_DATA, async (database) => {
      const size = { articles: count, repositories: 1_000, hiddenOfTen: 0, seed: Number(values.seed) };
      await fillSearch(database, articles, size);
      await database.runScript('VACUUM (ANALYZE)');
    });
  const server = await runServer(service, { environment });
  const call = await createSession(environment, server.url);
  const { data } = await call('POST', '/repos/some/mirror/import', { numbers, language: 'en' });
  let state = data.state;
  while (state === 'queued' || state === 'running') {
    await new Promise((wait) => setTimeout(wait, 500));
    ({ state } = (await call('GET', `/jobs/${data.id}`)).data);
  }
  if (state !== 'done') throw new Error(`The import ended as ${state}.`);
  return { call, stop: server.stop };
}

interface Asked {
  number: number;
  question: string;
}

type Call = Awaited<ReturnType<typeof createSession>>;

/** Questions by the rarest words of what is written, each about the pull request that has them. */
function questionsFrom(articles: RealArticle[]): Asked[] {
  const counts = countWords(articles, 'en');
  const about = articles.filter(({ number }) => numbers.includes(number));
  return Array.from({ length: Number(values.questions) }, (_, index) => {
    const { number, contents } = about[index % about.length] as RealArticle;
    const texts = contents.en?.mainChanges.flatMap(({ statements, description, hunk }) => [
      ...statements.map(({ text }) => text),
      description,
      ...(hunk?.lines ?? []).map(({ text }) => text),
    ]);
    const text = texts?.[Math.floor(random() * texts.length)] ?? '';
    return { number, question: `Why does ${rarestWords(text, counts).join(' and ')} change? (${index})` };
  });
}

try {
  const articles = await readArticles(mirror, 300, random);
  const own = await readArticles(mirror, Number(values.imported), () => 0);
  const services = [
    await start('empty', articles, 0),
    await start('full', articles, Number(values.articles)),
  ];
  const pulls = '/repos/some/mirror/pulls';
  const kinds: Record<string, (asked: Asked) => Parameters<Call>> = {
    'about a pull request': ({ number, question }) => [
      'POST',
      `${pulls}/${number}/questions`,
      { question, language: 'en' },
    ],
    'about a repository': ({ question }) => [
      'POST',
      '/repos/some/mirror/questions',
      { question, language: 'en' },
    ],
    'the list of a pull request': ({ number }) => ['GET', `${pulls}/${number}/questions`],
  };
  for (const [kind, callOf] of Object.entries(kinds)) {
    const times = services.map((): number[] => []);
    for (const question of questionsFrom([...articles, ...own])) {
      for (const [index, { call }] of services.entries()) {
        const begun = performance.now();
        const { success, data } = await call(...callOf(question));
        if (!success) throw new Error(`No answer: ${question.question}`);
        if (model && data.writer?.kind === 'offline') continue;
        times[index]?.push(performance.now() - begun);
      }
    }
    const [alone = 0, beside = 0] = times.map(median);
    const p95 = times[1]?.toSorted((one, other) => one - other)[Math.floor(times[1].length * 0.95)] ?? 0;
    console.log(
      `${kind}: p50 ${beside.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms; ${(beside / alone).toFixed(2)} times as long as with ${numbers.length} articles (${alone.toFixed(1)} ms); ${times[1]?.length} counted`,
    );
  }
  for (const { stop } of services) await stop();
  await model?.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}
