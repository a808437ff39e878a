-- The comments that sentences of a model rest on, and what it chose of the review; null if nothing.
ALTER TABLE article_contents ADD COLUMN review jsonb;
-- The ids of the comments that an answer cites.
ALTER TABLE answers ADD COLUMN comments text[] NOT NULL DEFAULT '{}';

-- Search finds the review, but not the words of comments that were edited or deleted.
DROP TRIGGER words_of_description_changed ON pull_request_contents;
CREATE TRIGGER words_of_description_changed AFTER UPDATE OF body, discussion ON pull_request_contents
  FOR EACH ROW WHEN ((OLD.body, OLD.discussion) IS DISTINCT FROM (NEW.body, NEW.discussion))
  EXECUTE FUNCTION forget_words_of_description();
