-- What a host said of a repository before this moment no longer counts, for any viewer: it told that something has changed,
-- and is asked anew. The same for all that it showed to one user.
ALTER TABLE repositories ADD COLUMN revoked_at timestamptz(3);
ALTER TABLE users ADD COLUMN rights_revoked_at timestamptz(3);
DROP INDEX repositories_hidden;
CREATE INDEX repositories_hidden ON repositories (id)
  WHERE is_private OR unreachable_since IS NOT NULL OR is_removed OR revoked_at IS NOT NULL;
-- Those of one owner are found by their name.
CREATE INDEX repositories_of_owner ON repositories (host, lower(owner)) WHERE is_private;

DROP TRIGGER repository_changed ON repositories;
CREATE TRIGGER repository_changed AFTER UPDATE ON repositories
  FOR EACH ROW
  WHEN ((OLD.owner, OLD.name, OLD.is_private, OLD.unreachable_since, OLD.is_removed, OLD.checked_at <= OLD.revoked_at)
    IS DISTINCT FROM
    (NEW.owner, NEW.name, NEW.is_private, NEW.unreachable_since, NEW.is_removed, NEW.checked_at <= NEW.revoked_at))
  EXECUTE FUNCTION tell_repository_changed();

-- When the host told that a pull request has changed: what was fetched before is asked for anew. It has moved if the change may
-- be one of what articles tell, which makes them stale until it is known.
ALTER TABLE pull_requests
  ADD COLUMN outdated_at timestamptz(3),
  ADD COLUMN has_moved boolean NOT NULL DEFAULT false;

DROP TRIGGER pull_request_changed ON pull_requests;
CREATE TRIGGER pull_request_changed AFTER UPDATE ON pull_requests
  FOR EACH ROW
  WHEN ((OLD.host_url, OLD.title, OLD.author_login, OLD.state, OLD.head_sha, OLD.base_sha, OLD.merged_at,
      OLD.has_moved AND OLD.fetched_at < OLD.outdated_at)
    IS DISTINCT FROM (NEW.host_url, NEW.title, NEW.author_login, NEW.state, NEW.head_sha, NEW.base_sha, NEW.merged_at,
      NEW.has_moved AND NEW.fetched_at < NEW.outdated_at))
  EXECUTE FUNCTION tell_pull_request_changed();

-- What hosts delivered and caused something here: the same again changes nothing. With the pull request that it was about, where
-- it was about one: when what it caused fails, it can be delivered again.
CREATE TABLE webhook_deliveries (
  host text NOT NULL,
  delivery_id text NOT NULL,
  received_at timestamptz(3) NOT NULL,
  host_repo_id bigint,
  pr_number bigint,
  PRIMARY KEY (host, delivery_id)
);
CREATE INDEX webhook_deliveries_of_pull_request ON webhook_deliveries (host_repo_id, pr_number)
  WHERE host_repo_id IS NOT NULL;
CREATE INDEX webhook_deliveries_by_time ON webhook_deliveries (received_at);

-- That its host told of a merge since it was last asked about a repository, so that it is asked at once, or again; and when it
-- last told of anything there, which lets it be asked more rarely.
ALTER TABLE watched_repositories
  ADD COLUMN is_told boolean NOT NULL DEFAULT false,
  ADD COLUMN webhook_at timestamptz(3);

-- What stands and is watched is written anew when its pull request moved, merged or not: once after the one that is being
-- written, however often it moves meanwhile.
ALTER TABLE planned_articles
  ADD COLUMN may_be_open boolean NOT NULL DEFAULT false,
  ADD COLUMN is_due_again boolean NOT NULL DEFAULT false;
