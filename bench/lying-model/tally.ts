import { lieKinds } from '../make-lies.ts';
import { type Kind, liesInSayingAgain, liesOfMeaning, type Place } from './claims.ts';
import { type ReaderName, readerNames } from './readers.ts';

const languages = ['en', 'ja', 'fr', 'de', 'zh', 'ar'] as const;
export type Language = (typeof languages)[number];

const places: Place[] = ['sentence', 'title', 'standfirst', 'heading', 'mended', 'said again'];
const kinds: Kind[] = [...lieKinds, ...liesOfMeaning, ...liesInSayingAgain];

class Shares<Row extends string, Column extends string> {
  readonly #counts = new Map<string, { part: number; of: number }>();
  readonly #rows: readonly Row[];
  readonly #columns: readonly Column[];

  constructor(rows: readonly Row[], columns: readonly Column[]) {
    this.#rows = rows;
    this.#columns = columns;
  }

  add(row: Row, column: Column, of: number, part: number): void {
    const key = `${row}\0${column}`;
    const { part: before, of: all } = this.#counts.get(key) ?? { part: 0, of: 0 };
    this.#counts.set(key, { part: before + part, of: all + of });
  }

  /** Each cell as `part of all`, with the sum of each row as a share. */
  print(): Record<string, Record<string, string>> {
    const table: Record<string, Record<string, string>> = {};
    for (const row of this.#rows) {
      const cells = this.#columns.map((column) => this.#counts.get(`${row}\0${column}`));
      const of = sum(cells.map((cell) => cell?.of ?? 0));
      const part = sum(cells.map((cell) => cell?.part ?? 0));
      if (of === 0) continue;
      table[row] = {
        ...Object.fromEntries(
          this.#columns.map((column, at) => [
            column,
            cells[at] ? `${cells[at].part} of ${cells[at].of}` : '',
          ]),
        ),
        share: `${((100 * part) / of).toFixed(1)} %`,
      };
    }
    return table;
  }
}

const sum = (numbers: number[]): number => numbers.reduce((all, one) => all + one, 0);

/** The results of articles with one second model. */
const emptyCounts = () => ({
  articles: 0,
  unread: 0,
  'lies told': 0,
  'lies published': 0,
  'of these titles': 0,
  'lies called checked': 0,
  judged: 0,
  unjudged: 0,
  'true told': 0,
  'true published': 0,
});

export const tally = {
  readers: Object.fromEntries(readerNames.map((name) => [name, emptyCounts()])) as Record<
    ReaderName,
    ReturnType<typeof emptyCounts>
  >,
  /** The share of lies that the rules alone let through. */
  rulesByKind: new Shares<Kind, Language>(kinds, languages),
  rulesByPlace: new Shares<Place, Language>(places, languages),
  /** The share of lies that were published although the second model works. */
  published: new Shares<Place, Language>(places, languages),
  /** The share of true sentences lost with a second model that works. */
  lost: new Shares<'true sentences lost', Language>(['true sentences lost'], languages),
};
