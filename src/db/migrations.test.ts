import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { after, test } from 'node:test';
import { freshDatabase } from '../../test/build-app.ts';
import { waitUntil } from '../../test/wait-until.ts';
import { isSameDiff } from '../domain/diff-range.ts';
import { lastPeriod } from '../domain/digest.ts';
import { isProblem, readQuestion } from '../domain/search/read-question.ts';
import { createStatementIds, type IdentifiedSentence } from '../writing/statement-ids.ts';
import { deleteOldNotes, findNotes, findPartPlan, saveNotes, savePartPlan } from './ai-notes.ts';
import { deleteOldCards, findCard, saveCard } from './article-cards.ts';
import { findWrongArticleCounts } from './article-counts.ts';
import { listArticles } from './article-lists.ts';
import { findArticlesById, findWrittenFor } from './articles.ts';
import type { Database } from './database.ts';
import { readDigest } from './digest-contents.ts';
import { findWrongFacets } from './facet-counts.ts';
import { findFeedAddress, findFeedReader, saveFeedAddress } from './feed-addresses.ts';
import { findFeedArticles } from './feed-articles.ts';
import { claimRound, listDueRepositories } from './listed-renewals.ts';
import { listRepositories } from './listed-repositories.ts';
import { migrate } from './migrate.ts';
import { findOfflineArticles, saveOfflineArticles } from './offline-articles.ts';
import { claimPlanned } from './planned-articles.ts';
import { openPostgres } from './postgres.ts';
import { publicChannel } from './public-changes.ts';
import { findPullRequest, findPullRequestToWriteAbout } from './pull-requests.ts';
import { noteReleaseChanges } from './release-changes.ts';
import { insertRemoval } from './removals.ts';
import { deleteRemoved } from './removed-pull-requests.ts';
import { revokeRights } from './revocations.ts';
import { searchArticles } from './search.ts';
import { forgetMisplaced, indexDueArticles } from './search-index.ts';
import { sql } from './sql.ts';
import { findDiffPart } from './stored-diffs.ts';
import { noteMerges } from './told-merges.ts';
import { outdatePullRequests } from './told-pull-requests.ts';
import { findUnfetchable, noteUnfetchable } from './unreadable-diffs.ts';
import { deleteUnusedPullRequests } from './unused-pull-requests.ts';
import { deleteUser } from './users.ts';
import { listWatchers } from './watched-repositories.ts';
import { saveWatch } from './watches.ts';
import { claimJob } from './writing-jobs.ts';

/** Longer than any of this takes on a busy machine: one that was given up would answer no test after it. */
const patienceMs = 120_000;

async function open({ DATABASE_URL = '' }: Record<string, string>): Promise<Database> {
  const database = await openPostgres(DATABASE_URL, { patienceMs });
  after(() => database.close());
  return database;
}

const current = await open(await freshDatabase());

/** One for all, each of which begins with nothing in it: opening another takes longer than most of them. */
const upgraded = await open(await freshDatabase());

/** A database as the migrations up to a number left it, with rows in it, after the others were applied to it too. */
async function upgrade(last: number, rows: string): Promise<Database> {
  const database = upgraded;
  await database.runScript('DROP SCHEMA public CASCADE; CREATE SCHEMA public');
  const folder = new URL('../../migrations/', import.meta.url);
  const applied = readdirSync(folder)
    .sort()
    .filter((name) => numberOf(name) <= last);
  for (const name of applied) await database.runScript(readFileSync(new URL(name, folder), 'utf8'));
  await database.runScript(`
    CREATE TABLE schema_migrations (number integer PRIMARY KEY, name text NOT NULL, applied_at timestamptz(3) DEFAULT now());
    INSERT INTO schema_migrations (number, name)
    SELECT number, 'one before' FROM unnest('{${applied.map(numberOf)}}'::integer[]) AS number;
    ${rows}`);
  await database.transaction((tx) => migrate(tx));
  return database;
}

const numberOf = (name: string) => Number(name.slice(0, 4));

const head = 'a'.repeat(40);

/** A pull request of a public repository. */
const aPullRequest = `
  INSERT INTO repositories (host, host_repo_id, owner, name, is_private, checked_at)
  VALUES ('git', 1, 'acme', 'rocket', false, '2026-03-01Z');
  INSERT INTO pull_requests (repository_id, number, title, author_login, state, head_sha, host_created_at, fetched_at)
  SELECT id, 1, 'A change', 'rin', 'merged', '${head}', '2026-03-01Z', '2026-03-01Z' FROM repositories;`;

/** The same, and an article about it that has no contents yet. */
const anArticle = `${aPullRequest}
  INSERT INTO articles (pull_request_id, created_at, updated_at) SELECT id, '2026-03-01Z', '2026-03-01Z' FROM pull_requests;`;

/** The same since articles name their repository. */
const anArticleOfRepository = anArticle.replace(
  '(pull_request_id, created_at, updated_at) SELECT id,',
  '(pull_request_id, repository_id, created_at, updated_at) SELECT id, repository_id,',
);

const viewer = { userId: null, now: new Date('2026-03-01T10:00:00Z'), purpose: 'detail' } as const;

/** What a sentence is called that stands once in its article. */
const identified = (statement: IdentifiedSentence) => createStatementIds()(statement);

const findArticle = async (database: Database, articleId = '') =>
  (await findArticlesById(database, [{ articleId, userId: null }], viewer))[0];

test('a database newer than the code is refused with a sentence', async () => {
  const settings = await freshDatabase();
  const database = await open(settings);
  await database.query(
    sql`INSERT INTO schema_migrations (number, name) VALUES (9999, 'from-the-future.sql')`,
  );
  await database.close();
  await assert.rejects(open(settings), /newer than this version of Pullquote: it has schema 9999/);
});

test('both databases answer the same types, and integers of any size that JSON can carry', async () => {
  const moment = new Date('2026-03-01T09:30:00.123Z');
  const largest = Number.MAX_SAFE_INTEGER;
  const rows = await current.query(sql`
    SELECT ${largest}::bigint AS big, 7 AS small, count(*) AS counted, ${moment}::timestamptz(3) AS moment,
      ${null}::text AS nothing, ${true}::boolean AS flag, ${'naïve \u{1f40c} "quoted"'}::text AS words,
      ${['a', 'b,"c']}::text[] AS list
    FROM (VALUES (1), (2)) AS two`);
  assert.deepEqual(
    [{ ...(rows[0] as object) }],
    [
      {
        big: largest,
        small: 7,
        counted: 2,
        moment,
        nothing: null,
        flag: true,
        words: 'naïve \u{1f40c} "quoted"',
        list: ['a', 'b,"c'],
      },
    ],
  );
});

test('JSON that is only handed on comes as the bytes that were stored, everything else as ever', async () => {
  const text = '{"b":1,  "a":"naïve \u{1f40c}"}';
  const [row] = await current.queryBytes<Record<string, unknown>>(sql`
    SELECT ${text}::text::json AS body, ${null}::text::json AS nothing, ${3}::bigint AS big, true AS flag,
      '2026-03-01T09:30:00.123Z'::timestamptz(3) AS moment, ${'naïve'}::text AS words, ${['a', 'b,"c']}::text[] AS list`);
  const { body, ...others } = row ?? {};
  assert.equal(Buffer.from(body as Uint8Array).toString(), text);
  const moment = new Date('2026-03-01T09:30:00.123Z');
  const list = ['a', 'b,"c'];
  assert.deepEqual(others, { nothing: null, big: 3, flag: true, moment, words: 'naïve', list });
});

test('articles from before they were kept as they are read are still there', async () => {
  const database = await upgrade(
    5,
    `${anArticle}
    INSERT INTO article_contents (article_id, language_code, title, background, main_changes, notable_points, writer,
      coverage, verification, head_sha, generated_at)
    SELECT id, 'en', 'A title', 'Because.',
      '[{"fileName":"a.ts","changeTypes":["FIX","TEST"],"description":"It works.",
         "evidence":[{"fileName":"a.ts","startLine":2,"endLine":3,"side":"new"}]},
        {"fileName":"b.ts","changeTypes":["FIX"],"description":"So does this.","evidence":[]}]',
      '[]', '{"kind":"offline"}', '{"filesRead":2}', '{"claims":1}', '${head}', '2026-03-01T09:30:00.120Z'
    FROM articles;`,
  );
  const [row] = await database.query<{ id: string }>(sql`SELECT id FROM articles`);
  const article = await findArticle(database, row?.id);
  const { rows } = await listArticles(database, { viewer, limit: 10, offset: 0 });
  assert.deepEqual(rows[0]?.changeTypes.toSorted(), ['FIX', 'TEST']);
  const body = JSON.parse(Buffer.from(article?.contents[0]?.body ?? []).toString());
  assert.equal(body.aiGeneratedTitle, 'A title');
  assert.equal(body.backgroundAndPurpose, 'Because.');
  assert.equal(body.summaryGeneratedAt, '2026-03-01T09:30:00.120Z');
  assert.equal(body.headSha, head);
  assert.deepEqual(
    body.mainChanges.map(({ description }: { description: string }) => description),
    ['It works.', 'So does this.'],
  );
  assert.deepEqual(body.mainChanges[0].evidence, [
    { fileName: 'a.ts', startLine: 2, endLine: 3, side: 'new', hostUrl: null },
  ]);
});

test('diffs, articles and jobs from before bases were kept are still there, and none counts as up to date', async () => {
  const database = await upgrade(
    6,
    `${anArticle}
    INSERT INTO pull_request_contents (pull_request_id, labels, base_ref, head_ref, additions, deletions, files, unread,
      commits, comments, linked_issues)
    SELECT id, '[]', 'main', 'feature', 1, 0,
      '[{"fileName":"a.ts","status":"added","kind":"source","additions":1,"deletions":0}]', '[]', '[]', '[]',
      '[{"number":3,"title":"Three"},{"number":2,"title":""}]' FROM pull_requests;
    INSERT INTO pull_request_diffs (pull_request_id, first_file, last_file, compressed) SELECT id, 0, 0, '\\x28' FROM pull_requests;
    INSERT INTO article_contents (article_id, language_code, title, change_types, body, head_sha, generated_at)
    SELECT id, 'en', 'A title', '{FIX}', '{"languageCode":"en", "headSha":"${head}"}', '${head}', '2026-03-01Z' FROM articles;
    INSERT INTO article_outlines (pull_request_id, head_sha, version, outline) SELECT id, '${head}', 1, '{}' FROM pull_requests;
    INSERT INTO writing_jobs (pull_request_id, head_sha, language_code, writer, created_at, updated_at)
    SELECT id, '${head}', 'ja', 'offline', '2026-03-01Z', '2026-03-01Z' FROM pull_requests;`,
  );
  const [row] = await database.query<{ repositoryId: string; articleId: string; jobId: string }>(sql`
    SELECT pull_requests.repository_id AS "repositoryId", articles.id AS "articleId", writing_jobs.id AS "jobId"
    FROM pull_requests JOIN articles ON articles.pull_request_id = pull_requests.id
    JOIN writing_jobs ON writing_jobs.pull_request_id = pull_requests.id`);
  const { repositoryId = '', articleId = '', jobId = '' } = row ?? {};
  const pullRequest = await findPullRequest(database, { repositoryId, number: 1, viewer });
  const article = await findArticle(database, articleId);
  assert.ok(pullRequest && article);
  assert.deepEqual([pullRequest.headSha, pullRequest.baseSha, pullRequest.filesInDiff], [head, '', 1]);
  assert.deepEqual(pullRequest.linkedIssues, [
    { number: 3, title: 'Three', body: null },
    { number: 2, title: '', body: null },
  ]);
  const { id: pullRequestId, diffRevision: revision } = pullRequest;
  const part = await findDiffPart(database, { pullRequestId, revision, file: 0 });
  assert.deepEqual(Buffer.from(part?.compressed ?? []), Buffer.from([0x28]));
  const [content] = article.contents;
  assert.ok(content);
  const body = JSON.parse(Buffer.from(content.body).toString());
  assert.deepEqual([body.baseSha, body.languageCode, body.headSha], ['', 'en', head]);
  assert.equal(isSameDiff(content, article), false);
  const job = await claimJob(database, viewer.now);
  assert.deepEqual([job?.id, job?.headSha, job?.baseSha], [jobId, head, '']);
});

test('articles from before they were told by the sentence have sentences, and count as outdated', async () => {
  const lines = { fileName: 'a.ts', startLine: 2, endLine: 3, side: 'new', hostUrl: null } as const;
  const unread = Array.from({ length: 130 }, (_, index) => ({
    fileName: `${index}.lock`,
    reason: 'lock file',
  }));
  const written = {
    languageCode: 'en',
    aiGeneratedTitle: 'A title',
    backgroundAndPurpose: 'Because. '.repeat(300).trim(),
    mainChanges: [
      { fileName: 'a.ts', changeTypes: ['TEST', 'FIX'], description: 'It works.', evidence: [lines] },
      { fileName: 'b.png', changeTypes: ['DOCS', 'FIX'], description: 'So does this.', evidence: [] },
    ],
    notablePoints: [{ categories: ['RISK'], point: 'It may not.', evidence: [lines] }],
    summaryGeneratedAt: '2026-03-01T09:30:00.120Z',
    headSha: head,
    baseSha: '',
    writer: { kind: 'offline' },
    coverage: { filesRead: 2, filesTotal: 132, linesRead: 3, linesTotal: 9, skipped: unread },
    verification: { claims: 3, verified: 3, repaired: 0, dropped: 0 },
  };
  const insert = (language: string, body: object) => `
    INSERT INTO article_contents (article_id, language_code, title, change_types, body, head_sha, generated_at, revision)
    SELECT id, '${language}', 'A title', '{FIX,TEST,DOCS}', '${JSON.stringify(body)}', '${head}',
      '2026-03-01T09:30:00.120Z', 4 FROM articles;`;
  const byModel = {
    ...written,
    languageCode: 'fr',
    backgroundAndPurpose: '',
    writer: { kind: 'ai' },
    mainChanges: [],
  };
  const database = await upgrade(7, anArticle + insert('en', written) + insert('fr', byModel));
  const [row] = await database.query<{ id: string }>(sql`SELECT id FROM articles`);
  const article = await findArticle(database, row?.id);
  assert.ok(article?.contents[0]);
  const { body: bytes, revision } = article.contents[0];
  const body = JSON.parse(Buffer.from(bytes).toString());
  const { rows } = await listArticles(database, { viewer, limit: 10, offset: 0, language: 'en' });
  const [listed] = rows;
  const writtenFor = await findWrittenFor(database, {
    pullRequestId: article.pullRequestId,
    languageCode: 'en',
  });
  assert.equal(revision, 7);
  assert.deepEqual(writtenFor, {
    articleId: row?.id,
    baseSha: '',
    headSha: head,
    offlineWriter: 0,
    writer: { kind: 'offline' },
    failedTries: 0,
    nextTryAt: null,
  });
  const changeTypes = ['TEST', 'FIX', 'DOCS'];
  assert.deepEqual([listed?.changeTypes, listed?.quote, listed?.readingMinutes], [changeTypes, null, 2]);
  assert.deepEqual(body, {
    ...written,
    standfirst: null,
    changeTypes,
    quote: null,
    readingMinutes: 2,
    counts: { files: 132, additions: 0, deletions: 0, commits: 0, parts: [] },
    background: [identified({ text: written.backgroundAndPurpose, basis: 'words', evidence: [] })],
    mainChanges: written.mainChanges.map((change) => ({
      ...change,
      statements: [identified({ text: change.description, basis: 'diff', evidence: change.evidence })],
      excerpts: [],
    })),
    notablePoints: [
      {
        categories: ['RISK'],
        label: null,
        point: 'It may not.',
        evidence: [lines],
        statements: [identified({ text: 'It may not.', basis: 'diff', evidence: [lines] })],
      },
    ],
    also: [],
    coverage: { ...written.coverage, skipped: unread.slice(0, 100), skippedTotal: 130 },
    verification: { ...written.verification, judged: 0, unjudged: 0 },
  });
  const [model] = await database.query<{
    body: { background: unknown };
    offlineWriter: number;
    types: string[];
  }>(sql`
    SELECT body, offline_writer AS "offlineWriter", change_types AS types FROM article_contents WHERE language_code = 'fr'`);
  assert.deepEqual([model?.body.background, model?.offlineWriter, model?.types], [[], null, ['CHORE']]);
});

test('articles from before they had their form get the ids that are given today, counts, and a mark where a model wrote them', async () => {
  const at = (fileName: string) =>
    ({ fileName, startLine: 2, endLine: 3, side: 'new', hostUrl: null }) as const;
  const said: IdentifiedSentence[] = [
    { text: 'It says "no\\n" and \\ and é🐌\t.', basis: 'words', evidence: [] },
    { text: 'It works.', basis: 'diff', evidence: [at('b".ts'), at('a.ts'), at('b".ts')] },
    { text: 'It works.', basis: 'diff', evidence: [at('b".ts'), at('a.ts')] },
    { text: 'It works.', basis: 'diff', evidence: [at('a.ts')] },
    { text: 'It works.', basis: 'judgement', evidence: [at('b".ts'), at('a.ts')] },
  ];
  const body = {
    background: said.slice(0, 1),
    mainChanges: [{ fileName: 'b".ts', statements: said.slice(1, 3) }],
    notablePoints: [{ categories: ['RISK'], statements: said.slice(1) }],
    coverage: { filesTotal: 9 },
    writer: { kind: 'ai' },
  };
  const offline = { ...body, notablePoints: [], writer: { kind: 'offline' } };
  const quoted = (value: unknown) => JSON.stringify(value).replaceAll("'", "''");
  const insert = (language: string, told: object) => `
    INSERT INTO article_contents (article_id, repository_id, language_code, title, change_types, reading_minutes, body,
      head_sha, generated_at)
    SELECT id, repository_id, '${language}', 'A title', '{FIX}', 1, '${quoted(told)}', '${head}', '2026-03-01Z' FROM articles;`;
  const file = (kind: string) => ({ fileName: kind, status: 'added', kind, additions: 1, deletions: 0 });
  const files = ['test', 'vendored', 'source', 'test'].map(file);
  const draft = {
    draft: {
      title: { text: 'T' },
      mainChanges: [{ fileName: 'a.ts' }],
      notablePoints: [{ categories: ['UX'] }],
    },
    coverage: { filesTotal: 9 },
  };
  const database = await upgrade(
    18,
    `${anArticleOfRepository}
    INSERT INTO pull_request_contents (pull_request_id, labels, base_ref, head_ref, additions, deletions, files, unread,
      commits, comments, linked_issues)
    SELECT id, '[]', 'main', 'feature', 4, 1, '${quoted(files)}', '[]', '[{}, {}]', '[]', '[]' FROM pull_requests;
    INSERT INTO ai_drafts (pull_request_id, diff_revision, language_code, draft)
    SELECT id, 1, 'en', '${quoted(draft)}' FROM pull_requests;
    ${insert('en', body)}${insert('ja', offline)}${insert('fr', {})}${insert('it', { ...body, writer: undefined })}`,
  );
  const rows = await database.query<{ body: typeof body; lacks: boolean | null; revision: number }>(sql`
    SELECT body, lacks_excerpts AS lacks, revision FROM article_contents ORDER BY language_code`);
  const [kept] = await database.query<{ draft: unknown }>(sql`SELECT draft FROM ai_drafts`);
  const counts = {
    files: 4,
    additions: 4,
    deletions: 1,
    commits: 2,
    parts: [
      { kind: 'source', files: 1 },
      { kind: 'test', files: 2 },
      { kind: 'vendored', files: 1 },
    ],
  };
  const identify = createStatementIds();
  const now = [...said.slice(0, 3), ...said.slice(1)].map((one) => identify(one));
  assert.equal(new Set(now.map(({ id }) => id)).size, now.length);
  assert.deepEqual(rows[0]?.body, {
    ...body,
    standfirst: null,
    also: [],
    counts,
    background: now.slice(0, 1),
    mainChanges: [{ fileName: 'b".ts', statements: now.slice(1, 3), excerpts: [] }],
    notablePoints: [{ categories: ['RISK'], label: null, statements: now.slice(3) }],
  });
  assert.deepEqual(
    rows.map(({ lacks, revision }) => [lacks, revision]),
    [
      [true, 2],
      [false, 2],
      [false, 2],
      [false, 2],
    ],
  );
  const empty = { standfirst: null, also: [], background: [], mainChanges: [], notablePoints: [] };
  assert.deepEqual(rows[1]?.body, { ...empty, counts });
  assert.deepEqual(kept?.draft, {
    ...draft,
    draft: {
      title: { text: 'T' },
      standfirst: null,
      also: [],
      mainChanges: [{ fileName: 'a.ts', excerpts: [] }],
      notablePoints: [{ categories: ['UX'], label: null }],
    },
  });
});

test('claims that no second reader has read are counted apart in what was stored, and the sum of claims stays', async () => {
  const insert = (language: string, body: object) => `
    INSERT INTO article_contents (article_id, repository_id, language_code, title, change_types, reading_minutes, body,
      head_sha, generated_at)
    SELECT id, repository_id, '${language}', 'A title', '{FIX}', 1, '${JSON.stringify(body)}', '${head}', '2026-03-01Z'
    FROM articles;`;
  const stored = (kind: 'ai' | 'offline', ...[claims, verified, repaired, dropped, judged]: number[]) => ({
    languageCode: 'xx',
    writer: { kind },
    verification: { claims, verified, repaired, dropped, judged },
  });
  const bodies = {
    aa: stored('ai', 9, 6, 2, 1, 5),
    ab: stored('ai', 5, 1, 3, 1, 1),
    ac: stored('ai', 4, 3, 1, 0, 4),
    ae: stored('ai', 3, 2, 1, 0, 0),
    af: stored('offline', 4, 3, 0, 1, 0),
    ak: { languageCode: 'ak' },
  };
  const database = await upgrade(
    22,
    anArticleOfRepository +
      Object.entries(bodies)
        .map(([language, body]) => insert(language, body))
        .join(''),
  );
  const rows = await database.query<{ body: ReturnType<typeof stored>; revision: number }>(
    sql`SELECT body, revision FROM article_contents ORDER BY language_code`,
  );
  const counted = (verified: number, repaired: number, unjudged: number) => ({
    verified,
    repaired,
    unjudged,
  });
  assert.deepEqual(
    rows.map(({ body, revision }) => [body, revision]),
    [
      [{ ...bodies.aa, verification: { ...bodies.aa.verification, ...counted(3, 2, 3) } }, 2],
      [{ ...bodies.ab, verification: { ...bodies.ab.verification, ...counted(0, 1, 3) } }, 2],
      [{ ...bodies.ac, verification: { ...bodies.ac.verification, ...counted(3, 1, 0) } }, 2],
      [{ ...bodies.ae, verification: { ...bodies.ae.verification, ...counted(0, 0, 3) } }, 2],
      [{ ...bodies.af, verification: { ...bodies.af.verification, ...counted(3, 0, 0) } }, 2],
      [bodies.ak, 1],
    ],
  );
});

test('a pull request from before there were parts takes notes and a plan, which go with it', async () => {
  const database = await upgrade(23, anArticleOfRepository);
  const [row] = await database.query<{ id: string }>(sql`SELECT id FROM pull_requests`);
  const pullRequestId = row?.id ?? '';
  const now = new Date('2026-03-01T00:00:00.000Z');
  const later = new Date('2026-03-01T00:00:00.001Z');
  assert.equal(await findPartPlan(database, pullRequestId), null);
  for (const plan of [[['a.ts']], [['a.ts', 'b.ts']]]) await savePartPlan(database, { pullRequestId, plan });
  assert.deepEqual(await findPartPlan(database, pullRequestId), [['a.ts', 'b.ts']]);
  for (const part of ['one', 'two']) await saveNotes(database, { pullRequestId, part, notes: [part], now });
  assert.deepEqual(await findNotes(database, { pullRequestId, part: 'one', now: later }), ['one']);
  await deleteOldNotes(database, { pullRequestId, before: later });
  assert.equal(
    await findNotes(database, { pullRequestId, part: 'two', now: later }),
    null,
    'it was not used',
  );
  await database.query(sql`DELETE FROM articles`);
  await database.query(sql`DELETE FROM pull_requests`);
  const left = await database.query(
    sql`SELECT pull_request_id FROM ai_notes UNION ALL SELECT pull_request_id FROM ai_part_plans`,
  );
  assert.equal(left.length, 0);
});

test('an article from before cards gets one, the next takes its place, two thousand are kept, and each goes with its article', async () => {
  const insert = (language: string, from: string) => `
    INSERT INTO article_contents (article_id, repository_id, language_code, title, change_types, reading_minutes, body,
      head_sha, generated_at)
    SELECT id, repository_id, ${language}, 'A title', '{FIX}', 1, '{}', '${head}', '2026-03-01Z' FROM ${from}`;
  const database = await upgrade(24, `${anArticleOfRepository} ${insert("'en'", 'articles')};`);
  const [row] = await database.query<{ id: string }>(sql`SELECT id FROM articles`);
  const of = { articleId: row?.id ?? '', languageCode: 'en' };
  const now = new Date('2026-03-01T00:00:00.000Z');
  const card = { png: new Uint8Array([1, 2]), now };
  for (const version of ['one', 'two']) await saveCard(database, { ...of, version }, card);
  assert.equal(await findCard(database, { ...of, version: 'one' }), null);
  assert.deepEqual([...((await findCard(database, { ...of, version: 'two' })) ?? [])], [1, 2]);
  // Of an article that has gone meanwhile, nothing is kept.
  await saveCard(database, { ...of, languageCode: 'xx', version: 'one' }, card);

  await database.runScript(insert('place::text', 'articles, generate_series(1, 2002) AS place'));
  await database.query(sql`
    INSERT INTO article_cards (article_id, language_code, version, png, drawn_at)
    SELECT article_id, language_code, 'one', '', ${now}::timestamptz + language_code::integer * interval '1 second'
    FROM article_contents WHERE language_code <> 'en'`);
  const before = new Date(now.getTime() - 1);
  assert.equal(await deleteOldCards(database, before), 3);
  assert.equal(await deleteOldCards(database, before), 0);
  assert.equal(await findCard(database, { ...of, version: 'two' }), null, 'the oldest goes first');
  assert.ok(await findCard(database, { ...of, languageCode: '2002', version: 'one' }));
  await database.query(sql`DELETE FROM articles`);
  const left = await database.query(sql`SELECT version FROM article_cards`);
  assert.equal(left.length, 0);
});

test('pull requests without an article count as used when their use begins to be noted, and notes about diffs keep their numbers', async () => {
  const database = await upgrade(
    12,
    `${anArticle}
    INSERT INTO pull_requests (repository_id, number, title, author_login, state, head_sha, host_created_at, fetched_at)
    SELECT id, 2, 'Unread', 'rin', 'open', '${head}', '2026-03-01Z', '2026-03-01Z' FROM repositories;
    INSERT INTO pull_request_diffs (pull_request_id, revision, first_file, last_file, compressed)
    SELECT id, 1, 0, 0, '\\x28' FROM pull_requests;
    INSERT INTO unreadable_diffs (repository_id, number, base_sha, head_sha, step, terms, message, noted_at)
    SELECT id, 2147483647, 'b', 'h', 'fetching', 't', 'Too much.', '2026-03-01Z' FROM repositories;`,
  );
  const uses = () =>
    database.query<{ number: number; isUsedNow: boolean | null }>(sql`
      SELECT number, unused_since > now() - interval '1 hour' AS "isUsedNow" FROM pull_requests ORDER BY number`);
  assert.deepEqual(
    (await uses()).map(({ isUsedNow }) => isUsedNow),
    [null, true],
  );
  const [row] = await database.query<{ repositoryId: string }>(
    sql`SELECT repository_id AS "repositoryId" FROM unreadable_diffs WHERE number = 2147483647`,
  );
  const diff = { baseSha: 'b', headSha: 'h', terms: 't', number: Number.MAX_SAFE_INTEGER };
  const noted = { repositoryId: row?.repositoryId ?? '', ...diff };
  await noteUnfetchable(database, noted, { message: 'Too much.', now: viewer.now });
  assert.equal(await findUnfetchable(database, { host: 'git', hostRepoId: 1, ...diff }), 'Too much.');

  assert.equal(await deleteUnusedPullRequests(database, new Date(Date.now() + 1000)), 1);
  assert.deepEqual(
    (await uses()).map(({ number }) => number),
    [1],
  );
  const parts = await database.query<{ hasGone: boolean }>(
    sql`SELECT replaced_at IS NOT NULL AS "hasGone" FROM pull_request_diffs ORDER BY 1`,
  );
  assert.deepEqual(
    parts.map(({ hasGone }) => hasGone),
    [false, true],
  );
  await database.query(sql`DELETE FROM articles`);
  assert.equal((await uses())[0]?.isUsedNow, true, 'who deletes an article lets its pull request go');
});

test('every column that holds a number of a host holds any that JSON carries', async () => {
  const ours = ['schema_migrations', 'offline_writers'];
  const columns = await current.query<{ name: string; type: string }>(sql`
    SELECT table_name || '.' || column_name AS name, data_type AS type FROM information_schema.columns
    WHERE table_schema = 'public' AND table_name <> ALL (${ours}::text[])
      AND column_name ~ '(^|_)number$|^(host|quota)_(.*_)?id$|^quota_user_id$'
    ORDER BY 1`);
  assert.deepEqual(
    columns.map(({ name }) => name),
    [
      'ai_quotas.host_user_id',
      'article_rankings.pull_request_number',
      'identities.host_user_id',
      'ingest_quotas.host_user_id',
      'planned_articles.pr_number',
      'pull_requests.number',
      'release_changes.number',
      'removals.host_repo_id',
      'removals.number',
      'repositories.host_repo_id',
      'told_merges.pr_number',
      'unreadable_diffs.number',
      'webhook_deliveries.host_repo_id',
      'webhook_deliveries.pr_number',
      'writing_jobs.quota_user_id',
    ],
  );
  for (const { name, type } of columns) assert.equal(type, 'bigint', name);
});

test('repositories from before lists went by their age are renewed in the order in which they were last asked for', async () => {
  const database = await upgrade(
    12,
    `INSERT INTO code_host_addresses (host, address) VALUES ('github', 'https://github.com');
    INSERT INTO repositories (host, host_repo_id, owner, name, is_private, checked_at)
    SELECT 'github', place, 'acme', 'r' || place, place = 3, '2026-03-01T00:00:00Z'::timestamptz + place * interval '1 hour'
    FROM generate_series(1, 3) AS place;
    INSERT INTO pull_requests (repository_id, number, title, author_login, state, head_sha, host_created_at, fetched_at)
    SELECT id, 1, 'A change', 'rin', 'merged', '${head}', '2026-03-01Z', '2026-03-01Z' FROM repositories;
    INSERT INTO articles (pull_request_id, created_at, updated_at) SELECT id, '2026-03-01Z', '2026-03-01Z' FROM pull_requests;`,
  );
  const now = new Date('2026-03-02T00:00:00Z');
  const round = { host: 'github', now, until: now, latest: now };
  assert.equal(await claimRound(database, round), true);
  const due = await listDueRepositories(database, { host: 'github', now, before: now, limit: 10 });
  assert.deepEqual(
    due.map(({ name }) => name),
    ['r2', 'r1'],
  );
});

test('what was stored before anything could be removed shows as before, and can be removed', async () => {
  const database = await upgrade(
    15,
    `${anArticle}
    INSERT INTO repositories (host, host_repo_id, owner, name, is_private, checked_at)
    VALUES ('git', 2, 'acme', 'secret', true, '2026-03-01Z');
    INSERT INTO article_contents (article_id, language_code, title, change_types, quote, reading_minutes, body, head_sha, generated_at)
    SELECT id, 'en', 'A title', '{FIX}', NULL, 1, '{}', '${head}', '2026-03-01Z' FROM articles;
    INSERT INTO writing_jobs (pull_request_id, head_sha, language_code, writer, created_at, updated_at)
    SELECT id, '${head}', 'ja', 'offline', '2026-03-01Z', '2026-03-01Z' FROM pull_requests;`,
  );
  const list = async () => (await listArticles(database, { viewer, limit: 10, offset: 0 })).total;
  assert.equal(await list(), 1);
  const heard: string[] = [];
  const hearer = { onMessage: (message: string) => void heard.push(message), onListening: () => {} };
  await database.listen(publicChannel, hearer);
  const target = { host: 'git', owner: 'Acme', name: 'Rocket', number: null };
  assert.equal(await database.transaction((tx) => insertRemoval(tx, target, viewer.now)), true);
  assert.equal(await list(), 0);
  await waitUntil('services are told', () => heard.some((message) => message.startsWith('repository:')));
  assert.equal(await deleteRemoved(database, viewer.now), 1);
  const [left] = await database.query<{ rows: number }>(sql`
    SELECT (SELECT count(*) FROM pull_requests) + (SELECT count(*) FROM article_contents)
      + (SELECT count(*) FROM writing_jobs) AS rows`);
  assert.equal(left?.rows, 0);
});

test('pull requests from before whole files were looked at are written about by their diff alone', async () => {
  const database = await upgrade(
    18,
    `INSERT INTO repositories (host, host_repo_id, owner, name, is_private, checked_at)
    VALUES ('git', 1, 'acme', 'rocket', false, '2026-03-01Z');
    INSERT INTO pull_requests (repository_id, number, title, author_login, state, head_sha, host_created_at, fetched_at)
    SELECT id, 1, 'A change', 'rin', 'merged', '${head}', '2026-03-01Z', '2026-03-01Z' FROM repositories;
    INSERT INTO pull_request_contents (pull_request_id, labels, base_ref, head_ref, additions, deletions, files, unread,
      commits, comments, linked_issues)
    SELECT id, '[]', 'main', 'topic', 1, 0, '[]', '[]', '[]', '[]', '[]' FROM pull_requests;`,
  );
  const [stored] = await database.query<{ id: string }>(sql`SELECT id FROM pull_requests`);
  const found = await findPullRequestToWriteAbout(database, stored?.id ?? '');
  assert.deepEqual([found?.title, found?.outlines], ['A change', []]);
});

test('articles from before lists were counted are listed and counted, and go on being', async () => {
  const database = await upgrade(
    15,
    `${anArticle}
    INSERT INTO pull_requests (repository_id, number, title, author_login, state, head_sha, host_created_at, fetched_at)
    SELECT id, 2, 'Another change', 'rin', 'merged', '${head}', '2026-03-01Z', '2026-03-01Z' FROM repositories;
    INSERT INTO articles (pull_request_id, created_at, updated_at)
    SELECT id, '2026-03-02Z', '2026-03-02Z' FROM pull_requests WHERE number = 2;
    INSERT INTO article_contents (article_id, language_code, title, change_types, reading_minutes, body, head_sha,
      generated_at)
    SELECT id, language, 'A title', '{FIX}', 1, '{}', '${head}', created_at
    FROM articles CROSS JOIN unnest('{en,ja}'::text[]) AS language
    WHERE language = 'en' OR created_at = '2026-03-02Z';`,
  );
  const count = async (page: { language?: string; onceIn?: string[]; owner?: string }) => {
    const { rows, total } = await listArticles(database, { viewer, limit: 10, offset: 0, ...page });
    assert.equal(rows.length, total);
    return total;
  };
  const counts = async () => [
    await count({}),
    await count({ language: 'ja' }),
    await count({ onceIn: ['ja'] }),
    await count({ owner: 'acme', onceIn: ['ja'] }),
  ];
  assert.deepEqual(await counts(), [3, 1, 2, 2]);
  assert.equal((await findWrongArticleCounts(database)).length, 0);
  await database.query(sql`DELETE FROM pull_requests WHERE number = 2`);
  assert.deepEqual(await counts(), [1, 0, 1, 1]);
  assert.equal((await findWrongArticleCounts(database)).length, 0);
});

test('articles that were written without a model before their table was renamed are found, and go with their pull request', async () => {
  const database = await upgrade(
    18,
    `${aPullRequest}
    INSERT INTO article_outlines (pull_request_id, diff_revision, version, outline)
    SELECT id, diff_revision, 7, '{"en": "written"}' FROM pull_requests;`,
  );
  const [stored] = await database.query<{ pullRequestId: string; revision: number }>(
    sql`SELECT id AS "pullRequestId", diff_revision AS revision FROM pull_requests`,
  );
  assert.ok(stored);
  const wanted = { ...stored, version: 7 };
  assert.deepEqual(await findOfflineArticles(database, wanted), { en: 'written' });
  await saveOfflineArticles(database, { ...wanted, written: { en: 'written anew' } });
  assert.deepEqual(await findOfflineArticles(database, wanted), { en: 'written anew' });
  await database.query(sql`DELETE FROM pull_requests`);
  assert.equal(await findOfflineArticles(database, wanted), null);
});

test('articles from before lists by author and type are on them, those that break something say so, and repositories are listed by them', async () => {
  const point = (label: string) => `{"notablePoints": [{"label": ${label}}]}`;
  const database = await upgrade(
    24,
    `${anArticleOfRepository}
    INSERT INTO article_contents (article_id, repository_id, language_code, title, change_types, reading_minutes, body, head_sha,
      generated_at)
    SELECT id, repository_id, language, 'A title', '{FIX,TEST}', 1, CASE language WHEN 'en' THEN '${point('"breaking"')}'
      ELSE '${point('null')}' END::json, '${head}', created_at
    FROM articles CROSS JOIN unnest('{en,ja}'::text[]) AS language;`,
  );
  const list = async (page: object) => {
    const { rows, total } = await listArticles(database, { viewer, limit: 10, offset: 0, ...page });
    assert.equal(rows.length, total);
    return rows.map(({ languageCode, isBreaking }) => [languageCode, isBreaking]);
  };
  const both = [
    ['en', true],
    ['ja', false],
  ];
  assert.deepEqual(await list({ host: 'git', author: 'Rin' }), both);
  assert.deepEqual(await list({ changeType: 'TEST' }), both);
  assert.deepEqual(await list({ host: 'git', author: 'rin', changeType: 'FIX', onceIn: ['ja'] }), [
    ['ja', false],
  ]);
  assert.equal((await findWrongFacets(database)).length, 0);
  const { rows } = await listRepositories(database, { viewer, limit: 10, offset: 0 });
  assert.deepEqual(
    rows.map(({ repo, articles, newestAt }) => [repo, articles, newestAt.toISOString()]),
    [['rocket', 1, '2026-03-01T00:00:00.000Z']],
  );
  await database.query(sql`DELETE FROM pull_requests`);
  assert.equal((await findWrongFacets(database)).length, 0);
});

test('favorites from before they could be watched can be, and what was planned for users stays theirs', async () => {
  const database = await upgrade(
    25,
    `${aPullRequest}
    INSERT INTO identities (host, host_user_id, username, display_name, email) VALUES ('git', 1, 'rin', 'Rin', 'rin@git');
    INSERT INTO users (identity_id, language, created_at, updated_at) SELECT id, 'en', now(), now() FROM identities;
    INSERT INTO favorite_repositories (user_id, repository_id, registered_at)
    SELECT users.id, repositories.id, '2026-03-01Z' FROM users, repositories;
    INSERT INTO planned_articles (repository_id, user_id, pr_number, language_code, not_before)
    SELECT repositories.id, users.id, 1, 'en', '2026-03-01Z' FROM users, repositories;
    INSERT INTO writing_jobs (pull_request_id, base_sha, head_sha, language_code, writer, created_at, updated_at)
    SELECT id, '', head_sha, 'en', 'offline', now(), now() FROM pull_requests;`,
  );
  const [favorite] = await database.query<{ favoriteId: string; userId: string; repositoryId: string }>(sql`
    SELECT id AS "favoriteId", user_id AS "userId", repository_id AS "repositoryId" FROM favorite_repositories`);
  assert.ok(favorite);
  const { userId, repositoryId } = favorite;
  const now = new Date('2026-03-02T10:00:00Z');
  const repository = { id: repositoryId, owner: 'acme', name: 'rocket' };
  const wanted = { ...favorite, repository, language: 'en', labels: ['a'], includeBots: false, now };
  assert.equal(await database.transaction((tx) => saveWatch(tx, wanted, 1)), 'new');
  assert.equal((await listWatchers(database, repositoryId)).length, 1);
  assert.equal((await claimJob(database, now))?.because, null);
  assert.equal((await claimPlanned(database, now))?.userId, userId);
  await database.query(sql`DELETE FROM users`);
  assert.equal((await listWatchers(database, repositoryId)).length, 0);
  assert.equal((await database.query(sql`SELECT 1 FROM planned_articles`)).length, 0);
});

test('what was known before webhooks counts until one says otherwise, and services are told when one does', async () => {
  const database = await upgrade(
    26,
    `${anArticleOfRepository}
    INSERT INTO article_contents (article_id, repository_id, language_code, title, change_types, reading_minutes, body, head_sha,
      generated_at)
    SELECT id, repository_id, 'en', 'A title', '{FIX}', 1, '{}', '${head}', created_at FROM articles;`,
  );
  const [stored] = await database.query<{ id: string; repositoryId: string }>(
    sql`SELECT id, repository_id AS "repositoryId" FROM articles`,
  );
  const heard: string[] = [];
  await database.listen(publicChannel, { onMessage: (message) => void heard.push(message) });
  const find = () => findArticle(database, stored?.id);
  assert.equal((await find())?.hasMoved, false);
  const told = [{ repositoryId: stored?.repositoryId ?? '', number: 1 }];
  const { now } = viewer;
  await database.transaction((tx) => outdatePullRequests(tx, { told, moved: told, now }));
  assert.equal((await find())?.hasMoved, true);
  await database.query(sql`UPDATE pull_requests SET fetched_at = ${now}`);
  assert.equal((await find())?.hasMoved, false);
  const changes = (kind: string) => heard.filter((message) => message.startsWith(kind)).length;
  await waitUntil('of both', () => changes('pullRequest:') === 2);

  const revoked = {
    repositories: [{ host: 'git', hostRepoIds: [1], owners: [], groups: [] }],
    users: [],
    now,
  };
  await database.transaction((tx) => revokeRights(tx, revoked));
  assert.equal(await find(), null);
  await database.query(sql`UPDATE repositories SET checked_at = ${now}`);
  assert.equal(await find(), null, 'an answer of the same moment');
  await database.query(sql`UPDATE repositories SET checked_at = ${new Date(now.getTime() + 1)}`);
  assert.ok(await find());
  await waitUntil('of both', () => changes('repository:') === 2);
});

test('articles from before search are found once they are indexed, the newest first, and go with their articles', async () => {
  const sentence = (text: string) => ({ id: '0123456789ab', text, basis: 'words', evidence: [] });
  const body = (title: string) =>
    JSON.stringify({
      ...{
        languageCode: 'en',
        aiGeneratedTitle: title,
        standfirst: null,
        background: [sentence('It retries.')],
      },
      ...{ mainChanges: [], notablePoints: [], also: [], changeTypes: ['FIX'] },
    });
  const database = await upgrade(
    32,
    `${anArticleOfRepository}
    INSERT INTO article_contents (article_id, repository_id, language_code, title, change_types, reading_minutes, body, head_sha,
      generated_at)
    SELECT id, repository_id, told.language, 'A title', '{FIX}', 1, told.body::json, '${head}', told.moment
    FROM articles CROSS JOIN (VALUES
      ('en', '${body('Older')}', '2026-03-01Z'::timestamptz), ('ja', '${body('Newer').replace('"en"', '"ja"')}', '2026-03-02Z')
    ) AS told (language, body, moment);`,
  );
  const lists = { userId: null, now: viewer.now, purpose: 'list', listedForMs: 86_400_000 } as const;
  const search = async () => {
    const question = readQuestion('retry');
    assert.ok(!isProblem(question));
    const page = { viewer: lists, ...question, languages: [], limit: 9, offset: 0 };
    const { rows, indexedShare } = await searchArticles(database, page);
    return [rows.map(({ languageCode }) => languageCode).join(), indexedShare];
  };
  assert.deepEqual(await search(), ['', 0]);
  assert.equal(await indexDueArticles(database, 1), 1);
  assert.deepEqual(await search(), ['en', 0.5]);
  assert.equal(await indexDueArticles(database, 9), 1);
  assert.deepEqual(await search(), ['en', 1]);
  await database.query(sql`UPDATE repositories SET name = 'renamed'`);
  assert.equal(await indexDueArticles(database, 9), 2);
  await database.query(sql`UPDATE pull_requests SET author_login = 'lin'`);
  assert.equal(await indexDueArticles(database, 9), 2);
  await database.query(sql`DELETE FROM pull_requests`);
  assert.equal((await database.query(sql`SELECT 1 FROM article_search`)).length, 0);
});

test('articles that were indexed by an earlier form of the search are due, and its schema is brought up to the last one', async () => {
  const database = await upgrade(
    36,
    `${anArticleOfRepository}
    INSERT INTO article_contents (article_id, repository_id, language_code, title, change_types, reading_minutes, body, head_sha,
      generated_at)
    SELECT id, repository_id, 'en', 'A title', '{FIX}', 1, '{}', '${head}', '2026-03-01Z' FROM articles;
    ALTER TABLE article_search ADD COLUMN head tsvector;
    CREATE INDEX article_search_of_repository ON article_search (repository_id);
    ALTER SEQUENCE article_search_places OWNED BY NONE;
    INSERT INTO article_search (article_id, language_code, repository_id, head, words)
    SELECT article_id, language_code, repository_id, 'old', 'old' FROM article_contents;`,
  );
  const rows = await database.query<object>(sql`SELECT * FROM article_search`);
  assert.deepEqual(
    rows.map((row) => ['words' in row && row.words, 'head' in row]),
    [[null, false]],
  );
  const [named] = await database.query(sql`
    SELECT to_regclass('article_search_of_repository')::text AS index,
      pg_get_serial_sequence('article_search', 'place') AS sequence`);
  assert.deepEqual(named, { index: null, sequence: 'public.article_search_places' });
});

test('articles that were indexed before their names and quotations were are due; what is removed is in no release', async () => {
  const database = await upgrade(
    37,
    `${anArticleOfRepository}
    INSERT INTO article_contents (article_id, repository_id, language_code, title, change_types, reading_minutes, body, head_sha,
      generated_at)
    SELECT id, repository_id, 'en', 'A title', '{FIX}', 1, '{}', '${head}', '2026-03-01Z' FROM articles;
    INSERT INTO article_search (article_id, language_code, repository_id, is_public, words)
    SELECT article_id, language_code, repository_id, true, 'found' FROM article_contents;`,
  );
  const due = async () =>
    (await database.query(sql`SELECT 1 FROM article_search WHERE words IS NULL`)).length;
  assert.equal(await due(), 1);
  await database.query(sql`UPDATE article_search SET words = 'found'`);
  await forgetMisplaced(database);
  assert.equal(await due(), 0);
  await database.query(sql`UPDATE article_search SET repository_name = 'acme/before'`);
  await forgetMisplaced(database);
  assert.equal(await due(), 1);
  const release = { host: 'git', hostRepoId: 1, from: 'v1', to: 'v2', isWhole: true };
  await noteReleaseChanges(database, { ...release, commits: 5, numbers: [2, 1, 3] });
  await noteReleaseChanges(database, { ...release, to: 'v3', commits: 9, numbers: [1, 2, 3, 4] });
  const noted = async () =>
    (await database.query<{ said: string }>(sql`SELECT number || to_tag AS said FROM release_changes`))
      .map(({ said }) => said)
      .sort();
  assert.deepEqual(await noted(), ['1v2', '2v2', '3v2', '4v3']);
  const remove = (number: number | null) =>
    database.transaction((tx) =>
      insertRemoval(tx, { host: 'git', owner: 'acme', name: 'rocket', number }, viewer.now),
    );
  await remove(1);
  assert.deepEqual(await noted(), ['2v2', '3v2', '4v3']);
  await remove(null);
  assert.deepEqual(await noted(), []);
});

test('users from before feeds can have an address for theirs, one each, which goes with them, and feeds tell what was written before', async () => {
  const database = await upgrade(
    34,
    `${anArticleOfRepository}
    INSERT INTO article_contents (article_id, repository_id, language_code, title, change_types, reading_minutes, body, head_sha,
      generated_at)
    SELECT id, repository_id, 'en', 'A title', '{FIX}', 1, '{"aiGeneratedTitle":"A title"}', '${head}', '2026-03-01Z' FROM articles;
    INSERT INTO identities (id, host, host_user_id, username, display_name, email)
    VALUES ('00000000-0000-4000-8000-000000000001', 'git', 1, 'ann', 'Ann', 'ann@example.org');
    INSERT INTO users (identity_id, language, created_at, updated_at)
    VALUES ('00000000-0000-4000-8000-000000000001', 'en', '2026-03-01Z', '2026-03-01Z');`,
  );
  const [user] = await database.query<{ id: string }>(sql`SELECT id FROM users`);
  const userId = user?.id ?? '';
  for (const secretHash of ['first', 'second'])
    await saveFeedAddress(database, { userId, secretHash, now: viewer.now });
  assert.equal(await findFeedReader(database, 'first'), null);
  assert.equal((await findFeedReader(database, 'second'))?.identity.hostUsername, 'ann');
  assert.deepEqual(await findFeedAddress(database, userId), { createdAt: viewer.now });
  assert.ok(await deleteUser(database, userId));
  assert.equal(await findFeedReader(database, 'second'), null);
  const [article] = await database.query<{ articleId: string }>(sql`SELECT id AS "articleId" FROM articles`);
  const wanted = ['ja', 'en'].map((languageCode) => ({ articleId: article?.articleId ?? '', languageCode }));
  const lists = { userId: null, now: viewer.now, purpose: 'list', listedForMs: 86_400_000 } as const;
  const [told, ...others] = await findFeedArticles(database, wanted, lists);
  assert.deepEqual([told?.content.aiGeneratedTitle, told?.repo, others], ['A title', 'rocket', []]);
  const later = { ...lists, now: new Date('2026-03-02T00:00:01Z') };
  const lapsed = await findFeedArticles(database, wanted, later);
  assert.equal(lapsed.length, 0, 'what is not confirmed is not told');
});

test('what was merged before there were digests is in them, and merges are known once a host is asked again', async () => {
  const database = await upgrade(
    34,
    `INSERT INTO repositories (host, host_repo_id, owner, name, is_private, checked_at)
    VALUES ('git', 1, 'acme', 'rocket', false, '2026-03-02Z');
    INSERT INTO pull_requests (repository_id, number, title, author_login, state, head_sha, host_created_at, merged_at, fetched_at)
    SELECT id, 7, 'A change', 'rin', 'merged', '${'a'.repeat(40)}', '2026-02-27Z', '2026-02-28Z', '2026-03-01Z' FROM repositories;`,
  );
  const [repository] = await database.query<{ id: string }>(sql`SELECT id FROM repositories`);
  const repositoryId = repository?.id ?? '';
  const fates = async () => {
    const { repositories } = await readDigest(database, {
      scope: { kind: 'repository', repositoryId },
      viewer: { userId: null, now: new Date('2026-03-02'), purpose: 'list', listedForMs: 86_400_000 },
      language: 'en',
      span: lastPeriod('weekly', new Date('2026-03-02')),
      most: 10,
    });
    return repositories[0]?.fates;
  };
  assert.deepEqual(await fates(), { notWritten: 1 });
  const told = {
    mergedAt: new Date('2026-02-28'),
    authorLogin: 'x',
    isBot: true,
    isDraft: false,
    labels: [],
  };
  await database.transaction((tx) =>
    noteMerges(
      tx,
      repositoryId,
      [7, 8].map((number) => ({ ...told, number })),
    ),
  );
  assert.deepEqual(await fates(), { bot: 2 });
});

test('what was stored of issues that some may not see is gone, and so are addresses that people may hide', async () => {
  const database = await upgrade(
    39,
    `INSERT INTO repositories (host, host_repo_id, owner, name, is_private, checked_at)
    VALUES ('github', 1, 'acme', 'inner', true, '2026-03-01Z'), ('gitea', 1, 'acme', 'inner', true, '2026-03-01Z'),
      ('gitlab', 1, 'acme', 'open', false, '2026-03-01Z'), ('gitea', 2, 'acme', 'open', false, '2026-03-01Z');
    INSERT INTO pull_requests (repository_id, number, title, author_login, state, head_sha, host_created_at, fetched_at)
    SELECT id, number, 'A change', 'rin', 'merged', '${head}', '2026-03-01Z', '2026-03-01Z'
    FROM repositories, generate_series(1, 2) AS number;
    INSERT INTO pull_request_contents (pull_request_id, body, labels, base_ref, head_ref, additions, deletions, files, unread, outlines,
      commits, comments, linked_issues)
    SELECT id, '', '[]', 'main', 'topic', 1, 0, '[]', '[]', '[]', '[]', '[]',
      jsonb_build_array(jsonb_build_object('number', 3, 'title', CASE number WHEN 1 THEN 'A secret' ELSE '' END, 'body', NULL))
    FROM pull_requests;
    INSERT INTO code_host_addresses (host, address) VALUES ('gitea', 'https://git.example.org/gitea');
    INSERT INTO identities (host, host_user_id, username, display_name, email)
    SELECT host, 7, 'ann', 'Ann', 'ann@inbox.example' FROM unnest('{gitea,github}'::text[]) AS host;`,
  );
  const left = await database.query<{ host: string; name: string }>(sql`
    SELECT host, name FROM pull_requests JOIN repositories ON repositories.id = repository_id WHERE number = 1
    ORDER BY host, name`);
  assert.deepEqual(
    left.map(({ host, name }) => `${host} ${name}`),
    ['gitea open', 'github inner'],
  );
  assert.equal((await database.query(sql`SELECT 1 FROM pull_requests WHERE number = 2`)).length, 4);
  const emails = await database.query<{ email: string }>(sql`SELECT email FROM identities ORDER BY host`);
  assert.deepEqual(
    emails.map(({ email }) => email),
    ['7+ann@users.noreply.git.example.org', 'ann@inbox.example'],
  );
});

test('a transaction that throws leaves nothing behind', async () => {
  const work = current.transaction(async (tx) => {
    await tx.query(sql`INSERT INTO refused_tokens (token_hash, expires_at) VALUES ('x', now())`);
    throw new Error('changed my mind');
  });
  await assert.rejects(work, /changed my mind/);
  assert.equal((await current.query(sql`SELECT 1 FROM refused_tokens`)).length, 0);
});

test('several processes that start at once apply each migration once', async () => {
  const settings = await freshDatabase({ isEmpty: true });
  const databases = await Promise.all(Array.from({ length: 5 }, () => open(settings)));
  const rows = await databases[0]?.query<{ times: number }>(
    sql`SELECT count(*) AS times FROM schema_migrations GROUP BY number`,
  );
  assert.ok(rows && rows.length > 0);
  for (const { times } of rows) assert.equal(times, 1);
  await Promise.all(databases.map((database) => database.close()));
});

test('a database that cannot be reached is named without its password', async () => {
  const unreachable = { DATABASE_URL: 'postgres://someone:hush@127.0.0.1:1/nowhere' };
  await assert.rejects(open(unreachable), (error: Error) => {
    assert.match(error.message, /nowhere at 127\.0\.0\.1:1: .*ECONNREFUSED/);
    assert.equal(error.message.includes('hush'), false);
    return true;
  });
});

test('articles from before lists went by merge date are listed by it, in every list, and are due for search again', async () => {
  const database = await upgrade(
    41,
    `${anArticleOfRepository}
    INSERT INTO pull_requests (repository_id, number, title, author_login, state, head_sha, host_created_at, fetched_at)
    SELECT repository_id, 900, 'Older', 'rin', 'open', '${head}', '2020-01-01Z', '2026-03-01Z' FROM pull_requests;
    INSERT INTO articles (pull_request_id, repository_id, created_at, updated_at)
    SELECT id, repository_id, '2026-03-09Z', '2026-03-09Z' FROM pull_requests WHERE number = 900;
    INSERT INTO article_contents (article_id, repository_id, language_code, title, change_types, reading_minutes, body, head_sha,
      generated_at)
    SELECT id, repository_id, 'en', 'A title', '{FIX}', 1, '{}', '${head}', updated_at FROM articles;
    INSERT INTO article_search (article_id, language_code, repository_id, words)
    SELECT article_id, language_code, repository_id, 'found' FROM article_contents ORDER BY generated_at;`,
  );
  const lists = { userId: null, now: viewer.now, purpose: 'list', listedForMs: 86_400_000 } as const;
  const numbers = async (narrowed: object) =>
    (await listArticles(database, { viewer: lists, limit: 9, offset: 0, host: 'git', ...narrowed })).rows.map(
      ({ number }) => number,
    );
  const everywhere = async (expected: number[]) => {
    for (const narrowed of [
      {},
      { onceIn: ['en'] },
      { author: 'rin' },
      { changeType: 'FIX' },
      { owner: 'acme' },
    ])
      assert.deepEqual(await numbers(narrowed), expected, JSON.stringify(narrowed));
    assert.equal((await findWrongFacets(database)).length, 0);
  };
  await everywhere([1, 900]);
  assert.equal((await database.query(sql`SELECT 1 FROM article_search WHERE words IS NULL`)).length, 2);
  await database.query(sql`UPDATE pull_requests SET merged_at = '2026-04-01Z' WHERE number = 900`);
  await everywhere([900, 1]);
});
