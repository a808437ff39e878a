-- What a model noted on a part of a large pull request, by what was asked and of which model, so that a part that stays as it is
-- is read once.
CREATE TABLE ai_notes (
  pull_request_id uuid NOT NULL REFERENCES pull_requests ON DELETE CASCADE,
  part text NOT NULL,
  notes jsonb NOT NULL,
  used_at timestamptz(3) NOT NULL,
  PRIMARY KEY (pull_request_id, part)
);
