-- Articles are indexed again in the background, with all files of their pull requests.
UPDATE article_search SET words = NULL WHERE words IS NOT NULL;
