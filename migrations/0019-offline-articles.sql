-- The table has held whole articles, written without a model in every language, since they were no longer outlines.
ALTER TABLE article_outlines RENAME TO offline_articles;
ALTER TABLE offline_articles RENAME COLUMN outline TO articles;
ALTER TABLE offline_articles RENAME CONSTRAINT article_outlines_pkey TO offline_articles_pkey;
ALTER TABLE offline_articles RENAME CONSTRAINT article_outlines_pull_request_id_fkey TO offline_articles_pull_request_id_fkey;
