/** As many words in a row are no coincidence. */
const words = 7;

/** The same for scripts that put no blanks between words. */
const characters = 20;

const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Khmer}\p{Script=Lao}ー]+/gu;

/** Every run of words in these texts that is long enough to be known again. */
export function runsOf(texts: string[]): Set<string> {
  return new Set(texts.flatMap((text) => [...wordRuns(text), ...characterRuns(text)]));
}

/** The first run of words in a text that stands in one of the others too. */
export function copiedRun(text: string, others: Set<string>): string | null {
  return [...wordRuns(text), ...characterRuns(text)].find((run) => others.has(run)) ?? null;
}

/** What nobody reads across: brackets, and the end of a sentence or statement. */
const boundary = /[()[\]{}（）［］【】;]|[.!?](?=["'”’)]?(?:\s|$))/gu;

function wordRuns(text: string): string[] {
  const all =
    text
      .replace(unspaced, ' … ')
      .replace(boundary, ' … ')
      .toLowerCase()
      .match(/[\p{L}\p{N}_'’]+|…/gu) ?? [];
  const runs: string[] = [];
  for (let at = 0; at + words <= all.length; at += 1) {
    const run = all.slice(at, at + words);
    if (!run.includes('…')) runs.push(run.join(' '));
  }
  return runs;
}

function characterRuns(text: string): string[] {
  return Array.from(text.matchAll(unspaced), ([run]) => run).flatMap((run) =>
    Array.from({ length: Math.max(0, run.length - characters + 1) }, (_, at) =>
      run.slice(at, at + characters),
    ),
  );
}
