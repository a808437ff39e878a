-- Lists of one author and of one change type cost what other lists cost: an index has their rows in order, and how many there are
-- is counted as articles come and go. A row stands here for each article in each of its languages, and once for the article, under
-- the language '*': by its author (with the type '*'), by each of its types (with the author '*'), and by both.
CREATE TABLE article_facets (
  article_id uuid NOT NULL,
  language_code text NOT NULL,
  author text NOT NULL,
  change_type text NOT NULL,
  repository_id uuid NOT NULL,
  listed_at timestamptz(3) NOT NULL
);
CREATE TABLE facet_totals (
  repository_id uuid NOT NULL,
  author text NOT NULL,
  change_type text NOT NULL,
  language_code text NOT NULL,
  articles integer NOT NULL,
  PRIMARY KEY (repository_id, author, change_type, language_code)
);
CREATE TABLE facet_sums (
  author text NOT NULL,
  change_type text NOT NULL,
  language_code text NOT NULL,
  part integer NOT NULL,
  articles integer NOT NULL,
  PRIMARY KEY (author, change_type, language_code, part)
);

-- What an author is found by: a name means little without its host, and case is that of the letters that the database's locale
-- knows, a to z at least. An index holds no longer ones.
CREATE FUNCTION author_key(host text, login text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT host || ':' || lower(left(login, 200))
$$;

CREATE VIEW facets_as_written AS
SELECT written.article_id, written.language_code, facets.author, facets.change_type, written.repository_id, written.listed_at
FROM (
  SELECT article_id, language_code, repository_id, generated_at AS listed_at, change_types FROM article_contents
  UNION ALL
  SELECT articles.id, '*', articles.repository_id, articles.updated_at, standing.change_types
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

INSERT INTO article_facets SELECT * FROM facets_as_written;
ALTER TABLE article_facets ADD PRIMARY KEY (article_id, language_code, author, change_type);
CREATE INDEX article_facets_newest ON article_facets (author, change_type, language_code, listed_at DESC, article_id)
  INCLUDE (repository_id);
CREATE INDEX article_facets_of_repository ON article_facets
  (repository_id, author, change_type, language_code, listed_at DESC, article_id);
INSERT INTO facet_totals (repository_id, author, change_type, language_code, articles)
SELECT repository_id, author, change_type, language_code, count(*) FROM article_facets
GROUP BY repository_id, author, change_type, language_code;
INSERT INTO facet_sums (author, change_type, language_code, part, articles)
SELECT author, change_type, language_code, get_byte(uuid_send(repository_id), 15) % 16 AS part, sum(articles) FROM facet_totals
GROUP BY author, change_type, language_code, part;

-- When the newest article about a repository was written, for listing repositories.
ALTER TABLE article_totals ADD COLUMN newest_at timestamptz(3);
UPDATE article_totals AS totals
SET newest_at = (SELECT max(updated_at) FROM articles WHERE articles.repository_id = totals.repository_id)
WHERE totals.language_code = '*';
CREATE INDEX article_totals_newest ON article_totals (newest_at DESC, repository_id) INCLUDE (articles)
  WHERE language_code = '*' AND articles > 0;

-- Brings all of it up to what some articles say now. Locks are taken after those of other counts, and in the order of the keys;
-- an author whose name changes meanwhile is waited for. What counts nothing any more goes, so that no name stays behind.
CREATE FUNCTION list_facets(touched uuid[], about uuid[]) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  changed facet_totals[];
BEGIN
  PERFORM FROM pull_requests WHERE id IN (SELECT pull_request_id FROM articles WHERE id = ANY (touched)) ORDER BY id FOR SHARE;
  UPDATE article_totals AS totals
  SET newest_at = (SELECT max(updated_at) FROM articles WHERE articles.repository_id = totals.repository_id)
  WHERE totals.language_code = '*' AND totals.repository_id = ANY (about);
  WITH wanted AS MATERIALIZED (SELECT * FROM facets_as_written WHERE article_id = ANY (touched)),
  gone AS (
    DELETE FROM article_facets AS facets WHERE article_id = ANY (touched) AND NOT EXISTS (
      SELECT FROM wanted WHERE wanted.article_id = facets.article_id AND wanted.language_code = facets.language_code
        AND wanted.author = facets.author AND wanted.change_type = facets.change_type)
    RETURNING repository_id, author, change_type, language_code),
  moved AS (
    UPDATE article_facets AS facets SET listed_at = wanted.listed_at FROM wanted
    WHERE wanted.article_id = facets.article_id AND wanted.language_code = facets.language_code
      AND wanted.author = facets.author AND wanted.change_type = facets.change_type AND wanted.listed_at <> facets.listed_at),
  added AS (
    INSERT INTO article_facets SELECT * FROM wanted ON CONFLICT DO NOTHING
    RETURNING repository_id, author, change_type, language_code),
  steps AS (
    SELECT repository_id, author, change_type, language_code, sum(step)::integer AS articles
    FROM (SELECT *, -1 AS step FROM gone UNION ALL SELECT *, 1 FROM added) AS either
    GROUP BY repository_id, author, change_type, language_code HAVING sum(step) <> 0)
  SELECT array_agg(ROW(repository_id, author, change_type, language_code, articles)::facet_totals
    ORDER BY repository_id, author, change_type, language_code) INTO changed FROM steps;
  IF changed IS NULL THEN
    RETURN;
  END IF;
  INSERT INTO facet_totals AS totals (repository_id, author, change_type, language_code, articles)
  SELECT * FROM unnest(changed) ORDER BY repository_id, author, change_type, language_code
  ON CONFLICT (repository_id, author, change_type, language_code) DO UPDATE SET articles = totals.articles + excluded.articles;
  INSERT INTO facet_sums AS sums (author, change_type, language_code, part, articles)
  SELECT author, change_type, language_code, get_byte(uuid_send(repository_id), 15) % 16 AS part, sum(articles) FROM unnest(changed)
  GROUP BY author, change_type, language_code, part ORDER BY author, change_type, language_code, part
  ON CONFLICT (author, change_type, language_code, part) DO UPDATE SET articles = sums.articles + excluded.articles;
  DELETE FROM facet_totals AS totals USING unnest(changed) AS step
  WHERE step.articles < 0 AND totals.articles = 0 AND totals.repository_id = step.repository_id
    AND totals.author = step.author AND totals.change_type = step.change_type AND totals.language_code = step.language_code;
  DELETE FROM facet_sums AS sums USING unnest(changed) AS step
  WHERE step.articles < 0 AND sums.articles = 0 AND sums.author = step.author AND sums.change_type = step.change_type
    AND sums.language_code = step.language_code AND sums.part = get_byte(uuid_send(step.repository_id), 15) % 16;
END $$;

CREATE FUNCTION list_facets_of_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM changed) THEN
    PERFORM list_facets(
      ARRAY(SELECT DISTINCT article_id FROM changed), ARRAY(SELECT DISTINCT repository_id FROM changed));
  END IF;
  RETURN NULL;
END $$;
CREATE TRIGGER list_written AFTER INSERT ON article_contents
  REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION list_facets_of_changed();
CREATE TRIGGER list_gone AFTER DELETE ON article_contents
  REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION list_facets_of_changed();

CREATE FUNCTION list_facets_of_article() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM list_facets(ARRAY[NEW.article_id], ARRAY[NEW.repository_id]);
  RETURN NULL;
END $$;
CREATE TRIGGER list_rewritten AFTER UPDATE OF change_types, generated_at ON article_contents
  FOR EACH ROW WHEN ((OLD.change_types, OLD.generated_at) IS DISTINCT FROM (NEW.change_types, NEW.generated_at))
  EXECUTE FUNCTION list_facets_of_article();

CREATE FUNCTION list_facets_of_author() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM list_facets(ARRAY(SELECT id FROM articles WHERE pull_request_id = NEW.id), '{}');
  RETURN NULL;
END $$;
CREATE TRIGGER author_renamed AFTER UPDATE OF author_login ON pull_requests
  FOR EACH ROW WHEN (OLD.author_login IS DISTINCT FROM NEW.author_login) EXECUTE FUNCTION list_facets_of_author();

-- Lists say which articles tell of something that breaks. Nothing else that is shown changes, so that no cache has to be told.
ALTER TABLE article_contents ADD COLUMN is_breaking boolean NOT NULL DEFAULT false;
ALTER TABLE article_contents DISABLE TRIGGER article_changed;
UPDATE article_contents SET is_breaking = true
WHERE jsonb_path_exists(body::jsonb, '$.notablePoints[*] ? (@.label == "breaking")');
ALTER TABLE article_contents ENABLE TRIGGER article_changed;
