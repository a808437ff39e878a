-- Users take turns in every queue. A job belongs to the user who gets it done first: the first who requested it, or one who
-- joined it with an earlier turn; null: it is nobody's in particular. Each job of a user has the turn after the one before.
ALTER TABLE writing_jobs
  ADD COLUMN user_id uuid REFERENCES users ON DELETE SET NULL,
  ADD COLUMN turn integer NOT NULL DEFAULT 0;
ALTER TABLE planned_articles ADD COLUMN turn integer NOT NULL DEFAULT 0;
ALTER TABLE added_repositories ADD COLUMN turn integer NOT NULL DEFAULT 0;

DROP INDEX writing_jobs_waiting;
CREATE INDEX writing_jobs_waiting ON writing_jobs (is_planned, turn, queued_at, id) WHERE state IN ('queued', 'running');
CREATE INDEX writing_jobs_of_user ON writing_jobs (user_id, is_planned, state, turn);
DROP INDEX planned_articles_waiting;
CREATE INDEX planned_articles_waiting ON planned_articles (turn, not_before, id) WHERE state IN ('waiting', 'running');
DROP INDEX planned_articles_of_user;
CREATE INDEX planned_articles_of_user ON planned_articles (user_id, state, turn);
CREATE INDEX added_repositories_waiting ON added_repositories (turn, created_at, id) WHERE state IN ('queued', 'running');
DROP INDEX added_repositories_of_user;
CREATE INDEX added_repositories_of_user ON added_repositories (user_id, state, turn);
