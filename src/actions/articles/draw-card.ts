import { readFile } from 'node:fs/promises';
import { LazyPromise } from '../../domain/concurrency.ts';

/** Only what we bring is drawn with: a bare machine has no fonts, and a picture is to look the same on every one. */
const fonts = new URL('../../../web/fonts/', import.meta.url);
const fontNames = ['newsreader-latin.woff2', 'newsreader-latin-ext.woff2'];

const rasterizer = new LazyPromise(async () => {
  const { initWasm, Resvg } = await import('@resvg/resvg-wasm');
  const [program, ...fontBuffers] = await Promise.all([
    readFile(new URL(import.meta.resolve('@resvg/resvg-wasm/index_bg.wasm'))),
    ...fontNames.map((name) => readFile(new URL(name, fonts))),
  ]);
  await initWasm(program);
  return (svg: string): Uint8Array => {
    const picture = new Resvg(svg, { font: { fontBuffers } });
    const drawn = picture.render();
    try {
      return drawn.asPng();
    } finally {
      drawn.free();
      picture.free();
    }
  };
});

/** Makes a PNG of an SVG that we made. */
export async function drawCard(svg: string, _parent: object): Promise<Uint8Array> {
  const draw = await rasterizer.get();
  return draw(svg);
}
