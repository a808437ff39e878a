-- Tokens that models read and wrote per month (UTC), repository and user. Its ids refer to nothing: what is under way when a
-- repository or an account is deleted still counts, and the id then leads to no name.
CREATE TABLE model_usage (
  month date NOT NULL,
  repository_id uuid,
  -- The user whose request it was; null if it was nobody's.
  user_id uuid,
  input_tokens bigint NOT NULL,
  output_tokens bigint NOT NULL,
  -- The cost of the calls whose price is known; null if there are none.
  cost_usd numeric,
  UNIQUE NULLS NOT DISTINCT (month, repository_id, user_id)
);

-- Tokens of a month are dated by its last day, so that they are kept until it has passed.
ALTER TABLE daily_counts DROP CONSTRAINT daily_counts_kind_check, ADD CONSTRAINT daily_counts_kind_check
  CHECK (kind IN ('articles', 'articles of followers', 'tokens', 'tokens of month', 'stored bytes', 'mails'));
