-- Lists without bots: pull requests by people are also listed under the author '*people'.
LOCK TABLE article_facets, facet_totals, facet_sums IN SHARE ROW EXCLUSIVE MODE;
CREATE OR REPLACE VIEW facets_as_written AS
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
  SELECT by.author, '*' AS change_type
  FROM (
    SELECT author_key(repositories.host, pull_requests.author_login) AS author
    UNION ALL SELECT '*people' WHERE right(pull_requests.author_login, 5) <> '[bot]') AS by
  UNION
  SELECT by.author, type
  FROM unnest(written.change_types) AS type
  CROSS JOIN (
    SELECT '*' AS author UNION ALL SELECT author_key(repositories.host, pull_requests.author_login)
    UNION ALL SELECT '*people' WHERE right(pull_requests.author_login, 5) <> '[bot]') AS by) AS facets;

INSERT INTO article_facets SELECT * FROM facets_as_written WHERE author = '*people' ON CONFLICT DO NOTHING;
INSERT INTO facet_totals (repository_id, author, change_type, language_code, articles)
SELECT repository_id, author, change_type, language_code, count(*) FROM article_facets
WHERE author = '*people' GROUP BY repository_id, author, change_type, language_code;
INSERT INTO facet_sums (author, change_type, language_code, part, articles)
SELECT author, change_type, language_code, get_byte(uuid_send(repository_id), 15) % 16 AS part, sum(articles)
FROM facet_totals WHERE author = '*people' GROUP BY author, change_type, language_code, part;
