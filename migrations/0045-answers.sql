-- Answers to questions about a pull request, or, without one, about a whole repository. What is not shared only its requester sees.
CREATE TABLE answers (
  id uuid DEFAULT gen_random_uuid() PRIMARY KEY,
  repository_id uuid NOT NULL REFERENCES repositories ON DELETE CASCADE,
  pull_request_id uuid REFERENCES pull_requests ON DELETE CASCADE,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  question text NOT NULL,
  -- A hash of all that makes two questions the same: what they ask about, its revision, the language, the words and the writer.
  question_key text NOT NULL,
  language_code text NOT NULL,
  is_shared boolean NOT NULL,
  -- The diffs that were read: pullRequestId, prNumber, baseSha and headSha of each.
  sources jsonb NOT NULL,
  body jsonb NOT NULL,
  created_at timestamptz(3) NOT NULL
);
CREATE INDEX answers_of_repository ON answers (repository_id, created_at);
CREATE INDEX answers_of_pull_request ON answers (pull_request_id, created_at);
CREATE INDEX answers_of_user ON answers (user_id, created_at);
CREATE INDEX answers_of_question ON answers (question_key);

-- Jobs that answer a question have it; those that write an article have none.
ALTER TABLE writing_jobs
  ADD COLUMN question jsonb,
  ADD COLUMN question_key text NOT NULL DEFAULT '',
  ADD COLUMN answer_id uuid REFERENCES answers ON DELETE SET NULL;
CREATE INDEX writing_jobs_of_answer ON writing_jobs (answer_id) WHERE answer_id IS NOT NULL;
DROP INDEX writing_jobs_claim;
-- Claiming work is inserting here: of any number who try at once, on any number of replicas, one succeeds.
CREATE UNIQUE INDEX writing_jobs_claim ON writing_jobs (pull_request_id, head_sha, base_sha, language_code, writer, question_key)
  WHERE state IN ('queued', 'running');
