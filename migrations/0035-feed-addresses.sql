-- The secret address at which a user's feed is read without another credential, one for each user. Only a hash of the secret is
-- stored: it is random and long, so that it cannot be guessed back.
CREATE TABLE feed_addresses (
  user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  secret_hash text NOT NULL UNIQUE,
  created_at timestamptz(3) NOT NULL
);
