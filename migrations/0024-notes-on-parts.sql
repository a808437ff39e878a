-- What a model noted on a part of a large pull request, by what was asked and of which model, so that a part that stays as it is
-- is read once.
CREATE TABLE ai_notes (
  pull_request_id uuid NOT NULL REFERENCES pull_requests ON DELETE CASCADE,
  part text NOT NULL,
  notes jsonb NOT NULL,
  used_at timestamptz(3) NOT NULL,
  PRIMARY KEY (pull_request_id, part)
);

-- Which files of a large pull request are read together, so that a push leaves the other parts as they were.
CREATE TABLE ai_part_plans (
  pull_request_id uuid PRIMARY KEY REFERENCES pull_requests ON DELETE CASCADE,
  plan jsonb NOT NULL
);
