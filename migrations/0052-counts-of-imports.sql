-- How many pull requests an import covers, and how many are done, is counted from its planned articles. An import that had counted
-- more than were planned could never end.
UPDATE imports SET state = CASE WHEN error IS NULL THEN 'done' ELSE 'failed' END, version = version + 1, finished_at = updated_at
WHERE state IN ('queued', 'running') AND NOT EXISTS (
  SELECT FROM planned_articles WHERE import_id = imports.id AND state IN ('waiting', 'running'));
ALTER TABLE imports DROP COLUMN done, DROP COLUMN total;
