import { buildTestApp, type Reply } from '../build-app.ts';
import { makeClone } from '../make-clone.ts';
import { makeHistory } from '../make-history.ts';
import { makeLargePullRequest } from '../make-large-pull-request.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { writeObligingly } from './obliging-writer.ts';
import { ai, type Outcome } from './outcomes.ts';
import { startScriptedModel } from './scripted-model.ts';

const settingsOfAll = {
  AI_MODEL: 'compatible/scripted',
  AI_JUDGE_MODEL: 'off',
  AI_TIMEOUT_SECONDS: '60',
  AI_ARTICLES_PER_DAY: '1000',
};

export const filesOfLarge = 3;

function seen({ status, body }: Reply, language: string): string {
  if (!body.success) {
    const reason = /^\w+(?=:)/.exec(body.error.details?.[0]?.problem ?? '')?.[0];
    return [status, body.error.code, reason].filter(Boolean).join(' ');
  }
  const { kind, standsIn } = body.data.contents[language].writer;
  return `${status} ${kind}${standsIn ? ', stands in' : ''}`;
}

/** Returns a line for each outcome and language, and the unexpected ones. */
export async function observe(settings: Record<string, string>, expected: Outcome[]) {
  const root = temporaryFolder();
  // Each outcome gets its own pull request.
  makeHistory(root, 'acme/small', expected.length);
  const clone = makeClone(root, 'acme/large', 'Begin');
  for (const [index, { isLarge }] of expected.entries())
    if (isLarge) makeLargePullRequest(clone, index + 1, filesOfLarge);
  const model = await startScriptedModel(writeObligingly);
  const environment = { GIT_REPOS: root, AI_BASE_URL: model.url, ...settingsOfAll, ...settings };
  const app = await buildTestApp({ environment, frozen: true, waits: [] });
  await app.signUp('ann');
  const rows: string[] = [];
  const wrong: string[] = [];
  for (const [index, { what, script, calls, isSoon = false, isLarge, ...wishes }] of expected.entries()) {
    const path = `/repos/acme/${isLarge ? 'large' : 'small'}/pulls/${index + 1}/article`;
    for (const [language, wish] of [
      ['fr', wishes.french],
      ['en', wishes.english],
    ] as const) {
      if (wish === null) continue;
      if (!isSoon) app.advance(11 * 60_000);
      model.play(script);
      const before = model.heard.length;
      const reply = await app.call('POST', path, { token: app.tokenFor('ann'), body: { language } });
      const count = model.heard.length - before;
      const row = `${what} | ${language} | ${seen(reply, language)} | ${count}`;
      rows.push(row);
      const isThere = language === 'en' && wishes.french === ai;
      const isCounted = language === 'fr' || isThere;
      // A French article is a translation of the English one.
      const wanted = isThere ? 0 : calls;
      if (seen(reply, language) !== wish || (isCounted && count !== wanted))
        wrong.push(`${row}, not ${wish} | ${wanted}`);
      model.play(writeObligingly);
    }
  }
  return { rows, wrong };
}
