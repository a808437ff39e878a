import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { print } from '../cli/command.ts';
import { type FoundChange, readTarget } from '../cli/explain/read-target.ts';
import { asMarkdown, requireExplainLanguage, writeAbout } from '../cli/explain/write-about.ts';
import { actionInput, readFromInputs, readRunAccess, workflowEnvironment } from '../config.ts';
import { Failure } from '../domain/errors.ts';
import type { Discussion } from '../domain/reviews.ts';
import { isOfflineLanguage } from '../writing/articles.ts';
import { cutAtSection, type EventPullRequest, PullRequestEvent, readEvent, runStep } from './action-step.ts';

// The first action: writes about the pull request of a workflow run, from the checkout, into the summary of the run.

/** GitHub allows 1,024 KiB, and shows nothing of a larger summary. */
const mostBytes = 900_000;

const cutNote = '*This summary was shortened to fit. To see all of it, run `pullquote explain` in a clone.*';

runStep(async () => {
  const { eventFile, summaryFile, outputFile, temporaryFolder } = workflowEnvironment();
  const { pull_request, repository } = await readEvent(eventFile, PullRequestEvent, 'pull_request');
  if (pull_request.draft && actionInput('drafts') !== 'true') {
    print('This pull request is a draft, and drafts are skipped. To include them, set drafts: true.');
    return;
  }
  const { language, models } = await chooseWriter();
  const place = { owner: repository.owner.login, repo: repository.name, number: pull_request.number };
  const [change, discussion] = await Promise.all([
    readEventChange(pull_request),
    readDiscussion(place, pull_request.head.sha, temporaryFolder),
  ]);
  const pullRequest = { ...change.pullRequest, ...(discussion && { discussion }) };
  const found = { ...change, ...place, pullRequest };
  const markdown = await asMarkdown(found, (await writeAbout(found, language, models)).content);
  const summary = cutAtSection(`${markdown}\n`, mostBytes, cutNote);
  if (summaryFile) await appendFile(summaryFile, summary);
  if (!temporaryFolder) return;
  const folder = join(temporaryFolder, 'pullquote');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'article.md'), summary);
  if (outputFile) await appendFile(outputFile, `article=${join(folder, 'article.md')}\n`);
});

async function readEventChange(pullRequest: EventPullRequest): Promise<FoundChange> {
  const { number, title, body, user, labels, html_url: url, base, head, created_at } = pullRequest;
  const range = { kind: 'branch', base: base.sha, head: head.sha } as const;
  const found = await readTarget(range, process.stdin).catch((error: unknown) => {
    throw error instanceof Failure && error.code === 'NOT_FOUND' ? withFetchDepth(error) : error;
  });
  const words = {
    number,
    title,
    body,
    url,
    authorLogin: user?.login ?? 'ghost',
    labels: labels.map(({ name }) => name),
    baseRef: base.ref,
    headRef: head.ref,
    state: 'open',
    createdAt: new Date(created_at),
  } as const;
  return { ...found, host: 'github', number, state: 'open', pullRequest: { ...found.pullRequest, ...words } };
}

/** The review of the head that the run is about; null without a token, and if GitHub does not show it to its owner. */
async function readDiscussion(
  place: Pick<FoundChange, 'owner' | 'repo'> & { number: number },
  headSha: string,
  folder: string,
): Promise<Discussion | null> {
  if (actionInput('github-token') === '') return null;
  try {
    const { readHosted } = await import('../cli/explain/read-hosted.ts');
    const target = { ...place, kind: 'hosted', host: 'github' } as const;
    const { pullRequest, close } = await readHosted(target, () => folder, readRunAccess());
    await close();
    if (pullRequest.headSha !== headSha) return null;
    if (pullRequest.discussion) return pullRequest.discussion;
  } catch {
    // The article needs only the checkout, so no failure of GitHub may stop it.
  }
  print('The review cannot be read with github-token. The job needs the permission pull-requests: read.');
  return null;
}

const withFetchDepth = ({ code, message }: Failure): Failure =>
  new Failure(code, `${message} In a workflow, run actions/checkout with fetch-depth: 0 before this step.`);

/** Without a key for the model, the rules write, in one of their languages: pull requests of forks get no secrets. */
async function chooseWriter() {
  const language = actionInput('language') || 'en';
  const names = { language: 'The input language', model: 'ai-model' };
  const model = actionInput('ai-model');
  const wantsModel = model !== '';
  // Only self-hosted models need no key.
  const hasAccess =
    actionInput('ai-api-key') !== '' ||
    (model.startsWith('compatible/') && actionInput('ai-base-url') !== '');
  requireExplainLanguage(language, wantsModel, names);
  if (wantsModel && hasAccess) {
    const { openWantedModels } = await import('../cli/models.ts');
    return { language, models: openWantedModels(readFromInputs) };
  }
  if (wantsModel) print('This run has no key for ai-model: the article is written without a model.');
  return { language: isOfflineLanguage(language) ? language : 'en', models: null };
}
