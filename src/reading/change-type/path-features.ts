import type { KindedFile } from './shape-features.ts';

// The first files of a large change say what it is about; the hundredth costs as much and says nothing new.
const mostFiles = 40;
const part = /[A-Z]?[a-z]+|[A-Z]{2,}|\d+/g;

/** The folders, names and endings of the changed files. */
export function pathFeatures(files: KindedFile[]): Set<string> {
  const found = new Set<string>();
  for (const { file, kind } of files.slice(0, mostFiles)) {
    const slash = file.path.lastIndexOf('/');
    const name = file.path.slice(slash + 1).toLowerCase();
    const dot = name.indexOf('.', 1);
    const ending = dot > 0 ? name.slice(dot) : name;
    found.add(`name ${name}`);
    found.add(`ending ${ending}`);
    const lastDot = name.lastIndexOf('.');
    if (lastDot > dot) found.add(`ending ${name.slice(lastDot)}`);
    const folders = slash < 0 ? ['.'] : file.path.slice(0, slash).toLowerCase().split('/');
    found.add(`top ${folders[0]}`);
    for (const folder of folders) found.add(`in ${folder}`);
    for (const [word] of file.path.matchAll(part)) found.add(word.toLowerCase());
    if (file.status !== 'modified') found.add(`${file.status} ${kind} ${ending}`);
  }
  return found;
}
