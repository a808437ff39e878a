import { type Family, families } from '../../src/reading/change-type/change-features.ts';
import { isStorable } from './print-table.ts';

/** Numbers every feature that was ever seen. The same name in another family is another feature. */
export class FeatureNames {
  readonly #numbers = new Map<string, number>();
  readonly #names: string[] = [];

  get size(): number {
    return this.#names.length;
  }

  /** Null for one that the table could not hold. */
  numberOf(family: Family, name: string): number | null {
    const whole = `${family} ${name}`;
    const known = this.#numbers.get(whole);
    if (known !== undefined) return known;
    if (!isStorable(name)) return null;
    this.#numbers.set(whole, this.#names.length);
    this.#names.push(whole);
    return this.#names.length - 1;
  }

  nameOf(number: number): { family: Family; name: string } {
    const whole = this.#names[number] ?? '';
    const family = families.find((one) => whole.startsWith(`${one} `));
    if (!family) throw new Error(`No feature has the number ${number}.`);
    return { family, name: whole.slice(family.length + 1) };
  }
}
