-- Tests of models, and previews of articles by them: jobs whose `detail` is first the models, with encrypted keys, and in the end
-- the result.
ALTER TABLE jobs DROP CONSTRAINT jobs_work_check;
ALTER TABLE jobs ADD CONSTRAINT jobs_work_check
  CHECK (work IN ('article', 'answer', 'import', 'planned', 'mirror', 'refresh', 'test', 'preview'));
DROP INDEX jobs_to_do;
CREATE INDEX jobs_to_do ON jobs (work, is_planned, turn, queued_at, id)
  WHERE state IN ('queued', 'running') AND work IN ('planned', 'mirror', 'refresh', 'test', 'preview');
