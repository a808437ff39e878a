/** How many questions are under way at once. */
const atOnce = 8;

/** A few at a time, in the order given. */
export async function inTurns<Given, Done>(
  given: readonly Given[],
  work: (one: Given) => Promise<Done>,
): Promise<Done[]> {
  const done: Done[] = [];
  for (let at = 0; at < given.length; at += atOnce)
    done.push(...(await Promise.all(given.slice(at, at + atOnce).map(work))));
  return done;
}
