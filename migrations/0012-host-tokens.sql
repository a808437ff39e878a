-- The token of a code host that somebody saved, one for each host. Sealed with a key of the service, for this identity and
-- this host: whoever reads or moves the row cannot use it.
CREATE TABLE host_tokens (
  identity_id uuid NOT NULL REFERENCES identities ON DELETE CASCADE,
  host text NOT NULL,
  sealed text NOT NULL,
  saved_at timestamptz(3) NOT NULL,
  -- Null where it does not expire, or the host does not tell.
  expires_at timestamptz(3),
  -- Counts every token that was stored here: whoever asked the host for another one stores it only in place of the one that
  -- they had.
  generation integer NOT NULL DEFAULT 1,
  -- Until when one process of all has the right to ask for another one.
  refresh_claimed_until timestamptz(3),
  -- The host gives out no other one for it.
  refresh_refused boolean NOT NULL DEFAULT false,
  PRIMARY KEY (identity_id, host)
);
