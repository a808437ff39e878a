-- What an operator has removed, a repository or one of its pull requests: it is not fetched again. By the number that the host
-- gives the repository where that is known, so that another name does not bring it back; until then by its name.
CREATE TABLE removals (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  host text NOT NULL,
  host_repo_id bigint,
  owner text NOT NULL,
  name text NOT NULL,
  -- Null for all of them.
  number bigint,
  removed_at timestamptz(3) NOT NULL
);
CREATE UNIQUE INDEX removals_by_id ON removals (host, host_repo_id, coalesce(number, 0)) WHERE host_repo_id IS NOT NULL;
CREATE UNIQUE INDEX removals_by_name ON removals (host, lower(owner), lower(name), coalesce(number, 0))
  WHERE host_repo_id IS NULL;

-- Nothing of a repository that was removed shows to anybody, also while its pull requests are being deleted.
ALTER TABLE repositories ADD COLUMN is_removed boolean NOT NULL DEFAULT false;
DROP INDEX repositories_hidden;
CREATE INDEX repositories_hidden ON repositories (id) WHERE is_private OR unreachable_since IS NOT NULL OR is_removed;

DROP TRIGGER repository_changed ON repositories;
CREATE TRIGGER repository_changed AFTER UPDATE ON repositories
  FOR EACH ROW
  WHEN ((OLD.owner, OLD.name, OLD.is_private, OLD.unreachable_since, OLD.is_removed)
    IS DISTINCT FROM (NEW.owner, NEW.name, NEW.is_private, NEW.unreachable_since, NEW.is_removed))
  EXECUTE FUNCTION tell_repository_changed();
