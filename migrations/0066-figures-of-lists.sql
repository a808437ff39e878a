-- What lists show beside the title, so that they need not read whole articles: the changed lines that an article is about, and
-- whether a recorded model wrote it about the samples.
ALTER TABLE article_contents
  ADD COLUMN additions bigint NOT NULL GENERATED ALWAYS AS (coalesce(body #>> '{counts,additions}', '0')::bigint) STORED,
  ADD COLUMN deletions bigint NOT NULL GENERATED ALWAYS AS (coalesce(body #>> '{counts,deletions}', '0')::bigint) STORED,
  ADD COLUMN is_example boolean NOT NULL GENERATED ALWAYS AS (coalesce(body #>> '{writer,provider}', '') = 'recorded') STORED;
