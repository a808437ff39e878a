-- Whoever signed in with the one-time link of the terminal runs the service.
ALTER TABLE identities ADD COLUMN is_operator boolean NOT NULL DEFAULT false;

-- Repositories that operators added in the browser: a clone on the disk by its git folder, or an address, of which a mirror is
-- made. Each row is also the job that makes the mirror.
CREATE TABLE added_repositories (
  id uuid DEFAULT gen_random_uuid() PRIMARY KEY,
  user_id uuid REFERENCES users ON DELETE SET NULL,
  owner text NOT NULL,
  name text NOT NULL,
  is_private boolean NOT NULL,
  folder text,
  default_ref text,
  address text,
  state text NOT NULL CHECK ((state = ANY (ARRAY['queued'::text, 'running'::text, 'done'::text, 'failed'::text, 'cancelled'::text]))),
  attempt integer NOT NULL DEFAULT 0,
  done integer NOT NULL DEFAULT 0,
  total integer NOT NULL DEFAULT 0,
  version bigint NOT NULL DEFAULT 1,
  error jsonb,
  created_at timestamptz(3) NOT NULL,
  started_at timestamptz(3),
  finished_at timestamptz(3),
  heartbeat_at timestamptz(3),
  CHECK ((folder IS NULL) <> (address IS NULL))
);
-- A name is one repository, whoever added it.
CREATE UNIQUE INDEX added_repositories_names ON added_repositories (lower(owner), lower(name))
  WHERE state IN ('queued', 'running', 'done');
CREATE INDEX added_repositories_of_user ON added_repositories (user_id);
CREATE INDEX added_repositories_finished ON added_repositories (finished_at) WHERE finished_at IS NOT NULL;
