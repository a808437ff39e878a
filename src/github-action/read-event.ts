import { readFile } from 'node:fs/promises';
import type { Static, TSchema } from 'typebox';
import { Check } from 'typebox/value';
import { nullable } from '../contract/formats.ts';
import { Type } from '../contract/type.ts';
import { StartupProblem } from '../domain/errors.ts';

// What GitHub says of the event that a workflow runs for, as far as it is used. Titles, bodies and names are strangers' words.

const Sha = Type.String({ pattern: '^[0-9a-f]{40,64}$' });
const Name = Type.String({ pattern: '^[\\w.-]+$' });
const Account = Type.Object({ login: Type.String() });
const Repository = Type.Object({ name: Name, owner: Type.Object({ login: Name }) });

export const PullRequestEvent = Type.Object({
  repository: Repository,
  pull_request: Type.Object({
    number: Type.Integer({ minimum: 1 }),
    title: Type.String(),
    body: nullable(Type.String()),
    draft: Type.Optional(Type.Boolean()),
    html_url: Type.String(),
    created_at: Type.String(),
    user: nullable(Account),
    labels: Type.Array(Type.Object({ name: Type.String() })),
    base: Type.Object({ sha: Sha, ref: Type.String() }),
    head: Type.Object({ sha: Sha, ref: Type.String() }),
  }),
});

export type EventPullRequest = Static<typeof PullRequestEvent>['pull_request'];

export const WorkflowRunEvent = Type.Object({
  repository: Repository,
  workflow_run: Type.Object({
    event: Type.String(),
    conclusion: nullable(Type.String()),
    head_sha: Sha,
    head_branch: nullable(Type.String()),
    head_repository: nullable(Type.Object({ owner: Account })),
  }),
});

/** The event, which has to be one of a kind. */
export async function readEvent<Event extends TSchema>(
  file: string,
  kind: Event,
  workflow: string,
): Promise<Static<Event>> {
  const event: unknown = JSON.parse(await readFile(file, 'utf8').catch(() => 'null'));
  if (Check(kind, event)) return event;
  throw new StartupProblem(`This action belongs into a workflow that runs on: ${workflow}.`);
}
