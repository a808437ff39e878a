import { lstat, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isRepositoryName } from '../../domain/repository-name.ts';
import { gitFolderOf, whyPassedOver } from './find-clone.ts';
import type { NotShown } from './why-not-shown.ts';

export interface Survey {
  /** How many clones are read. */
  clones: number;
  passedOver: { folder: string; why: NotShown }[];
}

/** What is below the folder of clones, and what of it is passed over. Fails where the folder itself cannot be read. */
export async function surveyClones(root: string): Promise<Survey> {
  const survey: Survey = { clones: 0, passedOver: [] };
  for (const owner of (await readdir(root)).sort()) {
    const folder = join(root, owner);
    if (owner.startsWith('.') || !(await isFolder(folder))) continue;
    if (await gitFolderOf(folder)) survey.passedOver.push({ folder: owner, why: 'withoutOwner' });
    else if (!isRepositoryName(owner)) survey.passedOver.push({ folder: owner, why: 'noName' });
    else await surveyOwner(root, owner, survey);
  }
  return survey;
}

async function surveyOwner(root: string, owner: string, survey: Survey): Promise<void> {
  const names = await readdir(join(root, owner)).catch(() => null);
  if (!names) survey.passedOver.push({ folder: owner, why: 'unreadable' });
  for (const name of names?.sort() ?? []) {
    if (!(await isFolder(join(root, owner, name)))) continue;
    const why = await whyNot(root, owner, name);
    if (why) survey.passedOver.push({ folder: join(owner, name), why });
    else survey.clones += 1;
  }
}

async function whyNot(root: string, owner: string, folder: string): Promise<NotShown | null> {
  const path = join(root, owner, folder);
  const name = folder.replace(/\.git$/, '');
  if (!isRepositoryName(name)) return 'noName';
  if (!(await readdir(path).catch(() => null))) return 'unreadable';
  const gitFolder = await gitFolderOf(path);
  if (gitFolder) return whyPassedOver({ owner, name, gitFolder });
  const inside = await lstat(join(path, '.git')).catch(() => null);
  return inside?.isFile() ? 'gitFile' : 'noClone';
}

const isFolder = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => null))?.isDirectory() ?? false;
