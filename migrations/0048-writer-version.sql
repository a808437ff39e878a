-- The version of the writer without a model is a number committed beside it. Before, each database numbered hashes of the
-- writer's source in the order in which they came. What the newest of them wrote counts as version 1, so that the upgrade
-- rewrites nothing. What older ones wrote, and what 0043 converted, is still due to be rewritten, as version 0.
WITH newest AS (SELECT max(number) AS writer FROM offline_writers)
UPDATE article_contents SET offline_writer = CASE
  WHEN offline_writer < newest.writer THEN 0
  WHEN body ->> 'scope' IS NULL AND NOT jsonb_path_exists(body::jsonb, '$.mainChanges[*].hunk.lines') THEN 0
  ELSE 1 END
FROM newest WHERE offline_writer IS NOT NULL;
WITH newest AS (SELECT max(number) AS writer FROM offline_writers)
UPDATE offline_articles SET version = CASE WHEN version = newest.writer THEN 1 ELSE 0 END FROM newest;
DROP TABLE offline_writers;

-- A text of a newer writer about the same diff is nothing new to those who have read the one before.
CREATE OR REPLACE FUNCTION keep_what_was_read() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  told text[];
BEGIN
  IF NOT EXISTS (
    SELECT FROM read_marks AS marks WHERE marks.article_id = NEW.article_id AND marks.language_code = NEW.language_code) THEN
    RETURN NULL;
  END IF;
  IF NEW.offline_writer > OLD.offline_writer AND (NEW.base_sha, NEW.head_sha) = (OLD.base_sha, OLD.head_sha) THEN
    UPDATE read_marks AS marks SET revision = NEW.revision
    WHERE marks.article_id = NEW.article_id AND marks.language_code = NEW.language_code AND marks.revision = OLD.revision;
    RETURN NULL;
  END IF;
  told := sentence_ids(NEW.body::jsonb);
  INSERT INTO read_revisions (article_id, language_code, revision, sentence_ids)
  VALUES (OLD.article_id, OLD.language_code, OLD.revision, sentence_ids(OLD.body::jsonb)) ON CONFLICT DO NOTHING;
  UPDATE read_marks AS marks SET revision = NEW.revision
  FROM read_revisions AS revisions
  WHERE marks.article_id = NEW.article_id AND marks.language_code = NEW.language_code
    AND revisions.article_id = marks.article_id AND revisions.language_code = marks.language_code
    AND revisions.revision = marks.revision AND revisions.sentence_ids @> told;
  DELETE FROM read_revisions AS revisions
  WHERE revisions.article_id = NEW.article_id AND revisions.language_code = NEW.language_code
    AND NOT EXISTS (
      SELECT FROM read_marks AS marks
      WHERE marks.article_id = revisions.article_id AND marks.language_code = revisions.language_code
        AND marks.revision = revisions.revision);
  RETURN NULL;
END $$;
