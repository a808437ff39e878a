-- How many articles of one author or one type are hidden from a viewer: what repositories have of them lies side by side, and is
-- counted without a look at the table. Repository by repository, every one of them was looked up in what all authors have written.
CREATE INDEX facet_totals_of_facet ON facet_totals (author, change_type, repository_id, language_code) INCLUDE (articles);
