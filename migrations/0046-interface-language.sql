-- The language of the pages, apart from the language of articles. Null: it follows that.
ALTER TABLE users ADD COLUMN interface_language text;
