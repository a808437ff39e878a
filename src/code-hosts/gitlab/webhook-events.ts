import { Type } from '../../contract/type.ts';
import { Id } from '../host-numbers.ts';
import type { HostNews } from '../host-webhooks.ts';
import { eventOf, type ReadEvent } from '../http/signed-webhooks.ts';

const Text = Type.String();

/** What is read of deliveries, and nothing more. */
export const webhookPayloads = {
  mergeRequest: Type.Object({
    object_attributes: Type.Object({
      iid: Id,
      target_project_id: Id,
      action: Type.Optional(Text),
    }),
  }),
  issue: Type.Object({
    // Those of a group are of no project.
    object_attributes: Type.Object({ iid: Id, project_id: Type.Optional(Type.Union([Id, Type.Null()])) }),
    changes: Type.Optional(
      Type.Object({ confidential: Type.Optional(Type.Object({ current: Type.Boolean() })) }),
    ),
  }),
  project: Type.Object({ project_id: Id }),
  group: Type.Object({
    /** The last of its names, or all of them. */
    path: Type.Optional(Text),
    group_path: Type.Optional(Text),
    full_path: Type.Optional(Text),
    old_full_path: Type.Optional(Text),
  }),
  user: Type.Object({ user_id: Id }),
};

const told = eventOf('GitLab');

const changes: Record<string, NonNullable<HostNews['pullRequest']>['change']> = {
  merge: 'merged',
  close: 'closed',
  update: 'moved',
  reopen: 'moved',
};

const mergeRequest = told(webhookPayloads.mergeRequest, ({ object_attributes: about }) => ({
  pullRequest: {
    hostRepoId: about.target_project_id,
    number: about.iid,
    change: changes[about.action ?? ''] ?? 'other',
  },
}));

/** What is confidential from its beginning was shown to nobody. */
const issue = told(webhookPayloads.issue, ({ object_attributes: { project_id, iid }, changes: changed }) =>
  changed?.confidential?.current && project_id
    ? { hiddenIssue: { hostRepoId: project_id, number: iid } }
    : {},
);

const project = told(webhookPayloads.project, ({ project_id: id }) => ({ revoked: { hostRepoIds: [id] } }));

/** A group is meant with all that lie in it. */
const group = told(webhookPayloads.group, ({ full_path, old_full_path, group_path, path }) => ({
  revoked: { groups: [full_path ?? group_path ?? path, old_full_path].filter((one) => one !== undefined) },
}));

const user = told(webhookPayloads.user, ({ user_id: hostUserId }) => ({ revoked: { hostUserId } }));

/** What is heard of which event, by the name that it has in webhooks of projects and groups, and in those of the whole server. */
const events: Record<string, ReadEvent> = {
  merge_request: mergeRequest,
  issue,
  work_item: issue,
  project_update: project,
  project_rename: project,
  project_transfer: project,
  project_destroy: project,
  user_remove_from_team: project,
  user_update_for_team: project,
  group_rename: group,
  group_destroy: group,
  user_remove_from_group: group,
  user_update_for_group: group,
  user_destroy: user,
  // Of one who is blocked.
  user_failed_login: user,
};

/** What a delivery tells; nothing where it is of no matter here. */
export async function readNews(payload: object): Promise<HostNews> {
  const { object_kind: kind, event_name: name } = payload as Record<string, unknown>;
  const event = [kind, name].find((one) => typeof one === 'string' && Object.hasOwn(events, one));
  return (await events[String(event)]?.(payload)) ?? {};
}
