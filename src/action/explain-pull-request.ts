import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { explainPullRequest } from '../actions/articles/explain-pull-request.ts';
import { type FoundChange, readTarget } from '../cli/explain/read-target.ts';
import { runHere } from '../cli/explain/run-here.ts';
import { print } from '../cli/print.ts';
import { linesUrl } from '../code-hosts/lines-url.ts';
import { actionInput, readFromEnvironment, workflowEnvironment } from '../config.ts';
import { Failure } from '../domain/errors.ts';
import { articleMarkdown } from '../writing/article-markdown.ts';
import { cutAtSection } from './cut-at-section.ts';
import { type EventPullRequest, PullRequestEvent, readEvent } from './read-event.ts';
import { runStep } from './run-step.ts';

// The action: writes about the pull request that a workflow runs for, out of what is checked out, into the summary of the run.

/** GitHub takes 1,024 KiB, and shows nothing at all of what is larger. */
const mostBytes = 900_000;

const cutNote =
  '*The rest is left out: the summary of a run has no room for it. In a clone, `pullquote explain` shows all of it.*';

runStep(async () => {
  const { eventFile, summaryFile, outputFile, temporaryFolder } = workflowEnvironment();
  const { pull_request, repository } = await readEvent(eventFile, PullRequestEvent, 'pull_request');
  if (pull_request.draft && actionInput('drafts') !== 'true') {
    print(
      'This pull request is a draft, and drafts are left alone. With drafts: true, they are written about too.',
    );
    return;
  }
  const found = await readChange(pull_request);
  const markdown = await write({ ...found, owner: repository.owner.login, repo: repository.name });
  const summary = cutAtSection(markdown, mostBytes, cutNote);
  if (summaryFile) await appendFile(summaryFile, summary);
  if (!temporaryFolder) return;
  const folder = join(temporaryFolder, 'pullquote');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'article.md'), summary);
  if (outputFile) await appendFile(outputFile, `article=${join(folder, 'article.md')}\n`);
});

/** What is checked out, with the words that GitHub has for it. */
async function readChange(told: EventPullRequest): Promise<FoundChange> {
  const { number, title, body, user, labels, html_url: url, base, head, created_at } = told;
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

const withFetchDepth = ({ code, message }: Failure): Failure =>
  new Failure(
    code,
    `${message} In a workflow, actions/checkout gets what is missing with fetch-depth: 0, before this step.`,
  );

async function write(found: FoundChange): Promise<string> {
  const { host, owner, repo, number, state, pullRequest } = found;
  const { maxDiffBytes } = readFromEnvironment(['maxDiffBytes']);
  const languageCode = actionInput('language') || 'en';
  const asked = { host, owner, repo, languageCode, maxDiffBytes, linesUrl, now: new Date() };
  const content = await explainPullRequest(runHere(), pullRequest, asked).finally(found.close);
  const subject = { owner, repo, prNumber: number, hostPrUrl: pullRequest.url, state };
  return articleMarkdown({ ...subject, authorLogin: pullRequest.authorLogin, content }, languageCode);
}
