-- What the host calls the state of a pull request that is stored: while it is the same, nothing of it has changed there. Null
-- where a host has no such word.
ALTER TABLE pull_requests ADD COLUMN host_version text;

-- Tokens of some hosts do not tell when they expire. Those stay refused.
ALTER TABLE refused_tokens ALTER COLUMN expires_at DROP NOT NULL;

-- Where a host was when its numbers were stored: at another address the same numbers are other people and repositories.
CREATE TABLE code_host_addresses (
  host text PRIMARY KEY,
  address text NOT NULL
);
