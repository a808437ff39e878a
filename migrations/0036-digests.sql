-- What hosts have told to be merged where somebody watches, whether it was written about or not: digests count by it. No more is
-- kept of it than its number, because what was never fetched is nothing to show.
CREATE TABLE told_merges (
  repository_id uuid NOT NULL REFERENCES repositories ON DELETE CASCADE,
  pr_number bigint NOT NULL,
  merged_at timestamptz(3) NOT NULL,
  is_bot boolean NOT NULL,
  is_draft boolean NOT NULL,
  PRIMARY KEY (repository_id, pr_number)
);
CREATE INDEX told_merges_of_repository ON told_merges (repository_id, merged_at);
CREATE INDEX told_merges_by_time ON told_merges (merged_at);
CREATE INDEX pull_requests_merged ON pull_requests (repository_id, merged_at) WHERE merged_at IS NOT NULL;

-- How often a user wants a digest sent, and where to. The secret of the mail that asks whether the address is theirs is kept as a
-- hash. `ended_because` says why the service itself has ended it.
CREATE TABLE digests (
  user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  period text NOT NULL CHECK (period IN ('off', 'daily', 'weekly')),
  email text,
  confirmed_at timestamptz(3),
  confirm_hash text UNIQUE,
  confirm_until timestamptz(3),
  ended_because text CHECK (ended_because IN ('refused')),
  -- When the period was last chosen: what ended before is not sent.
  chosen_at timestamptz(3) NOT NULL
);
CREATE INDEX digests_wanted ON digests (period) WHERE confirmed_at IS NOT NULL AND period <> 'off';

-- One digest to one recipient: a user, or the webhook of the settings, which is no user's. Of any number of processes one claims
-- it, until `claimed_until`; `attempt` fences off those that claimed it before. It is `sending` from before the first byte of it
-- leaves until the recipient's server has answered: one that stays so may have arrived, and is not sent again.
CREATE TABLE digest_deliveries (
  recipient text NOT NULL,
  period text NOT NULL,
  period_end timestamptz(3) NOT NULL,
  user_id uuid REFERENCES users ON DELETE CASCADE,
  state text NOT NULL DEFAULT 'waiting'
    CHECK (state IN ('waiting', 'claimed', 'sending', 'sent', 'nothing', 'unwanted', 'failed', 'unknown')),
  attempt integer NOT NULL DEFAULT 0,
  tries integer NOT NULL DEFAULT 0,
  planned_at timestamptz(3) NOT NULL,
  not_before timestamptz(3) NOT NULL,
  claimed_until timestamptz(3),
  -- Of the secret that ends the digest from within the mail.
  secret_hash text UNIQUE,
  PRIMARY KEY (recipient, period, period_end)
);
CREATE INDEX digest_deliveries_due ON digest_deliveries (not_before) WHERE state IN ('waiting', 'claimed', 'sending');
CREATE INDEX digest_deliveries_of_user ON digest_deliveries (user_id);
CREATE INDEX digest_deliveries_by_time ON digest_deliveries (period_end);

-- How many mails have asked on a day whether an address is the asker's: of an address, and by one who asks.
CREATE TABLE confirmation_mails (
  day date NOT NULL,
  scope text NOT NULL,
  mails integer NOT NULL,
  PRIMARY KEY (day, scope)
);
