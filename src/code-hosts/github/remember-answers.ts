/** How long somebody counts as what GitHub last said of them. */
const rememberedMs = 5 * 60 * 1000;

/** The oldest answers are forgotten first. */
const mostRemembered = 10_000;

/** Asks for what is not known by a key, or was so for too long; those who ask at the same time ask once. */
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
    // What could not be found out is asked again by whoever comes next.
    asked.catch(() => remembered.delete(key));
    return asked;
  };
}
