-- What is counted per day (UTC) under a limit: articles by a model and bytes stored, by the number that the host gives somebody, so
-- that a new account is no new quota; articles for followers, of each repository and of 'all'; tokens; and confirmation mails.
CREATE TABLE daily_counts (
  day date NOT NULL,
  kind text NOT NULL CHECK (kind IN ('articles', 'articles of followers', 'tokens', 'stored bytes', 'mails')),
  subject text NOT NULL,
  count bigint NOT NULL CHECK (count >= 0),
  PRIMARY KEY (day, kind, subject)
);

INSERT INTO daily_counts (day, kind, subject, count)
SELECT day, 'articles', concat_ws(' ', host, host_user_id), articles FROM ai_quotas
UNION ALL SELECT day, 'articles of followers', scope, greatest(0, articles) FROM watching_budgets
UNION ALL SELECT day, 'tokens', '', tokens FROM ai_tokens
UNION ALL SELECT day, 'stored bytes', concat_ws(' ', host, host_user_id), bytes FROM ingest_quotas
UNION ALL SELECT day, 'mails', scope, greatest(0, mails) FROM confirmation_mails;

DROP TABLE ai_quotas, watching_budgets, ai_tokens, ingest_quotas, confirmation_mails;

-- From which of them a job took its article, until that is settled.
ALTER TABLE jobs ADD COLUMN quota_kind text, ADD COLUMN quota_subject text;
UPDATE jobs SET quota_kind = 'articles', quota_subject = concat_ws(' ', quota_host, quota_user_id) WHERE quota_host IS NOT NULL;
UPDATE jobs SET quota_day = NULL WHERE quota_host IS NULL;
UPDATE jobs SET quota_kind = 'articles of followers', quota_subject = budget_scope, quota_day = budget_day
WHERE budget_day IS NOT NULL;
ALTER TABLE jobs DROP COLUMN quota_host, DROP COLUMN quota_user_id, DROP COLUMN budget_day, DROP COLUMN budget_scope;
