-- A diff lies between two commits, and both move: with stacked pull requests the base moves while the head stands still.
-- What was stored before is empty here, which is no commit: it counts as outdated and is read or written anew when it is
-- next asked for. `cut_at_bytes` is the limit that left files out, where one did. `diff_revision` counts the diffs.
ALTER TABLE pull_requests
  ADD COLUMN base_sha text NOT NULL DEFAULT '',
  ADD COLUMN cut_at_bytes bigint,
  ADD COLUMN diff_revision integer NOT NULL DEFAULT 1;

-- Parts never change. A new diff stands beside the one that it replaces for as long as somebody may be reading that one.
ALTER TABLE pull_request_diffs
  ADD COLUMN revision integer NOT NULL DEFAULT 1,
  ADD COLUMN replaced_at timestamptz(3),
  DROP CONSTRAINT pull_request_diffs_pkey,
  ADD PRIMARY KEY (pull_request_id, revision, first_file);
CREATE INDEX pull_request_diffs_replaced ON pull_request_diffs (replaced_at) WHERE replaced_at IS NOT NULL;

UPDATE pull_request_contents SET linked_issues = (
    SELECT jsonb_agg('{"body": null}' || issue ORDER BY place)
    FROM jsonb_array_elements(linked_issues) WITH ORDINALITY AS issues (issue, place))
  WHERE linked_issues <> '[]';

ALTER TABLE article_contents ADD COLUMN base_sha text NOT NULL DEFAULT '';
UPDATE article_contents SET body = ('{"baseSha":"",' || substr(body::text, 2))::json;

-- An outline can be made again at any time.
DELETE FROM article_outlines;
ALTER TABLE article_outlines DROP COLUMN head_sha, ADD COLUMN diff_revision integer NOT NULL;

ALTER TABLE writing_jobs ADD COLUMN base_sha text NOT NULL DEFAULT '';
DROP INDEX writing_jobs_claim;
CREATE UNIQUE INDEX writing_jobs_claim ON writing_jobs (pull_request_id, head_sha, base_sha, language_code, writer)
  WHERE state IN ('queued', 'running');

DROP TRIGGER pull_request_changed ON pull_requests;
CREATE TRIGGER pull_request_changed AFTER UPDATE ON pull_requests
  FOR EACH ROW
  WHEN ((OLD.host_url, OLD.title, OLD.author_login, OLD.state, OLD.head_sha, OLD.base_sha, OLD.merged_at)
    IS DISTINCT FROM (NEW.host_url, NEW.title, NEW.author_login, NEW.state, NEW.head_sha, NEW.base_sha, NEW.merged_at))
  EXECUTE FUNCTION tell_pull_request_changed();

-- A grant counts by its own age: `confirmed_at` is when the host was asked with this user's rights, and `unreachable_since`
-- since when it has not answered that. One that was withdrawn stays for a while, so that an older answer that arrives late
-- does not bring it back.
ALTER TABLE repository_grants
  ADD COLUMN withdrawn boolean NOT NULL DEFAULT false,
  ADD COLUMN unreachable_since timestamptz(3);
-- Of a private repository, the host is asked by each of those who see it.
UPDATE repositories SET unreachable_since = NULL WHERE is_private AND unreachable_since IS NOT NULL;
