/** A piece of text that words are made of, and where it stands. */
export interface Part {
  /** Normalised, in its own case. */
  text: string;
  start: number;
  end: number;
}

/**
 * What text is taken apart into: letters and digits without a sign between them, as the parts that a programmer reads in them
 * (`retryCount` has two), or a run of signs of a script that puts no blanks between words.
 */
export interface Token {
  kind: 'word' | 'run';
  parts: Part[];
  /** Whether it is one name with the token before, such as `app` and `ts` in `app.ts`. */
  isGlued: boolean;
  /** Whether a `#` stands directly before it. */
  isNumbered: boolean;
}

/** Scripts whose words are not told apart by blanks; Korean ones are, and bend at their ends. */
const tokens =
  /[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}\u30fc\uff70\u3005]+|[[\p{L}\p{N}\p{M}]--[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}\u30fc\uff70\u3005]]+/gv;

const isRun =
  /^[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}\u30fc\uff70\u3005]/v;

/** Signs that hold the parts of a path or of a name together. A hyphen does not: what it joins is also written apart. */
const glue = /^[._/\\@:#~]{1,3}$/;

/** Most words have no capital letter behind their first one, and one part. */
const hasCapital = /.\p{Lu}/su;

/** Where a part of a name begins: `tempPath`, `HTTPServer`. */
const partBegins = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u;

/** No sentence is longer. */
const longestText = 20_000;

export function readTokens(whole: string): Token[] {
  const text = whole.slice(0, longestText);
  const found: Token[] = [];
  let end = 0;
  for (const { 0: written, index } of text.matchAll(tokens)) {
    const between = text.slice(end, index);
    const kind = isRun.test(written) ? 'run' : 'word';
    const before = found.at(-1);
    const isGlued = kind === 'word' && before?.kind === 'word' && between.length < 4 && glue.test(between);
    found.push({ kind, parts: partsOf(written, index, kind), isGlued, isNumbered: text[index - 1] === '#' });
    end = index + written.length;
  }
  return found;
}

function partsOf(written: string, start: number, kind: Token['kind']): Part[] {
  const normal = written.normalize('NFKC');
  const whole = { text: normal, start, end: start + written.length };
  // Where normalising changes lengths, only the whole has a place in what was written.
  if (kind === 'run' || normal.length !== written.length || !hasCapital.test(normal)) return [whole];
  let end = start;
  return normal.split(partBegins).map((text) => {
    end += text.length;
    return { text, start: end - text.length, end };
  });
}

/** Latin letters that have marks. */
const marked = /[\u00c0-\u024f\u1e00-\u1eff]/;

/** Letters that mean the same to those who search: case and the marks on Latin letters make no difference. */
export function folded(text: string): string {
  const small = text.toLowerCase();
  return marked.test(small)
    ? small
        .normalize('NFD')
        .replace(/(?<=\p{sc=Latin}\p{M}{0,3})\p{M}/gu, '')
        .normalize('NFC')
    : small;
}
