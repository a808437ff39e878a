import { type Finding, failure, ok, warning } from '../../domain/finding.ts';

/** By how much other clocks are ahead of this machine's; null where none was asked. */
type Clocks = Record<string, number | null>;

/** A header says whole seconds, and an answer takes its time. */
const toleratedMs = 5_000;

/** Tokens that are signed elsewhere are refused by then. */
const harmfulMs = 60_000;

export function judgeClocks(clocks: Clocks): Finding[] {
  const known = Object.entries(clocks).filter((entry): entry is [string, number] => entry[1] !== null);
  if (known.length === 0)
    return [ok('clock', `It is ${new Date().toISOString()} here; no other clock was asked.`)];
  const off = known.filter(([, aheadMs]) => Math.abs(aheadMs) > toleratedMs);
  if (off.length === 0)
    return [ok('clock', `The clock agrees with that of ${known.map(([name]) => name).join(' and of ')}.`)];
  return off.map(([name, aheadMs]) => {
    const seconds = Math.round(Math.abs(aheadMs) / 1000);
    const sentence = `The clock of this machine is ${seconds} s ${aheadMs > 0 ? 'behind' : 'ahead of'} that of ${name}.`;
    const tell = Math.abs(aheadMs) > harmfulMs ? failure : warning;
    return tell('clock', sentence, 'Have both set by NTP, such as with timedatectl set-ntp true.');
  });
}
