-- Since when nobody has used a pull request that no article is about; null while there is one. Reading it was not noted before:
-- what is stored counts as used now.
ALTER TABLE pull_requests ADD COLUMN unused_since timestamptz(3);
UPDATE pull_requests SET unused_since = now()
  WHERE NOT EXISTS (SELECT FROM articles WHERE articles.pull_request_id = pull_requests.id);
CREATE INDEX pull_requests_unused ON pull_requests (unused_since) WHERE unused_since IS NOT NULL;

-- The database keeps that by itself, however articles come and go.
CREATE FUNCTION note_whether_written_about() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    UPDATE pull_requests SET unused_since = NULL WHERE id = NEW.pull_request_id AND unused_since IS NOT NULL;
  ELSE
    UPDATE pull_requests SET unused_since = now() WHERE id = OLD.pull_request_id;
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER article_came_or_went AFTER INSERT OR DELETE ON articles
  FOR EACH ROW EXECUTE FUNCTION note_whether_written_about();

-- The parts of a diff outlive its pull request as they outlive being replaced: those who are reading them go on, and they are
-- removed a few at a time, where a single statement for all of a large diff would keep everybody waiting.
ALTER TABLE pull_request_diffs DROP CONSTRAINT pull_request_diffs_pull_request_id_fkey;
CREATE FUNCTION leave_parts_of_diff() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE pull_request_diffs SET replaced_at = now() WHERE pull_request_id = OLD.id AND replaced_at IS NULL;
  RETURN NULL;
END $$;
CREATE TRIGGER pull_request_went AFTER DELETE ON pull_requests
  FOR EACH ROW EXECUTE FUNCTION leave_parts_of_diff();

-- How many bytes somebody has had stored by fetching pull requests on a day (UTC). By the number that the host gives them, so
-- that a new account is no new quota.
CREATE TABLE ingest_quotas (
  host text NOT NULL,
  host_user_id bigint NOT NULL,
  day date NOT NULL,
  bytes bigint NOT NULL CHECK (bytes >= 0),
  PRIMARY KEY (host, host_user_id, day)
);
CREATE INDEX ingest_quotas_by_day ON ingest_quotas (day);

-- Numbers of pull requests are the host's: they may have 64 bits.
ALTER TABLE unreadable_diffs ALTER COLUMN number TYPE bigint;
CREATE INDEX unreadable_diffs_by_time ON unreadable_diffs (noted_at);

-- What housekeeping removes is found without looking at what stays.
CREATE INDEX sessions_revoked ON sessions (revoked_at) WHERE revoked_at IS NOT NULL;
CREATE INDEX repository_grants_withdrawn ON repository_grants (confirmed_at) WHERE withdrawn;
