-- What a user has read: an article in a language, as it was written then. A mark whose revision is not that of the article
-- any more tells that it says something new since; the trigger below moves those along that have missed nothing.
CREATE TABLE read_marks (
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  article_id uuid NOT NULL,
  language_code text NOT NULL,
  revision integer NOT NULL,
  read_at timestamptz(3) NOT NULL,
  PRIMARY KEY (user_id, article_id, language_code),
  FOREIGN KEY (article_id, language_code) REFERENCES article_contents ON DELETE CASCADE
);
CREATE INDEX read_marks_of_article ON read_marks (article_id, language_code, revision);

-- The sentences of a revision that was read and has been replaced, as long as a mark refers to it.
CREATE TABLE read_revisions (
  article_id uuid NOT NULL,
  language_code text NOT NULL,
  revision integer NOT NULL,
  sentence_ids text[] NOT NULL,
  PRIMARY KEY (article_id, language_code, revision),
  FOREIGN KEY (article_id, language_code) REFERENCES article_contents ON DELETE CASCADE
);

-- By their hashes, without the numbers of those that are equal. The standfirst is none of them: it sums up what the others say.
CREATE FUNCTION sentence_ids(body jsonb) RETURNS text[] LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(array_agg(DISTINCT split_part(id #>> '{}', '-', 1)), '{}') FROM (
    SELECT jsonb_path_query(body, '$.background[*].id') AS id
    UNION ALL SELECT jsonb_path_query(body, '$.mainChanges[*].statements[*].id')
    UNION ALL SELECT jsonb_path_query(body, '$.notablePoints[*].statements[*].id')
    UNION ALL SELECT jsonb_path_query(body, '$.also[*].statement.id')) AS told
$$;

CREATE FUNCTION keep_what_was_read() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  told text[];
BEGIN
  IF NOT EXISTS (
    SELECT FROM read_marks AS marks WHERE marks.article_id = NEW.article_id AND marks.language_code = NEW.language_code) THEN
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
CREATE TRIGGER rewritten AFTER UPDATE ON article_contents
  FOR EACH ROW WHEN (OLD.revision <> NEW.revision) EXECUTE FUNCTION keep_what_was_read();
