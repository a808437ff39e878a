import { Agent, get } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

// In a thread of its own, so that whatever else the bench does delays no answer: asks one after the other how a service is,
// until told to stop, and then says how many milliseconds each answer took.

const agent = new Agent({ keepAlive: true, maxSockets: 1 });
export interface Health {
  milliseconds: number[];
  /** How often it said that it is not well, or nothing. */
  unwell: number;
}

const health: Health = { milliseconds: [], unwell: 0 };
let isOver = false;
parentPort?.once('message', () => {
  isOver = true;
});

function ask(url: string): Promise<number> {
  const start = performance.now();
  return new Promise((resolve) => {
    get(url, { agent }, (answer) => {
      answer.resume();
      answer.on('end', () => {
        if (answer.statusCode !== 200) health.unwell += 1;
        resolve(performance.now() - start);
      });
    }).on('error', () => {
      health.unwell += 1;
      resolve(performance.now() - start);
    });
  });
}

while (!isOver) {
  health.milliseconds.push(await ask(workerData));
  await pause(2);
}
agent.destroy();
parentPort?.postMessage(health);
