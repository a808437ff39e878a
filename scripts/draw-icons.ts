// Draws the icons that browsers and phones request, from web/favicon.svg into web/. node bin/run-with-node.cjs
// scripts/draw-icons.ts

import { readFileSync, writeFileSync } from 'node:fs';
import { initWasm, Resvg } from '@resvg/resvg-wasm';

const web = new URL('../web/', import.meta.url);
const drawn = readFileSync(new URL('favicon.svg', web), 'utf8');
const program = readFileSync(new URL(import.meta.resolve('@resvg/resvg-wasm/index_bg.wasm')));

const draw = (svg: string, size: number): Uint8Array =>
  new Resvg(svg, { fitTo: { mode: 'width', value: size } }).render().asPng();

/** An icon file with one picture: a header, one entry and the PNG. */
function iconFile(size: number): Buffer {
  const png = draw(drawn, size);
  const head = Buffer.alloc(22);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(1, 4);
  head.writeUInt8(size, 6);
  head.writeUInt8(size, 7);
  head.writeUInt16LE(1, 10);
  head.writeUInt16LE(32, 12);
  head.writeUInt32LE(png.length, 14);
  head.writeUInt32LE(head.length, 18);
  return Buffer.concat([head, png]);
}

function writeIcons(): void {
  writeFileSync(new URL('favicon.ico', web), iconFile(32));
  // Phones round the corners themselves.
  writeFileSync(new URL('apple-touch-icon.png', web), draw(drawn.replace(' rx="7"', ''), 180));
}

void initWasm(program).then(writeIcons);
