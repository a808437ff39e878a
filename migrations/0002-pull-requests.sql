-- Since when the host has not answered about a repository; after an hour of that, nothing of it is shown.
ALTER TABLE repositories ADD COLUMN unreachable_since timestamptz(3);
CREATE INDEX repositories_by_name ON repositories (host, lower(owner), lower(name));

-- What lists read of a pull request.
CREATE TABLE pull_requests (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  repository_id uuid NOT NULL REFERENCES repositories ON DELETE CASCADE,
  number bigint NOT NULL,
  host_url text,
  title text NOT NULL,
  author_login text NOT NULL,
  state text NOT NULL CHECK (state IN ('open', 'closed', 'merged')),
  head_sha text NOT NULL,
  host_created_at timestamptz(3) NOT NULL,
  merged_at timestamptz(3),
  fetched_at timestamptz(3) NOT NULL,
  UNIQUE (repository_id, number)
);

-- The rest of it, for readers of one. `unread` lists the files whose changes were too large to keep.
CREATE TABLE pull_request_contents (
  pull_request_id uuid PRIMARY KEY REFERENCES pull_requests ON DELETE CASCADE,
  body text,
  labels jsonb NOT NULL,
  base_ref text NOT NULL,
  head_ref text NOT NULL,
  additions bigint NOT NULL,
  deletions bigint NOT NULL,
  files jsonb NOT NULL,
  unread jsonb NOT NULL,
  commits jsonb NOT NULL,
  comments jsonb NOT NULL,
  linked_issues jsonb NOT NULL
);

-- The diff in compressed parts of whole files, so that one file can be had without the others.
CREATE TABLE pull_request_diffs (
  pull_request_id uuid NOT NULL REFERENCES pull_requests ON DELETE CASCADE,
  first_file integer NOT NULL,
  last_file integer NOT NULL,
  compressed bytea NOT NULL,
  PRIMARY KEY (pull_request_id, first_file)
);
