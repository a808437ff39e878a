-- The newest articles of a repository that no model wrote, which can be written with it.
CREATE INDEX article_contents_without_model ON article_contents (repository_id, language_code, listed_at DESC, article_id)
  WHERE offline_writer IS NOT NULL;
