/** What the reference begins with, in Markdown: from nothing to an article in four calls. */
export const quickStart = `Turns pull requests into articles people want to read. [Home](/) · [this document for programs](/openapi.json)

## Quick start

\`\`\`sh
URL=http://127.0.0.1:8080   # put in the address of this page, without /docs
PULL=harborline/parcel/pulls/13   # OWNER/REPO/pulls/NUMBER; this one is of the sample: put in one of yours where the service reads clones or a host
TOKEN=$(npm run -s pullquote -- token alice)   # or a token of a code host that it reads from, such as GitHub's

# Sign up with it, once.
curl -X POST "$URL/auth/signup" -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' -d '{"language":"en"}'

# Have an article written about a pull request.
curl -X POST "$URL/repos/$PULL/article" -H "Authorization: Bearer $TOKEN" \\
  -H 'Content-Type: application/json' -d '{"language":"en"}'

# Read it, as Markdown or, without the last header, as JSON. What is public needs no token.
curl "$URL/repos/$PULL/article?language=en" -H 'Accept: text/markdown'
\`\`\`

## What answers look like

Success is \`{ success, data, message }\`, failure \`{ success, error }\` with a stable \`error.code\`; only signup answers its resource bare.
An article that is still being written is answered as the job that writes it, with status 202: \`data.kind\` is \`article\` or \`job\`.
Fields are added, and never taken away or given another meaning: ignore what you do not know.`;
