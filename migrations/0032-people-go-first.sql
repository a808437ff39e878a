-- What was planned is written by every writer that nobody waits for: what a person asks for goes before it.
ALTER TABLE writing_jobs ADD COLUMN is_planned boolean NOT NULL DEFAULT false;
DROP INDEX writing_jobs_waiting;
CREATE INDEX writing_jobs_waiting ON writing_jobs (is_planned, queued_at, id) WHERE state IN ('queued', 'running');
