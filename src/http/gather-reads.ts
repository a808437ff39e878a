/** Enough that one is answered while the next is on its way; with more, fewer would share each. */
const mostAtOnce = 2;

/** One look may be for this many, so that none takes long. */
const mostTogether = 64;

interface Waiting<Wanted, Found> extends PromiseWithResolvers<Found> {
  wanted: Wanted;
}

/**
 * Lets those who ask at about the same time look together, and those who ask for the same share what is found. While the
 * looks that are under way are answered, more gather for the next: nobody is given what was looked at before they asked.
 */
export function gatherReads<Wanted, Found>(
  lookFor: (wanted: Wanted[]) => Promise<Found[]>,
): (key: string, wanted: Wanted) => Promise<Found> {
  const waiting = new Map<string, Waiting<Wanted, Found>>();
  let underWay = 0;

  const look = async (): Promise<void> => {
    if (underWay === mostAtOnce || waiting.size === 0) return;
    const together = [...waiting].slice(0, mostTogether);
    for (const [key] of together) waiting.delete(key);
    underWay += 1;
    try {
      const found = await lookFor(together.map(([, { wanted }]) => wanted));
      for (const [index, [, { resolve }]] of together.entries()) resolve(found[index] as Found);
    } catch (error) {
      for (const [, { reject }] of together) reject(error);
    }
    underWay -= 1;
    look();
  };

  return (key, wanted) => {
    const known = waiting.get(key);
    if (known) return known.promise;
    const entry = { wanted, ...Promise.withResolvers<Found>() };
    waiting.set(key, entry);
    // Whoever else has already asked, but was not listened to yet, comes along.
    if (waiting.size === 1) setImmediate(look);
    return entry.promise;
  };
}
