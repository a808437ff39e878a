import { parentPort, workerData } from 'node:worker_threads';

// A thread of its own that reads one address after the other, so that no other client of a benchmark delays it.

export interface Reading {
  addresses: string[];
  rounds: number;
}

const { addresses, rounds }: Reading = workerData;
const took = addresses.map((): number[] => []);
for (let round = 0; round < rounds; round += 1) {
  for (const [index, address] of addresses.entries()) {
    const start = performance.now();
    const response = await fetch(address);
    await response.text();
    if (response.status !== 200) throw new Error(`An ordinary read was answered ${response.status}.`);
    took[index]?.push(performance.now() - start);
  }
}
parentPort?.postMessage(took);
