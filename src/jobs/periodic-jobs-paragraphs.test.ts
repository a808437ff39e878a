import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildTestApp, freshDatabase, type TestApp } from '../../test/build-app.ts';
import { makeClone, settings } from '../../test/make-clone.ts';
import { questionIn, writeObligingly } from '../../test/model/obliging-writer.ts';
import { type HeardRequest, startScriptedModel } from '../../test/model/scripted-model.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { waitUntil } from '../../test/wait-until.ts';
import { announceQueuedJobs } from '../db/job-queue.ts';
import { deletePullRequests } from '../db/removals.ts';
import { sql } from '../db/sql.ts';
import { lastPeriod } from '../domain/digests.ts';

const hour = 3_600_000;
const root = temporaryFolder();
const names = ['rocket', 'secret', 'broken', 'poor', 'comet', 'turned', 'gone'];
for (const name of names) makeClone(root, `acme/${name}`, 'Begin');

/** The question about the paragraph of a digest, and how its sentences begin in the material. */
const asked: string[] = [];

/** A sentence for each pull request in the material, from the first line that it adds. */
function tellOfEach(material: string) {
  const found: { refs: string[]; quote: string; basis: string; text: string }[] = [];
  let label = '';
  for (const line of material.split('\n')) {
    label = /^(f\d+) #\d+\//.exec(line)?.[1] ?? label;
    const [, number, name] = /^(\d+)\+.*?\b(novelty\d+)/.exec(line) ?? [];
    if (number && name && !found.some(({ quote }) => quote === name))
      found.push({
        ...{ refs: [`${label}+${number}`], quote: name, basis: 'diff' },
        text: `One of the lines that are there now says \`${name}\`.`,
      });
  }
  return { sentences: found, title: { of: ['b1'], text: 'A line that was not there before' } };
}

const telling = (request: HeardRequest) => {
  const { asked: kind, material } = questionIn(request);
  if (kind !== 'digest') return writeObligingly(request);
  asked.push(material);
  return { text: JSON.stringify(tellOfEach(material)) };
};

const model = await startScriptedModel(telling);
const database = await freshDatabase();
const environment = {
  GIT_REPOS: root,
  GIT_PRIVATE: 'acme/secret=ann',
  AI_MODEL: 'compatible/scripted',
  AI_BASE_URL: model.url,
};
const app = await buildTestApp({ environment, database, frozen: true, waits: [] });
await app.signUp('ann');
const ask = (method: string, path: string, body?: object, name = 'ann', on: TestApp = app) =>
  on.call(method, path, { token: app.tokenFor(name), ...(body && { body }) });
await ask('PATCH', '/users/me', { language: 'en' });

/** Merges pull requests of a name now, and has articles about them. */
async function merge(name: string, ...numbers: number[]): Promise<void> {
  const folder = join(root, `acme/${name}`);
  const env = { ...settings.env, GIT_COMMITTER_DATE: app.now().toISOString() };
  for (const number of numbers) {
    writeFileSync(join(folder, `file${number}.ts`), `export const novelty${number} = ${number};\n`);
    execFileSync('git', ['-C', folder, 'add', '.'], settings);
    execFileSync('git', ['-C', folder, 'commit', '-q', '-m', `feat: novelty (#${number})`], {
      ...settings,
      env,
    });
    const written = await ask('POST', `/repos/acme/${name}/pulls/${number}/article`, { language: 'en' });
    assert.equal(written.status, 201, written.text);
  }
}

async function follow(name: string, by = 'ann'): Promise<void> {
  const added = await ask('POST', '/users/me', { owner: 'acme', repo: name }, by);
  const path = `/users/me/favorite-repositories/${added.body.data.id}/watch`;
  assert.equal((await ask('PUT', path, { language: 'en' }, by)).status, 201);
}

const jobsOver = () =>
  waitUntil(
    'the jobs end',
    async () =>
      !(await app.database.any(
        sql`SELECT FROM jobs WHERE work = 'digest' AND (state = 'running' OR state = 'queued' AND not_before IS NULL)`,
      )),
  );

/** Ends the day, and does what is due then, on one or several processes. */
async function endDay(...processes: TestApp[]): Promise<void> {
  app.advance(lastPeriod('daily', app.now()).to.getTime() + 26 * hour - app.now().getTime());
  await app.lists.run();
  await Promise.all([app, ...processes].map((one) => one.digests.run()));
  await jobsOver();
}

const day = async (repo: string, name = 'ann') =>
  (
    await ask(
      'GET',
      `/digest?period=daily&owner=acme&repo=${repo}&until=${app.now().toISOString()}`,
      undefined,
      name,
    )
  ).body.data;
const textsOf = ({ paragraph }: { paragraph: { text: string }[] | null }) =>
  paragraph?.map(({ text }) => text);

test('when the day of a followed repository has ended, one job writes its paragraph and title, checked, with the pull requests that they cite', async () => {
  await follow('rocket');
  await merge('rocket', 2, 3);
  assert.deepEqual(textsOf(await day('rocket')) ?? [], []);
  const other = await buildTestApp({ environment, database, waits: [] });
  await endDay(other);
  await endDayAgain(other);
  const digest = await day('rocket');
  assert.deepEqual(textsOf(digest), [
    'One of the lines that are there now says `novelty2`.',
    'One of the lines that are there now says `novelty3`.',
  ]);
  assert.equal(digest.title, 'A line that was not there before');
  assert.deepEqual(
    digest.paragraph.map((one: { prNumber: number; evidence: object[] }) => [one.prNumber, one.evidence]),
    [2, 3].map((number) => [
      number,
      [
        {
          fileName: `file${number}.ts`,
          startLine: 1,
          endLine: 1,
          side: 'new',
          hostUrl: null,
          prNumber: number,
        },
      ],
    ]),
  );
  assert.equal(digest.repositories[0].byModel, true);
  assert.equal(asked.length, 1, 'both processes together asked once');
  const page = (await ask('GET', `/my/digest?owner=acme&repo=rocket&period=daily&until=${digest.to}`)).text;
  assert.match(
    page,
    /<h1[^>]*><bdi>A line that was not there before<\/bdi><\/h1>\s*<p class="lead-paragraph">/,
  );
  await other.close();
});

const endDayAgain = async (...processes: TestApp[]) => {
  await Promise.all([app, ...processes].map((one) => one.digests.run()));
  await jobsOver();
};

test('a sentence goes with its article, and with a pull request that is outdated or removed; the others stay', async () => {
  const push = () =>
    app.database.run(sql`UPDATE pull_requests SET head_sha = reverse(head_sha) WHERE number = 2`);
  await push();
  const outdated = await day('rocket');
  assert.deepEqual(textsOf(outdated), ['One of the lines that are there now says `novelty3`.']);
  assert.equal(outdated.title, null, 'the title was about it');
  await push();
  assert.equal((await day('rocket')).paragraph.length, 2);
  await app.database.run(sql`
    DELETE FROM articles USING pull_requests WHERE pull_requests.id = pull_request_id AND number = 3`);
  assert.deepEqual(textsOf(await day('rocket')), ['One of the lines that are there now says `novelty2`.']);
  await app.database.transaction(async (tx) =>
    deletePullRequests(
      tx,
      await tx.values<string>(sql`SELECT id FROM pull_requests WHERE number = 2`),
      app.now(),
    ),
  );
  assert.equal((await day('rocket')).repositories[0].byModel, false);
  assert.equal(
    await app.database.count(sql`SELECT count(*) FROM digest_paragraphs WHERE period = 'daily'`),
    0,
  );
});

test('without `AI_PRIVATE`, nothing of a private repository is sent to the model, and its digest is written by rules', async () => {
  await follow('secret');
  await merge('secret', 12);
  const before = asked.length;
  await endDay();
  assert.equal(asked.length, before);
  const digest = await day('secret');
  assert.deepEqual([digest.title, digest.repositories[0].byModel], [null, false]);
  assert.deepEqual(textsOf(digest), ['New: “novelty”.']);
});

test('a private repository has its paragraph only in digests of users who may see it, personal ones and feeds included', async () => {
  const own = await buildTestApp({
    environment: { ...environment, AI_PRIVATE: 'true' },
    waits: [],
    frozen: true,
  });
  for (const name of ['ann', 'bob']) {
    await own.signUp(name);
    const of = (method: string, path: string, body?: object) =>
      own.call(method, path, { token: own.tokenFor(name), ...(body && { body }) });
    await of('PATCH', '/users/me', { language: 'en' });
    for (const repo of ['secret', 'rocket']) {
      const added = await of('POST', '/users/me', { owner: 'acme', repo });
      if (added.status < 300)
        await of('PUT', `/users/me/favorite-repositories/${added.body.data.id}/watch`, { language: 'en' });
    }
  }
  const merged = new Date(own.now().getTime() - 1_000).toISOString();
  execFileSync(
    'git',
    ['-C', join(root, 'acme/secret'), 'commit', '-q', '--allow-empty', '-m', 'Nothing'],
    settings,
  );
  writeFileSync(join(root, 'acme/secret/more.ts'), 'export const novelty40 = 40;\n');
  execFileSync('git', ['-C', join(root, 'acme/secret'), 'add', '.'], settings);
  const env = { ...settings.env, GIT_COMMITTER_DATE: merged };
  execFileSync('git', ['-C', join(root, 'acme/secret'), 'commit', '-q', '-m', 'feat: more (#40)'], {
    ...settings,
    env,
  });
  const written = await own.call('POST', '/repos/acme/secret/pulls/40/article', {
    token: own.tokenFor('ann'),
    body: { language: 'en' },
  });
  assert.equal(written.status, 201, written.text);
  own.advance(lastPeriod('daily', own.now()).to.getTime() + 26 * hour - own.now().getTime());
  await own.lists.run();
  await own.digests.run();
  await waitUntil('it is written', () =>
    own.database.any(sql`SELECT FROM digest_paragraphs WHERE period = 'daily'`),
  );
  const told = async (name: string | null, path: string) =>
    (await own.call('GET', path, { token: name === null ? undefined : own.tokenFor(name) })).text;
  for (const path of [
    '/digest?period=daily',
    '/digest?period=daily&owner=acme&repo=secret',
    '/my/digest?period=daily',
  ])
    for (const name of ['ann', 'bob', null])
      assert.equal((await told(name, path)).includes('novelty40'), name === 'ann', `${name} ${path}`);
  await own.database.run(sql`UPDATE repository_grants SET withdrawn = true`);
  assert.ok(!(await told('ann', '/digest?period=daily')).includes('novelty40'), 'nor after losing the right');
  await own.close();
});

test('a model that fails is asked three times and then no more, and the digest is written by rules', async () => {
  await follow('broken');
  await merge('broken', 22);
  model.play((request) => {
    if (questionIn(request).asked !== 'digest') return writeObligingly(request);
    return { error: { status: 400, code: 'bad' } };
  });
  app.advance(lastPeriod('daily', app.now()).to.getTime() + 26 * hour - app.now().getTime());
  await app.lists.run();
  await app.digests.run();
  for (const attempt of [1, 2, 3]) {
    await waitUntil(`attempt ${attempt} is over`, () =>
      app.database.any(sql`
        SELECT FROM jobs JOIN repositories ON repositories.id = jobs.repository_id
        WHERE work = 'digest' AND repositories.name = 'broken' AND detail->>'period' = 'daily'
          AND attempt = ${attempt} AND state <> 'running'`),
    );
    app.advance(6 * 60_000);
    await app.database.query(announceQueuedJobs);
  }
  await app.digests.run();
  await jobsOver();
  model.play(telling);
  const digest = await day('broken');
  assert.deepEqual(
    [digest.repositories[0].byModel, textsOf(digest)],
    [false, ['New: “A line that was not there before”.']],
  );
  const tried = await app.database.values<string>(sql`
    SELECT concat_ws(' ', attempt, state) FROM jobs JOIN repositories ON repositories.id = jobs.repository_id
    WHERE work = 'digest' AND repositories.name = 'broken' AND detail->>'period' = 'daily'`);
  assert.deepEqual(tried, ['3 failed']);
});

test('a sentence that its lines do not show is dropped, and without any, the digest is written by rules', async () => {
  await follow('comet');
  await merge('comet', 32);
  model.play((request) => {
    const { asked: kind, material } = questionIn(request);
    if (kind !== 'digest') return writeObligingly(request);
    const { sentences } = tellOfEach(material);
    const lies = sentences.map((one) => ({ ...one, text: 'Now `otherName` takes 99 parameters.' }));
    return { text: JSON.stringify({ sentences: lies, title: { of: ['b1'], text: 'More parameters' } }) };
  });
  await endDay();
  model.play(telling);
  const digest = await day('comet');
  assert.deepEqual([digest.title, textsOf(digest)], [null, ['New: “A line that was not there before”.']]);
  await app.database.run(sql`UPDATE pull_requests SET head_sha = reverse(head_sha) WHERE number = 32`);
  const outdated = await day('comet');
  assert.deepEqual([outdated.paragraph, outdated.items.length], [null, 1], 'nothing of an outdated article');
});

test('a repository that nobody follows, and one whose budget is spent, have paragraphs by rules', async () => {
  await merge('poor', 52);
  const before = asked.length;
  await endDay();
  assert.equal(asked.length, before);
  await follow('poor');
  await app.database.run(sql`
    INSERT INTO daily_counts (day, kind, subject, count)
    SELECT ${app.now().toISOString().slice(0, 10)}::date, 'articles of followers', id::text, 1000 FROM repositories WHERE name = 'poor'`);
  await merge('poor', 53);
  await app.digests.run();
  await jobsOver();
  assert.equal(asked.length, before);
});

/** Runs a statement whenever a job for a paragraph is planned, in the same transaction. */
async function whenPlanned(statement: string): Promise<() => Promise<unknown>> {
  await app.database.runScript(`
    CREATE FUNCTION meanwhile() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN ${statement}; RETURN NULL; END $$;
    CREATE TRIGGER meanwhile AFTER INSERT ON jobs FOR EACH ROW WHEN (NEW.work = 'digest') EXECUTE FUNCTION meanwhile()`);
  return () => app.database.runScript('DROP FUNCTION meanwhile CASCADE');
}

test('after a host reported that a repository turned private, nothing of it is sent to the model, even if planned before', async () => {
  await follow('turned');
  await merge('turned', 62);
  const before = asked.length;
  app.advance(lastPeriod('daily', app.now()).to.getTime() + 26 * hour - app.now().getTime());
  await app.lists.run();
  const stop = await whenPlanned(
    'UPDATE repositories SET revoked_at = checked_at WHERE id = NEW.repository_id',
  );
  for (const round of ['planned before', 'not planned']) {
    await endDayAgain();
    assert.equal(asked.length, before, round);
  }
  await stop();
  await app.database.run(sql`UPDATE repositories SET revoked_at = NULL`);
  await endDayAgain();
  assert.equal((await day('turned')).repositories[0].byModel, true, 'once the host confirmed it');
});

test('a paragraph whose pull request is removed while it is written is not stored', async () => {
  await follow('gone');
  await merge('gone', 72, 73);
  model.play(async (request) => {
    const removed = await app.database.values<string>(sql`SELECT id FROM pull_requests WHERE number = 72`);
    await app.database.transaction((tx) => deletePullRequests(tx, removed, app.now()));
    return telling(request);
  });
  await endDay();
  const { byModel } = (await day('gone')).repositories[0];
  model.play(telling);
  assert.equal(byModel, false);
  await endDayAgain();
  assert.deepEqual(textsOf(await day('gone')), ['One of the lines that are there now says `novelty73`.']);
});

test('if no paragraphs can be planned, digests are still sent', async () => {
  await app.database.run(sql`
    INSERT INTO digest_deliveries (recipient, period, period_end, planned_at, not_before, state, claimed_until)
    VALUES ('webhook', 'daily', ${app.now()}, ${app.now()}, ${app.now()}, 'sending', ${app.now()})`);
  await merge('rocket', 82);
  const stop = await whenPlanned("RAISE EXCEPTION 'no'");
  await endDay();
  await stop();
  assert.deepEqual(await app.database.values(sql`SELECT state FROM digest_deliveries`), ['unknown']);
});
