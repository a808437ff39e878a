-- What articles are found by: a row for each article and language. `words` is made by the program, of the text alone, and is null
-- until it has made it; `place` counts up as articles are written, so that the newest have the highest, and `=s…` among the
-- words say in which stretches of 512 places and more the row lies: the index itself then has the newest matches. `=r…` is
-- the repository, and `=pub` stands where that is public, so that the index passes over what a viewer does not see. Whether they
-- may see it is still asked of the repository each time.
CREATE SEQUENCE article_search_places;
CREATE TABLE article_search (
  article_id uuid NOT NULL,
  language_code text NOT NULL,
  repository_id uuid NOT NULL,
  place bigint NOT NULL DEFAULT nextval('article_search_places'),
  is_public boolean NOT NULL DEFAULT false,
  words tsvector,
  -- The sentences themselves, for showing which of them matched.
  sections json,
  PRIMARY KEY (article_id, language_code),
  FOREIGN KEY (article_id, language_code) REFERENCES article_contents ON DELETE CASCADE
-- Rows are read by the thousand, for their places: what else they hold lies apart.
) WITH (toast_tuple_target = 128);
ALTER SEQUENCE article_search_places OWNED BY article_search.place;

INSERT INTO article_search (article_id, language_code, repository_id, place)
SELECT article_id, language_code, repository_id, row_number() OVER (ORDER BY generated_at, article_id DESC, language_code DESC)
FROM article_contents;
SELECT setval('article_search_places', (SELECT count(*) + 1 FROM article_search));

CREATE UNIQUE INDEX article_search_newest ON article_search (place);
CREATE INDEX article_search_due ON article_search (place) WHERE words IS NULL;
-- What was written last waits to be sorted into the index, a little of it: searching reads through all that waits.
CREATE INDEX article_search_words ON article_search USING gin (words) WITH (gin_pending_list_limit = 256)
  WHERE words IS NOT NULL;

-- What depends on more than the text is made anew once that changes; until then such articles are not found.
CREATE FUNCTION forget_words_of_repository() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE article_search SET words = NULL WHERE words @@ quote_literal('=r' || NEW.id)::tsquery;
  RETURN NULL;
END $$;
CREATE TRIGGER words_changed AFTER UPDATE OF is_private, owner, name ON repositories
  FOR EACH ROW WHEN ((OLD.is_private, OLD.owner, OLD.name) IS DISTINCT FROM (NEW.is_private, NEW.owner, NEW.name))
  EXECUTE FUNCTION forget_words_of_repository();

CREATE FUNCTION forget_words_of_author() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE article_search SET words = NULL
  WHERE article_id IN (SELECT id FROM articles WHERE pull_request_id = NEW.id);
  RETURN NULL;
END $$;
CREATE TRIGGER words_of_author_changed AFTER UPDATE OF author_login ON pull_requests
  FOR EACH ROW WHEN (OLD.author_login IS DISTINCT FROM NEW.author_login) EXECUTE FUNCTION forget_words_of_author();
