import { Agent, get } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

// Polls the health check from its own thread, so that the rest of the benchmark delays no response, and reports the
// duration of each in milliseconds when it is stopped.

const agent = new Agent({ keepAlive: true, maxSockets: 1 });
export interface Health {
  milliseconds: number[];
  /** The number of failed or missing responses. */
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
