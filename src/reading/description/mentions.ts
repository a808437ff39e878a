const codeSpan = /`([^`\n]{1,200})`/g;
const quoted = /"([^"\n]{2,120})"|“([^”\n]{2,120})”|「([^」\n]{2,120})」/g;
const path =
  /(?<![\w/.@-])(?:[\w.@-]{1,60}\/){1,12}[\w.@-]{1,80}|(?<![\w/.@-])[\w-]{1,60}(?:\.[\w-]{1,40}){0,3}\.(?:c|cc|cpp|cs|css|cts|go|h|hpp|html|java|js|json|jsx|kt|lock|md|mdx|mjs|mts|php|proto|py|rb|rs|rst|scss|sh|sql|svelte|swift|toml|ts|tsx|txt|vue|xml|ya?ml)(?![\w/])/g;
const version = /(?<![\w.])v?\d{1,6}\.\d{1,6}(?:\.\d{1,6})?(?:-[\w.]{1,30})?(?![\w])/g;
const identifier =
  /(?<![\w.@/-])(?:[a-z_$][a-z\d$]{0,40}(?:[A-Z][a-z\d]{0,40}){1,8}|[A-Z][a-z\d]{1,40}(?:[A-Z][a-z\d]{1,40}){1,8}|[A-Za-z\d]{1,40}(?:_[A-Za-z\d]{1,40}){1,8}|--[a-z][a-z\d-]{1,40})(?![\w])/g;
const address = /https?:\/\/\S{1,2000}/g;

/** Names that look like identifiers and are those of products; a sentence that drops one speaks of no code. */
const productNames =
  /^(?:GitHub|GitLab|JavaScript|TypeScript|CoffeeScript|PostgreSQL|MySQL|SQLite|MongoDB|GraphQL|WebSockets?|SvelteKit|GoReleaser|YouTube|LinkedIn|StackOverflow|CloudFlare|CircleCI|MacOS|macOS|iOS|iPhone|iPad|OpenAPI|OAuth|DevTools|VSCode|WebKit|CodeQL|DigitalOcean|StackBlitz|OpenTelemetry|IntelliJ|PyPI|NodeJS|NuGet|BitBucket|DockerHub|PowerShell|README|WebAssembly|OpenSSL|eBPF|gRPC|npmJS)$/;

/** The contents of the code spans of a sentence. */
export function codeSpans(sentence: string): string[] {
  return Array.from(sentence.matchAll(codeSpan), (match) => match[1]?.trim() ?? '').filter(
    (span) => span !== '',
  );
}

/** Identifiers, paths, versions and quoted words in a sentence, each once, as they are written. */
export function findMentions(sentence: string): string[] {
  const mentions = new Set(codeSpans(sentence));
  const prose = sentence.replace(codeSpan, ' ').replace(address, ' ');
  for (const match of prose.matchAll(quoted)) mentions.add((match[1] ?? match[2] ?? match[3] ?? '').trim());
  for (const pattern of [path, version, identifier]) {
    for (const [word] of prose.matchAll(pattern)) if (!productNames.test(word)) mentions.add(word);
  }
  return [...mentions].filter((mention) => /[\p{L}\p{N}]/u.test(mention));
}

export function isPath(mention: string): boolean {
  return mention.match(path)?.[0] === mention && (/\.\w{1,8}$/.test(mention) || mention.includes('/'));
}

export function isVersion(mention: string): boolean {
  return mention.match(version)?.[0] === mention;
}
