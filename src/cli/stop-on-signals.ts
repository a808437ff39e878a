/** The first signal has what is under way put back; a second one, which comes later than npm passes the first on, ends at once. */
export function stopOnSignals(stopped: AbortController): () => void {
  let since: number | null = null;
  const stop = (): void => {
    if (since !== null && Date.now() - since > 1_000) process.exit(130);
    since ??= Date.now();
    stopped.abort();
  };
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const signal of signals) process.on(signal, stop);
  return () => {
    for (const signal of signals) process.off(signal, stop);
  };
}
