/** Types of values in GitLab's API description. Every value may be null or missing. */
type Form = 'integer' | 'string' | 'boolean' | 'time' | 'strings' | { of: string } | { listOf: string };

/**
 * The used fields of responses and their types, from GitLab's OpenAPI document (19.5: users, merge requests, issues) or the
 * entities that it is made from (`lib/api/entities`).
 */
const entities: Record<string, Record<string, Form>> = {
  UserBasic: {
    id: 'integer',
    username: 'string',
    name: 'string',
    public_email: 'string',
    state: 'string',
    avatar_url: 'string',
    web_url: 'string',
  },
  UserPublic: {
    id: 'integer',
    username: 'string',
    name: 'string',
    public_email: 'string',
    email: 'string',
    state: 'string',
    bot: 'boolean',
    avatar_url: 'string',
    web_url: 'string',
  },
  NamespaceBasic: { id: 'integer', path: 'string', kind: 'string', full_path: 'string' },
  BasicProjectDetails: {
    id: 'integer',
    name: 'string',
    path: 'string',
    path_with_namespace: 'string',
    default_branch: 'string',
    web_url: 'string',
    namespace: { of: 'NamespaceBasic' },
  },
  ProjectWithAccess: {
    id: 'integer',
    name: 'string',
    path: 'string',
    path_with_namespace: 'string',
    default_branch: 'string',
    web_url: 'string',
    namespace: { of: 'NamespaceBasic' },
    visibility: 'string',
    repository_access_level: 'string',
    merge_requests_access_level: 'string',
    issues_access_level: 'string',
  },
  DiffRefs: { base_sha: 'string', head_sha: 'string', start_sha: 'string' },
  IssuableReferences: { short: 'string', relative: 'string', full: 'string' },
  MergeRequest: {
    id: 'integer',
    iid: 'integer',
    project_id: 'integer',
    target_project_id: 'integer',
    source_project_id: 'integer',
    title: 'string',
    description: 'string',
    state: 'string',
    created_at: 'time',
    updated_at: 'time',
    merged_at: 'time',
    closed_at: 'time',
    target_branch: 'string',
    source_branch: 'string',
    author: { of: 'UserBasic' },
    labels: 'strings',
    draft: 'boolean',
    sha: 'string',
    merge_commit_sha: 'string',
    squash_commit_sha: 'string',
    references: { of: 'IssuableReferences' },
    web_url: 'string',
    changes_count: 'string',
    diff_refs: { of: 'DiffRefs' },
  },
  Commit: {
    id: 'string',
    short_id: 'string',
    created_at: 'time',
    parent_ids: 'strings',
    title: 'string',
    message: 'string',
    author_name: 'string',
    committed_date: 'time',
  },
  Position: {
    base_sha: 'string',
    start_sha: 'string',
    head_sha: 'string',
    old_path: 'string',
    new_path: 'string',
    old_line: 'integer',
    new_line: 'integer',
  },
  Note: {
    id: 'integer',
    type: 'string',
    body: 'string',
    author: { of: 'UserBasic' },
    created_at: 'time',
    system: 'boolean',
    internal: 'boolean',
    confidential: 'boolean',
    resolvable: 'boolean',
    resolved: 'boolean',
    resolved_by: { of: 'UserBasic' },
    position: { of: 'Position' },
  },
  MergeRequestDiff: {
    id: 'integer',
    head_commit_sha: 'string',
    base_commit_sha: 'string',
    start_commit_sha: 'string',
    created_at: 'time',
    merge_request_id: 'integer',
    state: 'string',
  },
  MergeRequestDiffFull: {
    id: 'integer',
    head_commit_sha: 'string',
    base_commit_sha: 'string',
    start_commit_sha: 'string',
    created_at: 'time',
    merge_request_id: 'integer',
    state: 'string',
    diffs: { listOf: 'Diff' },
  },
  Diff: { old_path: 'string', new_path: 'string', diff: 'string' },
  Discussion: { id: 'string', individual_note: 'boolean', notes: { listOf: 'Note' } },
  Issue: {
    id: 'integer',
    iid: 'integer',
    project_id: 'integer',
    title: 'string',
    description: 'string',
    state: 'string',
    confidential: 'boolean',
  },
  Tag: { name: 'string', target: 'string' },
};

const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}(?:Z|[+-]\d\d:\d\d)$/;

function fits(value: unknown, form: Form): boolean {
  if (value === null) return true;
  if (typeof form !== 'string')
    return 'of' in form
      ? describe(form.of, value) === value
      : Array.isArray(value) && value.every((one) => describe(form.listOf, one) === one);
  if (form === 'integer') return Number.isInteger(value);
  if (form === 'time') return typeof value === 'string' && time.test(value);
  if (form === 'strings') return Array.isArray(value) && value.every((one) => typeof one === 'string');
  return typeof value === form;
}

/** Returns a response after checking it against GitLab's description, because a wrong stand-in proves nothing. */
export function describe<Answer>(entity: string, answer: Answer): Answer {
  const fields = entities[entity];
  if (!fields || typeof answer !== 'object' || answer === null)
    throw new Error(`GitLab answers no ${entity} like this.`);
  for (const [name, value] of Object.entries(answer)) {
    const form = fields[name];
    if (!form || !fits(value, form))
      throw new Error(
        `The stand-in would answer a ${entity} with ${name} ${JSON.stringify(value)}, as GitLab does not.`,
      );
  }
  return answer;
}
