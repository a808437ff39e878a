/** How long an answer of GitHub is cached. */
const rememberedMs = 5 * 60 * 1000;

/** The oldest answers are forgotten first. */
const mostRemembered = 10_000;

/** Asks where no answer is cached under a key, or one that is too old; calls at the same time share one request. */
export function rememberAnswers<Answer>(
  clock: () => Date,
): (key: string, ask: () => Promise<Answer>) => Promise<Answer> {
  const remembered = new Map<string, { asked: Promise<Answer>; until: number }>();
  return (key, ask) => {
    const known = remembered.get(key);
    if (known && known.until > clock().getTime()) return known.asked;
    remembered.delete(key);
    const asked = ask();
    remembered.set(key, { asked, until: clock().getTime() + rememberedMs });
    if (remembered.size > mostRemembered) remembered.delete(remembered.keys().next().value ?? '');
    // A failure is not cached: the next caller asks again.
    asked.catch(() => remembered.delete(key));
    return asked;
  };
}
