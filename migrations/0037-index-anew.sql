-- Some databases were made with an earlier form of 0034, whose words are not those that are searched for now: they are brought up
-- to its last form, and all articles are indexed anew in the background. Until then they are not found.
ALTER TABLE article_search DROP COLUMN IF EXISTS head;
DROP INDEX IF EXISTS article_search_of_repository;
ALTER SEQUENCE article_search_places OWNED BY article_search.place;
CREATE OR REPLACE FUNCTION forget_words_of_repository() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE article_search SET words = NULL WHERE words @@ quote_literal('=r' || NEW.id)::tsquery;
  RETURN NULL;
END $$;
UPDATE article_search SET words = NULL WHERE words IS NOT NULL;
