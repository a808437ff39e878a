import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Static, TSchema } from 'typebox';
import { Check } from 'typebox/value';
import { print } from '../cli/command.ts';
import { actionInput, readFromEnvironment, workflowEnvironment } from '../config.ts';
import { nullable } from '../contract/formats.ts';
import { Type } from '../contract/type.ts';
import { StartupProblem } from '../domain/errors.ts';
import { createEgressClient } from '../egress/egress-client.ts';
import { marker, readEvent, runStep, safeComment, WorkflowRunEvent } from './action-step.ts';

// The second action: posts an article that another run has written as a comment on its pull request, and edits that
// comment next time. The output of the other run may come from anyone, so only GitHub decides which pull request is
// meant.

const mostBytes = 1024 * 1024;
const pageSize = 100;
/** If there are more comments than this, the pull request gets a second one. */
const mostPages = 20;

const Pulls = Type.Array(
  Type.Object({ number: Type.Integer({ minimum: 1 }), head: Type.Object({ sha: Type.String() }) }),
);
const Comments = Type.Array(
  Type.Object({
    id: Type.Integer({ minimum: 1 }),
    body: Type.Optional(Type.String()),
    user: nullable(Type.Object({ login: Type.String() })),
  }),
);
const Viewer = Type.Object({ data: Type.Object({ viewer: Type.Object({ login: Type.String() }) }) });

type Call = <Answer extends TSchema>(
  method: string,
  address: string,
  result: Answer,
  body?: object,
) => Promise<Static<Answer>>;

runStep(async () => {
  const { eventFile, apiUrl } = workflowEnvironment();
  const { repository, workflow_run: run } = await readEvent(eventFile, WorkflowRunEvent, 'workflow_run');
  if (run.event !== 'pull_request' || run.conclusion !== 'success')
    return print(
      'The previous workflow run failed or was not for a pull request: there is nothing to comment on.',
    );
  const network = readFromEnvironment(['httpsProxy', 'httpProxy', 'noProxy', 'extraCaFile']);
  const rules = {
    origins: [new URL(apiUrl).origin],
    mayBePrivate: true,
    patienceMs: 30_000,
    mostBytes: 16 * mostBytes,
  };
  const client = createEgressClient(network, rules);
  try {
    const { owner, name } = repository;
    const request = callApi(client.fetch);
    const call: Call = (method, path, ...rest) =>
      request(method, `${apiUrl}/repos/${owner.login}/${name}${path}`, ...rest);
    const number = await findPullRequestOfRun(call, run);
    if (number === null)
      return print(
        'No open pull request has the commit that the article is about: new commits were pushed, or it was closed.',
      );
    const body = safeComment(await readArticle(actionInput('article')));
    await comment(call, number, { body, login: await ownLogin(request, apiUrl) });
  } finally {
    await client.close();
  }
});

function callApi(fetch: typeof globalThis.fetch): Call {
  const headers = {
    authorization: `Bearer ${actionInput('github-token')}`,
    accept: 'application/vnd.github+json',
    'content-type': 'application/json',
    'user-agent': 'pullquote',
    'x-github-api-version': '2022-11-28',
  };
  return async (method, url, result, body) => {
    const response = await fetch(url, {
      method,
      headers,
      ...(body && { body: JSON.stringify(body) }),
    });
    const answered: unknown = await response.json().catch(() => null);
    if (response.ok && Check(result, answered)) return answered;
    throw new StartupProblem(
      `GitHub answered ${response.status} to ${method} ${new URL(url).pathname}. Give the job the permission pull-requests: write.`,
    );
  };
}

/** The pull request whose head is the commit that was written about. */
async function findPullRequestOfRun(
  call: Call,
  { head_sha, head_branch, head_repository }: Static<typeof WorkflowRunEvent>['workflow_run'],
): Promise<number | null> {
  const head = `${head_repository?.owner.login}:${head_branch}`;
  const query = new URLSearchParams({ state: 'open', head, per_page: String(pageSize) });
  const pulls = await call('GET', `/pulls?${query}`, Pulls);
  const matching = pulls.filter((pull) => pull.head.sha === head_sha);
  return matching.length === 1 ? (matching[0]?.number ?? null) : null;
}

/** The file may be a link to something else, or endless. */
async function readArticle(file: string): Promise<string> {
  const opened = await open(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK).catch(
    () => null,
  );
  const about = await opened?.stat();
  try {
    if (opened && about?.isFile() && about.size <= mostBytes) return await opened.readFile('utf8');
  } finally {
    await opened?.close();
  }
  throw new StartupProblem(
    'The input article must be a file of at most 1 MiB. Download the artifact of the previous workflow run, and set article to the path of the file in it.',
  );
}

/** The account of the token. This query works for tokens of workflows, apps and users alike. */
async function ownLogin(request: Call, apiUrl: string): Promise<string> {
  const url = `${apiUrl.replace(/\/v3$/, '')}/graphql`;
  const { data } = await request('POST', url, Viewer, { query: '{viewer{login}}' }).catch(() => ({
    data: { viewer: { login: 'github-actions[bot]' } },
  }));
  return data.viewer.login;
}

async function comment(
  call: Call,
  number: number,
  { body, login }: { body: string; login: string },
): Promise<void> {
  const Written = Type.Object({ id: Type.Integer() });
  for (let page = 1; page <= mostPages; page += 1) {
    const path = `/issues/${number}/comments?per_page=${pageSize}&page=${page}`;
    const comments = await call('GET', path, Comments);
    const own = comments.find((one) => one.user?.login === login && one.body?.startsWith(marker));
    if (own) {
      if (own.body !== body) await call('PATCH', `/issues/comments/${own.id}`, Written, { body });
      return;
    }
    if (comments.length < pageSize) break;
  }
  await call('POST', `/issues/${number}/comments`, Written, { body });
}
