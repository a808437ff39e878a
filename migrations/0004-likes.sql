-- Who likes what an article says in one language. The article comes first in the key, so that it also serves deleting one.
CREATE TABLE article_likes (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  user_id uuid NOT NULL REFERENCES users ON DELETE CASCADE,
  article_id uuid NOT NULL,
  language_code text NOT NULL,
  liked_at timestamptz(3) NOT NULL,
  UNIQUE (article_id, language_code, user_id),
  FOREIGN KEY (article_id, language_code) REFERENCES article_contents ON DELETE CASCADE
);
CREATE INDEX article_likes_of_user ON article_likes (user_id, liked_at DESC, id);
CREATE INDEX article_likes_by_time ON article_likes (liked_at);

-- The periods that are ranked, and up to which moment likes have left each. A like counts in a period while it is later
-- than that. `as_of` is when the window was last looked at.
CREATE TABLE ranking_windows (
  period text PRIMARY KEY,
  counted_from timestamptz(3) NOT NULL DEFAULT '-infinity',
  as_of timestamptz(3)
);
INSERT INTO ranking_windows (period) VALUES ('all'), ('daily'), ('monthly'), ('weekly'), ('yearly');

-- How many likes an article has in a period, where it has any, and what its place depends on. Whoever changes a row holds
-- the lock of the row in `article_contents` that it belongs to. `written_at` is how new the article is.
CREATE TABLE article_rankings (
  article_id uuid NOT NULL,
  language_code text NOT NULL,
  period text NOT NULL,
  repository_id uuid NOT NULL,
  pull_request_number bigint NOT NULL,
  like_count integer NOT NULL CHECK (like_count > 0),
  written_at timestamptz(3) NOT NULL,
  PRIMARY KEY (article_id, language_code, period),
  FOREIGN KEY (article_id, language_code) REFERENCES article_contents ON DELETE CASCADE
);
CREATE INDEX article_rankings_of_period ON article_rankings
  (period, like_count DESC, written_at DESC, article_id, language_code) INCLUDE (repository_id, pull_request_number);
CREATE INDEX article_rankings_of_language ON article_rankings
  (period, language_code, like_count DESC, written_at DESC, article_id) INCLUDE (repository_id, pull_request_number);
CREATE INDEX article_rankings_of_repository ON article_rankings
  (repository_id, period, like_count DESC, written_at DESC, article_id, language_code) INCLUDE (pull_request_number);

-- How many rows of the ranking there are, so that nobody has to count them: of each repository, and of all of them. Those
-- of all are spread over sixteen rows, so that not everybody waits for the same one.
CREATE TABLE ranking_totals (
  repository_id uuid NOT NULL,
  language_code text NOT NULL,
  period text NOT NULL,
  articles integer NOT NULL,
  PRIMARY KEY (period, repository_id, language_code)
);
CREATE TABLE ranking_sums (
  period text NOT NULL,
  language_code text NOT NULL,
  part integer NOT NULL,
  articles integer NOT NULL,
  PRIMARY KEY (period, language_code, part)
);
-- What is hidden is taken off the sums: usually next to nothing.
CREATE INDEX repositories_hidden ON repositories (id) WHERE is_private OR unreachable_since IS NOT NULL;

-- The database keeps both by itself, however rows of the ranking come and go. Their locks are the last that a transaction
-- takes, always in this order.
CREATE FUNCTION count_ranked_articles() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  step integer := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
BEGIN
  IF NOT EXISTS (SELECT FROM changed) THEN
    RETURN NULL;
  END IF;
  INSERT INTO ranking_totals AS totals (repository_id, language_code, period, articles)
  SELECT repository_id, language_code, period, step * count(*) FROM changed
  GROUP BY repository_id, language_code, period ORDER BY repository_id, language_code, period
  ON CONFLICT (period, repository_id, language_code) DO UPDATE SET articles = totals.articles + excluded.articles;
  INSERT INTO ranking_sums AS sums (language_code, part, period, articles)
  SELECT language_code, get_byte(uuid_send(repository_id), 15) % 16 AS part, period, step * count(*) FROM changed
  GROUP BY language_code, part, period ORDER BY language_code, part, period
  ON CONFLICT (period, language_code, part) DO UPDATE SET articles = sums.articles + excluded.articles;
  RETURN NULL;
END $$;
CREATE TRIGGER count_added_articles AFTER INSERT ON article_rankings
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_ranked_articles();
CREATE TRIGGER count_removed_articles AFTER DELETE ON article_rankings
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_ranked_articles();
