-- Who a credential proves somebody to be on a code host. Signing up makes a user of an identity.
CREATE TABLE identities (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  host text NOT NULL,
  host_user_id bigint NOT NULL,
  username text NOT NULL,
  display_name text NOT NULL,
  email text NOT NULL,
  avatar_url text,
  UNIQUE (host, host_user_id)
);

CREATE TABLE users (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  identity_id uuid NOT NULL UNIQUE REFERENCES identities ON DELETE CASCADE,
  language text NOT NULL,
  created_at timestamptz(3) NOT NULL,
  updated_at timestamptz(3) NOT NULL
);

-- Tokens are kept as hexadecimal SHA-256 only: whoever reads this table cannot sign in with it.
CREATE TABLE sessions (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  identity_id uuid NOT NULL REFERENCES identities ON DELETE CASCADE,
  token_hash text NOT NULL UNIQUE,
  created_at timestamptz(3) NOT NULL,
  last_used_at timestamptz(3) NOT NULL,
  expires_at timestamptz(3) NOT NULL,
  revoked_at timestamptz(3)
);
CREATE INDEX sessions_of_identity ON sessions (identity_id, created_at DESC);
CREATE INDEX sessions_by_expiry ON sessions (expires_at);

-- Tokens that carry their own proof and were logged out, or were good for one use and have had it.
CREATE TABLE refused_tokens (
  token_hash text PRIMARY KEY,
  expires_at timestamptz(3) NOT NULL
);
CREATE INDEX refused_tokens_by_expiry ON refused_tokens (expires_at);

-- Keyed by the number the host gives it, so that a rename keeps what belongs to it and a re-used name inherits nothing.
CREATE TABLE repositories (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  host text NOT NULL,
  host_repo_id bigint NOT NULL,
  owner text NOT NULL,
  name text NOT NULL,
  is_private boolean NOT NULL,
  checked_at timestamptz(3) NOT NULL,
  UNIQUE (host, host_repo_id)
);

-- That the host let this user see this private repository.
CREATE TABLE repository_grants (
  repository_id uuid NOT NULL REFERENCES repositories ON DELETE CASCADE,
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  confirmed_at timestamptz(3) NOT NULL,
  PRIMARY KEY (repository_id, user_id)
);
CREATE INDEX repository_grants_of_user ON repository_grants (user_id);

CREATE TABLE favorite_repositories (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  repository_id uuid NOT NULL REFERENCES repositories ON DELETE CASCADE,
  registered_at timestamptz(3) NOT NULL,
  UNIQUE (user_id, repository_id)
);
CREATE INDEX favorite_repositories_newest ON favorite_repositories (user_id, registered_at DESC, id);
CREATE INDEX favorite_repositories_of_repository ON favorite_repositories (repository_id);
