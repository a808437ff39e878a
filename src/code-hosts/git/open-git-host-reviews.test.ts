import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { buildTestApp } from '../../../test/build-app.ts';
import { sql } from '../../db/sql.ts';
import type { Discussion } from '../../domain/reviews.ts';

const app = await buildTestApp();
const token = await app.signUp('ann');
const clone = join(app.config.dataFolder, 'sample-repositories/harborline/parcel.git');
const textAt = (sha: string | null, path: string): string[] =>
  execFileSync('git', ['-C', clone, 'show', `${sha}:${path}`], { encoding: 'utf8' }).split('\n');

for (const [number, points] of [
  [13, 1],
  [15, 2],
])
  test(`the review of the sample #${number} fits its commits, and ${points} of its threads are shown`, async () => {
    const path = `/repos/harborline/parcel/pulls/${number}`;
    const about = { token, body: { language: 'en' } };
    const { body } = await app.call('POST', `${path}/article`, about);
    const { review } = (await app.call('GET', `${path}/article`)).body.data.contents.en;
    assert.equal(review.points.length, points);
    assert.match(review.rest.text, /Approved by/);
    const discussion = await app.database.value<Discussion>(sql`
      SELECT discussion FROM pull_request_contents WHERE pull_request_id = ${body.data.pullRequestId}`);
    assert.ok(discussion && discussion.threads.length > 0);
    for (const { sha, path: file, line, hunk, behind } of discussion.threads) {
      const lines = textAt(sha, file);
      assert.equal(hunk?.split('\n').at(-1)?.slice(1), lines[(line ?? 0) - 1]);
      assert.deepEqual(behind, lines.slice(line ?? 0, (line ?? 0) + behind.length));
    }
    const quoting = discussion.comments.flatMap(({ quoted }) => quoted ?? []);
    for (const { sha, files } of quoting)
      for (const { path: file, lines } of files) {
        const text = textAt(sha, file);
        assert.ok(
          lines.every((line) => text.includes(line)),
          file,
        );
      }
  });
