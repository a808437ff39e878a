import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildGitHubApp } from '../../test/github/build-github-app.ts';
import { day, reviewedBy } from '../../test/github/reviewed-pull.ts';
import { pull, repository } from '../../test/github/state.ts';
import { waitUntil } from '../../test/wait-until.ts';

const minute = 60_000;
const { app, github, join } = await buildGitHubApp({ environment: { RATE_LIMIT: '10000' } });
const ann = await join('ann');
const bea = await join('bea');

const rocket = repository(71, 'acme/rocket');
github.state.repositories.push(rocket);

async function write(number: number, token = ann, repo = 'acme/rocket') {
  const asked = { token, body: { language: 'en' } };
  const article = await app.call('POST', `/repos/${repo}/pulls/${number}/article`, asked);
  assert.ok(article.status < 300, article.text);
  return app.call('GET', `/repos/${repo}/pulls/${number}/article`, { token });
}

test('an article has the request of a reviewer and its result, in the API, in Markdown and on its page', async () => {
  const request = 'I think this must reject large parts (?) before it sends them.';
  rocket.pulls.push(pull(1, 'upload', reviewedBy(request)));
  const { body } = await write(1);
  const { review } = body.data.contents.en;
  assert.deepEqual(review.reviewers, [
    { login: 'rin', state: 'changesRequested' },
    { login: 'kim', state: 'approved' },
  ]);
  assert.deepEqual([review.threads, review.points.length], [1, 1]);
  const [point] = review.points;
  assert.deepEqual(
    point.words.map(({ author, markdown, url }: Record<string, string>) => [author, markdown, url]),
    [
      [
        'rin',
        `${request}\n\n\`\`\`\nif (part.size > limit) throw new TooLarge(part);\n\`\`\``,
        `${github.url}/acme/rocket/pull/1#discussion_r21`,
      ],
      [
        'octocat',
        'Indeed, a large one would fill the disk.',
        `${github.url}/acme/rocket/pull/1#discussion_r22`,
      ],
    ],
  );
  assert.equal(point.outcome, 'takenOver');
  assert.deepEqual(
    point.statements.map(({ text }: { text: string }) => text),
    ['A line that rin wrote in this comment is in the latest version.'],
  );
  assert.deepEqual(point.statements[0].evidence[0].startLine, 3);
  assert.equal(review.rest.text, 'Approved by kim. Changes requested by rin.');
  const markdown = await app.call('GET', '/r/acme/rocket/1.md');
  assert.match(markdown.text, /## From the review\n\n> I think this must reject large parts \(\?\)/);
  const page = await app.call('GET', '/r/acme/rocket/1', { headers: { accept: 'text/html' } });
  assert.match(
    page.text,
    /<h2>From the review<\/h2>.*must reject large parts.*As reviewed.*Approved by kim/s,
  );
});

test('the whole review has every comment with its code then and now, by time and by file, with those of bots folded', async () => {
  const reviewed = reviewedBy('Should this reject large parts before it sends them?');
  const comments = [
    { author: 'codecov[bot]', body: 'Coverage stays.', createdAt: day('10:01') },
    { author: 'kim', body: 'Does the limit need a setting?', createdAt: day('10:02') },
    { author: 'spammer', body: 'hidden words', createdAt: day('10:03'), isHidden: true },
  ];
  rocket.pulls.push(pull(3, 'upload', { ...reviewed, comments }));
  await write(3);
  const { body } = await app.call('GET', '/repos/acme/rocket/pulls/3/review');
  const { reviews, threads, comments: general } = body.data;
  const authors = (said: { author: string }[]) => said.map(({ author }) => author);
  assert.deepEqual(
    [authors(reviews), authors(general)],
    [
      ['rin', 'kim'],
      ['codecov[bot]', 'kim'],
    ],
  );
  const [thread] = threads;
  assert.deepEqual([thread.fileName, thread.line, thread.outcome], ['src/upload.ts', 3, 'takenOver']);
  const textOf = (hunk: { lines: { text: string }[] }) => hunk.lines.map(({ text }) => text).join('\n');
  assert.doesNotMatch(textOf(thread.hunkAsReviewed), /TooLarge/);
  assert.match(textOf(thread.hunk), /throw new TooLarge/);
  const read = async (query = '') =>
    (await app.call('GET', `/r/acme/rocket/3/review${query}`, { headers: { accept: 'text/html' } })).text;
  const inTime = await read();
  assert.match(
    inTime,
    /Approved by kim.*<summary>A comment by a bot<.*Coverage stays.*limit need a setting.*As reviewed.*reject large parts.*Indeed, a large one.*TooLarge.*Good\./s,
  );
  assert.match(
    await read('?order=file'),
    /<h2>.*upload\.ts.*reject large.*<h2>Conversation.*limit need a setting/s,
  );
  assert.ok(!inTime.includes('hidden words') && !JSON.stringify(body).includes('hidden words'));
  assert.equal((await app.call('GET', '/r/acme/rocket/3/review?page=2')).status, 404);
  const article = await app.call('GET', '/r/acme/rocket/3', { headers: { accept: 'text/html' } });
  assert.match(article.text, /href="\/r\/acme\/rocket\/3\/review\?language=en"/);
});

test('the page of a review without comments says so', async () => {
  rocket.pulls.push(pull(4, 'silence'));
  await write(4);
  const { status, text } = await app.call('GET', '/r/acme/rocket/4/review');
  assert.equal(status, 200);
  assert.match(text, /There are no comments/);
});

test('new comments are counted on the page of an article, even if nothing of the review is shown', async () => {
  const made = pull(5, 'later');
  rocket.pulls.push(made);
  await write(5);
  app.advance(minute);
  made.comments.push({ author: 'kim', body: 'And now?', createdAt: app.now().toISOString() });
  made.updatedAt = day('13:00');
  await app.call('POST', '/repos/acme/rocket/pulls/5/ingest', { token: ann });
  const page = await app.call('GET', '/r/acme/rocket/5', { headers: { accept: 'text/html' } });
  assert.match(page.text, />Review · 1 new comment since</);
  assert.doesNotMatch(page.text, /From the review/);
});

test('a comment that is hidden or deleted on GitHub is gone from a cached page after the next fetch', async () => {
  const made = pull(2, 'forgotten', reviewedBy('The canary must be checked before it is sent.'));
  rocket.pulls.push(made);
  await write(2);
  const read = async () => {
    const paths = ['/r/acme/rocket/2', '/r/acme/rocket/2/review', '/repos/acme/rocket/pulls/2/review'];
    return (await Promise.all(paths.map((path) => app.call('GET', path)))).map(({ text }) => text).join('');
  };
  assert.equal([...(await read()).matchAll(/The canary must be checked/g)].length, 3);
  const [comment = assert.fail()] = made.reviewComments;
  comment.isHidden = true;
  made.updatedAt = day('13:00');
  app.advance(minute);
  await app.call('POST', '/repos/acme/rocket/pulls/2/ingest', { token: ann });
  await waitUntil('the page is made anew', async () => !(await read()).includes('The canary'));
});

test('the review of a private repository is shown to its members only', async () => {
  const vault = repository(72, 'acme/vault', {
    visibility: 'private',
    visibleTo: new Set(['ann']),
    pulls: [pull(1, 'vault', reviewedBy('The canary must be checked before it is sent.'))],
  });
  github.state.repositories.push(vault);
  assert.match((await write(1, ann, 'acme/vault')).text, /The canary/);
  for (const token of [bea, undefined])
    for (const path of [
      '/repos/acme/vault/pulls/1/article',
      '/repos/acme/vault/pulls/1/review',
      '/r/acme/vault/1',
      '/r/acme/vault/1/review',
      '/r/acme/vault/1.md',
    ]) {
      const { status, text } = await app.call('GET', path, { token });
      assert.ok(status === 404 && !text.includes('canary'), path);
    }
});

const escapeCharacter = String.fromCharCode(27);

test('HTML, Markdown and terminal escapes of a comment stay text on the page and in Markdown', async () => {
  const link = /href="javascript|^(?!.*<).*[^\\]\]\(javascript/im;
  const rows: [request: string, isNot: RegExp][] = [
    ['This should be checked <script>alert(1)</script> before it is sent.', /<script>alert/],
    ['This should be checked <img src=x onerror=alert(1)> before it is sent.', /onerror/],
    ['This should be [checked](javascript:alert(1)) before it is sent.', link],
    [
      `This should be ${escapeCharacter}]8;;https://evil.example${escapeCharacter}\\checked before it is sent.`,
      new RegExp(escapeCharacter),
    ],
    ['This should be checked before it is sent.\n\n# Approved by everyone', /<h1>Approved|^# Approved/m],
    ['This should be checked \u202Etnes si ti erofeb always.', /\u202E/],
    ['This should be checked ![pixel](https://evil.example/pixel.png) before.', /<img[^>]*evil/],
    [
      '</blockquote></section><form action="https://evil.example">This should be checked always.',
      /<form action="https:\/\/evil/,
    ],
  ];
  for (const [index, [request, isNot]] of rows.entries()) {
    const number = 100 + index;
    rocket.pulls.push(pull(number, `injection ${index}`, reviewedBy(request, request)));
    const { body } = await write(number);
    assert.equal(body.data.contents.en.review.points.length, 1, request);
    for (const path of ['', '/review', '.md'].map((end) => `/r/acme/rocket/${number}${end}`)) {
      const { text, status } = await app.call('GET', path);
      assert.equal(status, 200);
      assert.doesNotMatch(text, isNot, `${path} ${request}`);
      assert.match(text, /This should be/);
    }
  }
});
