-- A page of a list costs the same however many articles there are. What an article is about never changes, so it is noted
-- where lists are read: an index then has all that decides whether a row is on a page, and rows that go by themselves, because
-- what they belong to went, can still be counted.
ALTER TABLE articles ADD COLUMN repository_id uuid;
ALTER TABLE article_contents ADD COLUMN repository_id uuid;
UPDATE articles SET repository_id = pull_requests.repository_id FROM pull_requests
  WHERE pull_requests.id = articles.pull_request_id;
-- Nothing that is shown changes, so that nobody has to be told.
ALTER TABLE article_contents DISABLE TRIGGER article_changed;
UPDATE article_contents SET repository_id = articles.repository_id FROM articles
  WHERE articles.id = article_contents.article_id;
ALTER TABLE article_contents ENABLE TRIGGER article_changed;
ALTER TABLE articles ALTER COLUMN repository_id SET NOT NULL;
ALTER TABLE article_contents ALTER COLUMN repository_id SET NOT NULL;

-- Lists with a row for each article and language: of all, of a language, of a repository.
DROP INDEX article_contents_newest;
CREATE INDEX article_contents_newest ON article_contents (generated_at DESC, article_id, language_code)
  INCLUDE (repository_id);
CREATE INDEX article_contents_of_language ON article_contents (language_code, generated_at DESC, article_id)
  INCLUDE (repository_id);
CREATE INDEX article_contents_of_repository ON article_contents
  (repository_id, language_code, generated_at DESC, article_id);
-- Lists with a row for each article: of all, and of a repository.
CREATE INDEX articles_newest ON articles (updated_at DESC, id) INCLUDE (repository_id);
CREATE INDEX articles_of_repository ON articles (repository_id, updated_at DESC, id);

-- How many rows such lists have, so that nobody has to count them: of each repository, and of all of them. Those of all are
-- spread over sixteen rows, so that not everybody waits for the same one. Under the language '*' each article counts once,
-- whatever languages it is written in.
CREATE TABLE article_totals (
  repository_id uuid NOT NULL,
  language_code text NOT NULL,
  articles integer NOT NULL,
  PRIMARY KEY (repository_id, language_code)
);
CREATE TABLE article_sums (
  language_code text NOT NULL,
  part integer NOT NULL,
  articles integer NOT NULL,
  PRIMARY KEY (language_code, part)
);
INSERT INTO article_totals (repository_id, language_code, articles)
SELECT repository_id, coalesce(language_code, '*'), count(DISTINCT article_id) FROM article_contents
GROUP BY GROUPING SETS ((repository_id, language_code), (repository_id));
INSERT INTO article_sums (language_code, part, articles)
SELECT language_code, get_byte(uuid_send(repository_id), 15) % 16 AS part, sum(articles) FROM article_totals
GROUP BY language_code, part;

-- The database keeps both by itself, however articles come and go. An article comes with the first language that it is written
-- in and goes with the last; those who write about the same pull request take turns, so that there is one first. Locks are taken
-- in this order, after those of the ranking.
CREATE FUNCTION count_written_articles() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  step integer := CASE TG_OP WHEN 'INSERT' THEN 1 ELSE -1 END;
BEGIN
  IF NOT EXISTS (SELECT FROM changed) THEN
    RETURN NULL;
  END IF;
  WITH counted AS (
    SELECT repository_id, language_code, count(*) AS articles FROM changed GROUP BY repository_id, language_code
    UNION ALL
    SELECT repository_id, '*', count(*)
    FROM (SELECT repository_id, article_id, count(*) AS languages FROM changed GROUP BY repository_id, article_id) AS touched
    WHERE (SELECT count(*) FROM article_contents AS standing WHERE standing.article_id = touched.article_id)
      = CASE TG_OP WHEN 'INSERT' THEN languages ELSE 0 END
    GROUP BY repository_id),
  totalled AS (
    INSERT INTO article_totals AS totals (repository_id, language_code, articles)
    SELECT repository_id, language_code, step * articles FROM counted ORDER BY repository_id, language_code
    ON CONFLICT (repository_id, language_code) DO UPDATE SET articles = totals.articles + excluded.articles
    RETURNING repository_id, language_code)
  INSERT INTO article_sums AS sums (language_code, part, articles)
  SELECT language_code, get_byte(uuid_send(repository_id), 15) % 16 AS part, step * sum(counted.articles)
  FROM totalled JOIN counted USING (repository_id, language_code)
  GROUP BY language_code, part ORDER BY language_code, part
  ON CONFLICT (language_code, part) DO UPDATE SET articles = sums.articles + excluded.articles;
  RETURN NULL;
END $$;
CREATE TRIGGER count_written AFTER INSERT ON article_contents
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_written_articles();
CREATE TRIGGER count_gone AFTER DELETE ON article_contents
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION count_written_articles();
