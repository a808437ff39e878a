/** The day on which limits count, such as 2026-03-01. */
export function utcDay(moment: Date): string {
  return moment.toISOString().slice(0, 10);
}

/** When the next day begins. */
export function nextUtcDay(moment: Date): Date {
  return new Date(Date.UTC(moment.getUTCFullYear(), moment.getUTCMonth(), moment.getUTCDate() + 1));
}
