/** How long an answer of a host is cached. */
const rememberedMs = 5 * 60 * 1000;

/** The oldest answers are forgotten first. */
const mostRemembered = 10_000;

interface Remembered<Answer> {
  asked: Promise<Answer>;
  until: number;
  /** Once it is there. */
  answer?: Answer;
}

interface Memory<Answer> {
  /** Asks where no answer is cached under a key, or one that is too old; calls at the same time share one request. */
  remember: (key: string, ask: () => Promise<Answer>) => Promise<Answer>;
  /** Forgets answers, and those that are under way, because it is not known yet what they say. */
  forget: (isMeant: (answer: Answer) => boolean) => void;
}

export function rememberAnswers<Answer>(clock: () => Date): Memory<Answer> {
  const remembered = new Map<string, Remembered<Answer>>();
  return {
    remember(key, ask) {
      const known = remembered.get(key);
      if (known && known.until > clock().getTime()) return known.asked;
      remembered.delete(key);
      const asked = ask();
      const entry: Remembered<Answer> = { asked, until: clock().getTime() + rememberedMs };
      remembered.set(key, entry);
      if (remembered.size > mostRemembered) remembered.delete(remembered.keys().next().value ?? '');
      asked.then(
        (answer) => {
          entry.answer = answer;
        },
        // A failure is not cached: the next caller asks again.
        () => remembered.get(key) === entry && remembered.delete(key),
      );
      return asked;
    },
    forget(isMeant) {
      for (const [key, entry] of remembered)
        if (!('answer' in entry) || isMeant(entry.answer as Answer)) remembered.delete(key);
    },
  };
}
