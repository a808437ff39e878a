import { createHash } from 'node:crypto';

const cells = 5;

/** A picture that is the same for the same seed: a mirrored pattern of squares in one colour. */
export function drawAvatar(seed: string): string {
  const digest = createHash('sha256').update(seed).digest();
  const byte = (index: number): number => digest[index] ?? 0;
  const hue = Math.round((byte(0) / 256) * 360);
  const squares: string[] = [];
  for (let row = 0; row < cells; row += 1) {
    for (let column = 0; column < cells; column += 1) {
      const mirrored = Math.min(column, cells - 1 - column);
      if (byte(1 + row * 3 + mirrored) % 2 === 1) squares.push(`M${column + 1} ${row + 1}h1v1h-1z`);
    }
  }
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 7 7" shape-rendering="crispEdges">` +
    `<rect width="7" height="7" fill="hsl(${hue} 45% 92%)"/>` +
    `<path fill="hsl(${hue} 55% 42%)" d="${squares.join('')}"/></svg>`
  );
}
