import { type Html, html } from './html.ts';

export const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1) || path;

/** A path, its last part in bold. Folders may break at their ends, and nowhere else if there is room. */
export function fileName(path: string): Html {
  const base = baseName(path);
  const folders = path.slice(0, path.length - base.length).split(/(?<=\/)/);
  return html`<bdi class="file">${folders.filter(Boolean).map((folder) => html`${folder}<wbr>`)}<b>${base}</b></bdi>`;
}
