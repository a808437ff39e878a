// Made of the OpenAPI document by npm run client:types. Changes made by hand are lost.

export interface paths {
    "/.well-known/oauth-protected-resource/mcp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Where agents get tokens for POST /mcp
         * @description As RFC 9728 has it. Where no identity provider is configured, there is no server that gives out tokens by itself: users hand their own to their agents.
         */
        get: operations["describeAgentAccess"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/articles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the newest articles
         * @description One entry for each article and language, newest first: by the merge date of the pull request, or else by its creation on the host. With a credential, those about private repositories that the caller may see are among them. What narrows the list narrows its total too.
         */
        get: operations["listArticles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/articles/{articleId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an article by its id
         * @description The same as by its pull request.
         */
        get: operations["getArticleById"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/articles/{articleId}/language/{languageCode}/like": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Like an article in one language
         * @description Liking it again changes nothing and answers the like that stands.
         */
        post: operations["likeArticle"];
        /**
         * Take back the like of an article in one language
         * @description Where there is no like, nothing changes.
         */
        delete: operations["unlikeArticle"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/articles/{articleId}/language/{languageCode}/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark an article in one language as read
         * @description Once it is written anew, the feed says whether it tells something that the caller has not read.
         */
        post: operations["markArticleRead"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Come back from the code host
         * @description Signs in, with a cookie, whoever the code host sends back to the browser that asked, and saves their token. Who is new is led to signing up. Whatever goes wrong is answered with a page that says what to do: 400 for what has expired, was used or belongs to another browser, 403 for those who declined, 5xx where the code host fails.
         */
        get: operations["finishSignIn"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/callback/{host}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Come back from another code host
         * @description Signs in, with a cookie, whoever the code host sends back to the browser that asked, and saves their token. Who is new is led to signing up. Whatever goes wrong is answered with a page that says what to do: 400 for what has expired, was used or belongs to another browser, 403 for those who declined, 5xx where the code host fails.
         */
        get: operations["finishSignInWithHost"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/host-token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Save the token of a code host
         * @description Keeps a token, encrypted, with which the service asks the code host on behalf of the caller wherever they present none of that host, such as with a session. One for each host; another takes its place. On the caller's own host it has to be theirs; of each other host they may save whichever token they have.
         */
        post: operations["saveHostToken"];
        /**
         * Forget the token of a code host
         * @description Removes the saved token, if there is one. A token that was made for this service is revoked at the code host too, if that answers within two seconds.
         */
        delete: operations["forgetHostToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/identity": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whose a credential is
         * @description Tells who would be signed in with it, before anything is done with it: no session is opened, and a token that is good for one session still is.
         */
        get: operations["tellIdentity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Sign in by browser
         * @description Leads a browser to the code host, which asks whether this service may act for its user, and back to `/auth/callback`, or to `/auth/callback/{host}` from others than GitHub. Where this is not offered, there is nothing here.
         */
        get: operations["beginSignIn"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Log out
         * @description Ends the credential that was presented and no other. A code-host token is refused from then on, until it is presented to POST /auth/session again.
         */
        post: operations["logOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Open a session
         * @description Exchanges a token of a code host, or of the identity provider, for a session token of this service, which is shown in this answer only. With `cookie` the token goes into a cookie for the pages of this service and is not shown at all. A token of a code host that was logged out is accepted again from here on; one of the identity provider is refused until it expires.
         */
        post: operations["openSession"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List own sessions
         * @description The sessions of the caller that are neither ended nor expired, newest first.
         */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * End one of your own sessions
         * @description Its token is refused at once, on every replica.
         */
        delete: operations["endSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/auth/signup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign up
         * @description Registers the identity that the credential proves as a new user. The answer is the user itself, without the envelope. Statuses of the original specification: 201 user created, 409 conflict. The others are additions.
         */
        post: operations["signUp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/digest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the digest of a day or a week
         * @description What was merged in a period, counted, and a selection of the articles about it: at most ten, by likes and then by the lines that changed. What is shown and what is not, by reason, add up to what was merged. Of the favorites of the caller, or of one repository, which is for anybody where it is public. Merges are known where somebody watches the repository, or has had the pull request read.
         */
        get: operations["getDigest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/feeds/articles.atom": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The newest articles, as Atom
         * @description Articles about public repositories, newest first. The 30 that come first, each with its whole text. With a language, only what is written in it; without, each article once, in a language of `Accept-Language`, or else in English, or in whichever there is.
         */
        get: operations["getNewestFeedAtom"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/feeds/articles.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The newest articles, as JSON Feed 1.1
         * @description Articles about public repositories, newest first. The 30 that come first, each with its whole text. With a language, only what is written in it; without, each article once, in a language of `Accept-Language`, or else in English, or in whichever there is.
         */
        get: operations["getNewestFeedJson"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/feeds/mine/{secret}.atom": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What is new in the favorites of a user, as Atom
         * @description What `GET /users/me/feed` answers to the user of this secret address, with the rights of the tokens that they saved: the newest 30, each with its whole text, in their language where it is written in that.
         */
        get: operations["getOwnFeedAtom"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/feeds/mine/{secret}.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What is new in the favorites of a user, as JSON Feed 1.1
         * @description What `GET /users/me/feed` answers to the user of this secret address, with the rights of the tokens that they saved: the newest 30, each with its whole text, in their language where it is written in that.
         */
        get: operations["getOwnFeedJson"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/feeds/mine/{secret}/digest.atom": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The digests of the favorites of a user, as Atom
         * @description For the user of this secret address, with the rights of the tokens that they saved. One entry for each of the last 8 periods in which something is known to have been merged, with what `GET /digest` answers for it; the last one comes an hour after it has ended, when what was merged in it is written about.
         */
        get: operations["getOwnDigestFeedAtom"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/feeds/mine/{secret}/digest.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The digests of the favorites of a user, as JSON Feed 1.1
         * @description For the user of this secret address, with the rights of the tokens that they saved. One entry for each of the last 8 periods in which something is known to have been merged, with what `GET /digest` answers for it; the last one comes an hour after it has ended, when what was merged in it is written about.
         */
        get: operations["getOwnDigestFeedJson"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/feeds/r/{owner}/{repo}.atom": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The articles about a repository, as Atom
         * @description Those about a public repository that is known here, newest first; none before one is written. The 30 that come first, each with its whole text. With a language, only what is written in it; without, each article once, in a language of `Accept-Language`, or else in English, or in whichever there is.
         */
        get: operations["getRepositoryFeedAtom"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/feeds/r/{owner}/{repo}.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The articles about a repository, as JSON Feed 1.1
         * @description Those about a public repository that is known here, newest first; none before one is written. The 30 that come first, each with its whole text. With a language, only what is written in it; without, each article once, in a language of `Accept-Language`, or else in English, or in whichever there is.
         */
        get: operations["getRepositoryFeedJson"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/feeds/r/{owner}/{repo}/digest.atom": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The digests of a repository, as Atom
         * @description Of a public repository that is known here. One entry for each of the last 8 periods in which something is known to have been merged, with what `GET /digest` answers for it; the last one comes an hour after it has ended, when what was merged in it is written about.
         */
        get: operations["getRepositoryDigestFeedAtom"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/feeds/r/{owner}/{repo}/digest.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The digests of a repository, as JSON Feed 1.1
         * @description Of a public repository that is known here. One entry for each of the last 8 periods in which something is known to have been merged, with what `GET /digest` answers for it; the last one comes an hour after it has ended, when what was merged in it is written about.
         */
        get: operations["getRepositoryDigestFeedJson"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/feeds/ranking/{period}.atom": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The most liked articles, as Atom
         * @description What was liked most inside a period, in that order. The 30 that come first, each with its whole text. With a language, only what is written in it; without, each article once, in a language of `Accept-Language`, or else in English, or in whichever there is.
         */
        get: operations["getRankingFeedAtom"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/feeds/ranking/{period}.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The most liked articles, as JSON Feed 1.1
         * @description What was liked most inside a period, in that order. The 30 that come first, each with its whole text. With a language, only what is written in it; without, each article once, in a language of `Accept-Language`, or else in English, or in whichever there is.
         */
        get: operations["getRankingFeedJson"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/feeds/search.atom": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The articles that a search finds, as Atom
         * @description What `GET /search` finds for anonymous callers, but newest first. The 30 that come first, each with its whole text. With a language, only what is written in it; without, each article once, in a language of `Accept-Language`, or else in English, or in whichever there is.
         */
        get: operations["getSearchFeedAtom"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/feeds/search.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The articles that a search finds, as JSON Feed 1.1
         * @description What `GET /search` finds for anonymous callers, but newest first. The 30 that come first, each with its whole text. With a language, only what is written in it; without, each article once, in a language of `Accept-Language`, or else in English, or in whichever there is.
         */
        get: operations["getSearchFeedJson"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Health check
         * @description Asks the database and looks after the background work, now. 503 names in `details` what fails, or that this process is stopping.
         */
        get: operations["checkHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * See how far the writing of an article is
         * @description For those who asked for it. When it is done, the article is there too.
         */
        get: operations["getJob"];
        put?: never;
        post?: never;
        /**
         * Cancel the writing of an article
         * @description The caller no longer wants it. It goes on while others do, and ends when nobody does. One that is over stays as it is. What was taken from a quota for it comes back unless a model was called. Of an import, what has not begun is left, and what is being written is given up.
         */
        delete: operations["cancelJob"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/jobs/{id}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Follow the writing of an article
         * @description Server-sent events: `progress` now and then, at last `done` or `failed`; the data of each is the job. A job that was cancelled ends with `failed` and the code `ARTICLE_NOT_FOUND`. With `Last-Event-ID`, only what is newer; after the last one there is nothing, and the answer is 204. The stream ends within 15 seconds, without a last event, when the credential no longer counts or the repository no longer shows.
         */
        get: operations["followJob"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/mcp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Answer an agent
         * @description The Model Context Protocol: one message of JSON-RPC 2.0, of any version from 2024-11-05 on. Nothing is remembered between two messages, and no answer is a stream. Tools read with the rights of the caller, as the operations do; those that need a user are refused without a credential. What does not fit the version of a message is answered with 400 as JSON-RPC does.
         */
        post: operations["answerAgent"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/meta": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What this service offers
         * @description For pages and tools: code hosts, ways to sign in, languages, the writer of articles, and a pull request to try.
         */
        get: operations["describeService"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/r/{owner}/{repo}/{number}.md": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an article as Markdown, beside its page
         * @description The address of the page with `.md` behind it: the same as with `Accept: text/markdown`, for programs that follow links.
         */
        get: operations["getArticleMarkdown"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ranking/articles/likes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Rank articles by their likes
         * @description One entry for each article and language that was liked inside the period, about public repositories only, whoever asks. Order: likes, then the newer article, then the id.
         */
        get: operations["getRanking"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/repos/{owner}/{repo}/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Have articles written about many pull requests
         * @description Merged ones, 200 at most, one after another, what was merged first before all others, with the rights of the caller; for what is private, the caller has to have saved a token of the host. Where an article is up to date, it stays. The progress of the job counts pull requests, and what fails is listed in it. A host that is away or wants to be left alone is waited for; a quota that is used up ends the rest, and nothing that was written is lost. The same asked for again while it is under way is the same job.
         */
        post: operations["importPullRequests"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/repos/{owner}/{repo}/pulls": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the pull requests of a repository
         * @description As the code host lists them now, newest first, stored here or not. Closed ones include merged ones.
         */
        get: operations["listPullRequests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/repos/{owner}/{repo}/pulls/{number}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a stored pull request
         * @description Answers what is stored and fetches no content. Those of public repositories can be read by anybody.
         */
        get: operations["getPullRequest"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/repos/{owner}/{repo}/pulls/{number}/article": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the article about a pull request
         * @description In all languages that it is written in, or in the one asked for. With `Accept: text/markdown`, one language as Markdown: the one asked for, or else that of the caller, of `Accept-Language`, or whichever there is. Those about public repositories can be read by anybody.
         */
        get: operations["getArticle"];
        put?: never;
        /**
         * Have an article written about a pull request
         * @description Fetches the pull request with the rights of the caller where that has not happened in the last five minutes, and has the article written unless one stands that is up to date. However many ask for the same, it is written once. After a minute, or at once with `Prefer: respond-async`, the answer is the job that goes on. Where a model writes and fails, the article is written without one in English and Japanese, unless one by a model stands.
         */
        post: operations["writeArticle"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/repos/{owner}/{repo}/pulls/{number}/diff": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the diff of a stored pull request
         * @description What git printed for it, whole or for one of its files. Files listed as unread have none.
         */
        get: operations["getPullRequestDiff"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/repos/{owner}/{repo}/pulls/{number}/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the files of a stored pull request
         * @description All files that it changes, in the order of the diff; those that are listed as unread come last.
         */
        get: operations["listPullRequestFiles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/repos/{owner}/{repo}/pulls/{number}/ingest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Fetch a pull request and store it
         * @description Fetches a pull request from the code host with the rights of the caller and stores it whole. Asked again, it is brought up to date; its diff is read again only when it is another: when its head has moved, or where it begins. What is stored counts against a quota for each person and day. Without an article, a pull request goes a week after it was last fetched or read.
         */
        post: operations["ingestPullRequest"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/repos/{owner}/{repo}/release": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Tell what changed between two versions
         * @description The pull requests whose commits `to` has and `from` has not, each once, with what is written about them. What was taken back within the same range and copies of the same change are listed apart. With `Accept: text/markdown`, as release notes. Of a public repository that is known here, and of any public clone, anybody can ask.
         */
        get: operations["getRelease"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Search articles
         * @description Articles in which all of it occurs, anywhere in one language, each once and best first: what has it in the title, then in the sentence below that, then the newest. The newest 10,000 matches are ranked, or 1,000 where words have to stand in an order. `totalItems` is null above 1,000, and otherwise counts what is found among these. With a credential, articles about private repositories that the caller may see are among them.
         */
        get: operations["searchArticles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the current user
         * @description Who the credential belongs to.
         */
        get: operations["getCurrentUser"];
        put?: never;
        /**
         * Register a favorite repository
         * @description Registers a repository as a favorite of the caller. Registering it again answers the existing record and makes no new one. Statuses of the original specification: 200 already registered, 201 created, 400 bad request, 401 unauthorized, 404 record does not exist, 500 server error. The others are additions.
         */
        post: operations["registerFavorite"];
        /**
         * Delete the account of the current user
         * @description Removes the user with all likes, favorites, read marks, digests, sessions, saved tokens and grants, at once and for good. Articles stay: they belong to everybody who reads them.
         */
        delete: operations["deleteAccount"];
        options?: never;
        head?: never;
        /**
         * Change the language of the current user
         * @description Articles that the user has written from then on are in this language unless another is asked for.
         */
        patch: operations["changeLanguage"];
        trace?: never;
    };
    "/users/me/digest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get how often the digest is sent to the caller, and where
         * @description Nothing is sent before the address was confirmed.
         */
        get: operations["getDigestSettings"];
        /**
         * Choose how often the digest is sent to the caller, and where
         * @description A mail with a link asks at an address that is not confirmed whether it is that of the caller; the same again sends another one, three a day to an address, whoever asks, and ten a day for a caller. A null address is forgotten, and one that is left out stays. Refused where the service sends no mail, but for `off`.
         */
        put: operations["chooseDigest"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/me/favorite-repositories": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List favorite repositories
         * @description The favorites of the caller that they may still see, newest first. With an owner and a repository, that one or none.
         */
        get: operations["listFavorites"];
        put?: never;
        /**
         * Register a favorite repository (the same, under a readable path)
         * @description Registers a repository as a favorite of the caller. Registering it again answers the existing record and makes no new one. Statuses of the original specification: 200 already registered, 201 created, 400 bad request, 401 unauthorized, 404 record does not exist, 500 server error. The others are additions.
         */
        post: operations["addFavorite"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/me/favorite-repositories/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a favorite repository
         * @description The favorite goes, and its watch; the repository and its articles stay.
         */
        delete: operations["removeFavorite"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/me/favorite-repositories/{id}/watch": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Watch a favorite repository
         * @description From then on, what is merged in it is written about by itself, and the last five that were merged before. Drafts never are. A public repository is asked about with the token of the service or none, a private one with the saved token of somebody who watches it and may see it. Clones have no labels, so that none can be named for them. None of it counts against the quota of the caller.
         */
        put: operations["watchFavorite"];
        post?: never;
        /**
         * Watch a favorite repository no longer
         * @description The favorite and the articles stay.
         */
        delete: operations["endWatch"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/me/favorites.opml": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the feeds of the favorite repositories of the caller, as OPML
         * @description For subscribing to all of them at once. Public repositories only: others have no feed but the one at the secret address of the caller, which is not kept in a form that could be shown again.
         */
        get: operations["getFavoritesOpml"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/me/feed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List what is new in the favorite repositories of the caller
         * @description Articles about the favorites that the caller may see, newest first as in `GET /articles`, each once: in the language of the caller where it is written in that. Only the caller sees what they have read.
         */
        get: operations["listFeed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/me/feed-address": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make a secret address for the feed of the caller
         * @description At this address a feed reader gets what is new in the favorites of the caller, or their digests, private repositories included, without another credential. It is shown this once; the one before ends.
         */
        post: operations["makeFeedAddress"];
        /**
         * End the secret address of the feed of the caller
         * @description From then on there is nothing at it, if there was one.
         */
        delete: operations["endFeedAddress"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/me/feed/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark everything in the favorite repositories as read
         * @description All that was written up to the given moment, in every language.
         */
        post: operations["markFeedRead"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/me/liked-articles": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the articles that the caller likes
         * @description Those that the caller may still see, the latest like first unless asked otherwise.
         */
        get: operations["listLikedArticles"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/users/me/watches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the watched repositories
         * @description What the caller watches, the newest first, with when its host last answered. What is paused says why and what to do; nothing that was merged meanwhile is lost.
         */
        get: operations["listWatches"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/webhooks/{host}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Webhook of a code host
         * @description For code hosts alone, which sign what they send with one of the secrets that the service was given. GitHub: `X-Hub-Signature-256`, `X-GitHub-Delivery` and `X-GitHub-Event`; GitLab: `webhook-signature`, or the secret itself in `X-Gitlab-Token`, with `Idempotency-Key` or `X-Gitlab-Event-UUID`, and `X-Gitlab-Event`; Gitea and Forgejo: `X-Gitea-Signature`, `X-Gitea-Delivery` and `X-Gitea-Event`, or Forgejo’s own. Nothing of a delivery is believed but that something has changed; the host is asked for the rest. Answered within a second; events that mean nothing here are, too.
         */
        post: operations["takeWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description What the rest of the article does not mention, by edit rather than by file. */
        AlsoChanged: {
            /** @description Lines that were added in them. */
            additions: number;
            /** @description Lines that were removed from them. */
            deletions: number;
            /** @description Paths in the repository, or the first of them. */
            files: string[];
            /** @description How many files it tells of. */
            filesTotal: number;
            statement: components["schemas"]["Statement"];
            /** @description How often the same edit was made. */
            times: number | null;
        };
        ArticleContent: {
            /** @description Title. */
            aiGeneratedTitle: string;
            /** @description What the rest of it does not mention. */
            also: components["schemas"]["AlsoChanged"][];
            /** @description What the author wrote about it; null for nothing. */
            authorWords: components["schemas"]["AuthorWords"] | null;
            /** @description What a model says of it, sentence by sentence. */
            background: components["schemas"]["Statement"][];
            /** @description Why the change was made: by a model, else the author’s words as plain text. */
            backgroundAndPurpose: string;
            /** @description The commit where the diff begins. Empty for what was stored before this was kept, until it is read again. */
            baseSha: string;
            /** @description What kinds of change it tells of, the main one first; empty where none is sure. */
            changeTypes: components["schemas"]["ChangeTypeEnum"][];
            /** @description How large the change is. */
            counts: {
                /** @description Added lines. */
                additions: number;
                /** @description Commits. */
                commits: number;
                /** @description Removed lines. */
                deletions: number;
                /** @description Changed files. */
                files: number;
                /** @description The files by their kind. */
                parts: {
                    /** @description How many of them changed. */
                    files: number;
                    /**
                     * @description What the files are for.
                     * @enum {string}
                     */
                    kind: "source" | "test" | "documentation" | "build" | "configuration" | "manifest" | "lock" | "generated" | "vendored" | "binary";
                }[];
            };
            /** @description How much of the pull request was read. */
            coverage: {
                /** @description Files that were read. */
                filesRead: number;
                /** @description Files that it changes. */
                filesTotal: number;
                /** @description Changed lines that were read. */
                linesRead: number;
                /** @description Changed lines in all. */
                linesTotal: number;
                /** @description What was not read, or the first of it. */
                skipped: {
                    /** @description Path in the repository; for words that are too long, what they are, such as `description`. */
                    fileName: string;
                    /** @description Why it was not read, or not to its end. */
                    reason: string;
                }[];
                /** @description How many were not read, or not to their end. */
                skippedTotal: number;
            };
            /** @description The commit that it was written for. */
            headSha: string;
            /**
             * Format: iso-639-1
             * @description A two-letter ISO 639-1 language code in lower case
             * @example ja
             * @example en
             */
            languageCode: string;
            /** @description How many people like it in this language. */
            likeCount: number;
            /** @description What changed; empty only for an empty diff. */
            mainChanges: components["schemas"]["MainChange"][];
            /** @description What a reader should not miss. */
            notablePoints: components["schemas"]["NotablePoint"][];
            /** @description A sentence of the author. */
            quote: {
                /**
                 * @description Where it stands.
                 * @enum {string}
                 */
                from: "title" | "description" | "commit" | "issue" | "code" | "changelog";
                /** @description The sentence, word for word. */
                text: string;
            } | null;
            /** @description How long it takes to read. */
            readingMinutes: number;
            /** @description How far it reaches; null where that is not certain. */
            scope: components["schemas"]["Scope"] | null;
            /** @description Whether the diff is another since: its head has moved, or where it begins. */
            stale: boolean;
            /** @description What changes for whom, in at most 300 characters; null where nothing certain says it. */
            standfirst: components["schemas"]["Statement"] | null;
            /**
             * Format: date-time
             * @description When it was written.
             * @example 2026-03-01T09:30:00.000Z
             */
            summaryGeneratedAt: string;
            /** @description What became of tests; null for nothing, and with a model. */
            tests: components["schemas"]["TestChanges"] | null;
            /** @description What a model used; absent without one. */
            usage?: {
                /** @description What that cost, by list prices. */
                estimatedCostUsd?: number;
                /** @description Tokens that the model read. */
                inputTokens: number;
                /** @description Tokens that the model wrote. */
                outputTokens: number;
            };
            /** @description What checking the claims against the diff found: each was verified, repaired, left unjudged, or dropped. */
            verification: {
                /** @description Claims that the writer made. */
                claims: number;
                /** @description Those that were left out because the diff does not bear them out. */
                dropped: number;
                /** @description Those that a second reader found borne out. */
                judged: number;
                /** @description Those that were put right. */
                repaired: number;
                /** @description Those that a second reader should have read and did not; rules alone have checked them. */
                unjudged: number;
                /** @description Those that the diff bears out. */
                verified: number;
            };
            /** @description What wrote it. */
            writer: {
                /**
                 * @description Why a service with a model wrote it without one.
                 * @enum {string}
                 */
                because?: "tooLarge" | "private" | "failed" | "budget" | "trivial";
                /**
                 * @description Without a model, or with one.
                 * @enum {string}
                 */
                kind: "offline" | "ai";
                /** @description The model. */
                model?: string;
                /** @description What the model was told. */
                promptVersion?: string;
                /** @description Who runs the model. */
                provider?: string;
                /** @description Whether it was written without a model because the model failed. */
                standsIn?: boolean;
            };
        };
        /**
         * @example {
         *       "id": "7d5a4f0e-6a0f-4c53-9a0e-0f6c1f0a9b11",
         *       "userId": "2db6e65f-2021-4fb8-bebe-72498d0d50ae",
         *       "articleId": "0b9c4a52-7a55-4b92-9e0b-5f5a4d4a2f11",
         *       "languageCode": "en",
         *       "likedAt": "2026-03-01T09:30:00.000Z"
         *     }
         */
        ArticleLike: {
            /**
             * Format: uuid
             * @description The article.
             */
            articleId: string;
            /**
             * Format: uuid
             * @description The like.
             */
            id: string;
            /**
             * Format: iso-639-1
             * @description A two-letter ISO 639-1 language code in lower case
             * @example ja
             * @example en
             */
            languageCode: string;
            /**
             * Format: date-time
             * @description When it was given.
             * @example 2026-03-01T09:30:00.000Z
             */
            likedAt: string;
            /**
             * Format: uuid
             * @description Who likes it.
             */
            userId: string;
        };
        /**
         * @example {
         *       "articleId": "0b9c4a52-7a55-4b92-9e0b-5f5a4d4a2f11",
         *       "languageCode": "en",
         *       "aiGeneratedTitle": "Estimates promise calendar days of the recipient",
         *       "repositoryFullName": "harborline/parcel",
         *       "owner": "harborline",
         *       "repo": "parcel",
         *       "prNumber": 10,
         *       "host": "git",
         *       "authorLogin": "rin",
         *       "changeTypes": [
         *         "FIX",
         *         "TEST"
         *       ],
         *       "quote": null,
         *       "readingMinutes": 1,
         *       "standfirst": "Promised days are those of the recipient, not of the depot.",
         *       "state": "merged",
         *       "mergedAt": "2026-02-27T16:04:00.000Z",
         *       "isBreaking": false,
         *       "likeCount": 0,
         *       "summaryGeneratedAt": "2026-03-01T09:30:00.000Z"
         *     }
         */
        ArticleSummary: {
            /** @description Title. */
            aiGeneratedTitle: string;
            /**
             * Format: uuid
             * @description The article.
             */
            articleId: string;
            /** @description Login name of the author of the pull request. */
            authorLogin: string;
            /** @description What kinds of change it tells of, the main one first; empty where none is sure. */
            changeTypes: components["schemas"]["ChangeTypeEnum"][];
            /** @description The code host. */
            host: string;
            /** @description Whether it tells of something that breaks for those who use the code. */
            isBreaking: boolean;
            /**
             * Format: iso-639-1
             * @description A two-letter ISO 639-1 language code in lower case
             * @example ja
             * @example en
             */
            languageCode: string;
            /** @description How many people like it in this language. */
            likeCount: number;
            /**
             * Format: date-time
             * @description When it was merged.
             * @example 2026-03-01T09:30:00.000Z
             */
            mergedAt: string | null;
            /** @description Repository owner. */
            owner: string;
            /** @description Number of the pull request. */
            prNumber: number;
            /** @description A sentence of the author. */
            quote: {
                /**
                 * @description Where it stands.
                 * @enum {string}
                 */
                from: "title" | "description" | "commit" | "issue" | "code" | "changelog";
                /** @description The sentence, word for word. */
                text: string;
            } | null;
            /** @description How long it takes to read. */
            readingMinutes: number;
            /** @description Repository name. */
            repo: string;
            /** @description Owner and repository, such as harborline/parcel. */
            repositoryFullName: string;
            /** @description What changes for whom, in a sentence. */
            standfirst: string | null;
            /**
             * @description How far it got.
             * @enum {string}
             */
            state: "open" | "closed" | "merged";
            /**
             * Format: date-time
             * @description When it was written.
             * @example 2026-03-01T09:30:00.000Z
             */
            summaryGeneratedAt: string;
        };
        ArticleSummaryListAnswer: {
            data: {
                items: components["schemas"]["ArticleSummary"][];
                pagination: components["schemas"]["Pagination"];
            };
            /**
             * @description Human-readable text.
             * @example Done.
             */
            message: string;
            /** @enum {boolean} */
            success: true;
        };
        /** @description What the author wrote about the change. */
        AuthorWords: {
            /**
             * @description Where the author wrote it.
             * @enum {string}
             */
            from: "description" | "commit" | "commits";
            /** @description Verbatim. It is somebody else’s Markdown: render it without its HTML. */
            markdown: string;
            /** @description Whether the author wrote more than that. */
            more: boolean;
        };
        /**
         * @example {
         *       "id": "22e596f7-f52f-491a-a76a-92b256d353da",
         *       "userId": "2db6e65f-2021-4fb8-bebe-72498d0d50ae",
         *       "createdAt": "2026-03-01T09:30:00.000Z",
         *       "lastUsedAt": "2026-03-01T09:30:00.000Z",
         *       "expiresAt": "2026-03-15T09:30:00.000Z",
         *       "revokedAt": null,
         *       "current": true
         *     }
         */
        AuthSession: {
            /** @description The session token; shown when the session is opened and never again. */
            accessToken?: string;
            /**
             * Format: date-time
             * @description When it was opened.
             * @example 2026-03-01T09:30:00.000Z
             */
            createdAt: string;
            /** @description Whether this request was made with it. */
            current: boolean;
            /**
             * Format: date-time
             * @description 14 days after the last use, 90 days after creation at the latest.
             * @example 2026-03-01T09:30:00.000Z
             */
            expiresAt: string;
            /**
             * Format: uuid
             * @description The session.
             */
            id: string;
            /**
             * Format: date-time
             * @description At most a minute behind.
             * @example 2026-03-01T09:30:00.000Z
             */
            lastUsedAt: string;
            /**
             * Format: date-time
             * @description When it was ended; null while it is live.
             * @example 2026-03-01T09:30:00.000Z
             */
            revokedAt: string | null;
            /**
             * Format: uuid
             * @description Null while the identity has not signed up.
             */
            userId: string | null;
        };
        AuthSessionAnswer: {
            data: components["schemas"]["AuthSession"];
            /**
             * @description Human-readable text.
             * @example Done.
             */
            message: string;
            /** @enum {boolean} */
            success: true;
        };
        AuthSessionListAnswer: {
            data: {
                items: components["schemas"]["AuthSession"][];
                pagination: components["schemas"]["Pagination"];
            };
            /**
             * @description Human-readable text.
             * @example Done.
             */
            message: string;
            /** @enum {boolean} */
            success: true;
        };
        /**
         * @description From which side it deserves attention.
         * @enum {string}
         */
        CategoryEnum: "TECH" | "RISK" | "UX" | "PERF" | "SECURITY";
        ChangedFile: {
            /** @description Lines added. */
            additions: number;
            /** @description Lines removed. */
            deletions: number;
            /** @description Path in the repository. */
            fileName: string;
            /**
             * @description What it is for.
             * @enum {string}
             */
            kind: "source" | "test" | "documentation" | "build" | "configuration" | "manifest" | "lock" | "generated" | "vendored" | "binary";
            /** @description The language it is written in, where known. */
            language?: string;
            /** @description Where it came from, when renamed or copied. */
            previousFileName?: string;
            /**
             * @description What happened to it.
             * @enum {string}
             */
            status: "added" | "removed" | "modified" | "renamed" | "copied" | "typeChanged";
        };
        ChangedFileListAnswer: {
            data: {
                items: components["schemas"]["ChangedFile"][];
                pagination: components["schemas"]["Pagination"];
            };
            /**
             * @description Human-readable text.
             * @example Done.
             */
            message: string;
            /** @enum {boolean} */
            success: true;
        };
        /**
         * @description What kind of change it is.
         * @enum {string}
         */
        ChangeTypeEnum: "FEAT" | "FIX" | "REFACTOR" | "DOCS" | "TEST" | "PERF" | "BUILD" | "CHORE";
        Digest: {
            /**
             * Format: date-time
             * @description When the period begins.
             * @example 2026-03-01T09:30:00.000Z
             */
            from: string;
            /** @description A selection: the most liked first, then what changes most lines. */
            items: components["schemas"]["ArticleSummary"][];
            /** @description The language of the articles. */
            language: string;
            /** @description Pull requests that are known to have been merged in the period. */
            merged: number;
            /**
             * @description A day or a week.
             * @enum {string}
             */
            period: "daily" | "weekly";
            /** @description The same counts for each repository, those with most merged first. */
            repositories: {
                /** @description The code host. */
                host: string;
                /** @description Whether the repository was watched all through the period. Where it was not, merges are known only from what was fetched, and there may be more. */
                isComplete: boolean;
                /** @description Pull requests that are known to have been merged in the period. */
                merged: number;
                /** @description Repository owner. */
                owner: string;
                /** @description Repository name. */
                repo: string;
                /** @description What is not shown; with what is, that is all that was merged. */
                rest: {
                    /** @description How many. */
                    count: number;
                    /**
                     * @description Why they are not shown: beyond as many as are, written in another language only, not written at all, made by a bot and not written, or a draft and not written
                     * @enum {string}
                     */
                    reason: "beyond" | "otherLanguage" | "notWritten" | "bot" | "draft";
                }[];
                /** @description Those of them that are shown. */
                shown: number;
                /** @description Those of them that there is an article about in the language. */
                written: number;
            }[];
            /** @description What is not shown; with what is, that is all that was merged. */
            rest: {
                /** @description How many. */
                count: number;
                /**
                 * @description Why they are not shown: beyond as many as are, written in another language only, not written at all, made by a bot and not written, or a draft and not written
                 * @enum {string}
                 */
                reason: "beyond" | "otherLanguage" | "notWritten" | "bot" | "draft";
            }[];
            /** @description Those of them that are shown. */
            shown: number;
            /**
             * Format: date-time
             * @description When it ends: a day at 00:00 UTC, a week when Monday begins.
             * @example 2026-03-01T09:30:00.000Z
             */
            to: string;
            /** @description Those of them that there is an article about in the language. */
            written: number;
        };
        DigestAnswer: {
            data: components["schemas"]["Digest"];
            /**
             * @description Human-readable text.
             * @example Done.
             */
            message: string;
            /** @enum {boolean} */
            success: true;
        };
        /**
         * @example {
         *       "period": "weekly",
         *       "email": "mara@example.org",
         *       "confirmed": true,
         *       "endedBecause": null
         *     }
         */
        DigestSettings: {
            /** @description Whether the address was confirmed; nothing is sent before. */
            confirmed: boolean;
            /** @description Where to; null where no address is saved. */
            email: string | null;
            /** @description Why the service has ended it by itself: refused where the mail server takes nothing for this address. */
            endedBecause: string | null;
            /**
             * @description How often it is sent.
             * @enum {string}
             */
            period: "off" | "daily" | "weekly";
        };
        DigestSettingsAnswer: {
            data: components["schemas"]["DigestSettings"];
            /**
             * @description Human-readable text.
             * @example Done.
             */
            message: string;
            /** @enum {boolean} */
            success: true;
        };
        EmptyAnswer: {
            /** @example {} */
            data: Record<string, never>;
            /**
             * @description Human-readable text.
             * @example Done.
             */
            message: string;
            /** @enum {boolean} */
            success: true;
        };
        /**
         * @description A stable code to branch on.
         * @enum {string}
         */
        ErrorCode: "INVALID_REQUEST" | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "USER_NOT_FOUND" | "REPOSITORY_NOT_FOUND" | "PULL_REQUEST_NOT_FOUND" | "ARTICLE_NOT_FOUND" | "METHOD_NOT_ALLOWED" | "ALREADY_SIGNED_UP" | "HOST_TOKEN_REQUIRED" | "HOST_TOKEN_INVALID" | "LANGUAGE_UNAVAILABLE" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "UNREADABLE" | "RATE_LIMITED" | "QUOTA_EXHAUSTED" | "INTERNAL" | "HOST_ERROR" | "AI_ERROR" | "HOST_RATE_LIMITED" | "UNAVAILABLE" | "HOST_TIMEOUT" | "AI_TIMEOUT" | "STORAGE_FULL";
        ErrorObject: {
            code: components["schemas"]["ErrorCode"];
            details?: {
                /** @description The field, parameter or check that is meant. */
                field: string;
                /** @description What is wrong with it. */
                problem: string;
            }[];
            /** @description What happened and what to do about it. */
            message: string;
            /** @description Equal to the X-Request-Id header and to the id in the log. */
            requestId: string;
        };
        /**
         * @example {
         *       "success": false,
         *       "error": {
         *         "code": "INVALID_REQUEST",
         *         "message": "The body of the request is not valid: owner is missing.",
         *         "details": [
         *           {
         *             "field": "owner",
         *             "problem": "is missing"
         *           }
         *         ],
         *         "requestId": "6a0b1c52-3f6e-4d0c-8a55-0f3f0e6f2b77"
         *       }
         *     }
         */
        ErrorResponse: {
            error: components["schemas"]["ErrorObject"];
            /** @enum {boolean} */
            success: false;
        };
        /**
         * @description Lines that a hunk of the diff has, or of a definition that did not change.
         * @example {
         *       "fileName": "src/label.ts",
         *       "startLine": 12,
         *       "endLine": 19,
         *       "side": "new",
         *       "hostUrl": null
         *     }
         */
        Evidence: {
            /** @description The last line that shows it. */
            endLine: number;
            /** @description Path in the repository. */
            fileName: string;
            /**
             * Format: uri
             * @description The lines on the code host, where it shows them.
             */
            hostUrl: string | null;
            /**
             * @description Whether the lines are those before the change or those after it.
             * @enum {string}
             */
            side: "old" | "new";
            /** @description The first line that shows it. */
            startLine: number;
            /**
             * @description Lines outside of every hunk, of a definition that did not change.
             * @enum {boolean}
             */
            unchanged?: true;
        };
        /**
         * @example {
         *       "id": "aca9ce3d-94e8-408c-ba40-410258b599ce",
         *       "userId": "2db6e65f-2021-4fb8-bebe-72498d0d50ae",
         *       "hostRepoId": 5761282124065907,
         *       "repositoryFullName": "harborline/parcel",
         *       "owner": "harborline",
         *       "repo": "parcel",
         *       "registeredAt": "2026-03-01T09:30:00.000Z"
         *     }
         */
        FavoriteRepository: {
            /** @description Numeric id of the repository on the code host. */
            hostRepoId: number;
            /**
             * Format: uuid
             * @description The favorite.
             */
            id: string;
            /** @description Repository owner, as the host spells it. */
            owner: string;
            /**
             * Format: date-time
             * @description When it became a favorite.
             * @example 2026-03-01T09:30:00.000Z
             */
            registeredAt: string;
            /** @description Repository name, as the host spells it. */
            repo: string;
            /** @description Owner and repository, such as harborline/parcel. */
            repositoryFullName: string;
            /**
             * Format: uuid
             * @description The owning user.
             */
            userId: string;
        };
        FavoriteRepositoryAnswer: {
            data: components["schemas"]["FavoriteRepository"];
            /**
             * @description Human-readable text.
             * @example Done.
             */
            message: string;
            /** @enum {boolean} */
            success: true;
        };
        FavoriteRepositoryListAnswer: {
            data: {
                items: components["schemas"]["FavoriteRepository"][];
                pagination: components["schemas"]["Pagination"];
            };
            /**
             * @description Human-readable text.
             * @example Done.
             */
            message: string;
            /** @enum {boolean} */
            success: true;
        };
        FeedEntry: {
            /** @description Title. */
            aiGeneratedTitle: string;
            /**
             * Format: uuid
             * @description The article.
             */
            articleId: string;
            /** @description Login name of the author of the pull request. */
            authorLogin: string;
            /** @description What kinds of change it tells of, the main one first; empty where none is sure. */
            changeTypes: components["schemas"]["ChangeTypeEnum"][];
            /** @description The code host. */
            host: string;
            /** @description Whether it tells of something that breaks for those who use the code. */
            isBreaking: boolean;
            /**
             * Format: iso-639-1
             * @description A two-letter ISO 639-1 language code in lower case
             * @example ja
             * @example en
             */
            languageCode: string;
            /** @description How many people like it in this language. */
            likeCount: number;
            /**
             * Format: date-time
             * @description When it was merged.
             * @example 2026-03-01T09:30:00.000Z
             */
            mergedAt: string | null;
            /** @description Repository owner. */
            owner: string;
            /** @description Number of the pull request. */
            prNumber: number;
            /** @description A sentence of the author. */
            quote: {
                /**
                 * @description Where it stands.
                 * @enum {string}
                 */
                from: "title" | "description" | "commit" | "issue" | "code" | "changelog";
                /** @description The sentence, word for word. */
                text: string;
            } | null;
            /**
             * @description Whether the caller has read it: no, yes, or changed where it was written anew and says something new since.
             * @enum {string}
             */
            read: "no" | "yes" | "changed";
            /** @description How long it takes to read. */
            readingMinutes: number;
            /** @description Repository name. */
            repo: string;
            /** @description Owner and repository, such as harborline/parcel. */
            repositoryFullName: string;
            /** @description What changes for whom, in a sentence. */
            standfirst: string | null;
            /**
             * @description How far it got.
             * @enum {string}
             */
            state: "open" | "closed" | "merged";
            /**
             * Format: date-time
             * @description When it was written.
             * @example 2026-03-01T09:30:00.000Z
             */
            summaryGeneratedAt: string;
        };
        FeedEntryListAnswer: {
            data: {
                /** @description How many say something that the caller has not read. */
                changed: number;
                items: components["schemas"]["FeedEntry"][];
                pagination: components["schemas"]["Pagination"];
                /** @description How many articles of the favorites the caller has not read. */
                unread: number;
            };
            /**
             * @description Human-readable text.
             * @example Done.
             */
            message: string;
            /** @enum {boolean} */
            success: true;
        };
        FoundArticle: {
            /** @description Title. */
            aiGeneratedTitle: string;
            /**
             * Format: uuid
             * @description The article.
             */
            articleId: string;
            /** @description Login name of the author of the pull request. */
            authorLogin: string;
            /** @description What kinds of change it tells of, the main one first; empty where none is sure. */
            changeTypes: components["schemas"]["ChangeTypeEnum"][];
            /** @description The code host. */
            host: string;
            /** @description Whether it tells of something that breaks for those who use the code. */
            isBreaking: boolean;
            /**
             * Format: iso-639-1
             * @description A two-letter ISO 639-1 language code in lower case
             * @example ja
             * @example en
             */
            languageCode: string;
            /** @description How many people like it in this language. */
            likeCount: number;
            /** @description Sentences that show why it was found, in their order; empty where none has the words. */
            matches: components["schemas"]["SearchMatch"][];
            /**
             * Format: date-time
             * @description When it was merged.
             * @example 2026-03-01T09:30:00.000Z
             */
            mergedAt: string | null;
            /** @description Repository owner. */
            owner: string;
            /** @description Number of the pull request. */
            prNumber: number;
            /** @description A sentence of the author. */
            quote: {
                /**
                 * @description Where it stands.
                 * @enum {string}
                 */
                from: "title" | "description" | "commit" | "issue" | "code" | "changelog";
                /** @description The sentence, word for word. */
                text: string;
            } | null;
            /** @description How long it takes to read. */
            readingMinutes: number;
            /** @description Repository name. */
            repo: string;
            /** @description Owner and repository, such as harborline/parcel. */
            repositoryFullName: string;
            /** @description What changes for whom, in a sentence. */
            standfirst: string | null;
            /**
             * @description How far it got.
             * @enum {string}
             */
            state: "open" | "closed" | "merged";
            /**
             * Format: date-time
             * @description When it was written.
             * @example 2026-03-01T09:30:00.000Z
             */
            summaryGeneratedAt: string;
        };
        FoundArticleListAnswer: {
            data: {
                /** @description Which part of the articles can be found by now; 1 but for a while after an update. */
                indexedShare: number;
                items: components["schemas"]["FoundArticle"][];
                pagination: components["schemas"]["Pagination"];
            };
            /**
             * @description Human-readable text.
             * @example Done.
             */
            message: string;
            /** @enum {boolean} */
            success: true;
        };
        /**
         * @example {
         *       "ok": true,
         *       "version": "0.1.0",
         *       "uptimeSeconds": 4210,
         *       "checks": {
         *         "database": "ok",
         *         "jobs": "ok"
         *       }
         *     }
         */
        HealthCheckResponseData: {
            checks: {
                /**
                 * @description Whether the database answers.
                 * @enum {string}
                 */
                database: "ok" | "failing";
                /**
                 * @description Whether background work gets done.
                 * @enum {string}
                 */
                jobs: "ok" | "failing";
            };
            /** @description Whether all checks are well. */
            ok: boolean;
            /** @description How long this process has been running. */
            uptimeSeconds: number;
            /** @description Version of the service. */
            version: string;
        };
        HealthCheckResponseDataAnswer: {
            data: components["schemas"]["HealthCheckResponseData"];
            /**
             * @description Human-readable text.
             * @example Done.
             */
            message: string;
            /** @enum {boolean} */
            success: true;
        };
        /**
         * @description One contiguous stretch of one hunk of the diff, without a gap.
         * @example {
         *       "fileName": "src/label.ts",
         *       "heading": "printLabel",
         *       "lines": [
         *         {
         *           "kind": "removed",
         *           "oldLine": 12,
         *           "newLine": null,
         *           "text": "  return print(label);"
         *         },
         *         {
         *           "kind": "added",
         *           "oldLine": null,
         *           "newLine": 12,
         *           "text": "  return print(label, { retries: 2 });"
         *         }
         *       ],
         *       "moreBefore": 0,
         *       "moreAfter": 0
         *     }
         */
        Hunk: {
            /** @description Path in the repository. */
            fileName: string;
            /** @description The function or section around the lines. */
            heading: string | null;
            /** @description The lines in the order of the diff. */
            lines: {
                /**
                 * @description What became of the line.
                 * @enum {string}
                 */
                kind: "context" | "added" | "removed";
                /** @description Its number after the change. */
                newLine: number | null;
                /** @description Its number before the change. */
                oldLine: number | null;
                /** @description The line, without its sign. */
                text: string;
            }[];
            /** @description Changed lines of the same piece below them that are not shown. */
            moreAfter: number;
            /** @description Changed lines of the same piece above them that are not shown. */
            moreBefore: number;
        };
        /**
         * @example {
         *       "host": "git",
         *       "hostUserId": 1542618457563584,
         *       "hostUsername": "alice"
         *     }
         */
        Identity: {
            /** @description The code host. */
            host: string;
            /** @description Numeric id of the account on the code host. */
            hostUserId: number;
            /** @description Login name on the code host. */
            hostUsername: string;
        };
        IdentityAnswer: {
            data: components["schemas"]["Identity"];
            /**
             * @description Human-readable text.
             * @example Done.
             */
            message: string;
            /** @enum {boolean} */
            success: true;
        };
        /**
         * @example {
         *       "id": "f3a1e2ff-5f0e-43d6-9a43-0d1c04b3a1de",
         *       "kind": "job",
         *       "state": "running",
         *       "progress": {
         *         "step": "reading",
         *         "done": 12,
         *         "total": 40
         *       }
         *     }
         */
        Job: {
            article?: components["schemas"]["PullRequestArticle"];
            /** @description Of an import: what is being written about, and how far each is. */
            current?: {
                /** @description Number of a pull request. */
                prNumber: number;
                /** @description How far it is. */
                progress: {
                    /** @description How much of the step is done; of an import, how many pull requests are. */
                    done: number;
                    /**
                     * @description What is being done.
                     * @enum {string}
                     */
                    step: "queued" | "reading" | "reading parts" | "writing" | "waiting for the model" | "checking claims" | "mending";
                    /** @description How much there is to do in it; 0 while unknown. */
                    total: number;
                };
            }[];
            error?: components["schemas"]["ErrorObject"];
            /** @description Of an import: what no article could be written about, and why. */
            failures?: {
                error: components["schemas"]["ErrorObject"];
                /** @description Number of a pull request. */
                prNumber: number;
            }[];
            /**
             * Format: uuid
             * @description The job.
             */
            id: string;
            /**
             * @description That it is a job, and not yet the article.
             * @enum {string}
             */
            kind: "job";
            /** @description How far it is. */
            progress: {
                /** @description How much of the step is done; of an import, how many pull requests are. */
                done: number;
                /**
                 * @description What is being done.
                 * @enum {string}
                 */
                step: "queued" | "reading" | "reading parts" | "writing" | "waiting for the model" | "checking claims" | "mending";
                /** @description How much there is to do in it; 0 while unknown. */
                total: number;
            };
            /**
             * Format: date-time
             * @description Of an import: when the first of its articles was begun.
             * @example 2026-03-01T09:30:00.000Z
             */
            startedAt?: string;
            /**
             * @description How it stands. Cancelled means that the caller no longer wants it, whoever else may.
             * @enum {string}
             */
            state: "queued" | "running" | "done" | "failed" | "cancelled";
            /** @description Of an import: what there is an article about. */
            written?: number[];
        };
        JobAnswer: {
            data: components["schemas"]["Job"];
            /**
             * @description Human-readable text.
             * @example Done.
             */
            message: string;
            /** @enum {boolean} */
            success: true;
        };
        /**
         * @example {
         *       "articleId": "0b9c4a52-7a55-4b92-9e0b-5f5a4d4a2f11",
         *       "host": "git",
         *       "languageCode": "en",
         *       "aiGeneratedTitle": "Estimates promise calendar days of the recipient",
         *       "repositoryFullName": "harborline/parcel",
         *       "owner": "harborline",
         *       "repo": "parcel",
         *       "prNumber": 10,
         *       "authorLogin": "rin",
         *       "changeTypes": [
         *         "FIX",
         *         "TEST"
         *       ],
         *       "quote": {
         *         "text": "A recipient in Sapporo was promised a day that had already ended there.",
         *         "from": "description"
         *       },
         *       "readingMinutes": 1,
         *       "standfirst": "Promised days are those of the recipient, not of the depot.",
         *       "state": "merged",
         *       "mergedAt": "2026-02-27T16:04:00.000Z",
         *       "isBreaking": false,
         *       "likedAt": "2026-03-01T09:30:00.000Z"
         *     }
         */
        LikedArticleInfo: {
            /** @description Title. */
            aiGeneratedTitle: string;
            /**
             * Format: uuid
             * @description The article.
             */
            articleId: string;
            /** @description Login name of the author of the pull request. */
            authorLogin: string;
            /** @description What kinds of change it tells of, the main one first; empty where none is sure. */
            changeTypes: components["schemas"]["ChangeTypeEnum"][];
            /** @description The code host. */
            host: string;
            /** @description Whether it tells of something that breaks for those who use the code. */
            isBreaking: boolean;
            /**
             * Format: iso-639-1
             * @description A two-letter ISO 639-1 language code in lower case
             * @example ja
             * @example en
             */
            languageCode: string;
            /**
             * Format: date-time
             * @description When the caller liked it.
             * @example 2026-03-01T09:30:00.000Z
             */
            likedAt: string;
            /**
             * Format: date-time
             * @description When it was merged.
             * @example 2026-03-01T09:30:00.000Z
             */
            mergedAt: string | null;
            /** @description Repository owner. */
            owner: string;
            /** @description Number of the pull request. */
            prNumber: number;
            /** @description A sentence of the author. */
            quote: {
                /**
                 * @description Where it stands.
                 * @enum {string}
                 */
                from: "title" | "description" | "commit" | "issue" | "code" | "changelog";
                /** @description The sentence, word for word. */
                text: string;
            } | null;
            /** @description How long it takes to read. */
            readingMinutes: number;
            /** @description Repository name. */
            repo: string;
            /** @description Owner and repository, such as harborline/parcel. */
            repositoryFullName: string;
            /** @description What changes for whom, in a sentence. */
            standfirst: string | null;
            /**
             * @description How far it got.
             * @enum {string}
             */
            state: "open" | "closed" | "merged";
        };
        LikedArticleInfoListAnswer: {
            data: {
                items: components["schemas"]["LikedArticleInfo"][];
                pagination: components["schemas"]["Pagination"];
            };
            /**
             * @description Human-readable text.
             * @example Done.
             */
            message: string;
            /** @enum {boolean} */
            success: true;
        };
        /**
         * @example {
         *       "loggedOutAt": "2026-03-01T09:30:00.000Z"
         *     }
         */
        LogoutResponseData: {
            /**
             * Format: date-time
             * @description From when on the credential is refused.
             * @example 2026-03-01T09:30:00.000Z
             */
            loggedOutAt: string;
        };
        LogoutResponseDataAnswer: {
            data: components["schemas"]["LogoutResponseData"];
            /**
             * @description Human-readable text.
             * @example Done.
             */
            message: string;
            /** @enum {boolean} */
            success: true;
        };
        MainChange: {
            /** @description What kinds of change; empty where none is sure. */
            changeTypes: components["schemas"]["ChangeTypeEnum"][];
            /** @description The same as one text; without sentences, `file › function`. */
            description: string;
            /** @description Where it shows; empty only for a file without hunks, or for words of authors. */
            evidence: components["schemas"]["Evidence"][];
            /** @description Path in the repository; where it changes several files together, `evidence` has the others. */
            fileName: string;
            /** @description What a model says of it in a line; null without one. */
            heading: string | null;
            /** @description The lines themselves; null where the sentences say enough. */
            hunk: components["schemas"]["Hunk"] | null;
            /** @description What changed, sentence by sentence; empty only without a model, where `hunk` shows it. */
            statements: components["schemas"]["Statement"][];
        };
        /**
         * @example {
         *       "version": "0.1.0",
         *       "hosts": [
         *         {
         *           "id": "git",
         *           "webUrl": null
         *         }
         *       ],
         *       "signIn": [
         *         "localToken"
         *       ],
         *       "languages": [
         *         "en",
         *         "ja"
         *       ],
         *       "writer": "offline",
         *       "suggestion": {
         *         "owner": "harborline",
         *         "repo": "parcel",
         *         "prNumber": 10
         *       }
         *     }
         */
        Meta: {
            /** @description Code hosts; the first is meant where none is named. */
            hosts: {
                /** @description What this service is called there, for those who sign in with a device. */
                clientId?: string;
                /** @description What the host parameter takes. */
                id: string;
                /** @description What it asks to be allowed there, separated by blanks. */
                scopes?: string;
                /**
                 * Format: uri
                 * @description Where its pages are, if it has any.
                 */
                webUrl: string | null;
            }[];
            /** @description Languages in which articles can be written. */
            languages: string[];
            /** @description Ways to sign in, beside session tokens: with a token of a host, by browser at /auth/login, with a token of the identity provider. */
            signIn: ("localToken" | "githubToken" | "gitlabToken" | "giteaToken" | "browser" | "oidc")[];
            /** @description A pull request of the first host that anybody may try; null where there is none. */
            suggestion: {
                /** @description Repository owner. */
                owner: string;
                /** @description Number of the pull request. */
                prNumber: number;
                /** @description Repository name. */
                repo: string;
            } | null;
            /** @description Version of the service. */
            version: string;
            /** @description What writes articles: a model, as provider/name, or offline; null where nothing does. */
            writer: string | null;
        };
        MetaAnswer: {
            data: components["schemas"]["Meta"];
            /**
             * @description Human-readable text.
             * @example Done.
             */
            message: string;
            /** @enum {boolean} */
            success: true;
        };
        NotablePoint: {
            /** @description Why it deserves attention. */
            categories: components["schemas"]["CategoryEnum"][];
            /** @description Where it shows; empty only for a file without hunks, or for words of authors. */
            evidence: components["schemas"]["Evidence"][];
            /**
             * @description What it warns of, where that has a name.
             * @enum {string|null}
             */
            label: "breaking" | "migration" | "deprecated" | "security" | "default" | "permission" | "skippedTest" | "measured" | "limits" | null;
            /** @description What a reader should not miss. */
            point: string;
            /**
             * @description How much it matters, where that is certain.
             * @enum {string|null}
             */
            severity: "high" | "medium" | "low" | null;
            /** @description The same, sentence by sentence. */
            statements: components["schemas"]["Statement"][];
        };
        /**
         * @example {
         *       "totalItems": 1,
         *       "limit": 20,
         *       "offset": 0
         *     }
         */
        Pagination: {
            /** @description How many were asked for at most. */
            limit: number;
            /** @description How many were passed over. */
            offset: number;
            /** @description How many there are in all; null where the code host gives no total. */
            totalItems: number | null;
        };
        PullRequest: {
            /** @description Lines added in all. */
            additions: number;
            /** @description Login name of the author. */
            authorLogin: string;
            /** @description The branch it is for. */
            baseRef: string;
            /** @description The commit where the diff begins. Empty for what was stored before this was kept, until it is read again. */
            baseSha: string;
            /** @description Description. */
            body: string | null;
            /** @description How many files it changes. */
            changedFiles: number;
            /** @description The discussion. */
            comments: {
                /** @description Login name. */
                author: string;
                /** @description What was said. */
                body: string;
                /**
                 * Format: date-time
                 * @description When it was said.
                 * @example 2026-03-01T09:30:00.000Z
                 */
                createdAt: string;
                /**
                 * @description Where it was made.
                 * @enum {string}
                 */
                kind: "comment" | "review" | "reviewComment";
                /** @description The line it is about. */
                line?: number;
                /** @description The file it is about. */
                path?: string;
            }[];
            /** @description Its commits, oldest first. */
            commits: {
                /** @description Its author. */
                author: string;
                /** @description Its message. */
                message: string;
                /** @description The commit. */
                sha: string;
            }[];
            /** @description Lines removed in all. */
            deletions: number;
            /**
             * Format: date-time
             * @description When the code host was asked last.
             * @example 2026-03-01T09:30:00.000Z
             */
            fetchedAt: string;
            /** @description The files it changes. */
            files: components["schemas"]["ChangedFile"][];
            /** @description How many of them are not in `files`; `GET …/files` lists all. */
            filesOmitted: number;
            /** @description The branch it comes from. */
            headRef: string;
            /** @description The commit that was read. */
            headSha: string;
            /** @description The code host. */
            host: string;
            /**
             * Format: date-time
             * @description When it was made on the code host.
             * @example 2026-03-01T09:30:00.000Z
             */
            hostPrCreatedAt: string;
            /**
             * Format: uri
             * @description Its page on the code host.
             */
            hostPrUrl: string | null;
            /**
             * Format: uuid
             * @description The pull request here.
             */
            id: string;
            /** @description Labels. */
            labels: string[];
            /** @description Issues that it says it closes. */
            linkedIssues: {
                /** @description Its description, where the host tells it. */
                body: string | null;
                /** @description Number of the issue. */
                number: number;
                /** @description Its title, where the host tells it; otherwise empty. */
                title: string;
            }[];
            /**
             * Format: date-time
             * @description When it was merged.
             * @example 2026-03-01T09:30:00.000Z
             */
            mergedAt: string | null;
            /** @description Repository owner. */
            owner: string;
            /** @description Its number on the code host. */
            prNumber: number;
            /** @description Repository name. */
            repo: string;
            /**
             * @description How far it got.
             * @enum {string}
             */
            state: "open" | "closed" | "merged";
            /** @description Title. */
            title: string;
            /** @description Files whose changes were not read because the whole is too large. */
            unread: {
                /** @description Path in the repository. */
                fileName: string;
                /** @description Why its changes were not kept. */
                reason: string;
            }[];
        };
        PullRequestAnswer: {
            data: components["schemas"]["PullRequest"];
            /**
             * @description Human-readable text.
             * @example Done.
             */
            message: string;
            /** @enum {boolean} */
            success: true;
        };
        PullRequestArticle: {
            /** @description Login name of its author. */
            authorLogin: string;
            /** @description What it says, by language code. */
            contents: {
                [key: string]: components["schemas"]["ArticleContent"];
            };
            /**
             * Format: date-time
             * @description When the article was first written.
             * @example 2026-03-01T09:30:00.000Z
             */
            createdAt: string;
            /** @description The commit that it has now. */
            headSha: string;
            /** @description The code host. */
            host: string;
            /**
             * Format: date-time
             * @description When it was made on the code host.
             * @example 2026-03-01T09:30:00.000Z
             */
            hostPrCreatedAt: string;
            /**
             * Format: uri
             * @description Its page on the code host.
             */
            hostPrUrl: string | null;
            /**
             * Format: uuid
             * @description The article.
             */
            id: string;
            /**
             * @description That it is the article, and not the job that writes it.
             * @enum {string}
             */
            kind: "article";
            /**
             * Format: date-time
             * @description When it was merged.
             * @example 2026-03-01T09:30:00.000Z
             */
            mergedAt: string | null;
            /** @description Repository owner. */
            owner: string;
            /** @description Number of the pull request. */
            prNumber: number;
            /**
             * Format: uuid
             * @description The pull request here.
             */
            pullRequestId: string;
            /** @description Repository name. */
            repo: string;
            /**
             * @description How far it got.
             * @enum {string}
             */
            state: "open" | "closed" | "merged";
            /** @description Title of the pull request. */
            title: string;
            /** @description Likes in all languages. */
            totalLikeCount: number;
            /**
             * Format: date-time
             * @description When it was last written.
             * @example 2026-03-01T09:30:00.000Z
             */
            updatedAt: string;
        };
        PullRequestArticleAnswer: {
            data: components["schemas"]["PullRequestArticle"];
            /**
             * @description Human-readable text.
             * @example Done.
             */
            message: string;
            /** @enum {boolean} */
            success: true;
        };
        PullRequestSummary: {
            /** @description Whether there is an article about it. */
            articleExists: boolean;
            /** @description Login name of the author. */
            authorLogin: string;
            /**
             * Format: date-time
             * @description When it was made.
             * @example 2026-03-01T09:30:00.000Z
             */
            createdAt: string;
            /**
             * Format: uri
             * @description Its page on the code host.
             */
            hostPrUrl: string | null;
            /** @description Its number on the code host. */
            prNumber: number;
            /**
             * @description How far it got.
             * @enum {string}
             */
            state: "open" | "closed" | "merged";
            /** @description Title. */
            title: string;
        };
        PullRequestSummaryListAnswer: {
            data: {
                items: components["schemas"]["PullRequestSummary"][];
                pagination: components["schemas"]["Pagination"];
            };
            /**
             * @description Human-readable text.
             * @example Done.
             */
            message: string;
            /** @enum {boolean} */
            success: true;
        };
        /**
         * @example {
         *       "rank": 1,
         *       "articleId": "0b9c4a52-7a55-4b92-9e0b-5f5a4d4a2f11",
         *       "host": "git",
         *       "languageCode": "en",
         *       "aiGeneratedTitle": "Estimates promise calendar days of the recipient",
         *       "repositoryFullName": "harborline/parcel",
         *       "owner": "harborline",
         *       "repo": "parcel",
         *       "prNumber": 10,
         *       "authorLogin": "rin",
         *       "changeTypes": [
         *         "FIX",
         *         "TEST"
         *       ],
         *       "quote": {
         *         "text": "A recipient in Sapporo was promised a day that had already ended there.",
         *         "from": "description"
         *       },
         *       "readingMinutes": 1,
         *       "standfirst": "Promised days are those of the recipient, not of the depot.",
         *       "state": "merged",
         *       "mergedAt": "2026-02-27T16:04:00.000Z",
         *       "isBreaking": false,
         *       "likeCount": 3
         *     }
         */
        RankedArticleInfo: {
            /** @description Title. */
            aiGeneratedTitle: string;
            /**
             * Format: uuid
             * @description The article.
             */
            articleId: string;
            /** @description Login name of the author of the pull request. */
            authorLogin: string;
            /** @description What kinds of change it tells of, the main one first; empty where none is sure. */
            changeTypes: components["schemas"]["ChangeTypeEnum"][];
            /** @description The code host. */
            host: string;
            /** @description Whether it tells of something that breaks for those who use the code. */
            isBreaking: boolean;
            /**
             * Format: iso-639-1
             * @description A two-letter ISO 639-1 language code in lower case
             * @example ja
             * @example en
             */
            languageCode: string;
            /** @description Likes given inside the period. */
            likeCount: number;
            /**
             * Format: date-time
             * @description When it was merged.
             * @example 2026-03-01T09:30:00.000Z
             */
            mergedAt: string | null;
            /** @description Repository owner. */
            owner: string;
            /** @description Number of the pull request. */
            prNumber: number;
            /** @description A sentence of the author. */
            quote: {
                /**
                 * @description Where it stands.
                 * @enum {string}
                 */
                from: "title" | "description" | "commit" | "issue" | "code" | "changelog";
                /** @description The sentence, word for word. */
                text: string;
            } | null;
            /** @description Position in the whole list. */
            rank: number;
            /** @description How long it takes to read. */
            readingMinutes: number;
            /** @description Repository name. */
            repo: string;
            /** @description Owner and repository, such as harborline/parcel. */
            repositoryFullName: string;
            /** @description What changes for whom, in a sentence. */
            standfirst: string | null;
            /**
             * @description How far it got.
             * @enum {string}
             */
            state: "open" | "closed" | "merged";
        };
        RankedArticleInfoListAnswer: {
            data: {
                /**
                 * Format: date-time
                 * @description When likes too old for the period were last taken out, at most a minute ago. Later likes are counted already.
                 * @example 2026-03-01T09:30:00.000Z
                 */
                asOf: string;
                items: components["schemas"]["RankedArticleInfo"][];
                pagination: components["schemas"]["Pagination"];
            };
            /**
             * @description Human-readable text.
             * @example Done.
             */
            message: string;
            /** @enum {boolean} */
            success: true;
        };
        Release: {
            /** @description Copies of what is in a group: in none themselves. */
            backported: {
                change: components["schemas"]["ReleaseMention"];
                of: components["schemas"]["ReleaseMention"];
            }[];
            /** @description What breaks something by what is written about it, with the sentence that says so. */
            breaks: {
                /** @description Its number. */
                prNumber: number;
                /** @description What it breaks, as its article says, in the language of that. */
                sentence: string;
            }[];
            commits: {
                /** @description How many `from` has and `to` has not. */
                behind: number;
                /** @description How many of them were looked at, the newest. */
                read: number;
                /** @description Whether older history is missing. */
                shallow: boolean;
                /** @description How many commits `to` has and `from` has not. */
                total: number;
            };
            /**
             * Format: date-time
             * @description When that commit was made.
             * @example 2026-03-01T09:30:00.000Z
             */
            committedAt: string | null;
            /** @description Where it begins, as asked for. */
            from: string;
            /** @description The commit that it begins after. */
            fromSha: string;
            /** @description Each pull request once. */
            groups: {
                /** @description Whether these may break something. */
                breaking: boolean;
                /**
                 * @description What kind they are; null for those that break something, and for what is of no certain kind.
                 * @enum {string|null}
                 */
                changeType: "FEAT" | "FIX" | "REFACTOR" | "DOCS" | "TEST" | "PERF" | "BUILD" | "CHORE" | null;
                /** @description What is written about each, or the bare pull request. Newest first. */
                items: (components["schemas"]["ArticleSummary"] | components["schemas"]["PullRequestSummary"])[];
            }[];
            /** @description The code host. */
            host: string;
            /** @description Repository owner. */
            owner: string;
            /** @description Repository name. */
            repo: string;
            /** @description What was taken back, and by what: in no group. */
            reverted: {
                by: components["schemas"]["ReleaseMention"];
                change: components["schemas"]["ReleaseMention"];
            }[];
            /** @description Where it ends, as asked for. */
            to: string;
            /** @description The commit that it ends with. */
            toSha: string;
            /** @description Those without an article that no import writes about, and why. */
            unwritable: {
                /** @description Its number. */
                prNumber: number;
                /** @description Why it is not written about, in a sentence. */
                problem: string;
            }[];
            /** @description Numbers without an article, as `POST …/import` takes them: those that are merged. */
            unwritten: number[];
            withoutPullRequest: {
                /** @description The newest of them. */
                items: components["schemas"]["ReleaseCommit"][];
                /** @description How many there are, merges aside. */
                total: number;
            };
        };
        ReleaseAnswer: {
            data: components["schemas"]["Release"];
            /**
             * @description Human-readable text.
             * @example Done.
             */
            message: string;
            /** @enum {boolean} */
            success: true;
        };
        ReleaseCommit: {
            /** @description The beginning of its id. */
            sha: string;
            /** @description The first line of its message. */
            subject: string;
        };
        ReleaseMention: {
            /** @description Its number; null for a commit without one. */
            prNumber: number | null;
            /** @description The commit that brought it in. */
            sha: string;
            /** @description Its title, or the subject of the commit. */
            title: string;
        };
        /**
         * @example {
         *       "host": "github",
         *       "hostUsername": "octocat",
         *       "savedAt": "2026-03-01T09:30:00.000Z"
         *     }
         */
        SavedHostToken: {
            /** @description The code host that it is for. */
            host: string;
            /** @description Whose token it is there. */
            hostUsername: string;
            /**
             * Format: date-time
             * @description When it was saved.
             * @example 2026-03-01T09:30:00.000Z
             */
            savedAt: string;
        };
        SavedHostTokenAnswer: {
            data: components["schemas"]["SavedHostToken"];
            /**
             * @description Human-readable text.
             * @example Done.
             */
            message: string;
            /** @enum {boolean} */
            success: true;
        };
        /** @description How far a change reaches, where that is certain. */
        Scope: {
            /**
             * @description All that the change does.
             * @enum {string}
             */
            kind: "tests" | "documentation" | "build" | "dependencies" | "formatting" | "comments" | "renames" | "moves" | "noPublicChange";
            statement: components["schemas"]["Statement"];
        };
        /**
         * @example {
         *       "section": "change",
         *       "text": "The router retries once.",
         *       "ranges": [
         *         [
         *           4,
         *           10
         *         ]
         *       ]
         *     }
         */
        SearchMatch: {
            /** @description From where to where in the text what was asked for stands, in UTF-16 units. */
            ranges: number[][];
            /**
             * @description Which part of the article it stands in; `file` is the path of a file that it tells of.
             * @enum {string}
             */
            section: "title" | "standfirst" | "scope" | "background" | "words" | "change" | "point" | "test" | "also" | "file";
            /** @description The sentence, or the path. */
            text: string;
        };
        Statement: {
            /**
             * @description `diff`: what the lines do. `words`: what somebody wrote; the sentence says who, or is a quotation with a `source`. `judgement`: what it means; it follows a statement of what the lines do and is no claim.
             * @enum {string}
             */
            basis: "diff" | "words" | "judgement";
            /** @description The lines that bear it out. */
            evidence: components["schemas"]["Evidence"][];
            /** @description Stays as long as the sentence, what it rests on and the files of its evidence do. Pages have it as an anchor. */
            id: string;
            /**
             * @description Where a sentence stands that is a quotation and nothing else.
             * @enum {string}
             */
            source?: "title" | "description" | "commit" | "issue" | "code" | "changelog";
            /** @description One sentence. */
            text: string;
        };
        /** @description What became of tests. */
        TestChanges: {
            /** @description New cases, or the first of them. */
            added: string[];
            /** @description How many cases are new. */
            addedTotal: number;
            /** @description What else changed in tests. */
            statements: components["schemas"]["Statement"][];
        };
        /**
         * @example {
         *       "id": "2db6e65f-2021-4fb8-bebe-72498d0d50ae",
         *       "hostUserId": 1542618457563584,
         *       "hostUsername": "alice",
         *       "hostDisplayName": "alice",
         *       "email": "1542618457563584+alice@users.noreply.git",
         *       "avatarUrl": "https://pullquote.example.org/avatars/2db6e65f-2021-4fb8-bebe-72498d0d50ae.svg",
         *       "language": "ja",
         *       "createdAt": "2026-03-01T09:30:00.000Z",
         *       "updatedAt": "2026-03-01T09:30:00.000Z"
         *     }
         */
        User: {
            /**
             * Format: uri
             * @description Avatar image; without one on the host, a drawn one.
             */
            avatarUrl: string;
            /**
             * Format: date-time
             * @description When the user signed up.
             * @example 2026-03-01T09:30:00.000Z
             */
            createdAt: string;
            /**
             * Format: email
             * @description Public e-mail address, or the host's no-reply address.
             */
            email: string;
            /** @description Display name on the code host, or the login name without one. */
            hostDisplayName: string;
            /** @description Numeric id of the user on the code host. */
            hostUserId: number;
            /** @description Login name on the code host. */
            hostUsername: string;
            /**
             * Format: uuid
             * @description The user.
             */
            id: string;
            /**
             * Format: iso-639-1
             * @description A two-letter ISO 639-1 language code in lower case
             * @example ja
             * @example en
             */
            language: string;
            /**
             * Format: date-time
             * @description When anything about the user changed last.
             * @example 2026-03-01T09:30:00.000Z
             */
            updatedAt: string;
        };
        UserAnswer: {
            data: components["schemas"]["User"];
            /**
             * @description Human-readable text.
             * @example Done.
             */
            message: string;
            /** @enum {boolean} */
            success: true;
        };
        /**
         * @example {
         *       "favoriteId": "aca9ce3d-94e8-408c-ba40-410258b599ce",
         *       "host": "github",
         *       "owner": "harborline",
         *       "repo": "parcel",
         *       "language": "en",
         *       "labels": [],
         *       "includeBots": false,
         *       "since": "2026-03-01T09:30:00.000Z",
         *       "lastSeenAt": "2026-03-01T09:40:00.000Z",
         *       "paused": null
         *     }
         */
        Watch: {
            /**
             * Format: uuid
             * @description The favorite that is watched.
             */
            favoriteId: string;
            /** @description The code host of the repository. */
            host: string;
            /** @description Whether what bots have made is written about too. */
            includeBots: boolean;
            /** @description Only pull requests with any of these labels, in whatever case; all where there are none */
            labels: string[];
            /**
             * Format: iso-639-1
             * @description A two-letter ISO 639-1 language code in lower case
             * @example ja
             * @example en
             */
            language: string;
            /**
             * Format: date-time
             * @description When the host last said what is merged; null before it did.
             * @example 2026-03-01T09:30:00.000Z
             */
            lastSeenAt: string | null;
            /** @description Repository owner, as the host last spelled it to the user. */
            owner: string;
            paused: {
                /** @description What to do. */
                message: string;
                /**
                 * @description Why it is not watched at the moment: no saved token may see it, the user no longer may, or the host does not answer
                 * @enum {string}
                 */
                reason: "noToken" | "noRights" | "hostAway";
            } | null;
            /** @description Repository name, as the host last spelled it to the user. */
            repo: string;
            /**
             * Format: date-time
             * @description When watching began.
             * @example 2026-03-01T09:30:00.000Z
             */
            since: string;
        };
        WatchAnswer: {
            data: components["schemas"]["Watch"];
            /**
             * @description Human-readable text.
             * @example Done.
             */
            message: string;
            /** @enum {boolean} */
            success: true;
        };
        WatchListAnswer: {
            data: {
                items: components["schemas"]["Watch"][];
                pagination: components["schemas"]["Pagination"];
            };
            /**
             * @description Human-readable text.
             * @example Done.
             */
            message: string;
            /** @enum {boolean} */
            success: true;
        };
    };
    responses: {
        /** @description `AI_ERROR`, `HOST_ERROR` */
        AiErrorOrHostError: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `AI_TIMEOUT`, `HOST_TIMEOUT` */
        AiTimeoutOrHostTimeout: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `ALREADY_SIGNED_UP`, `HOST_TOKEN_REQUIRED`, `HOST_TOKEN_INVALID` */
        AlreadySignedUpOrHostTokenRequiredOrHostTokenInvalid: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `ARTICLE_NOT_FOUND` */
        ArticleNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `ARTICLE_NOT_FOUND`, `USER_NOT_FOUND` */
        ArticleNotFoundOrUserNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `FORBIDDEN` */
        Forbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `FORBIDDEN` */
        ForbiddenOrPage: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
                "text/html; charset=utf-8": string;
            };
        };
        /** @description `HOST_ERROR` */
        HostError: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `HOST_ERROR` */
        HostErrorOrPage: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
                "text/html; charset=utf-8": string;
            };
        };
        /** @description `HOST_RATE_LIMITED`, `UNAVAILABLE` */
        HostRateLimitedOrUnavailable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `HOST_RATE_LIMITED`, `UNAVAILABLE` */
        HostRateLimitedOrUnavailableOrPage: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
                "text/html; charset=utf-8": string;
            };
        };
        /** @description `HOST_TIMEOUT` */
        HostTimeout: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `HOST_TIMEOUT` */
        HostTimeoutOrPage: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
                "text/html; charset=utf-8": string;
            };
        };
        /** @description `HOST_TOKEN_REQUIRED`, `HOST_TOKEN_INVALID` */
        HostTokenRequiredOrHostTokenInvalid: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `INTERNAL` */
        Internal: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `INVALID_REQUEST` */
        InvalidRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `INVALID_REQUEST` */
        InvalidRequestOrPage: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
                "text/html; charset=utf-8": string;
            };
        };
        /** @description `LANGUAGE_UNAVAILABLE`, `HOST_TOKEN_REQUIRED`, `HOST_TOKEN_INVALID` */
        LanguageUnavailableOrHostTokenRequiredOrHostTokenInvalid: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `NOT_FOUND` */
        NotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `NOT_FOUND`, `USER_NOT_FOUND` */
        NotFoundOrUserNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `PAYLOAD_TOO_LARGE` */
        PayloadTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `PULL_REQUEST_NOT_FOUND` */
        PullRequestNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `PULL_REQUEST_NOT_FOUND`, `NOT_FOUND` */
        PullRequestNotFoundOrNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `QUOTA_EXHAUSTED`, `RATE_LIMITED` */
        QuotaExhaustedOrRateLimited: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `RATE_LIMITED` */
        RateLimited: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `REPOSITORY_NOT_FOUND` */
        RepositoryNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `REPOSITORY_NOT_FOUND`, `NOT_FOUND` */
        RepositoryNotFoundOrNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `REPOSITORY_NOT_FOUND`, `PULL_REQUEST_NOT_FOUND`, `ARTICLE_NOT_FOUND`, `USER_NOT_FOUND` */
        RepositoryNotFoundOrPullRequestNotFoundOrArticleNotFoundOrUserNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `REPOSITORY_NOT_FOUND`, `PULL_REQUEST_NOT_FOUND`, `USER_NOT_FOUND` */
        RepositoryNotFoundOrPullRequestNotFoundOrUserNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `REPOSITORY_NOT_FOUND`, `USER_NOT_FOUND` */
        RepositoryNotFoundOrUserNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `STORAGE_FULL` */
        StorageFull: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `STORAGE_FULL` */
        StorageFullOrPage: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
                "text/html; charset=utf-8": string;
            };
        };
        /** @description `UNAUTHORIZED` */
        Unauthorized: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `UNAVAILABLE` */
        Unavailable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `UNREADABLE` */
        Unreadable: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `UNSUPPORTED_MEDIA_TYPE` */
        UnsupportedMediaType: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `USER_NOT_FOUND` */
        UserNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
        /** @description `USER_NOT_FOUND`, `REPOSITORY_NOT_FOUND` */
        UserNotFoundOrRepositoryNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ErrorResponse"];
            };
        };
    };
    parameters: {
        /** @description The article. */
        articleIdInPath: string;
        /** @description Only this article, in whichever languages it is liked. */
        articleIdInQuery: string;
        /** @description Login name of the author of pull requests, whatever its case, on the host named by `host`, or else on the first one */
        authorInQuery: string;
        /** @description What kind of change it is */
        changeTypeInQuery: "FEAT" | "FIX" | "REFACTOR" | "DOCS" | "TEST" | "PERF" | "BUILD" | "CHORE";
        /** @description What a token is given for, once */
        codeInQuery: string | string[];
        /** @description Why there is no code */
        errorInQuery: string | string[];
        /** @description A file that it tells of, by its path or the end of that, or a folder by its path */
        fileInQuery: string;
        /** @description What it begins after: a tag, a branch, or the id of a commit */
        fromInQuery: string;
        /**
         * @description Code host
         * @example gitlab
         */
        hostInPath: string;
        /**
         * @description Code host to sign in with; the first that offers it, if not given
         * @example github
         */
        hostInQuery: string;
        /** @description The session. */
        idInPath: string;
        /** @description Who answers, where the code host tells */
        issInQuery: string | string[];
        /**
         * @description The language in which it was read.
         * @example en
         */
        languageCodeInPath: string;
        /** @description A two-letter ISO 639-1 language code in lower case */
        languageInQuery: string;
        /** @description How many to answer at most */
        limitInQuery: number;
        /** @description Number of the pull request */
        numberInPath: number;
        /** @description How many to pass over */
        offsetInQuery: number;
        /** @description Repository owner: letters, digits, dots, hyphens and underscores; for a group within others the names of all, such as `group/sub`, which is one part of a path: `group%2Fsub` */
        ownerInPath: string;
        /** @description Repository owner: letters, digits, dots, hyphens and underscores; for a group within others the names of all, such as `group/sub`, which is one part of a path: `group%2Fsub` */
        ownerInQuery: string;
        /** @description Which likes count: those of the last 24 hours, 7, 30 or 365 days, or all */
        periodInPath: "daily" | "weekly" | "monthly" | "yearly" | "all";
        /** @description A day or a week */
        periodInQuery: "daily" | "weekly";
        /** @description Words that all have to occur, `"words in this order"`, and `repo:owner/name`, `author:`, `type:`, `file:`, `is:unread` */
        qInQuery: string;
        /** @description Repository name: letters, digits, dots, hyphens and underscores */
        repoInPath: string;
        /** @description Repository name: letters, digits, dots, hyphens and underscores */
        repoInQuery: string;
        /** @description Path to go to afterwards; whatever is none of this service means / */
        returnToInQuery: string;
        /** @description What POST /users/me/feed-address made. */
        secretInPath: string;
        /** @description Which likes come first: the latest or the earliest */
        sortInQuery: "likedAt_desc" | "likedAt_asc";
        /** @description What the sign-in began with */
        stateInQuery: string | string[];
        /** @description What it ends with: a tag, a branch, or the id of a commit */
        toInQuery: string;
        /** @description Only what the caller has not read, or what says something new since */
        unreadInQuery: "true" | "false";
        /**
         * @description A day or a moment of the past, in ISO 8601: the last period that had ended then. Without it, the last one that has ended
         * @example 2026-03-02
         */
        untilInQuery: string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    describeAgentAccess: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The metadata. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        authorization_servers?: string[];
                        bearer_methods_supported: string[];
                        /** @description The address of `POST /mcp`. */
                        resource: string;
                        resource_documentation: string;
                        resource_name: string;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            421: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    listArticles: {
        parameters: {
            query?: {
                /** @description Login name of the author of pull requests, whatever its case, on the host named by `host`, or else on the first one */
                author?: components["parameters"]["authorInQuery"];
                /** @description What kind of change it is */
                changeType?: components["parameters"]["changeTypeInQuery"];
                /**
                 * @description The code host that is meant; without it, the first one configured where an owner or a repository is named, or, with a / in the owner, the first that has groups; and all where none is named
                 * @example github
                 */
                host?: string;
                /** @description A two-letter ISO 639-1 language code in lower case */
                language?: components["parameters"]["languageInQuery"];
                /** @description How many to answer at most */
                limit?: components["parameters"]["limitInQuery"];
                /** @description How many to pass over */
                offset?: components["parameters"]["offsetInQuery"];
                /** @description Repository owner: letters, digits, dots, hyphens and underscores; for a group within others the names of all, such as `group/sub`, which is one part of a path: `group%2Fsub` */
                owner?: components["parameters"]["ownerInQuery"];
                /** @description Repository name: letters, digits, dots, hyphens and underscores */
                repo?: components["parameters"]["repoInQuery"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Articles. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ArticleSummaryListAnswer"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["HostTokenRequiredOrHostTokenInvalid"];
            421: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            502: components["responses"]["HostError"];
            503: components["responses"]["HostRateLimitedOrUnavailable"];
            504: components["responses"]["HostTimeout"];
        };
    };
    getArticleById: {
        parameters: {
            query?: {
                /** @description A two-letter ISO 639-1 language code in lower case */
                language?: components["parameters"]["languageInQuery"];
            };
            header?: never;
            path: {
                /** @description The article. */
                articleId: components["parameters"]["articleIdInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The article. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PullRequestArticleAnswer"];
                    "text/markdown; charset=utf-8": string;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["ArticleNotFound"];
            409: components["responses"]["HostTokenRequiredOrHostTokenInvalid"];
            421: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            502: components["responses"]["HostError"];
            503: components["responses"]["HostRateLimitedOrUnavailable"];
            504: components["responses"]["HostTimeout"];
        };
    };
    likeArticle: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The article. */
                articleId: components["parameters"]["articleIdInPath"];
                /**
                 * @description The language in which it was read.
                 * @example en
                 */
                languageCode: components["parameters"]["languageCodeInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Already liked: the like that stands. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The like, and how many there are now. */
                        data: {
                            like: components["schemas"]["ArticleLike"];
                            /** @description How many people like it in this language now. */
                            likeCount: number;
                        };
                        /**
                         * @description Human-readable text.
                         * @example Done.
                         */
                        message: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            /** @description Liked. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @description The like, and how many there are now. */
                        data: {
                            like: components["schemas"]["ArticleLike"];
                            /** @description How many people like it in this language now. */
                            likeCount: number;
                        };
                        /**
                         * @description Human-readable text.
                         * @example Done.
                         */
                        message: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ArticleNotFoundOrUserNotFound"];
            409: components["responses"]["HostTokenRequiredOrHostTokenInvalid"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            502: components["responses"]["HostError"];
            503: components["responses"]["HostRateLimitedOrUnavailable"];
            504: components["responses"]["HostTimeout"];
            507: components["responses"]["StorageFull"];
        };
    };
    unlikeArticle: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The article. */
                articleId: components["parameters"]["articleIdInPath"];
                /**
                 * @description The language in which it was read.
                 * @example en
                 */
                languageCode: components["parameters"]["languageCodeInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The caller does not like it, or no longer. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** @description How many people like it in this language now. */
                            likeCount: number;
                        };
                        /**
                         * @description Human-readable text.
                         * @example Done.
                         */
                        message: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ArticleNotFoundOrUserNotFound"];
            409: components["responses"]["HostTokenRequiredOrHostTokenInvalid"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            502: components["responses"]["HostError"];
            503: components["responses"]["HostRateLimitedOrUnavailable"];
            504: components["responses"]["HostTimeout"];
            507: components["responses"]["StorageFull"];
        };
    };
    markArticleRead: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The article. */
                articleId: components["parameters"]["articleIdInPath"];
                /**
                 * @description The language in which it was read.
                 * @example en
                 */
                languageCode: components["parameters"]["languageCodeInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It is read. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /**
                             * Format: date-time
                             * @description When it was read.
                             * @example 2026-03-01T09:30:00.000Z
                             */
                            readAt: string;
                        };
                        /**
                         * @description Human-readable text.
                         * @example Done.
                         */
                        message: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["ArticleNotFoundOrUserNotFound"];
            409: components["responses"]["HostTokenRequiredOrHostTokenInvalid"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            502: components["responses"]["HostError"];
            503: components["responses"]["HostRateLimitedOrUnavailable"];
            504: components["responses"]["HostTimeout"];
            507: components["responses"]["StorageFull"];
        };
    };
    finishSignIn: {
        parameters: {
            query?: {
                /** @description What a token is given for, once */
                code?: components["parameters"]["codeInQuery"];
                /** @description Why there is no code */
                error?: components["parameters"]["errorInQuery"];
                /** @description Who answers, where the code host tells */
                iss?: components["parameters"]["issInQuery"];
                /** @description What the sign-in began with */
                state?: components["parameters"]["stateInQuery"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Signed in. */
            302: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequestOrPage"];
            403: components["responses"]["ForbiddenOrPage"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            502: components["responses"]["HostErrorOrPage"];
            503: components["responses"]["HostRateLimitedOrUnavailableOrPage"];
            504: components["responses"]["HostTimeoutOrPage"];
            507: components["responses"]["StorageFullOrPage"];
        };
    };
    finishSignInWithHost: {
        parameters: {
            query?: {
                /** @description What a token is given for, once */
                code?: components["parameters"]["codeInQuery"];
                /** @description Why there is no code */
                error?: components["parameters"]["errorInQuery"];
                /** @description Who answers, where the code host tells */
                iss?: components["parameters"]["issInQuery"];
                /** @description What the sign-in began with */
                state?: components["parameters"]["stateInQuery"];
            };
            header?: never;
            path: {
                /**
                 * @description Code host
                 * @example gitlab
                 */
                host: components["parameters"]["hostInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Signed in. */
            302: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequestOrPage"];
            403: components["responses"]["ForbiddenOrPage"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            502: components["responses"]["HostErrorOrPage"];
            503: components["responses"]["HostRateLimitedOrUnavailableOrPage"];
            504: components["responses"]["HostTimeoutOrPage"];
            507: components["responses"]["StorageFullOrPage"];
        };
    };
    saveHostToken: {
        parameters: {
            query?: {
                /**
                 * @description The code host that the token is of; without it, the one that the caller is of
                 * @example github
                 */
                host?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "accessToken": "github_pat_…"
                 *     }
                 */
                "application/json": {
                    /** @description The token */
                    accessToken: string;
                    /** @description What the host gives another token for, where this one expires */
                    refreshToken?: string;
                };
            };
        };
        responses: {
            /** @description Saved. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SavedHostTokenAnswer"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["HostTokenRequiredOrHostTokenInvalid"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            502: components["responses"]["HostError"];
            503: components["responses"]["HostRateLimitedOrUnavailable"];
            504: components["responses"]["HostTimeout"];
            507: components["responses"]["StorageFull"];
        };
    };
    forgetHostToken: {
        parameters: {
            query?: {
                /**
                 * @description The code host that the token is of; without it, the one that the caller is of
                 * @example github
                 */
                host?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description There is no saved token any more. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmptyAnswer"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["HostTokenRequiredOrHostTokenInvalid"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            502: components["responses"]["HostError"];
            503: components["responses"]["HostRateLimitedOrUnavailable"];
            504: components["responses"]["HostTimeout"];
            507: components["responses"]["StorageFull"];
        };
    };
    tellIdentity: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Whose it is. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["IdentityAnswer"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["HostTokenRequiredOrHostTokenInvalid"];
            421: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            502: components["responses"]["HostError"];
            503: components["responses"]["HostRateLimitedOrUnavailable"];
            504: components["responses"]["HostTimeout"];
        };
    };
    beginSignIn: {
        parameters: {
            query?: {
                /**
                 * @description Code host to sign in with; the first that offers it, if not given
                 * @example github
                 */
                host?: components["parameters"]["hostInQuery"];
                /** @description Path to go to afterwards; whatever is none of this service means / */
                returnTo?: components["parameters"]["returnToInQuery"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description To the code host. */
            302: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    logOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Logged out. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LogoutResponseDataAnswer"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["HostTokenRequiredOrHostTokenInvalid"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            502: components["responses"]["HostError"];
            503: components["responses"]["HostRateLimitedOrUnavailable"];
            504: components["responses"]["HostTimeout"];
            507: components["responses"]["StorageFull"];
        };
    };
    openSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "cookie": false
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Set a cookie instead of answering the token
                     * @default false
                     */
                    cookie?: boolean;
                };
            };
        };
        responses: {
            /** @description The session, with its token unless a cookie holds it. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthSessionAnswer"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["HostTokenRequiredOrHostTokenInvalid"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            502: components["responses"]["HostError"];
            503: components["responses"]["HostRateLimitedOrUnavailable"];
            504: components["responses"]["HostTimeout"];
            507: components["responses"]["StorageFull"];
        };
    };
    listSessions: {
        parameters: {
            query?: {
                /** @description How many to answer at most */
                limit?: components["parameters"]["limitInQuery"];
                /** @description How many to pass over */
                offset?: components["parameters"]["offsetInQuery"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Own sessions. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthSessionListAnswer"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["HostTokenRequiredOrHostTokenInvalid"];
            421: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            502: components["responses"]["HostError"];
            503: components["responses"]["HostRateLimitedOrUnavailable"];
            504: components["responses"]["HostTimeout"];
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The session. */
                id: components["parameters"]["idInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The session, ended. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AuthSessionAnswer"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            409: components["responses"]["HostTokenRequiredOrHostTokenInvalid"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            502: components["responses"]["HostError"];
            503: components["responses"]["HostRateLimitedOrUnavailable"];
            504: components["responses"]["HostTimeout"];
            507: components["responses"]["StorageFull"];
        };
    };
    signUp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "language": "en"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: iso-639-1
                     * @description A two-letter ISO 639-1 language code in lower case
                     * @default ja
                     * @example ja
                     * @example en
                     */
                    language?: string;
                };
            };
        };
        responses: {
            /** @description User created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["AlreadySignedUpOrHostTokenRequiredOrHostTokenInvalid"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            502: components["responses"]["HostError"];
            503: components["responses"]["HostRateLimitedOrUnavailable"];
            504: components["responses"]["HostTimeout"];
            507: components["responses"]["StorageFull"];
        };
    };
    getDigest: {
        parameters: {
            query?: {
                /**
                 * @description The code host that is meant; without it, the first one configured where an owner or a repository is named, or, with a / in the owner, the first that has groups; and all where none is named
                 * @example github
                 */
                host?: string;
                /** @description A two-letter ISO 639-1 language code in lower case */
                language?: components["parameters"]["languageInQuery"];
                /** @description Repository owner: letters, digits, dots, hyphens and underscores; for a group within others the names of all, such as `group/sub`, which is one part of a path: `group%2Fsub` */
                owner?: components["parameters"]["ownerInQuery"];
                /** @description A day or a week */
                period?: components["parameters"]["periodInQuery"];
                /** @description Repository name: letters, digits, dots, hyphens and underscores */
                repo?: components["parameters"]["repoInQuery"];
                /**
                 * @description A day or a moment of the past, in ISO 8601: the last period that had ended then. Without it, the last one that has ended
                 * @example 2026-03-02
                 */
                until?: components["parameters"]["untilInQuery"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The digest. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DigestAnswer"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["UserNotFoundOrRepositoryNotFound"];
            409: components["responses"]["HostTokenRequiredOrHostTokenInvalid"];
            421: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            502: components["responses"]["HostError"];
            503: components["responses"]["HostRateLimitedOrUnavailable"];
            504: components["responses"]["HostTimeout"];
        };
    };
    getNewestFeedAtom: {
        parameters: {
            query?: {
                /** @description A two-letter ISO 639-1 language code in lower case */
                language?: components["parameters"]["languageInQuery"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The feed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/atom+xml; charset=utf-8": string;
                };
            };
            400: components["responses"]["InvalidRequest"];
            421: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getNewestFeedJson: {
        parameters: {
            query?: {
                /** @description A two-letter ISO 639-1 language code in lower case */
                language?: components["parameters"]["languageInQuery"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The feed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/feed+json; charset=utf-8": {
                        [key: string]: unknown;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            421: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getOwnFeedAtom: {
        parameters: {
            query?: {
                /** @description A two-letter ISO 639-1 language code in lower case */
                language?: components["parameters"]["languageInQuery"];
            };
            header?: never;
            path: {
                /** @description What POST /users/me/feed-address made. */
                secret: components["parameters"]["secretInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The feed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/atom+xml; charset=utf-8": string;
                };
            };
            400: components["responses"]["InvalidRequest"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getOwnFeedJson: {
        parameters: {
            query?: {
                /** @description A two-letter ISO 639-1 language code in lower case */
                language?: components["parameters"]["languageInQuery"];
            };
            header?: never;
            path: {
                /** @description What POST /users/me/feed-address made. */
                secret: components["parameters"]["secretInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The feed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/feed+json; charset=utf-8": {
                        [key: string]: unknown;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getOwnDigestFeedAtom: {
        parameters: {
            query?: {
                /** @description A two-letter ISO 639-1 language code in lower case */
                language?: components["parameters"]["languageInQuery"];
                /** @description A day or a week */
                period?: components["parameters"]["periodInQuery"];
                /**
                 * @description A day or a moment of the past, in ISO 8601: the last period that had ended then. Without it, the last one that has ended
                 * @example 2026-03-02
                 */
                until?: components["parameters"]["untilInQuery"];
            };
            header?: never;
            path: {
                /** @description What POST /users/me/feed-address made. */
                secret: components["parameters"]["secretInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The feed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/atom+xml; charset=utf-8": string;
                };
            };
            400: components["responses"]["InvalidRequest"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getOwnDigestFeedJson: {
        parameters: {
            query?: {
                /** @description A two-letter ISO 639-1 language code in lower case */
                language?: components["parameters"]["languageInQuery"];
                /** @description A day or a week */
                period?: components["parameters"]["periodInQuery"];
                /**
                 * @description A day or a moment of the past, in ISO 8601: the last period that had ended then. Without it, the last one that has ended
                 * @example 2026-03-02
                 */
                until?: components["parameters"]["untilInQuery"];
            };
            header?: never;
            path: {
                /** @description What POST /users/me/feed-address made. */
                secret: components["parameters"]["secretInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The feed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/feed+json; charset=utf-8": {
                        [key: string]: unknown;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            404: components["responses"]["NotFound"];
            421: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getRepositoryFeedAtom: {
        parameters: {
            query?: {
                /**
                 * @description The code host that is meant; without it, the first one configured
                 * @example github
                 */
                host?: string;
                /** @description A two-letter ISO 639-1 language code in lower case */
                language?: components["parameters"]["languageInQuery"];
            };
            header?: never;
            path: {
                /** @description Repository owner: letters, digits, dots, hyphens and underscores; for a group within others the names of all, such as `group/sub`, which is one part of a path: `group%2Fsub` */
                owner: components["parameters"]["ownerInPath"];
                /** @description Repository name: letters, digits, dots, hyphens and underscores */
                repo: components["parameters"]["repoInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The feed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/atom+xml; charset=utf-8": string;
                };
            };
            400: components["responses"]["InvalidRequest"];
            404: components["responses"]["RepositoryNotFound"];
            421: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getRepositoryFeedJson: {
        parameters: {
            query?: {
                /**
                 * @description The code host that is meant; without it, the first one configured
                 * @example github
                 */
                host?: string;
                /** @description A two-letter ISO 639-1 language code in lower case */
                language?: components["parameters"]["languageInQuery"];
            };
            header?: never;
            path: {
                /** @description Repository owner: letters, digits, dots, hyphens and underscores; for a group within others the names of all, such as `group/sub`, which is one part of a path: `group%2Fsub` */
                owner: components["parameters"]["ownerInPath"];
                /** @description Repository name: letters, digits, dots, hyphens and underscores */
                repo: components["parameters"]["repoInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The feed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/feed+json; charset=utf-8": {
                        [key: string]: unknown;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            404: components["responses"]["RepositoryNotFound"];
            421: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getRepositoryDigestFeedAtom: {
        parameters: {
            query?: {
                /**
                 * @description The code host that is meant; without it, the first one configured
                 * @example github
                 */
                host?: string;
                /** @description A two-letter ISO 639-1 language code in lower case */
                language?: components["parameters"]["languageInQuery"];
                /** @description A day or a week */
                period?: components["parameters"]["periodInQuery"];
                /**
                 * @description A day or a moment of the past, in ISO 8601: the last period that had ended then. Without it, the last one that has ended
                 * @example 2026-03-02
                 */
                until?: components["parameters"]["untilInQuery"];
            };
            header?: never;
            path: {
                /** @description Repository owner: letters, digits, dots, hyphens and underscores; for a group within others the names of all, such as `group/sub`, which is one part of a path: `group%2Fsub` */
                owner: components["parameters"]["ownerInPath"];
                /** @description Repository name: letters, digits, dots, hyphens and underscores */
                repo: components["parameters"]["repoInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The feed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/atom+xml; charset=utf-8": string;
                };
            };
            400: components["responses"]["InvalidRequest"];
            404: components["responses"]["RepositoryNotFound"];
            421: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getRepositoryDigestFeedJson: {
        parameters: {
            query?: {
                /**
                 * @description The code host that is meant; without it, the first one configured
                 * @example github
                 */
                host?: string;
                /** @description A two-letter ISO 639-1 language code in lower case */
                language?: components["parameters"]["languageInQuery"];
                /** @description A day or a week */
                period?: components["parameters"]["periodInQuery"];
                /**
                 * @description A day or a moment of the past, in ISO 8601: the last period that had ended then. Without it, the last one that has ended
                 * @example 2026-03-02
                 */
                until?: components["parameters"]["untilInQuery"];
            };
            header?: never;
            path: {
                /** @description Repository owner: letters, digits, dots, hyphens and underscores; for a group within others the names of all, such as `group/sub`, which is one part of a path: `group%2Fsub` */
                owner: components["parameters"]["ownerInPath"];
                /** @description Repository name: letters, digits, dots, hyphens and underscores */
                repo: components["parameters"]["repoInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The feed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/feed+json; charset=utf-8": {
                        [key: string]: unknown;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            404: components["responses"]["RepositoryNotFound"];
            421: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getRankingFeedAtom: {
        parameters: {
            query?: {
                /** @description A two-letter ISO 639-1 language code in lower case */
                language?: components["parameters"]["languageInQuery"];
            };
            header?: never;
            path: {
                /** @description Which likes count: those of the last 24 hours, 7, 30 or 365 days, or all */
                period: components["parameters"]["periodInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The feed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/atom+xml; charset=utf-8": string;
                };
            };
            400: components["responses"]["InvalidRequest"];
            421: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getRankingFeedJson: {
        parameters: {
            query?: {
                /** @description A two-letter ISO 639-1 language code in lower case */
                language?: components["parameters"]["languageInQuery"];
            };
            header?: never;
            path: {
                /** @description Which likes count: those of the last 24 hours, 7, 30 or 365 days, or all */
                period: components["parameters"]["periodInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The feed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/feed+json; charset=utf-8": {
                        [key: string]: unknown;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            421: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSearchFeedAtom: {
        parameters: {
            query?: {
                /** @description Login name of the author of pull requests, whatever its case, on the host named by `host`, or else on the first one */
                author?: components["parameters"]["authorInQuery"];
                /** @description What kind of change it is */
                changeType?: components["parameters"]["changeTypeInQuery"];
                /** @description A file that it tells of, by its path or the end of that, or a folder by its path */
                file?: components["parameters"]["fileInQuery"];
                /**
                 * @description The code host that is meant; without it, the first one configured where an owner or a repository is named, or, with a / in the owner, the first that has groups; and all where none is named
                 * @example github
                 */
                host?: string;
                /** @description A two-letter ISO 639-1 language code in lower case */
                language?: components["parameters"]["languageInQuery"];
                /** @description Repository owner: letters, digits, dots, hyphens and underscores; for a group within others the names of all, such as `group/sub`, which is one part of a path: `group%2Fsub` */
                owner?: components["parameters"]["ownerInQuery"];
                /** @description Words that all have to occur, `"words in this order"`, and `repo:owner/name`, `author:`, `type:`, `file:`, `is:unread` */
                q?: components["parameters"]["qInQuery"];
                /** @description Repository name: letters, digits, dots, hyphens and underscores */
                repo?: components["parameters"]["repoInQuery"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The feed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/atom+xml; charset=utf-8": string;
                };
            };
            400: components["responses"]["InvalidRequest"];
            421: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getSearchFeedJson: {
        parameters: {
            query?: {
                /** @description Login name of the author of pull requests, whatever its case, on the host named by `host`, or else on the first one */
                author?: components["parameters"]["authorInQuery"];
                /** @description What kind of change it is */
                changeType?: components["parameters"]["changeTypeInQuery"];
                /** @description A file that it tells of, by its path or the end of that, or a folder by its path */
                file?: components["parameters"]["fileInQuery"];
                /**
                 * @description The code host that is meant; without it, the first one configured where an owner or a repository is named, or, with a / in the owner, the first that has groups; and all where none is named
                 * @example github
                 */
                host?: string;
                /** @description A two-letter ISO 639-1 language code in lower case */
                language?: components["parameters"]["languageInQuery"];
                /** @description Repository owner: letters, digits, dots, hyphens and underscores; for a group within others the names of all, such as `group/sub`, which is one part of a path: `group%2Fsub` */
                owner?: components["parameters"]["ownerInQuery"];
                /** @description Words that all have to occur, `"words in this order"`, and `repo:owner/name`, `author:`, `type:`, `file:`, `is:unread` */
                q?: components["parameters"]["qInQuery"];
                /** @description Repository name: letters, digits, dots, hyphens and underscores */
                repo?: components["parameters"]["repoInQuery"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The feed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/feed+json; charset=utf-8": {
                        [key: string]: unknown;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            421: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    checkHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description All is well. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["HealthCheckResponseDataAnswer"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The job. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The job. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobAnswer"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFoundOrUserNotFound"];
            409: components["responses"]["HostTokenRequiredOrHostTokenInvalid"];
            421: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            502: components["responses"]["HostError"];
            503: components["responses"]["HostRateLimitedOrUnavailable"];
            504: components["responses"]["HostTimeout"];
        };
    };
    cancelJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The job. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The job as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobAnswer"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFoundOrUserNotFound"];
            409: components["responses"]["HostTokenRequiredOrHostTokenInvalid"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            502: components["responses"]["HostError"];
            503: components["responses"]["HostRateLimitedOrUnavailable"];
            504: components["responses"]["HostTimeout"];
            507: components["responses"]["StorageFull"];
        };
    };
    followJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The job. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Events until the job is over, or may no longer be followed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/event-stream; charset=utf-8": string;
                };
            };
            /** @description The job is over and its last event was seen. */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["NotFoundOrUserNotFound"];
            409: components["responses"]["HostTokenRequiredOrHostTokenInvalid"];
            421: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            502: components["responses"]["HostError"];
            503: components["responses"]["HostRateLimitedOrUnavailable"];
            504: components["responses"]["HostTimeout"];
        };
    };
    answerAgent: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** @description A message of JSON-RPC 2.0; several at once are refused. */
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "jsonrpc": "2.0",
                 *       "id": 1,
                 *       "method": "tools/list"
                 *     }
                 */
                "application/json": {
                    /** @enum {string} */
                    jsonrpc: "2.0";
                    /** @description What is asked, such as `tools/call`. */
                    method: string;
                } & {
                    [key: string]: unknown;
                };
            };
        };
        responses: {
            /** @description The answer, or what is wrong with the message. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            /** @description A notification was taken. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["HostTokenRequiredOrHostTokenInvalid"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            502: components["responses"]["HostError"];
            503: components["responses"]["HostRateLimitedOrUnavailable"];
            504: components["responses"]["HostTimeout"];
            507: components["responses"]["StorageFull"];
        };
    };
    describeService: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What there is. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MetaAnswer"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            421: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    getArticleMarkdown: {
        parameters: {
            query?: {
                /**
                 * @description The code host that is meant; without it, the first one configured
                 * @example github
                 */
                host?: string;
                /** @description A two-letter ISO 639-1 language code in lower case */
                language?: components["parameters"]["languageInQuery"];
            };
            header?: never;
            path: {
                /** @description Number of the pull request */
                number: components["parameters"]["numberInPath"];
                /** @description Repository owner: letters, digits, dots, hyphens and underscores; for a group within others the names of all, such as `group/sub`, which is one part of a path: `group%2Fsub` */
                owner: components["parameters"]["ownerInPath"];
                /** @description Repository name: letters, digits, dots, hyphens and underscores */
                repo: components["parameters"]["repoInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The article in one language. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/markdown; charset=utf-8": string;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["ArticleNotFound"];
            409: components["responses"]["HostTokenRequiredOrHostTokenInvalid"];
            421: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            502: components["responses"]["HostError"];
            503: components["responses"]["HostRateLimitedOrUnavailable"];
            504: components["responses"]["HostTimeout"];
        };
    };
    getRanking: {
        parameters: {
            query?: {
                /**
                 * @description The code host that is meant; without it, the first one configured where an owner or a repository is named, or, with a / in the owner, the first that has groups; and all where none is named
                 * @example github
                 */
                host?: string;
                /** @description A two-letter ISO 639-1 language code in lower case */
                language?: components["parameters"]["languageInQuery"];
                /** @description How many to answer at most */
                limit?: components["parameters"]["limitInQuery"];
                /** @description How many to pass over */
                offset?: components["parameters"]["offsetInQuery"];
                /** @description Repository owner: letters, digits, dots, hyphens and underscores; for a group within others the names of all, such as `group/sub`, which is one part of a path: `group%2Fsub` */
                owner?: components["parameters"]["ownerInQuery"];
                /** @description Which likes count: those of the last 24 hours, 7, 30 or 365 days, or all */
                period?: "daily" | "weekly" | "monthly" | "yearly" | "all";
                /** @description Repository name: letters, digits, dots, hyphens and underscores */
                repo?: components["parameters"]["repoInQuery"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The ranking. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RankedArticleInfoListAnswer"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            421: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
        };
    };
    importPullRequests: {
        parameters: {
            query?: {
                /**
                 * @description The code host that is meant; without it, the first one configured
                 * @example github
                 */
                host?: string;
            };
            header?: never;
            path: {
                /** @description Repository owner: letters, digits, dots, hyphens and underscores; for a group within others the names of all, such as `group/sub`, which is one part of a path: `group%2Fsub` */
                owner: components["parameters"]["ownerInPath"];
                /** @description Repository name: letters, digits, dots, hyphens and underscores */
                repo: components["parameters"]["repoInPath"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "last": 10,
                 *       "language": "en"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: iso-639-1
                     * @description A two-letter ISO 639-1 language code in lower case
                     * @example ja
                     * @example en
                     */
                    language?: string;
                    /** @description So many merged ones, those that were opened last. Among the newest 2,000 closed ones. */
                    last?: number;
                    /** @description These. Those that are not there, or not merged, are among the failures of the job. */
                    numbers?: number[];
                    /**
                     * @description Those that were merged since a day, or a moment, in ISO 8601; a day begins at 00:00 UTC. Among the 2,000 closed ones that have changed last.
                     * @example 2026-03-01
                     */
                    since?: string;
                };
            };
        };
        responses: {
            /** @description Under way: the job, which `Location` names too. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobAnswer"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["RepositoryNotFoundOrUserNotFound"];
            409: components["responses"]["LanguageUnavailableOrHostTokenRequiredOrHostTokenInvalid"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            502: components["responses"]["HostError"];
            503: components["responses"]["HostRateLimitedOrUnavailable"];
            504: components["responses"]["HostTimeout"];
            507: components["responses"]["StorageFull"];
        };
    };
    listPullRequests: {
        parameters: {
            query?: {
                /**
                 * @description The code host that is meant; without it, the first one configured
                 * @example github
                 */
                host?: string;
                /** @description How many to answer at most */
                limit?: components["parameters"]["limitInQuery"];
                /** @description How many to pass over */
                offset?: components["parameters"]["offsetInQuery"];
                /** @description Which to list */
                state?: "open" | "closed" | "all";
            };
            header?: never;
            path: {
                /** @description Repository owner: letters, digits, dots, hyphens and underscores; for a group within others the names of all, such as `group/sub`, which is one part of a path: `group%2Fsub` */
                owner: components["parameters"]["ownerInPath"];
                /** @description Repository name: letters, digits, dots, hyphens and underscores */
                repo: components["parameters"]["repoInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Pull requests. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PullRequestSummaryListAnswer"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["RepositoryNotFoundOrUserNotFound"];
            409: components["responses"]["HostTokenRequiredOrHostTokenInvalid"];
            421: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            502: components["responses"]["HostError"];
            503: components["responses"]["HostRateLimitedOrUnavailable"];
            504: components["responses"]["HostTimeout"];
        };
    };
    getPullRequest: {
        parameters: {
            query?: {
                /**
                 * @description The code host that is meant; without it, the first one configured
                 * @example github
                 */
                host?: string;
            };
            header?: never;
            path: {
                /** @description Number of the pull request */
                number: components["parameters"]["numberInPath"];
                /** @description Repository owner: letters, digits, dots, hyphens and underscores; for a group within others the names of all, such as `group/sub`, which is one part of a path: `group%2Fsub` */
                owner: components["parameters"]["ownerInPath"];
                /** @description Repository name: letters, digits, dots, hyphens and underscores */
                repo: components["parameters"]["repoInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The pull request. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PullRequestAnswer"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["PullRequestNotFound"];
            409: components["responses"]["HostTokenRequiredOrHostTokenInvalid"];
            421: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            502: components["responses"]["HostError"];
            503: components["responses"]["HostRateLimitedOrUnavailable"];
            504: components["responses"]["HostTimeout"];
        };
    };
    getArticle: {
        parameters: {
            query?: {
                /**
                 * @description The code host that is meant; without it, the first one configured
                 * @example github
                 */
                host?: string;
                /** @description A two-letter ISO 639-1 language code in lower case */
                language?: components["parameters"]["languageInQuery"];
            };
            header?: never;
            path: {
                /** @description Number of the pull request */
                number: components["parameters"]["numberInPath"];
                /** @description Repository owner: letters, digits, dots, hyphens and underscores; for a group within others the names of all, such as `group/sub`, which is one part of a path: `group%2Fsub` */
                owner: components["parameters"]["ownerInPath"];
                /** @description Repository name: letters, digits, dots, hyphens and underscores */
                repo: components["parameters"]["repoInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The article. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PullRequestArticleAnswer"];
                    "text/markdown; charset=utf-8": string;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["ArticleNotFound"];
            409: components["responses"]["HostTokenRequiredOrHostTokenInvalid"];
            421: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            502: components["responses"]["HostError"];
            503: components["responses"]["HostRateLimitedOrUnavailable"];
            504: components["responses"]["HostTimeout"];
        };
    };
    writeArticle: {
        parameters: {
            query?: {
                /**
                 * @description The code host that is meant; without it, the first one configured
                 * @example github
                 */
                host?: string;
            };
            header?: never;
            path: {
                /** @description Number of the pull request */
                number: components["parameters"]["numberInPath"];
                /** @description Repository owner: letters, digits, dots, hyphens and underscores; for a group within others the names of all, such as `group/sub`, which is one part of a path: `group%2Fsub` */
                owner: components["parameters"]["ownerInPath"];
                /** @description Repository name: letters, digits, dots, hyphens and underscores */
                repo: components["parameters"]["repoInPath"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "language": "en"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: iso-639-1
                     * @description A two-letter ISO 639-1 language code in lower case
                     * @example ja
                     * @example en
                     */
                    language?: string;
                    /** @description Write it anew also if it is up to date. Likes stay. */
                    regenerate?: boolean;
                };
            };
        };
        responses: {
            /** @description An up-to-date article stood. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PullRequestArticleAnswer"];
                };
            };
            /** @description Written. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PullRequestArticleAnswer"];
                };
            };
            /** @description Being written: the job, which `Location` names too. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["JobAnswer"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["RepositoryNotFoundOrPullRequestNotFoundOrArticleNotFoundOrUserNotFound"];
            409: components["responses"]["LanguageUnavailableOrHostTokenRequiredOrHostTokenInvalid"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["InvalidRequest"];
            422: components["responses"]["Unreadable"];
            429: components["responses"]["QuotaExhaustedOrRateLimited"];
            500: components["responses"]["Internal"];
            502: components["responses"]["AiErrorOrHostError"];
            503: components["responses"]["HostRateLimitedOrUnavailable"];
            504: components["responses"]["AiTimeoutOrHostTimeout"];
            507: components["responses"]["StorageFull"];
        };
    };
    getPullRequestDiff: {
        parameters: {
            query?: {
                /** @description Path of one file */
                file?: string;
                /**
                 * @description The code host that is meant; without it, the first one configured
                 * @example github
                 */
                host?: string;
            };
            header?: never;
            path: {
                /** @description Number of the pull request */
                number: components["parameters"]["numberInPath"];
                /** @description Repository owner: letters, digits, dots, hyphens and underscores; for a group within others the names of all, such as `group/sub`, which is one part of a path: `group%2Fsub` */
                owner: components["parameters"]["ownerInPath"];
                /** @description Repository name: letters, digits, dots, hyphens and underscores */
                repo: components["parameters"]["repoInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The diff. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/x-diff; charset=utf-8": string;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["PullRequestNotFoundOrNotFound"];
            409: components["responses"]["HostTokenRequiredOrHostTokenInvalid"];
            421: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            502: components["responses"]["HostError"];
            503: components["responses"]["HostRateLimitedOrUnavailable"];
            504: components["responses"]["HostTimeout"];
        };
    };
    listPullRequestFiles: {
        parameters: {
            query?: {
                /**
                 * @description The code host that is meant; without it, the first one configured
                 * @example github
                 */
                host?: string;
                /** @description How many to answer at most */
                limit?: components["parameters"]["limitInQuery"];
                /** @description How many to pass over */
                offset?: components["parameters"]["offsetInQuery"];
            };
            header?: never;
            path: {
                /** @description Number of the pull request */
                number: components["parameters"]["numberInPath"];
                /** @description Repository owner: letters, digits, dots, hyphens and underscores; for a group within others the names of all, such as `group/sub`, which is one part of a path: `group%2Fsub` */
                owner: components["parameters"]["ownerInPath"];
                /** @description Repository name: letters, digits, dots, hyphens and underscores */
                repo: components["parameters"]["repoInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Files. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ChangedFileListAnswer"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["PullRequestNotFound"];
            409: components["responses"]["HostTokenRequiredOrHostTokenInvalid"];
            421: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            502: components["responses"]["HostError"];
            503: components["responses"]["HostRateLimitedOrUnavailable"];
            504: components["responses"]["HostTimeout"];
        };
    };
    ingestPullRequest: {
        parameters: {
            query?: {
                /**
                 * @description The code host that is meant; without it, the first one configured
                 * @example github
                 */
                host?: string;
            };
            header?: never;
            path: {
                /** @description Number of the pull request */
                number: components["parameters"]["numberInPath"];
                /** @description Repository owner: letters, digits, dots, hyphens and underscores; for a group within others the names of all, such as `group/sub`, which is one part of a path: `group%2Fsub` */
                owner: components["parameters"]["ownerInPath"];
                /** @description Repository name: letters, digits, dots, hyphens and underscores */
                repo: components["parameters"]["repoInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description It was stored before and is up to date now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PullRequestAnswer"];
                };
            };
            /** @description Stored for the first time. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PullRequestAnswer"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["RepositoryNotFoundOrPullRequestNotFoundOrUserNotFound"];
            409: components["responses"]["HostTokenRequiredOrHostTokenInvalid"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["InvalidRequest"];
            422: components["responses"]["Unreadable"];
            429: components["responses"]["QuotaExhaustedOrRateLimited"];
            500: components["responses"]["Internal"];
            502: components["responses"]["HostError"];
            503: components["responses"]["HostRateLimitedOrUnavailable"];
            504: components["responses"]["HostTimeout"];
            507: components["responses"]["StorageFull"];
        };
    };
    getRelease: {
        parameters: {
            query: {
                /** @description What it begins after: a tag, a branch, or the id of a commit */
                from: components["parameters"]["fromInQuery"];
                /**
                 * @description The code host that is meant; without it, the first one configured
                 * @example github
                 */
                host?: string;
                /** @description A two-letter ISO 639-1 language code in lower case */
                language?: components["parameters"]["languageInQuery"];
                /** @description What it ends with: a tag, a branch, or the id of a commit */
                to: components["parameters"]["toInQuery"];
            };
            header?: never;
            path: {
                /** @description Repository owner: letters, digits, dots, hyphens and underscores; for a group within others the names of all, such as `group/sub`, which is one part of a path: `group%2Fsub` */
                owner: components["parameters"]["ownerInPath"];
                /** @description Repository name: letters, digits, dots, hyphens and underscores */
                repo: components["parameters"]["repoInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What changed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReleaseAnswer"];
                    "text/markdown; charset=utf-8": string;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["RepositoryNotFoundOrNotFound"];
            409: components["responses"]["HostTokenRequiredOrHostTokenInvalid"];
            421: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            502: components["responses"]["HostError"];
            503: components["responses"]["HostRateLimitedOrUnavailable"];
            504: components["responses"]["HostTimeout"];
        };
    };
    searchArticles: {
        parameters: {
            query?: {
                /** @description Login name of the author of pull requests, whatever its case, on the host named by `host`, or else on the first one */
                author?: components["parameters"]["authorInQuery"];
                /** @description What kind of change it is */
                changeType?: components["parameters"]["changeTypeInQuery"];
                /** @description A file that it tells of, by its path or the end of that, or a folder by its path */
                file?: components["parameters"]["fileInQuery"];
                /**
                 * @description The code host that is meant; without it, the first one configured where an owner or a repository is named, or, with a / in the owner, the first that has groups; and all where none is named
                 * @example github
                 */
                host?: string;
                /** @description A two-letter ISO 639-1 language code in lower case */
                language?: components["parameters"]["languageInQuery"];
                /** @description How many to answer at most */
                limit?: components["parameters"]["limitInQuery"];
                /** @description How many to pass over */
                offset?: components["parameters"]["offsetInQuery"];
                /** @description Repository owner: letters, digits, dots, hyphens and underscores; for a group within others the names of all, such as `group/sub`, which is one part of a path: `group%2Fsub` */
                owner?: components["parameters"]["ownerInQuery"];
                /** @description Words that all have to occur, `"words in this order"`, and `repo:owner/name`, `author:`, `type:`, `file:`, `is:unread` */
                q?: components["parameters"]["qInQuery"];
                /** @description Repository name: letters, digits, dots, hyphens and underscores */
                repo?: components["parameters"]["repoInQuery"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was found. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FoundArticleListAnswer"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            409: components["responses"]["HostTokenRequiredOrHostTokenInvalid"];
            421: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            502: components["responses"]["HostError"];
            503: components["responses"]["HostRateLimitedOrUnavailable"];
            504: components["responses"]["HostTimeout"];
        };
    };
    getCurrentUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The user. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserAnswer"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["UserNotFound"];
            409: components["responses"]["HostTokenRequiredOrHostTokenInvalid"];
            421: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            502: components["responses"]["HostError"];
            503: components["responses"]["HostRateLimitedOrUnavailable"];
            504: components["responses"]["HostTimeout"];
        };
    };
    registerFavorite: {
        parameters: {
            query?: {
                /**
                 * @description The code host that is meant; without it, the first one configured
                 * @example github
                 */
                host?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "owner": "harborline",
                 *       "repo": "parcel"
                 *     }
                 */
                "application/json": {
                    /** @description Repository owner: letters, digits, dots, hyphens and underscores; for a group within others the names of all, such as `group/sub`, which is one part of a path: `group%2Fsub` */
                    owner: string;
                    /** @description Repository name: letters, digits, dots, hyphens and underscores */
                    repo: string;
                };
            };
        };
        responses: {
            /** @description Already registered: the existing record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FavoriteRepositoryAnswer"];
                };
            };
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FavoriteRepositoryAnswer"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["RepositoryNotFoundOrUserNotFound"];
            409: components["responses"]["HostTokenRequiredOrHostTokenInvalid"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            502: components["responses"]["HostError"];
            503: components["responses"]["HostRateLimitedOrUnavailable"];
            504: components["responses"]["HostTimeout"];
            507: components["responses"]["StorageFull"];
        };
    };
    deleteAccount: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The account is gone. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmptyAnswer"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["UserNotFound"];
            409: components["responses"]["HostTokenRequiredOrHostTokenInvalid"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            502: components["responses"]["HostError"];
            503: components["responses"]["HostRateLimitedOrUnavailable"];
            504: components["responses"]["HostTimeout"];
            507: components["responses"]["StorageFull"];
        };
    };
    changeLanguage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "language": "en"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: iso-639-1
                     * @description A two-letter ISO 639-1 language code in lower case
                     * @example ja
                     * @example en
                     */
                    language: string;
                };
            };
        };
        responses: {
            /** @description The user as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UserAnswer"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["UserNotFound"];
            409: components["responses"]["HostTokenRequiredOrHostTokenInvalid"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            502: components["responses"]["HostError"];
            503: components["responses"]["HostRateLimitedOrUnavailable"];
            504: components["responses"]["HostTimeout"];
            507: components["responses"]["StorageFull"];
        };
    };
    getDigestSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What the caller has chosen. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DigestSettingsAnswer"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["UserNotFound"];
            409: components["responses"]["HostTokenRequiredOrHostTokenInvalid"];
            421: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            502: components["responses"]["HostError"];
            503: components["responses"]["HostRateLimitedOrUnavailable"];
            504: components["responses"]["HostTimeout"];
        };
    };
    chooseDigest: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "period": "weekly",
                 *       "email": "mara@example.org"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Where to
                     * @example mara@example.org
                     */
                    email?: string | null;
                    /**
                     * @description How often, or not at all
                     * @enum {string}
                     */
                    period: "off" | "daily" | "weekly";
                };
            };
        };
        responses: {
            /** @description It is chosen. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DigestSettingsAnswer"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["UserNotFound"];
            409: components["responses"]["HostTokenRequiredOrHostTokenInvalid"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["InvalidRequest"];
            429: components["responses"]["QuotaExhaustedOrRateLimited"];
            500: components["responses"]["Internal"];
            502: components["responses"]["HostError"];
            503: components["responses"]["HostRateLimitedOrUnavailable"];
            504: components["responses"]["HostTimeout"];
            507: components["responses"]["StorageFull"];
        };
    };
    listFavorites: {
        parameters: {
            query?: {
                /**
                 * @description The code host that is meant; without it, the first one configured where an owner or a repository is named, or, with a / in the owner, the first that has groups; and all where none is named
                 * @example github
                 */
                host?: string;
                /** @description How many to answer at most */
                limit?: components["parameters"]["limitInQuery"];
                /** @description How many to pass over */
                offset?: components["parameters"]["offsetInQuery"];
                /** @description Repository owner: letters, digits, dots, hyphens and underscores; for a group within others the names of all, such as `group/sub`, which is one part of a path: `group%2Fsub` */
                owner?: components["parameters"]["ownerInQuery"];
                /** @description Repository name: letters, digits, dots, hyphens and underscores */
                repo?: components["parameters"]["repoInQuery"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Favorites. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FavoriteRepositoryListAnswer"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["UserNotFound"];
            409: components["responses"]["HostTokenRequiredOrHostTokenInvalid"];
            421: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            502: components["responses"]["HostError"];
            503: components["responses"]["HostRateLimitedOrUnavailable"];
            504: components["responses"]["HostTimeout"];
        };
    };
    addFavorite: {
        parameters: {
            query?: {
                /**
                 * @description The code host that is meant; without it, the first one configured
                 * @example github
                 */
                host?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "owner": "harborline",
                 *       "repo": "parcel"
                 *     }
                 */
                "application/json": {
                    /** @description Repository owner: letters, digits, dots, hyphens and underscores; for a group within others the names of all, such as `group/sub`, which is one part of a path: `group%2Fsub` */
                    owner: string;
                    /** @description Repository name: letters, digits, dots, hyphens and underscores */
                    repo: string;
                };
            };
        };
        responses: {
            /** @description Already registered: the existing record. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FavoriteRepositoryAnswer"];
                };
            };
            /** @description Created. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FavoriteRepositoryAnswer"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["RepositoryNotFoundOrUserNotFound"];
            409: components["responses"]["HostTokenRequiredOrHostTokenInvalid"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            502: components["responses"]["HostError"];
            503: components["responses"]["HostRateLimitedOrUnavailable"];
            504: components["responses"]["HostTimeout"];
            507: components["responses"]["StorageFull"];
        };
    };
    removeFavorite: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The favorite. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Removed. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmptyAnswer"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFoundOrUserNotFound"];
            409: components["responses"]["HostTokenRequiredOrHostTokenInvalid"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            502: components["responses"]["HostError"];
            503: components["responses"]["HostRateLimitedOrUnavailable"];
            504: components["responses"]["HostTimeout"];
            507: components["responses"]["StorageFull"];
        };
    };
    watchFavorite: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The favorite. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "language": "en"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Whether what bots have made is written about too
                     * @default false
                     */
                    includeBots?: boolean;
                    /** @description Only pull requests with any of these labels, in whatever case; all where there are none */
                    labels?: string[];
                    /**
                     * Format: iso-639-1
                     * @description A two-letter ISO 639-1 language code in lower case
                     * @example ja
                     * @example en
                     */
                    language?: string;
                };
            };
        };
        responses: {
            /** @description Watched already: the watch as it is now. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WatchAnswer"];
                };
            };
            /** @description Watched from now on. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WatchAnswer"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFoundOrUserNotFound"];
            409: components["responses"]["LanguageUnavailableOrHostTokenRequiredOrHostTokenInvalid"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            502: components["responses"]["HostError"];
            503: components["responses"]["HostRateLimitedOrUnavailable"];
            504: components["responses"]["HostTimeout"];
            507: components["responses"]["StorageFull"];
        };
    };
    endWatch: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The favorite. */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description No longer watched. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmptyAnswer"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFoundOrUserNotFound"];
            409: components["responses"]["HostTokenRequiredOrHostTokenInvalid"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            502: components["responses"]["HostError"];
            503: components["responses"]["HostRateLimitedOrUnavailable"];
            504: components["responses"]["HostTimeout"];
            507: components["responses"]["StorageFull"];
        };
    };
    getFavoritesOpml: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The feeds. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/x-opml; charset=utf-8": string;
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["UserNotFound"];
            409: components["responses"]["HostTokenRequiredOrHostTokenInvalid"];
            421: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            502: components["responses"]["HostError"];
            503: components["responses"]["HostRateLimitedOrUnavailable"];
            504: components["responses"]["HostTimeout"];
        };
    };
    listFeed: {
        parameters: {
            query?: {
                /** @description A two-letter ISO 639-1 language code in lower case */
                language?: components["parameters"]["languageInQuery"];
                /** @description How many to answer at most */
                limit?: components["parameters"]["limitInQuery"];
                /** @description How many to pass over */
                offset?: components["parameters"]["offsetInQuery"];
                /** @description Only what the caller has not read, or what says something new since */
                unread?: components["parameters"]["unreadInQuery"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What is new. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FeedEntryListAnswer"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["UserNotFound"];
            409: components["responses"]["HostTokenRequiredOrHostTokenInvalid"];
            421: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            502: components["responses"]["HostError"];
            503: components["responses"]["HostRateLimitedOrUnavailable"];
            504: components["responses"]["HostTimeout"];
        };
    };
    makeFeedAddress: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The address, the only time that it is shown. */
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /**
                             * Format: uri
                             * @description The feed as Atom.
                             */
                            atomUrl: string;
                            /**
                             * Format: uri
                             * @description The digests of the caller as Atom.
                             */
                            digestAtomUrl: string;
                            /**
                             * Format: uri
                             * @description The same as JSON Feed.
                             */
                            digestJsonUrl: string;
                            /**
                             * Format: uri
                             * @description The same as JSON Feed.
                             */
                            jsonUrl: string;
                        };
                        /**
                         * @description Human-readable text.
                         * @example Done.
                         */
                        message: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["UserNotFound"];
            409: components["responses"]["HostTokenRequiredOrHostTokenInvalid"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            502: components["responses"]["HostError"];
            503: components["responses"]["HostRateLimitedOrUnavailable"];
            504: components["responses"]["HostTimeout"];
            507: components["responses"]["StorageFull"];
        };
    };
    endFeedAddress: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description There is no such address any more. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EmptyAnswer"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["UserNotFound"];
            409: components["responses"]["HostTokenRequiredOrHostTokenInvalid"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            502: components["responses"]["HostError"];
            503: components["responses"]["HostRateLimitedOrUnavailable"];
            504: components["responses"]["HostTimeout"];
            507: components["responses"]["StorageFull"];
        };
    };
    markFeedRead: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "until": "2026-03-01T09:30:00.000Z"
                 *     }
                 */
                "application/json": {
                    /**
                     * Format: date-time
                     * @description What was written later stays unread.
                     * @example 2026-03-01T09:30:00.000Z
                     */
                    until: string;
                };
            };
        };
        responses: {
            /** @description All of it is read. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: {
                            /** @description How many articles were unread, or said something new. */
                            marked: number;
                        };
                        /**
                         * @description Human-readable text.
                         * @example Done.
                         */
                        message: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["UserNotFound"];
            409: components["responses"]["HostTokenRequiredOrHostTokenInvalid"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            502: components["responses"]["HostError"];
            503: components["responses"]["HostRateLimitedOrUnavailable"];
            504: components["responses"]["HostTimeout"];
            507: components["responses"]["StorageFull"];
        };
    };
    listLikedArticles: {
        parameters: {
            query?: {
                /** @description Only this article, in whichever languages it is liked. */
                articleId?: components["parameters"]["articleIdInQuery"];
                /** @description A two-letter ISO 639-1 language code in lower case */
                language?: components["parameters"]["languageInQuery"];
                /** @description How many to answer at most */
                limit?: components["parameters"]["limitInQuery"];
                /** @description How many to pass over */
                offset?: components["parameters"]["offsetInQuery"];
                /** @description Which likes come first: the latest or the earliest */
                sort?: components["parameters"]["sortInQuery"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Liked articles. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LikedArticleInfoListAnswer"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["UserNotFound"];
            409: components["responses"]["HostTokenRequiredOrHostTokenInvalid"];
            421: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            502: components["responses"]["HostError"];
            503: components["responses"]["HostRateLimitedOrUnavailable"];
            504: components["responses"]["HostTimeout"];
        };
    };
    listWatches: {
        parameters: {
            query?: {
                /** @description How many to answer at most */
                limit?: components["parameters"]["limitInQuery"];
                /** @description How many to pass over */
                offset?: components["parameters"]["offsetInQuery"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Watches. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WatchListAnswer"];
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["UserNotFound"];
            409: components["responses"]["HostTokenRequiredOrHostTokenInvalid"];
            421: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            502: components["responses"]["HostError"];
            503: components["responses"]["HostRateLimitedOrUnavailable"];
            504: components["responses"]["HostTimeout"];
        };
    };
    takeWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /**
                 * @description The code host that sends it
                 * @example github
                 */
                host: string;
            };
            cookie?: never;
        };
        /** @description Taken as it is sent */
        requestBody?: {
            content: {
                "application/json": unknown;
            };
        };
        responses: {
            /** @description Nothing to do, or taken before. */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @example {
                         *       "outcome": "queued"
                         *     }
                         */
                        data: {
                            /**
                             * @description `queued`: what it calls for is under way, or done. `repeated`: that was so before. `nothing`: it calls for nothing here.
                             * @enum {string}
                             */
                            outcome: "queued" | "repeated" | "nothing";
                        };
                        /**
                         * @description Human-readable text.
                         * @example Done.
                         */
                        message: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            /** @description Under way. */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /**
                         * @example {
                         *       "outcome": "queued"
                         *     }
                         */
                        data: {
                            /**
                             * @description `queued`: what it calls for is under way, or done. `repeated`: that was so before. `nothing`: it calls for nothing here.
                             * @enum {string}
                             */
                            outcome: "queued" | "repeated" | "nothing";
                        };
                        /**
                         * @description Human-readable text.
                         * @example Done.
                         */
                        message: string;
                        /** @enum {boolean} */
                        success: true;
                    };
                };
            };
            400: components["responses"]["InvalidRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["NotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            421: components["responses"]["InvalidRequest"];
            429: components["responses"]["RateLimited"];
            500: components["responses"]["Internal"];
            503: components["responses"]["Unavailable"];
            507: components["responses"]["StorageFull"];
        };
    };
}
