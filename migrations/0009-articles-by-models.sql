-- How many articles somebody has had written by a model on a day (UTC). By the number that the host gives them, so that a new
-- account is no new quota.
CREATE TABLE ai_quotas (
  host text NOT NULL,
  host_user_id bigint NOT NULL,
  day date NOT NULL,
  articles integer NOT NULL CHECK (articles >= 0),
  PRIMARY KEY (host, host_user_id, day)
);
CREATE INDEX ai_quotas_by_day ON ai_quotas (day);

-- How many tokens models were asked for on a day, for everybody: what was used, and what calls under way may still use.
CREATE TABLE ai_tokens (
  day date PRIMARY KEY,
  tokens bigint NOT NULL CHECK (tokens >= 0)
);

-- Whose quota a job was taken from, until it is known whether a model has written the article.
ALTER TABLE writing_jobs
  ADD COLUMN quota_host text,
  ADD COLUMN quota_user_id bigint,
  ADD COLUMN quota_day date;

-- What models answered for a job, so that whoever takes it over does not pay again. It goes when the job is over.
CREATE TABLE ai_answers (
  job_id uuid NOT NULL REFERENCES writing_jobs ON DELETE CASCADE,
  question text NOT NULL,
  answer jsonb NOT NULL,
  PRIMARY KEY (job_id, question)
);

-- What a model wrote about a diff and what of it held, for saying it in another language.
CREATE TABLE ai_drafts (
  pull_request_id uuid PRIMARY KEY REFERENCES pull_requests ON DELETE CASCADE,
  diff_revision integer NOT NULL,
  language_code text NOT NULL,
  draft jsonb NOT NULL
);

-- How often a model has failed to write what stands here without one, and when it is next tried.
ALTER TABLE article_contents
  ADD COLUMN failed_tries integer NOT NULL DEFAULT 0,
  ADD COLUMN next_try_at timestamptz(3);
