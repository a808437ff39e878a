-- A job is claimed from its own row, by whoever has a worker free: `queued_at` is when it last began to wait, and its worker
-- renews `heartbeat_at` for as long as it lives. There is no other queue.
ALTER TABLE writing_jobs
  ADD COLUMN queued_at timestamptz(3),
  ADD COLUMN heartbeat_at timestamptz(3);
UPDATE writing_jobs SET queued_at = created_at, heartbeat_at = CASE state WHEN 'running' THEN now() END;
ALTER TABLE writing_jobs ALTER COLUMN queued_at SET NOT NULL, ALTER COLUMN queued_at SET DEFAULT now();
CREATE INDEX writing_jobs_waiting ON writing_jobs (queued_at, id) WHERE state IN ('queued', 'running');
DROP SCHEMA IF EXISTS pgboss CASCADE;

-- When housekeeping is next due, for one process of all.
CREATE TABLE housekeeping (due_at timestamptz(3) NOT NULL);
INSERT INTO housekeeping (due_at) VALUES (now());
