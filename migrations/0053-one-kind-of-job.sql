-- All that somebody can wait for, and what the service does by itself with the same claims, is a job: an article, an answer, an
-- import, a mirror; a planned article, which is requested with the rights of a user or on behalf of followers, and the refresh of a
-- mirror. `attempt` counts every start and fences off those that started before; `put_back` counts the starts that ended without a
-- failure, and `deferred` how often it had to wait for a host. `version` counts every change that can be seen.
CREATE TABLE jobs (
  id uuid DEFAULT gen_random_uuid() PRIMARY KEY,
  work text NOT NULL CHECK (work IN ('article', 'answer', 'import', 'planned', 'mirror', 'refresh')),
  -- What makes two requests the same.
  subject text NOT NULL,
  -- The import of a planned article. Deferrable, because a backup may have it after its children.
  parent_id uuid REFERENCES jobs ON DELETE CASCADE DEFERRABLE,
  -- Whose turn it takes; null: it is nobody's in particular.
  user_id uuid REFERENCES users ON DELETE SET NULL,
  is_planned boolean NOT NULL DEFAULT false,
  turn integer NOT NULL DEFAULT 0,
  repository_id uuid REFERENCES repositories ON DELETE CASCADE,
  pull_request_id uuid REFERENCES pull_requests ON DELETE CASCADE,
  pr_number bigint,
  language_code text,
  base_sha text,
  head_sha text,
  writer text,
  because text,
  -- The question, or what is mirrored.
  detail jsonb,
  may_be_open boolean NOT NULL DEFAULT false,
  -- The job that writes a planned article. It refers to nothing, because that goes first.
  waits_for uuid,
  state text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'running', 'done', 'failed', 'cancelled')),
  attempt integer NOT NULL DEFAULT 0,
  put_back integer NOT NULL DEFAULT 0,
  deferred integer NOT NULL DEFAULT 0,
  is_due_again boolean NOT NULL DEFAULT false,
  queued_at timestamptz(3) NOT NULL,
  not_before timestamptz(3),
  heartbeat_at timestamptz(3),
  step text NOT NULL DEFAULT 'queued',
  done integer NOT NULL DEFAULT 0,
  total integer NOT NULL DEFAULT 0,
  version bigint NOT NULL DEFAULT 1,
  error jsonb,
  article_id uuid REFERENCES articles ON DELETE SET NULL,
  answer_id uuid REFERENCES answers ON DELETE SET NULL,
  model_called boolean NOT NULL DEFAULT false,
  quota_host text,
  quota_user_id bigint,
  quota_day date,
  budget_day date,
  budget_scope text,
  created_at timestamptz(3) NOT NULL,
  started_at timestamptz(3),
  finished_at timestamptz(3)
);

-- Who wants what a job does.
CREATE TABLE job_requesters (
  job_id uuid NOT NULL REFERENCES jobs ON DELETE CASCADE,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  cancelled_at timestamptz(3),
  PRIMARY KEY (job_id, user_id)
);
CREATE INDEX job_requesters_of_user ON job_requesters (user_id);

INSERT INTO jobs (id, work, subject, user_id, is_planned, turn, repository_id, pull_request_id, language_code, base_sha, head_sha,
  writer, because, detail, state, attempt, put_back, queued_at, heartbeat_at, step, done, total, version, error, article_id,
  answer_id, model_called, quota_host, quota_user_id, quota_day, budget_day, budget_scope, created_at, finished_at)
SELECT old.id, CASE WHEN question IS NULL THEN 'article' ELSE 'answer' END,
  concat_ws(' ', old.pull_request_id, old.base_sha, old.head_sha, language_code, writer, nullif(question_key, '')),
  user_id, is_planned, turn, pull_requests.repository_id, old.pull_request_id, language_code, old.base_sha, old.head_sha, writer,
  because, question || jsonb_build_object('key', question_key), old.state, attempt, put_back, queued_at, heartbeat_at, step, done,
  total, version, error, article_id, answer_id, model_called, quota_host, quota_user_id, quota_day, budget_day, budget_scope,
  created_at, finished_at
FROM writing_jobs AS old JOIN pull_requests ON pull_requests.id = old.pull_request_id;

INSERT INTO jobs (id, work, subject, user_id, repository_id, language_code, state, version, error, queued_at, created_at,
  started_at, finished_at)
SELECT id, 'import', concat_ws(' ', user_id, repository_id, language_code, wanted), user_id, repository_id, language_code, state,
  version, error, created_at, created_at, started_at, finished_at
FROM imports;

-- They were claimed by the number of their row where turns are the same.
INSERT INTO jobs (work, subject, parent_id, user_id, is_planned, turn, repository_id, pr_number, language_code, may_be_open,
  waits_for, state, attempt, deferred, is_due_again, queued_at, not_before, heartbeat_at, error, created_at, finished_at)
SELECT 'planned', concat_ws(' ', coalesce(import_id, repository_id), pr_number, CASE WHEN import_id IS NULL THEN language_code END),
  import_id, user_id, true, row_number() OVER (PARTITION BY user_id, state IN ('waiting', 'running') ORDER BY turn, id) - 1,
  repository_id, pr_number, language_code, may_be_open, job_id,
  CASE state WHEN 'waiting' THEN 'queued' WHEN 'skipped' THEN 'cancelled' ELSE state END, attempt, deferred, is_due_again,
  not_before, not_before, heartbeat_at, error, not_before, finished_at
FROM planned_articles;

-- A mirror is made by a job with the id of the entry, and from then on refreshed by another job.
INSERT INTO jobs (id, work, subject, user_id, turn, detail, state, attempt, queued_at, heartbeat_at, step, done, total, version,
  error, created_at, started_at, finished_at)
SELECT id, 'mirror', id, user_id, turn, jsonb_build_object('owner', owner, 'name', name, 'address', address), state, attempt,
  created_at, CASE WHEN state = 'running' THEN heartbeat_at END, 'mirroring', done, total, version,
  CASE WHEN state <> 'done' THEN error END, created_at, started_at, finished_at
FROM added_repositories WHERE address IS NOT NULL;

INSERT INTO jobs (work, subject, detail, error, queued_at, not_before, created_at)
SELECT 'refresh', id, jsonb_build_object('address', address), error, coalesce(started_at, created_at), started_at, created_at
FROM added_repositories WHERE address IS NOT NULL AND state = 'done';

INSERT INTO job_requesters (job_id, user_id, cancelled_at)
SELECT job_id, user_id, cancelled_at FROM writing_job_askers
UNION ALL SELECT id, user_id, NULL FROM imports
UNION ALL SELECT id, user_id, NULL FROM added_repositories WHERE address IS NOT NULL AND user_id IS NOT NULL;

ALTER TABLE ai_answers DROP CONSTRAINT ai_answers_job_id_fkey;
ALTER TABLE ai_answers ADD FOREIGN KEY (job_id) REFERENCES jobs ON DELETE CASCADE;
DROP TABLE writing_job_askers, writing_jobs, planned_articles, imports;

-- An entry is there for as long as it is listed. `refreshed_at`: when a mirror was last up to date; null until it is made.
DELETE FROM added_repositories WHERE state IN ('failed', 'cancelled');
ALTER TABLE added_repositories ADD COLUMN refreshed_at timestamptz(3);
UPDATE added_repositories SET refreshed_at = finished_at WHERE state = 'done' AND address IS NOT NULL;
ALTER TABLE added_repositories DROP COLUMN state, DROP COLUMN attempt, DROP COLUMN done, DROP COLUMN total, DROP COLUMN version,
  DROP COLUMN error, DROP COLUMN started_at, DROP COLUMN finished_at, DROP COLUMN heartbeat_at, DROP COLUMN turn;
-- A name is one repository, whoever added it.
CREATE UNIQUE INDEX added_repositories_names ON added_repositories (lower(owner), lower(name));
CREATE INDEX added_repositories_of_user ON added_repositories (user_id);

-- Claiming work is inserting here: of any number who try at once, on any number of replicas, one succeeds. A planned article stays
-- planned once also when it has ended.
CREATE UNIQUE INDEX jobs_subjects ON jobs (work, subject) WHERE work = 'planned' OR state IN ('queued', 'running');
CREATE INDEX jobs_to_write ON jobs (is_planned, turn, queued_at, id)
  WHERE state IN ('queued', 'running') AND work IN ('article', 'answer');
CREATE INDEX jobs_to_do ON jobs (work, is_planned, turn, queued_at, id)
  WHERE state IN ('queued', 'running') AND work IN ('planned', 'mirror', 'refresh');
CREATE INDEX jobs_of_user ON jobs (user_id, work, state, turn) WHERE user_id IS NOT NULL;
CREATE INDEX jobs_of_parent ON jobs (parent_id, turn);
CREATE INDEX jobs_of_repository ON jobs (repository_id, pr_number);
CREATE INDEX jobs_of_pull_request ON jobs (pull_request_id);
CREATE INDEX jobs_of_answer ON jobs (answer_id) WHERE answer_id IS NOT NULL;
CREATE INDEX jobs_waited_for ON jobs (waits_for) WHERE waits_for IS NOT NULL;
CREATE INDEX jobs_finished ON jobs (finished_at) WHERE finished_at IS NOT NULL AND parent_id IS NULL;
