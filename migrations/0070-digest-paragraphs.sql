-- The first paragraph of a repository's digest, written by a model when its period has ended. `sources` are the diffs that it was
-- written from: a sentence is shown as long as the articles about all of its own are. A row without sentences means that a model was
-- asked in vain, and is not asked again.
CREATE TABLE digest_paragraphs (
  repository_id uuid NOT NULL REFERENCES repositories ON DELETE CASCADE,
  period text NOT NULL CHECK (period IN ('daily', 'weekly')),
  period_end timestamptz(3) NOT NULL,
  language_code text NOT NULL,
  sources jsonb NOT NULL,
  body json NOT NULL,
  created_at timestamptz(3) NOT NULL,
  PRIMARY KEY (repository_id, period, period_end, language_code)
);
CREATE INDEX digest_paragraphs_by_time ON digest_paragraphs (period_end);
ALTER TABLE jobs DROP CONSTRAINT jobs_work_check;
ALTER TABLE jobs ADD CONSTRAINT jobs_work_check
  CHECK (work IN ('article', 'answer', 'import', 'planned', 'mirror', 'refresh', 'test', 'preview', 'digest'));
DROP INDEX jobs_to_do;
CREATE INDEX jobs_to_do ON jobs (work, is_planned, turn, queued_at, id)
  WHERE state IN ('queued', 'running') AND work IN ('planned', 'mirror', 'refresh', 'test', 'preview', 'digest');
