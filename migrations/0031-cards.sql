-- Pictures that stand beside links to articles, drawn when first asked for: one for each article and language, which goes with
-- it. What `version` names is what it shows.
CREATE TABLE article_cards (
  article_id uuid NOT NULL,
  language_code text NOT NULL,
  version text NOT NULL,
  png bytea NOT NULL,
  drawn_at timestamptz(3) NOT NULL,
  PRIMARY KEY (article_id, language_code),
  FOREIGN KEY (article_id, language_code) REFERENCES article_contents ON DELETE CASCADE
);
-- Pictures are compressed already.
ALTER TABLE article_cards ALTER COLUMN png SET STORAGE EXTERNAL;
CREATE INDEX article_cards_drawn ON article_cards (drawn_at);
