-- Lists show what its host has confirmed of late, so that repositories are looked for by when that was.
CREATE INDEX repositories_by_check ON repositories (checked_at);

-- What lists show is confirmed in the background as well. `read_at` is when a host was last asked because a reader wanted
-- something of a repository: what people read comes first. `unanswered_at` is when the service last asked by itself in vain.
ALTER TABLE repositories
  ADD COLUMN read_at timestamptz(3),
  ADD COLUMN unanswered_at timestamptz(3);
UPDATE repositories SET read_at = checked_at;

-- When a host may next be asked in the background, by one process of all.
ALTER TABLE code_host_addresses ADD COLUMN next_round_at timestamptz(3);
