-- One article about a pull request, whatever it is written for and in however many languages.
CREATE TABLE articles (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  pull_request_id uuid NOT NULL UNIQUE REFERENCES pull_requests ON DELETE CASCADE,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL
);

-- What it says in one language, and the head that it says it of. Likes belong to the language and outlive rewriting.
-- It is read whole and never searched: json is handed out as it was put in, where jsonb would be printed each time.
CREATE TABLE article_contents (
  article_id uuid NOT NULL REFERENCES articles ON DELETE CASCADE,
  language_code text NOT NULL,
  title text NOT NULL,
  background text NOT NULL,
  main_changes json NOT NULL,
  notable_points json NOT NULL,
  writer json NOT NULL,
  coverage json NOT NULL,
  verification json NOT NULL,
  usage json,
  head_sha text NOT NULL,
  generated_at timestamptz(3) NOT NULL,
  like_count bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (article_id, language_code)
);
CREATE INDEX article_contents_newest ON article_contents (generated_at DESC, article_id, language_code);

-- What was made of a pull request's facts, so that a second language need not read the diff again.
CREATE TABLE article_outlines (
  pull_request_id uuid PRIMARY KEY REFERENCES pull_requests ON DELETE CASCADE,
  head_sha text NOT NULL,
  version integer NOT NULL,
  outline jsonb NOT NULL
);

-- The writing of one article in one language. `attempt` counts every start and fences off whoever started before;
-- `put_back` counts the starts that ended because a process was stopped, which are nobody's failure. `version` counts
-- every change that can be seen.
CREATE TABLE writing_jobs (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  pull_request_id uuid NOT NULL REFERENCES pull_requests ON DELETE CASCADE,
  head_sha text NOT NULL,
  language_code text NOT NULL,
  writer text NOT NULL,
  state text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'running', 'done', 'failed', 'cancelled')),
  attempt integer NOT NULL DEFAULT 0,
  put_back integer NOT NULL DEFAULT 0,
  step text NOT NULL DEFAULT 'queued',
  done integer NOT NULL DEFAULT 0,
  total integer NOT NULL DEFAULT 0,
  version bigint NOT NULL DEFAULT 1,
  error jsonb,
  article_id uuid REFERENCES articles ON DELETE SET NULL,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL,
  finished_at timestamptz(3)
);
-- Claiming work is inserting here: of any number who try at once, on any number of replicas, one succeeds.
CREATE UNIQUE INDEX writing_jobs_claim ON writing_jobs (pull_request_id, head_sha, language_code, writer)
  WHERE state IN ('queued', 'running');
CREATE INDEX writing_jobs_finished ON writing_jobs (finished_at) WHERE finished_at IS NOT NULL;

CREATE TABLE writing_job_askers (
  job_id uuid NOT NULL REFERENCES writing_jobs ON DELETE CASCADE,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  cancelled_at timestamptz(3),
  PRIMARY KEY (job_id, user_id)
);
CREATE INDEX writing_job_askers_of_user ON writing_job_askers (user_id);

-- The queue makes its tables in here by itself. It would make the schema too, but two processes that start at once
-- would get in each other's way.
CREATE SCHEMA IF NOT EXISTS pgboss;
