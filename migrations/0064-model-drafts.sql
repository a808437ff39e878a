-- The models that an operator is about to choose from: provider, address and the encrypted key of these, until they are used.
CREATE TABLE model_drafts (
  user_id uuid PRIMARY KEY REFERENCES users ON DELETE CASCADE,
  id uuid NOT NULL,
  draft jsonb NOT NULL,
  changed_at timestamptz NOT NULL
);
CREATE INDEX model_drafts_by_age ON model_drafts (changed_at);
