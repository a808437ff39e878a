-- What issues say was stored with the rights of whoever read them, and shown to all who see what closes them. Such pull requests go, with
-- all that was made of them, and are read anew when somebody asks for them: those of GitLab, which may have been private when they
-- were read, and those of Gitea that are private.
DELETE FROM pull_requests USING repositories, pull_request_contents AS contents
WHERE repositories.id = pull_requests.repository_id AND contents.pull_request_id = pull_requests.id
  AND (repositories.host = 'gitlab' OR (repositories.host = 'gitea' AND repositories.is_private))
  AND jsonb_path_exists(contents.linked_issues, '$[*] ? (@.title != "" || @.body != null)');

-- Gitea told people their own address, whether they hide it or not. What is public is told when they sign in again.
UPDATE identities SET email = format('%s+%s@users.noreply.%s', host_user_id, username,
    (SELECT coalesce(max(substring(address FROM '^https?://([^/:]+)')), 'gitea') FROM code_host_addresses WHERE host = 'gitea'))
WHERE host = 'gitea';
