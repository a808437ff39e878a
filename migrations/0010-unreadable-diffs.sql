-- Diffs that were more than a thread could read within its limits, while being fetched or written about, so that they are not
-- tried again on the same terms: the program and its limits. One for each pull request; a newer one takes its place.
CREATE TABLE unreadable_diffs (
  repository_id uuid NOT NULL REFERENCES repositories ON DELETE CASCADE,
  number integer NOT NULL,
  base_sha text NOT NULL,
  head_sha text NOT NULL,
  step text NOT NULL CHECK (step IN ('fetching', 'writing')),
  terms text NOT NULL,
  message text NOT NULL,
  noted_at timestamptz NOT NULL,
  PRIMARY KEY (repository_id, number)
);
