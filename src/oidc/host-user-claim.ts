/** A whole number as GitHub gives to accounts, as it is, in digits, or as those write it who know several hosts. */
const written = /^(?:github\|)?([1-9]\d{0,15})$/;

/** Which user of the code host a claim names; null where it names none. */
export function hostUserIn(claims: unknown, pointer: string[]): number | null {
  let value = claims;
  for (const step of pointer) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return null;
    value = Reflect.get(value, step);
  }
  const number = typeof value === 'string' ? Number(written.exec(value)?.[1]) : value;
  return Number.isSafeInteger(number) && Number(number) > 0 ? Number(number) : null;
}
