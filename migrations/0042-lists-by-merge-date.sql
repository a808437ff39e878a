-- Lists are ordered by when a pull request was merged, or else created on its host: `listed_at`. Each table that lists are read from
-- has it, for its index, and triggers keep it up to date. Nothing that an article shows changes, so caches need no notification.
-- Hosts merge several at once, at the same second: their numbers, as microseconds below the host's precision, order these.
CREATE FUNCTION listing_moment(pull pull_requests) RETURNS timestamptz LANGUAGE sql IMMUTABLE AS $$
  SELECT coalesce(pull.merged_at, pull.host_created_at) + pull.number % 1000 * interval '1 microsecond'
$$;
ALTER TABLE articles ADD COLUMN listed_at timestamptz;
ALTER TABLE article_contents ADD COLUMN listed_at timestamptz;
ALTER TABLE article_search ADD COLUMN listed_at timestamptz;
DROP VIEW facets_as_written;
ALTER TABLE article_facets ALTER COLUMN listed_at TYPE timestamptz;
UPDATE articles SET listed_at = listing_moment(pull_requests) FROM pull_requests
  WHERE pull_requests.id = articles.pull_request_id;
ALTER TABLE article_contents DISABLE TRIGGER article_changed;
UPDATE article_contents AS contents SET listed_at = articles.listed_at FROM articles WHERE articles.id = contents.article_id;
ALTER TABLE article_contents ENABLE TRIGGER article_changed;
UPDATE article_facets AS facets SET listed_at = articles.listed_at FROM articles
  WHERE articles.id = facets.article_id AND articles.listed_at <> facets.listed_at;
UPDATE article_totals AS totals
SET newest_at = (SELECT max(listed_at) FROM articles WHERE articles.repository_id = totals.repository_id)
WHERE totals.language_code = '*';

-- Articles are also found by quotations and by the author's words from now on: all of them are indexed again in the background, the
-- newest first. Their places follow the new order; an article that is written later still gets the highest place.
DROP INDEX article_search_newest;
UPDATE article_search AS rows SET words = NULL, listed_at = sorted.listed_at, place = sorted.place
FROM (
  SELECT contents.article_id, contents.language_code, contents.listed_at,
    row_number() OVER (ORDER BY contents.listed_at, contents.article_id DESC, contents.language_code DESC) AS place
  FROM article_contents AS contents JOIN article_search USING (article_id, language_code)) AS sorted
WHERE rows.article_id = sorted.article_id AND rows.language_code = sorted.language_code;
SELECT setval('article_search_places', (SELECT count(*) + 1 FROM article_search));
CREATE UNIQUE INDEX article_search_newest ON article_search (place);

ALTER TABLE articles ALTER COLUMN listed_at SET NOT NULL;
ALTER TABLE article_contents ALTER COLUMN listed_at SET NOT NULL;
ALTER TABLE article_search ALTER COLUMN listed_at SET NOT NULL;

DROP INDEX article_contents_newest, article_contents_of_language, article_contents_of_repository, articles_newest, articles_of_repository;
CREATE INDEX article_contents_newest ON article_contents (listed_at DESC, article_id, language_code) INCLUDE (repository_id);
CREATE INDEX article_contents_of_language ON article_contents (language_code, listed_at DESC, article_id) INCLUDE (repository_id);
CREATE INDEX article_contents_of_repository ON article_contents (repository_id, language_code, listed_at DESC, article_id);
CREATE INDEX articles_newest ON articles (listed_at DESC, id) INCLUDE (repository_id);
CREATE INDEX articles_of_repository ON articles (repository_id, listed_at DESC, id);

-- The lock keeps the pull request from being merged by another transaction before the article is visible to it.
CREATE FUNCTION list_by_merge() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT listing_moment(pull_requests) INTO NEW.listed_at FROM pull_requests WHERE id = NEW.pull_request_id FOR NO KEY UPDATE;
  RETURN NEW;
END $$;
CREATE TRIGGER listed BEFORE INSERT ON articles FOR EACH ROW EXECUTE FUNCTION list_by_merge();

CREATE FUNCTION list_with_article() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  SELECT listed_at INTO NEW.listed_at FROM articles WHERE id = NEW.article_id;
  RETURN NEW;
END $$;
CREATE TRIGGER listed BEFORE INSERT ON article_contents FOR EACH ROW EXECUTE FUNCTION list_with_article();
CREATE TRIGGER listed BEFORE INSERT ON article_search FOR EACH ROW EXECUTE FUNCTION list_with_article();

-- The update of `article_contents` also brings the lists of authors and types up to date, by `list_rewritten`.
CREATE FUNCTION list_merged() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  moment timestamptz := listing_moment(NEW);
BEGIN
  UPDATE articles SET listed_at = moment WHERE pull_request_id = NEW.id;
  UPDATE article_contents SET listed_at = moment WHERE article_id IN (SELECT id FROM articles WHERE pull_request_id = NEW.id);
  UPDATE article_search SET listed_at = moment WHERE article_id IN (SELECT id FROM articles WHERE pull_request_id = NEW.id);
  RETURN NULL;
END $$;
CREATE TRIGGER merged AFTER UPDATE OF merged_at, host_created_at ON pull_requests
  FOR EACH ROW
  WHEN (coalesce(OLD.merged_at, OLD.host_created_at) IS DISTINCT FROM coalesce(NEW.merged_at, NEW.host_created_at))
  EXECUTE FUNCTION list_merged();

DROP TRIGGER list_rewritten ON article_contents;
CREATE TRIGGER list_rewritten AFTER UPDATE OF change_types, listed_at ON article_contents
  FOR EACH ROW WHEN ((OLD.change_types, OLD.listed_at) IS DISTINCT FROM (NEW.change_types, NEW.listed_at))
  EXECUTE FUNCTION list_facets_of_article();

CREATE VIEW facets_as_written AS
SELECT written.article_id, written.language_code, facets.author, facets.change_type, written.repository_id, written.listed_at
FROM (
  SELECT article_id, language_code, repository_id, listed_at, change_types FROM article_contents
  UNION ALL
  SELECT articles.id, '*', articles.repository_id, articles.listed_at, standing.change_types
  FROM articles CROSS JOIN LATERAL (
    SELECT array_agg(type) FILTER (WHERE type IS NOT NULL) AS change_types
    FROM article_contents AS contents LEFT JOIN LATERAL unnest(contents.change_types) AS type ON true
    WHERE contents.article_id = articles.id HAVING count(*) > 0) AS standing) AS written
JOIN articles ON articles.id = written.article_id
JOIN pull_requests ON pull_requests.id = articles.pull_request_id
JOIN repositories ON repositories.id = written.repository_id
CROSS JOIN LATERAL (
  SELECT author_key(repositories.host, pull_requests.author_login) AS author, '*' AS change_type
  UNION
  SELECT either.author, type
  FROM unnest(written.change_types) AS type
  CROSS JOIN unnest(ARRAY['*', author_key(repositories.host, pull_requests.author_login)]) AS either (author)) AS facets;

-- Repositories are listed by their newest article, too. Nothing else in this function changes.
DO $$
BEGIN
  EXECUTE replace(pg_get_functiondef('list_facets'::regproc), 'max(updated_at)', 'max(listed_at)');
END $$;

-- A description that was edited is no longer found by its old words.
CREATE FUNCTION forget_words_of_description() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE article_search SET words = NULL
  WHERE article_id IN (SELECT id FROM articles WHERE pull_request_id = NEW.pull_request_id);
  RETURN NULL;
END $$;
CREATE TRIGGER words_of_description_changed AFTER UPDATE OF body ON pull_request_contents
  FOR EACH ROW WHEN (OLD.body IS DISTINCT FROM NEW.body) EXECUTE FUNCTION forget_words_of_description();
