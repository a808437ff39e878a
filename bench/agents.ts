import { listLargeArticles, readLargeArticles } from '../test/read-large-articles.ts';

// How large the largest answer is that an agent gets about 100 articles far larger than any that is written, in every script and
// with lines that do not end, in brief and in full, sentence by sentence and in lists: at most 8,000 tokens, by an estimate of
// two bytes to a token. Fails where one is larger, or where cursors lose or repeat something.
// Usage: node bench/agents.ts

const count = 100;

async function main(): Promise<void> {
  const read = await readLargeArticles(count);
  console.log(`${read.answers} answers about ${count} articles: ${read.mostTokens} tokens at most`);
  const listed = await listLargeArticles(count);
  console.log(`${listed.answers} answers that list them: ${listed.mostTokens} tokens at most`);
}

await main();
