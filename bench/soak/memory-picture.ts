export interface Sample {
  minute: number;
  service: number;
  server: number;
}

/** The slope of a straight line through all samples, in MB per minute. */
export function slopeOf(samples: Sample[], of: (sample: Sample) => number): number {
  const mean = (numbers: number[]) => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;
  const [middle, height] = [mean(samples.map(({ minute }) => minute)), mean(samples.map(of))];
  const spread = samples.reduce((sum, { minute }) => sum + (minute - middle) ** 2, 0);
  return samples.reduce((sum, one) => sum + (one.minute - middle) * (of(one) - height), 0) / spread;
}

const [width, height, margin] = [800, 300, 50];

export function drawMemory(samples: Sample[]): string {
  const most = Math.max(...samples.flatMap(({ service, server }) => [service, server]));
  const end = samples.at(-1)?.minute ?? 1;
  const x = (minute: number) => (margin + (minute / end) * (width - 2 * margin)).toFixed(1);
  const y = (megabytes: number) => (height - margin - (megabytes / most) * (height - 2 * margin)).toFixed(1);
  const line = (of: (sample: Sample) => number, colour: string) =>
    `<polyline fill="none" stroke="${colour}" points="${samples.map((one) => `${x(one.minute)},${y(of(one))}`).join(' ')}"/>`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12">
<rect width="100%" height="100%" fill="white"/>
${line(({ service }) => service, 'crimson')}
${line(({ server }) => server, 'steelblue')}
<text x="${margin}" y="20"><tspan fill="crimson">service</tspan> and <tspan fill="steelblue">PostgreSQL</tspan>, MB (PSS)</text>
<text x="5" y="${y(most)}">${Math.round(most)}</text><text x="5" y="${y(0)}">0</text>
<text x="${x(end)}" y="${height - 20}" text-anchor="end">${Math.round(end)} minutes</text>
</svg>
`;
}
