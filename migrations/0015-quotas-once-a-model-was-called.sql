-- Whether a model was called for a job: what was taken from a quota for it is then used, also if nobody waits for it any more.
-- Of jobs from before this was noted, those that are being worked on may have called one.
ALTER TABLE writing_jobs ADD COLUMN model_called boolean NOT NULL DEFAULT false;
UPDATE writing_jobs SET model_called = true WHERE state = 'running' AND writer = 'ai';
