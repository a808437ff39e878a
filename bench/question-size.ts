import { parseArgs } from 'node:util';
import { labelMaterial, sizeOf } from '../src/writing/ai/material.ts';
import { prepareWriting } from '../src/writing/ai/prepare-writing.ts';
import { numbersFrom } from '../test/chance.ts';
import { readMerged } from './read-merged.ts';

// How much a model reads of a pull request against its raw diff, in bytes, without the instructions, and how much of that
// are definitions that did not change.
// Usage: node bench/question-size.ts [--count 40] [--seed 1] MIRROR …
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { count: { type: 'string', default: '40' }, seed: { type: 'string', default: '1' } },
});

const random = numbersFrom(Number(values.seed));
const ratios: number[] = [];
const ofDiff: number[] = [];
const shares: number[] = [];
for (const mirror of positionals) {
  for await (const { bytes, source } of readMerged(mirror, Number(values.count), random)) {
    const material = labelMaterial(prepareWriting(source, 'en').material, Number.MAX_SAFE_INTEGER);
    if (!material || material.files.size === 0) continue;
    const size = sizeOf(material.lines);
    const words = sizeOf(material.lines.filter((line) => /^[wk]\d+ /.test(line)));
    ratios.push(size / bytes.length);
    ofDiff.push((size - words) / bytes.length);
    const definitions = [...(material.definitions?.values() ?? [])].flat();
    shares.push(sizeOf(definitions.flatMap(({ lines }) => lines)) / size);
  }
}
const at = (numbers: number[], share: number): string =>
  (numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length * share)] ?? 0).toFixed(3);
const told = (numbers: number[]): string =>
  `median ${at(numbers, 0.5)}, 90 % ${at(numbers, 0.9)}, most ${at(numbers, 0.9999)}`;
console.log(`${ratios.length} pull requests: read ÷ raw diff ${told(ratios)}`);
console.log(`without findings and words: ${told(ofDiff)}`);
console.log(`definitions that did not change, of what is read: ${told(shares)}`);
console.log(`pull requests with some: ${shares.filter((share) => share > 0).length}`);
