import { html } from './html.ts';

/** For whoever comes back from a code host and cannot be signed in: why, and where to go on. */
export function signInProblemPage(sentence: string): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Signing in · Pullquote</title>
</head>
<body>
<main>
<h1>You are not signed in</h1>
<p>${sentence}</p>
<p><a href="/sign-in">Sign in</a> · <a href="/">Pullquote</a></p>
</main>
</body>
</html>
`.toString();
}
