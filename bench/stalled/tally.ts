import type { Note } from '../acknowledged/caller.ts';

interface PlaceRow {
  rounds: number;
  /** Rounds in which no statement reached the position. */
  missed: number;
  done: number;
  'answered 503': number;
  'answered otherwise': number;
  hung: number;
  'slowest to answer again, ms': number;
  'never answered again': number;
}

const emptyRow = (): PlaceRow => ({
  rounds: 0,
  missed: 0,
  done: 0,
  'answered 503': 0,
  'answered otherwise': 0,
  hung: 0,
  'slowest to answer again, ms': 0,
  'never answered again': 0,
});

/** The expected refusals, by kind. */
const rightlyRefused: Record<string, string> = { 'signups again': '409' };

/** Lookups do not count as writes. */
const notCounted = 'looked up';

/** Counts the results of writes, by the current stall and by kind. */
export class Tally {
  readonly byPlace = new Map<string, PlaceRow>();
  readonly byKind = new Map<string, Record<string, number>>();
  #place = 'nothing stalls';

  /** Sets the current stall. */
  begin(place: string): PlaceRow {
    this.#place = place;
    return this.#row;
  }

  readonly note: Note = (kind, outcome, ms) => {
    if (kind === notCounted && outcome !== 'hung') return;
    const isDone = /^2/.test(outcome) || outcome === rightlyRefused[kind];
    const counted = this.byKind.get(kind) ?? {};
    counted[outcome] = (counted[outcome] ?? 0) + 1;
    counted['slowest, ms'] = Math.max(Math.round(ms), counted['slowest, ms'] ?? 0);
    this.byKind.set(kind, counted);
    const row = this.#row;
    if (isDone) row.done += 1;
    else if (outcome === '503') row['answered 503'] += 1;
    else if (outcome === 'hung') row.hung += 1;
    else row['answered otherwise'] += 1;
  };

  /** The number of errors. */
  get problems(): number {
    return [...this.byPlace.values()].reduce(
      (sum, row) => sum + row['answered otherwise'] + row.hung + row['never answered again'],
      0,
    );
  }

  get #row(): PlaceRow {
    const row = this.byPlace.get(this.#place) ?? emptyRow();
    this.byPlace.set(this.#place, row);
    return row;
  }
}
