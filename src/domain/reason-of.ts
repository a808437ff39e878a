/** The innermost reason, which says most: those around it say that a call has failed. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.cause instanceof Error) return reasonOf(error.cause);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return code || error.message || error.name;
}
