-- What its repository was called when an article was indexed; null where that was before this was noted.
ALTER TABLE article_search ADD COLUMN repository_name text;
