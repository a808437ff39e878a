-- What a user has asked to have written about many pull requests at once. To clients it is a job like any other, so its states
-- are those of one; `version` counts every change that can be seen, and `wanted` tells one set of pull requests from another.
CREATE TABLE imports (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  repository_id uuid NOT NULL REFERENCES repositories ON DELETE CASCADE,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  language_code text NOT NULL,
  wanted text NOT NULL,
  state text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'running', 'done', 'failed', 'cancelled')),
  done integer NOT NULL DEFAULT 0,
  total integer NOT NULL,
  version bigint NOT NULL DEFAULT 1,
  error jsonb,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  started_at timestamptz(3),
  finished_at timestamptz(3)
);
-- The same asked for twice is one import, for as long as that is not over.
CREATE UNIQUE INDEX imports_alive ON imports (user_id, repository_id, language_code, wanted)
  WHERE state IN ('queued', 'running');
CREATE INDEX imports_of_repository ON imports (repository_id);
CREATE INDEX imports_finished ON imports (finished_at) WHERE finished_at IS NOT NULL;

-- An article that is to be asked for, with the rights of a user, as soon as others leave room for it. `attempt` counts every
-- start and fences off those that started before; `deferred` counts how often it had to wait for a host. `job_id` is the writing
-- of it and refers to nothing, because that goes first.
CREATE TABLE planned_articles (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  repository_id uuid NOT NULL REFERENCES repositories ON DELETE CASCADE,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  import_id uuid REFERENCES imports ON DELETE CASCADE,
  pr_number bigint NOT NULL,
  language_code text NOT NULL,
  state text NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'running', 'done', 'failed', 'skipped')),
  job_id uuid,
  attempt integer NOT NULL DEFAULT 0,
  deferred integer NOT NULL DEFAULT 0,
  not_before timestamptz(3) NOT NULL,
  heartbeat_at timestamptz(3),
  error jsonb,
  finished_at timestamptz(3),
  UNIQUE (import_id, pr_number)
);
-- What no import asks for is planned once for all.
CREATE UNIQUE INDEX planned_articles_alone ON planned_articles (repository_id, pr_number, language_code)
  WHERE import_id IS NULL;
CREATE INDEX planned_articles_waiting ON planned_articles (not_before, id) WHERE state IN ('waiting', 'running');
CREATE INDEX planned_articles_of_user ON planned_articles (user_id);
CREATE INDEX planned_articles_finished ON planned_articles (finished_at)
  WHERE import_id IS NULL AND finished_at IS NOT NULL;
