import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildGitHubApp } from '../../test/github/build-github-app.ts';
import { day, reviewedBy } from '../../test/github/reviewed-pull.ts';
import { pull, repository, type StandInPull } from '../../test/github/state.ts';
import { questionIn, writeObligingly } from '../../test/model/obliging-writer.ts';
import { type HeardRequest, startScriptedModel } from '../../test/model/scripted-model.ts';
import { waitUntil } from '../../test/wait-until.ts';

const wantedFor = (bird: string): string =>
  `Please keep the ${bird} out of the loop, and check it before anything is sent.`;
const requestFor = (bird: string): string => `I looked at this twice. ${wantedFor(bird)}`;
const reportedOf = (bird: string): string => `rin asks to check the ${bird} before anything is sent.`;

const labelOf = (material: string, text: string): string =>
  new RegExp(`^([wr][\\d.]+) .*${text}`, 'm').exec(material)?.[1] ?? '';

/** A model that reports a comment, and quotes its second sentence. */
function reportComment(heard: HeardRequest) {
  const { asked, material } = questionIn(heard);
  if (asked === 'points') {
    const thread = labelOf(material, 'src/upload.ts');
    const points = [{ thread, request: [labelOf(material, 'Please keep')], reply: [] }];
    return { text: JSON.stringify({ points }) };
  }
  const reply = writeObligingly(heard);
  if (asked !== 'article' && asked !== 'answer') return reply;
  const label = labelOf(material, 'Please keep the ');
  const bird = /Please keep the (\w+)/.exec(material)?.[1] ?? '';
  const said = { refs: [label], quote: `keep the ${bird}`, basis: 'words', text: reportedOf(bird) };
  const parsed = JSON.parse(reply.text ?? '{}');
  (asked === 'answer' ? parsed : parsed.sections[0]).sentences.push(said);
  return { text: JSON.stringify(parsed) };
}

const model = await startScriptedModel(reportComment);
const { app, github, join } = await buildGitHubApp({
  environment: {
    RATE_LIMIT: '10000',
    AI_MODEL: 'compatible/scripted',
    AI_BASE_URL: model.url,
    AI_JUDGE_MODEL: 'compatible/judge',
    AI_JUDGE_BASE_URL: model.url,
  },
});
const ann = await join('ann');
const rocket = repository(71, 'acme/rocket');
github.state.repositories.push(rocket);

async function write(made: StandInPull) {
  rocket.pulls.push(made);
  const options = { token: ann, body: { language: 'en' } };
  const written = await app.call('POST', `/repos/acme/rocket/pulls/${made.number}/article`, options);
  assert.ok(written.status < 300, written.text);
  return (await app.call('GET', `/repos/acme/rocket/pulls/${made.number}/article`)).body.data;
}

const statementsOf = (content: { mainChanges: { statements: { text: string }[] }[] }) =>
  content.mainChanges.flatMap(({ statements }) => statements.map(({ text }) => text));

test('a model reports a comment in the article, and chooses which of its sentences is quoted', async () => {
  const { contents } = await write(pull(1, 'upload', reviewedBy(requestFor('canary'))));
  assert.ok(
    statementsOf(contents.en).includes(reportedOf('canary')),
    JSON.stringify(contents.en.mainChanges),
  );
  const [point] = contents.en.review.points;
  assert.deepEqual(
    point.words.map(({ author, markdown, cut }: Record<string, unknown>) => [author, markdown, cut]),
    [['rin', wantedFor('canary'), true]],
  );
});

test('an article as it is written without a model has the review as rules choose it', async () => {
  const read = (query: string) => app.call('GET', `/repos/acme/rocket/pulls/1/article?language=en${query}`);
  const twin = await read('&writer=offline');
  assert.equal(twin.body.data.contents.en.writer.kind, 'offline', twin.text);
  const [point] = twin.body.data.contents.en.review.points;
  assert.deepEqual(
    point.words.map(({ markdown }: Record<string, unknown>) => markdown),
    [
      `${requestFor('canary')}\n\n\`\`\`\nif (part.size > limit) throw new TooLarge(part);\n\`\`\``,
      'Indeed, a large one would fill the disk.',
    ],
  );
});

test('the second model sees the comment, its author and the commented lines', () => {
  const seen = model.heard.map(questionIn).filter(({ asked }) => asked === 'verdicts');
  const material = seen.map((one) => one.material).join('\n');
  assert.match(material, /^w\d+ comment on src\/upload\.ts:3, rin: Please keep the canary/m);
  assert.match(material, /^on w\d+ 3\+ {4}await send\(part\);$/m);
});

/** Everywhere a sentence of an article may be read. */
const doors = (number: number, bird: string): string[] => [
  `/repos/acme/rocket/pulls/${number}/article`,
  `/repos/acme/rocket/pulls/${number}/questions`,
  `/r/acme/rocket/${number}`,
  `/r/acme/rocket/${number}.md`,
  '/feeds/articles.atom',
  '/feeds/r/acme/rocket.json',
  `/search?q=${bird}`,
  `/feeds/search.atom?q=${bird}`,
  '/digest?period=weekly&owner=acme&repo=rocket',
];

type LoseComment = (comment: StandInPull['reviewComments'][number], made: StandInPull) => void;

const lost: Record<string, LoseComment> = {
  wren: (comment) => {
    comment.isHidden = true;
  },
  robin: (comment) => {
    comment.body = 'Never mind.';
  },
  finch: (comment, made) => {
    made.reviewComments = made.reviewComments.filter((one) => one !== comment);
  },
};

test('a sentence of a model is gone everywhere once its comment is hidden, edited or deleted', async () => {
  const read = async (path: string) => {
    const { text } = await app.call('GET', path, { token: ann });
    return path.startsWith('/feeds/search') || path.startsWith('/search')
      ? (text.split('matches')[1] ?? '')
      : text;
  };
  for (const [index, [bird, lose]] of Object.entries(lost).entries()) {
    const number = 10 + index;
    const made = pull(number, 'upload', reviewedBy(requestFor(bird)));
    await write(made);
    const asked = { token: ann, body: { question: 'What about the bird?', language: 'en' } };
    const answer = await app.call('POST', `/repos/acme/rocket/pulls/${number}/questions`, asked);
    assert.match(answer.text, new RegExp(`check the ${bird}`));
    assert.doesNotMatch(answer.text, /"comments"/);
    assert.match(await read(`/r/acme/rocket/${number}.md`), new RegExp(`check the ${bird}`));
    assert.match(await read(`/search?q=${bird}`), new RegExp(bird));
    const [comment = assert.fail()] = made.reviewComments;
    lose(comment, made);
    made.updatedAt = day('13:00');
    app.advance(60_000);
    await app.call('POST', `/repos/acme/rocket/pulls/${number}/ingest`, { token: ann });
    for (const path of doors(number, bird))
      await waitUntil(`the ${bird} is gone from ${path}`, async () => !(await read(path)).includes(bird));
    const { contents } = (await app.call('GET', `/repos/acme/rocket/pulls/${number}/article`)).body.data;
    assert.equal(contents.en.mainChanges.length, 1);
  }
});

test('a comment that is edited while the article is written leaves no words in search', async () => {
  const made = pull(20, 'upload', reviewedBy(requestFor('stork')));
  const [comment = assert.fail()] = made.reviewComments;
  model.play(async (heard) => {
    const reply = reportComment(heard);
    if (questionIn(heard).asked === 'article' && comment.body.includes('stork')) {
      comment.body = 'Never mind.';
      made.updatedAt = day('13:00');
      app.advance(60_000);
      await app.call('POST', '/repos/acme/rocket/pulls/20/ingest', { token: ann });
    }
    return reply;
  });
  const { contents } = await write(made);
  assert.equal(contents.en.writer.kind, 'ai');
  assert.doesNotMatch(JSON.stringify(contents), /stork/);
  await waitUntil('search has forgotten the comment', async () => {
    const { body } = await app.call('GET', '/search?q=stork', { token: ann });
    return body.data.items.length === 0;
  });
});
