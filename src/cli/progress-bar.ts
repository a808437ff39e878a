import { forTerminal, onOneLine } from './print.ts';

interface Terminal {
  isTTY?: boolean;
  columns?: number;
  write: (text: string) => unknown;
}

export interface ProgressBar {
  /** A total of nothing is one that is not known. */
  show: (done: number, total: number, now: string) => void;
  /** Takes it away, so that what comes next begins a line. */
  clear: () => void;
}

const width = 24;
const eraseLine = '\r\u001b[K';

/** A bar that is drawn over itself; nothing where there is no terminal to draw it on. */
export function createProgressBar(terminal: Terminal): ProgressBar {
  if (!terminal.isTTY) return { show: () => {}, clear: () => {} };
  return {
    show(done, total, now) {
      const filled = Math.round((done / Math.max(1, total)) * width);
      const bar = `[${'#'.repeat(filled)}${'.'.repeat(width - filled)}] ${done} of ${total}: `;
      const line = `${total === 0 ? '' : bar}${onOneLine(forTerminal(now))}`;
      terminal.write(`${eraseLine}${line.slice(0, (terminal.columns || 80) - 1)}`);
    },
    clear: () => void terminal.write(eraseLine),
  };
}
