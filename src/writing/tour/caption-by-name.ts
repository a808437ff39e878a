import type { FileFacts } from '../../reading/facts.ts';
import type { Caption } from './captions/caption.ts';

type ByName = Extract<Caption, { kind: 'moreFiles' }>;

/** What became of a file as a whole. */
export const statusOf = ({ status }: FileFacts): ByName['status'] =>
  status === 'added' || status === 'removed' || status === 'renamed' ? status : 'changed';

/** What is said of files of one kind where nothing is said of what stands in them. */
export const captionByName = (files: FileFacts[]): ByName => ({
  kind: 'moreFiles',
  status: files[0] ? statusOf(files[0]) : 'changed',
  paths: files.map(({ path }) => path),
});
